//! What one sample was executing: the function, and the subsystem that it is part of.

use std::fmt;

use results::profile::{Profile, SampledStack, Symbol};

use super::subsystems::{Subsystems, is_of_kernel};

/// A function of a subsystem.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FunctionOnCpu {
    /// The subsystem; `other: LIBRARY` where the table of subsystems does not have the function.
    pub subsystem: String,
    /// The function, for people.
    pub function: String,
}

impl fmt::Display for FunctionOnCpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.function, self.subsystem)
    }
}

/// How the subsystems begin whose functions are not in the table.
pub(super) const OTHER: &str = "other: ";

impl FunctionOnCpu {
    /// What a stack was executing: its innermost function; in the kernel the system call, or what the kernel did for
    /// the process without being asked.
    pub(super) fn of_stack(profile: &Profile, stack: &SampledStack) -> Option<Self> {
        let frames: Vec<&Symbol> =
            stack.frames.iter().filter_map(|place| profile.symbols.get(usize::try_from(*place).ok()?)).collect();
        let first = frames.first()?;
        if !is_of_kernel(first) {
            let known = Subsystems::of_this_build().of_symbol(first).map(str::to_owned);
            let subsystem = known.unwrap_or_else(|| format!("{OTHER}{}", first.library));
            return Some(Self { subsystem, function: in_words(first) });
        }
        let in_kernel = frames.iter().take_while(|symbol| is_of_kernel(symbol));
        let names: Vec<&str> = in_kernel.filter_map(|symbol| symbol.name.as_deref()).collect();
        let call = system_call(&names);
        let known = Subsystems::of_this_build().of_kernel_functions(&names).map(str::to_owned);
        let subsystem = known.unwrap_or_else(|| match (&call, names.is_empty()) {
            (Some(_), _) => "kernel: other system calls".to_owned(),
            (None, true) => "kernel".to_owned(),
            (None, false) => "kernel: other".to_owned(),
        });
        let function = match (call, names.first()) {
            (Some(call), _) => format!("{call}()"),
            (None, Some(innermost)) => (*innermost).to_owned(),
            (None, None) => "kernel".to_owned(),
        };
        Some(Self { subsystem, function })
    }

    /// Whether its name is known.
    pub(crate) fn has_name(&self) -> bool {
        !self.function.starts_with(UNNAMED)
    }

    /// Whether the table of subsystems does not have it.
    pub(super) fn is_unknown(&self) -> bool {
        self.subsystem.starts_with(OTHER)
    }
}

/// The system call of a stack of the kernel, from its outermost function that has the name of one.
fn system_call(names: &[&str]) -> Option<String> {
    const BEGINNINGS: [&str; 5] = ["__x64_sys_", "__arm64_sys_", "__do_sys_", "__se_sys_", "__sys_"];
    names.iter().rev().find_map(|name| {
        let call = BEGINNINGS.iter().find_map(|beginning| name.strip_prefix(beginning))?;
        Some(call.to_owned())
    })
}

/// How what is said of a function without a name begins.
const UNNAMED: &str = "unnamed, ";

/// Characters of a name that a compiler of C++ made.
const MANGLED: usize = 32;

/// A name; of one that a compiler of C++ made of types the beginning.
fn readable_name(name: &str) -> String {
    let is_mangled = name.starts_with("_Z") && name.chars().count() > MANGLED;
    if is_mangled { format!("{}…", name.chars().take(MANGLED).collect::<String>()) } else { name.to_owned() }
}

/// A symbol, for people.
pub(super) fn in_words(symbol: &Symbol) -> String {
    match (&symbol.name, &symbol.between) {
        (Some(name), _) => readable_name(name),
        (None, Some([Some(before), Some(after)])) => {
            format!("{UNNAMED}between {} and {}", readable_name(before), readable_name(after))
        }
        (None, Some([Some(before), None])) => format!("{UNNAMED}after {}", readable_name(before)),
        (None, Some([None, Some(after)])) => format!("{UNNAMED}before {}", readable_name(after)),
        (None, Some([None, None]) | None) => symbol.library.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(frames: &[(&str, &str)]) -> FunctionOnCpu {
        let symbols = frames.iter().map(|(library, name)| Symbol {
            name: (!name.is_empty()).then(|| (*name).to_owned()),
            library: (*library).to_owned(),
            between: None,
        });
        let profile = Profile { symbols: symbols.collect(), ..Profile::default() };
        let frames = (0..u32::try_from(frames.len()).unwrap()).collect();
        FunctionOnCpu::of_stack(&profile, &SampledStack { frames, samples: 1 }).unwrap()
    }

    fn check(frames: &[(&str, &str)], subsystem: &str, function: &str) {
        let expected = FunctionOnCpu { subsystem: subsystem.to_owned(), function: function.to_owned() };
        assert_eq!(of(frames), expected);
    }

    #[test]
    fn innermost_function_tells_the_subsystem() {
        check(&[("postgres", "_bt_compare"), ("postgres", "ExecScan")], "index: B-tree", "_bt_compare");
        check(&[("pg_trgm.so", "generate_trgm")], "other: pg_trgm.so", "generate_trgm");
        check(&[("anonymous memory", "")], "JIT", "anonymous memory");
    }

    #[test]
    fn time_in_the_kernel_is_told_by_its_system_call() {
        let sent = [
            ("kernel", "tcp_sendmsg"),
            ("kernel", "__sys_sendto"),
            ("kernel", "__x64_sys_sendto"),
            ("libc.so.6", "send"),
        ];
        check(&sent, "kernel: network", "sendto()");
        check(&[("kernel", "exc_page_fault"), ("postgres", "palloc")], "kernel: page faults", "exc_page_fault");
        check(&[("kernel", "__x64_sys_kill")], "kernel: other system calls", "kill()");
        check(&[("kernel", ""), ("postgres", "palloc")], "kernel", "kernel");
    }
}
