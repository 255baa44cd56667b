//! Which subsystem of PostgreSQL, a library or the kernel a function belongs to: the table `subsystems.txt`, read once.

use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use results::profile::Symbol;

/// The table; its first lines explain it.
const TABLE: &str = include_str!("subsystems.txt");
/// What stands below is less than what stands above.
const GENERATED: &str = "\n# generated";
/// How subsystems of the kernel begin.
const KERNEL: &str = "kernel: ";
/// The library of a function of the kernel.
const KERNEL_LIBRARY: &str = "kernel";

/// The table in a form to ask.
#[derive(Debug, Default)]
pub(super) struct Subsystems {
    by_hand: FunctionNames,
    generated: FunctionNames,
    /// By library, the names that hold there only.
    of_library: Vec<(String, FunctionNames)>,
    libraries: FunctionNames,
    /// In the order of the table.
    kernel: Vec<(&'static str, FunctionNames)>,
}

/// Names of functions, and beginnings of such names.
#[derive(Debug, Default)]
struct FunctionNames {
    whole: HashMap<&'static str, &'static str>,
    beginnings: BTreeMap<&'static str, &'static str>,
}

impl FunctionNames {
    /// `word` is a name, or a beginning with `*` behind it; the first of several for the same holds.
    fn add_word(&mut self, word: &'static str, subsystem: &'static str) {
        match word.strip_suffix('*') {
            Some(beginning) => self.beginnings.entry(beginning).or_insert(subsystem),
            None => self.whole.entry(word).or_insert(subsystem),
        };
    }

    fn subsystem_of(&self, name: &str) -> Option<&'static str> {
        self.whole.get(name).copied().or_else(|| self.longest_beginning_of(name))
    }

    /// The subsystem of the longest beginning of a name. In the order of the table, what lies between a beginning and
    /// the name begins alike: if the last one before the name is none, only what it shares with the name is left.
    fn longest_beginning_of(&self, name: &str) -> Option<&'static str> {
        let mut rest = name;
        loop {
            let (beginning, subsystem) = self.beginnings.range(..=rest).next_back()?;
            if rest.starts_with(beginning) {
                return Some(*subsystem);
            }
            let mut alike = rest.char_indices().zip(beginning.chars()).skip_while(|((_, here), there)| here == there);
            let ((end, _), _) = alike.next()?;
            rest = &rest[..end];
        }
    }
}

impl Subsystems {
    /// The table of this build.
    pub(super) fn of_this_build() -> &'static Self {
        static KNOWN: OnceLock<Subsystems> = OnceLock::new();
        KNOWN.get_or_init(|| Self::of_table(TABLE))
    }

    fn of_table(table: &'static str) -> Self {
        let (by_hand, generated) = table.split_once(GENERATED).unwrap_or((table, ""));
        let mut subsystems = Self::default();
        subsystems.add_lines(by_hand, true);
        // The rest of the line that says so is none of the table.
        subsystems.add_lines(generated.split_once('\n').map_or("", |(_, rest)| rest), false);
        subsystems
    }

    fn add_lines(&mut self, text: &'static str, by_hand: bool) {
        let (mut subsystem, mut libraries) = ("", Vec::new());
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            if let Some((name, rest)) = line.strip_prefix('[').and_then(|line| line.split_once(']')) {
                subsystem = name;
                libraries = rest.trim_start_matches(" in ").split_ascii_whitespace().collect();
                continue;
            }
            for word in line.split_ascii_whitespace() {
                if let Some(file) = word.strip_prefix('@') {
                    self.libraries.add_word(file, subsystem);
                } else if subsystem.starts_with(KERNEL) {
                    names_of_key(&mut self.kernel, subsystem).add_word(word, subsystem);
                } else if !libraries.is_empty() {
                    for library in &libraries {
                        let library = library.trim_end_matches('*').to_owned();
                        names_of_key(&mut self.of_library, library).add_word(word, subsystem);
                    }
                } else if by_hand {
                    self.by_hand.add_word(word, subsystem);
                } else {
                    self.generated.add_word(word, subsystem);
                }
            }
        }
    }

    /// The subsystem of a function of the server or of a library; none where the table does not tell. A function
    /// without a name is one that its file does not let others call. A compiler leaves the functions of a source file
    /// together and those that are called before their callers, so that it is of the subsystem of the next named one.
    pub(super) fn of_symbol(&self, symbol: &Symbol) -> Option<&'static str> {
        let by_name = match (&symbol.name, &symbol.between) {
            (Some(name), _) => self.of_name(&symbol.library, name),
            (None, Some([before, after])) => self.of_unnamed(&symbol.library, before.as_deref(), after.as_deref()),
            (None, None) => None,
        };
        by_name.or_else(|| self.libraries.subsystem_of(&symbol.library.replace(' ', "_")))
    }

    fn of_unnamed(&self, library: &str, before: Option<&str>, after: Option<&str>) -> Option<&'static str> {
        let named_library = self.libraries.subsystem_of(library);
        let right_before = after.filter(|_| named_library.is_none()).map(|name| format!("<{name}"));
        let by_hand = right_before.and_then(|word| self.by_hand.whole.get(word.as_str()).copied());
        let of_next = by_hand.or_else(|| after.and_then(|name| self.of_name(library, name)));
        of_next.or_else(|| before.and_then(|name| self.of_name(library, name)))
    }

    fn of_name(&self, library: &str, name: &str) -> Option<&'static str> {
        // `.part.0`, `.isra.0`, `.cold`: what a compiler made of a function.
        let name = name.split('.').next().unwrap_or(name);
        let of_library = self.of_library.iter().filter(|(beginning, _)| library.starts_with(beginning.as_str()));
        let in_library = of_library.filter_map(|(_, names)| names.subsystem_of(name)).next();
        in_library.or_else(|| match self.libraries.subsystem_of(library) {
            // A name of PostgreSQL says nothing of another program's library.
            Some(of_library) => Some(of_library),
            None => self.by_hand.subsystem_of(name).or_else(|| self.generated.subsystem_of(name)),
        })
    }

    /// The subsystem of the functions of the kernel that a stack has, from the innermost; none where the table does not
    /// tell.
    pub(super) fn of_kernel_functions(&self, names: &[&str]) -> Option<&'static str> {
        for (subsystem, known) in &self.kernel {
            if names.iter().any(|name| known.subsystem_of(name).is_some()) {
                return Some(subsystem);
            }
        }
        None
    }
}

