//! Which file is mapped where in a process: `/proc/PID/maps`, its executable parts.

/// One executable mapping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ExecutableMapping {
    /// First address, and the first behind it.
    pub(super) start: u64,
    pub(super) end: u64,
    /// Place in the file of the first address.
    pub(super) offset: u64,
    /// Device and inode, which stay the same when the file is replaced under its name.
    pub(super) file: String,
    /// Path of the file, a name in brackets, or nothing for memory without a file.
    pub(super) path: String,
}

/// The executable mappings of a text of `/proc/PID/maps`, in the order of their addresses.
pub(super) fn executable_mappings(text: &str) -> Vec<ExecutableMapping> {
    text.lines().filter_map(executable_mapping).collect()
}

/// `start-end permissions offset device inode path`.
fn executable_mapping(line: &str) -> Option<ExecutableMapping> {
    let mut words = line.splitn(6, ' ');
    let (start, end) = words.next()?.split_once('-')?;
    if !words.next()?.contains('x') {
        return None;
    }
    let offset = u64::from_str_radix(words.next()?, 16).ok()?;
    let (device, rest) = (words.next()?, words.next()?);
    let path = words.next().unwrap_or("").trim_start().trim_end_matches(" (deleted)").to_owned();
    Some(ExecutableMapping {
        start: u64::from_str_radix(start, 16).ok()?,
        end: u64::from_str_radix(end, 16).ok()?,
        offset,
        file: format!("{device} {rest}"),
        path,
    })
}

/// The mapping that an address is in.
pub(super) fn mapping_at(mappings: &[ExecutableMapping], address: u64) -> Option<&ExecutableMapping> {
    let place = mappings.partition_point(|mapping| mapping.end <= address);
    mappings.get(place).filter(|mapping| mapping.start <= address)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAPS: &str = "\
55d0a0000000-55d0a0100000 r--p 00000000 fe:00 1234                       /usr/lib/postgresql/15/bin/postgres
55d0a0100000-55d0a0600000 r-xp 00100000 fe:00 1234                       /usr/lib/postgresql/15/bin/postgres
7f0000000000-7f0000001000 rwxp 00000000 00:00 0 
7f0000002000-7f0000003000 r-xp 00000000 fe:00 99                         /a b/lib x.so (deleted)
7ffc00000000-7ffc00002000 r-xp 00000000 00:00 0                          [vdso]
";

    #[test]
    fn executable_mappings_are_found_by_address() {
        let mappings = executable_mappings(MAPS);
        let at = |address| mapping_at(&mappings, address).map(|mapping| mapping.path.as_str());
        assert_eq!(at(0x55d0_a000_0000), None, "it is not executable");
        assert_eq!(at(0x55d0_a010_0000), Some("/usr/lib/postgresql/15/bin/postgres"));
        assert_eq!(at(0x55d0_a060_0000), None, "the first address behind it");
        assert_eq!(at(0x7f00_0000_0fff), Some(""));
        assert_eq!(at(0x7f00_0000_2000), Some("/a b/lib x.so"));
        assert_eq!(at(0x7ffc_0000_0010), Some("[vdso]"));
        assert_eq!((mappings[0].offset, mappings[0].file.as_str()), (0x10_0000, "fe:00 1234"));
    }
}
