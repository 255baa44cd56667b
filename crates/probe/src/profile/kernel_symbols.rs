//! The functions of the running kernel by address: `/proc/kallsyms`, where it shows addresses
//! (`kernel.kptr_restrict`).

use std::path::Path;

/// The functions of the kernel and of its modules.
#[derive(Debug, Default)]
pub(super) struct KernelSymbols {
    /// In the order of their addresses.
    functions: Vec<(u64, Box<str>)>,
}

impl KernelSymbols {
    /// Those of the kernel below `root`; none where their addresses are hidden.
    pub(super) fn read_kallsyms(root: &Path) -> Self {
        let text = std::fs::read_to_string(root.join("proc/kallsyms"));
        text.map_or_else(|_| Self::default(), |text| Self::from_text(&text))
    }

    fn from_text(text: &str) -> Self {
        let mut functions: Vec<(u64, Box<str>)> = text.lines().filter_map(kernel_function).collect();
        functions.sort_unstable();
        functions.dedup_by_key(|(address, _)| *address);
        Self { functions }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    /// The function at an address; none below the first.
    pub(super) fn function_at(&self, address: u64) -> Option<&str> {
        let after = self.functions.partition_point(|(start, _)| *start <= address);
        after.checked_sub(1).map(|place| &*self.functions[place].1)
    }
}

/// `address type name [module]`; the types of code are t, T, w and W.
fn kernel_function(line: &str) -> Option<(u64, Box<str>)> {
    let mut words = line.split_ascii_whitespace();
    let address = u64::from_str_radix(words.next()?, 16).ok().filter(|address| *address != 0)?;
    let is_code = matches!(words.next()?, "t" | "T" | "w" | "W");
    let name = words.next()?;
    if is_code { Some((address, name.into())) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_the_function_that_begins_before_it() {
        let symbols = KernelSymbols::from_text(
            "ffffffff81000000 T _stext\nffffffff81000200 t do_syscall_64\nffffffff81000100 D data\n\
             ffffffffc0000000 t ext4_read [ext4]\n",
        );
        assert_eq!(symbols.function_at(0xffff_ffff_8100_01ff), Some("_stext"));
        assert_eq!(symbols.function_at(0xffff_ffff_8100_0200), Some("do_syscall_64"));
        assert_eq!(symbols.function_at(0xffff_ffff_c000_0010), Some("ext4_read"));
        assert_eq!(symbols.function_at(1), None);
    }

    #[test]
    fn hidden_addresses_are_no_symbols() {
        assert!(KernelSymbols::from_text("0000000000000000 T _stext\n0000000000000000 T other\n").is_empty());
    }
}