/// The names that are listed under a key, in the order in which keys come first.
fn names_of_key<K: PartialEq>(all: &mut Vec<(K, FunctionNames)>, key: K) -> &mut FunctionNames {
    let place = all.iter().position(|(known, _)| *known == key).unwrap_or(all.len());
    if place == all.len() {
        all.push((key, FunctionNames::default()));
    }
    &mut all[place].1
}

/// Whether a function is one of the kernel.
pub(super) fn is_of_kernel(symbol: &Symbol) -> bool {
    symbol.library == KERNEL_LIBRARY
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(library: &str, name: &str) -> Symbol {
        Symbol { name: Some(name.to_owned()), library: library.to_owned(), between: None }
    }

    fn of(library: &str, name: &str) -> Option<&'static str> {
        Subsystems::of_this_build().of_symbol(&named(library, name))
    }

    #[test]
    fn functions_of_the_server_are_of_its_subsystems() {
        let check = |name: &str, expected: &str| assert_eq!(of("postgres", name), Some(expected), "{name}");
        check("slot_deform_heap_tuple", "deforming tuples");
        check("ExecInterpExpr", "expression evaluation");
        check("_bt_compare", "index: B-tree");
        check("heap_getnextslot", "heap access");
        check("HeapTupleSatisfiesMVCC", "visibility");
        check("ReadBuffer_common", "buffer manager");
        check("XLogInsertRecord", "WAL");
        check("LWLockAcquire", "lightweight locks");
        check("LockAcquireExtended", "heavyweight locks");
        check("GetSnapshotData", "snapshots");
        check("pglz_compress", "TOAST and compression");
        check("pg_do_encoding_conversion", "encoding conversion");
        check("varstr_cmp", "collation and locale");
        check("AllocSetAlloc", "memory allocation");
        check("standard_planner", "planner");
        check("base_yyparse", "parsing and analysis");
        check("SearchCatCache1", "catalog caches");
        check("hash_search_with_hash_value", "hash tables");
        check("scram_SaltedPassword", "TLS and authentication");
        check("ExecProcNode.part.0", "executor");
    }

    #[test]
    fn longest_beginning_decides_whatever_stands_between() {
        let mut names = FunctionNames::default();
        for (word, subsystem) in [("a*", "1"), ("abc*", "2"), ("abcde*", "3"), ("abd", "4"), ("ab*", "5"), ("né*", "6")]
        {
            names.add_word(word, subsystem);
        }
        let check = |name: &str, expected: Option<&str>| assert_eq!(names.subsystem_of(name), expected, "{name}");
        check("abcdd", Some("2"));
        check("abcdefg", Some("3"));
        check("abd", Some("4"));
        check("abdx", Some("5"));
        check("azz", Some("1"));
        check("nè", None);
        check("né_", Some("6"));
        check("", None);
        check("zz", None);
    }

    #[test]
    fn functions_of_libraries_are_told_by_library_or_name() {
        assert_eq!(of("libc.so.6", "malloc"), Some("memory allocation"));
        assert_eq!(of("libc.so.6", "no_such_name"), Some("C library"));
        assert_eq!(of("libc-2.31.so", "strcoll_l"), Some("collation and locale"));
        assert_eq!(of("libcrypto.so.3", "malloc"), Some("TLS and authentication"));
        assert_eq!(of("utf8_and_iso8859_1.so", "iso8859_1_to_utf8"), Some("encoding conversion"));
        assert_eq!(of("plpgsql.so", "exec_stmts"), Some("triggers and PL/pgSQL"));
        let made = Symbol { name: None, library: "anonymous memory".to_owned(), between: None };
        assert_eq!(Subsystems::of_this_build().of_symbol(&made), Some("JIT"));
        assert_eq!(of("pg_trgm.so", "no_such_name"), None);
    }

    #[test]
    fn function_without_a_name_is_of_the_subsystem_of_the_next_named_one() {
        let between = |before: &str, after: &str| {
            let between = Some([before, after].map(|name| Some(name.to_owned())));
            Subsystems::of_this_build().of_symbol(&Symbol { name: None, library: "postgres".to_owned(), between })
        };
        assert_eq!(between("_bt_search", "_bt_compare"), Some("index: B-tree"));
        assert_eq!(between("_bt_search", "XLogInsert"), Some("WAL"));
        assert_eq!(between("ExecScanReScan", "MakeTupleTableSlot"), Some("deforming tuples"), "of execTuples.c");
    }

    #[test]
    fn a_stack_of_the_kernel_is_told_by_any_of_its_functions() {
        let known = Subsystems::of_this_build();
        let sent = ["_raw_spin_unlock", "tcp_sendmsg", "__sys_sendto", "do_syscall_64"];
        assert_eq!(known.of_kernel_functions(&sent), Some("kernel: network"));
        let faulted = ["clear_page", "handle_mm_fault", "exc_page_fault", "tcp_recvmsg"];
        assert_eq!(known.of_kernel_functions(&faulted), Some("kernel: page faults"));
        assert_eq!(known.of_kernel_functions(&["_raw_spin_lock"]), None);
    }
}
