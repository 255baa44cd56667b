//! The functions of an ELF file by address: `.symtab` of the file or of its separate debug information
//! (`/usr/lib/debug/.build-id`), else `.dynsym`, which has only the functions that other files may call.

use std::fs::File;
use std::path::{Path, PathBuf};

use object::read::elf::ElfFile64;
use object::read::{Object, ObjectSegment, ObjectSymbol, ObjectSymbolTable, ReadCache, SymbolKind};

/// The functions of one file.
#[derive(Debug, Default)]
pub(super) struct SymbolTable {
    /// In the order of their addresses, one for each address.
    functions: Vec<NamedFunction>,
    /// Where the file's bytes lie among its addresses.
    segments: Vec<FileSegment>,
    /// Whether functions without a name are functions of the file that `.dynsym` leaves out.
    exported_only: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct NamedFunction {
    address: u64,
    size: u64,
    name: Box<str>,
}

#[derive(Debug, Clone, Copy)]
struct FileSegment {
    offset: u64,
    length: u64,
    address: u64,
}

/// What is at an address.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Located {
    /// This function.
    Named(String),
    /// A function without a name, between two that have one.
    Between([Option<String>; 2]),
}

type Elf<'a> = ElfFile64<'a, object::Endianness, &'a ReadCache<File>>;

impl SymbolTable {
    /// The functions of a file as the process at `process_root` (`/proc/PID/root`) sees it. None: it is no ELF file of
    /// 64 bits, or may not be read.
    pub(super) fn read_file(process_root: &Path, path: &Path) -> Option<Self> {
        let cache = ReadCache::new(File::open(path_below(process_root, path)).ok()?);
        let elf: Elf<'_> = ElfFile64::parse(&cache).ok()?;
        let mut segments = Vec::new();
        for segment in elf.segments() {
            let (offset, length) = segment.file_range();
            segments.push(FileSegment { offset, length, address: segment.address() });
        }
        let mut functions = functions_of(elf.symbol_table().as_ref());
        if functions.is_empty() {
            functions = elf.build_id().ok().flatten().map_or_else(Vec::new, |id| separate_functions(process_root, id));
        }
        let exported_only = functions.is_empty();
        if exported_only {
            functions = functions_of(elf.dynamic_symbol_table().as_ref());
        }
        Some(Self { functions, segments, exported_only })
    }

    /// What is at a place in the file.
    pub(super) fn at_offset(&self, offset: u64) -> Option<Located> {
        let segment = self
            .segments
            .iter()
            .find(|segment| segment.offset <= offset && offset - segment.offset < segment.length)?;
        Some(self.at_address(segment.address + (offset - segment.offset)))
    }

    fn at_address(&self, address: u64) -> Located {
        let after = self.functions.partition_point(|function| function.address <= address);
        let before = after.checked_sub(1).and_then(|place| self.functions.get(place));
        match before {
            // The end of some is not known; a table of all functions leaves no room for others between them.
            Some(function)
                if function.size == 0 || address - function.address < function.size || !self.exported_only =>
            {
                Located::Named(function.name.to_string())
            }
            _ => {
                let after = self.functions.get(after);
                Located::Between([before, after].map(|function| function.map(|function| function.name.to_string())))
            }
        }
    }
}

/// A path inside of a process's root.
fn path_below(process_root: &Path, path: &Path) -> PathBuf {
    process_root.join(path.strip_prefix("/").unwrap_or(path))
}

/// The functions of the separate debug information, where a package of it is installed.
fn separate_functions(process_root: &Path, build_id: &[u8]) -> Vec<NamedFunction> {
    let digits: String = build_id.iter().map(|byte| format!("{byte:02x}")).collect();
    let Some((first, rest)) = digits.split_at_checked(2) else { return Vec::new() };
    let path = path_below(process_root, Path::new(&format!("/usr/lib/debug/.build-id/{first}/{rest}.debug")));
    let Ok(file) = File::open(path) else { return Vec::new() };
    let cache = ReadCache::new(file);
    let elf: Result<Elf<'_>, _> = ElfFile64::parse(&cache);
    elf.map_or_else(|_| Vec::new(), |elf| functions_of(elf.symbol_table().as_ref()))
}

fn functions_of<'data, Table: ObjectSymbolTable<'data>>(table: Option<&Table>) -> Vec<NamedFunction> {
    let mut functions = Vec::new();
    for symbol in table.into_iter().flat_map(ObjectSymbolTable::symbols) {
        let is_code = matches!(symbol.kind(), SymbolKind::Text) && symbol.is_definition();
        let Ok(name) = symbol.name() else { continue };
        if is_code && !name.is_empty() {
            functions.push(NamedFunction { address: symbol.address(), size: symbol.size(), name: name.into() });
        }
    }
    // Of several names for one function the first in the alphabet, whichever order the file has.
    functions.sort_by(|one, other| (one.address, &one.name).cmp(&(other.address, &other.name)));
    functions.dedup_by_key(|function| function.address);
    functions
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(address: u64, size: u64, name: &str) -> NamedFunction {
        NamedFunction { address, size, name: name.into() }
    }

    fn table(exported_only: bool) -> SymbolTable {
        let functions = vec![function(0x100, 0x10, "first"), function(0x140, 0x20, "second")];
        let segments = vec![FileSegment { offset: 0x10, length: 0x80, address: 0x110 - 0x10 }];
        SymbolTable { functions, segments, exported_only }
    }

    #[test]
    fn an_address_in_a_function_has_its_name() {
        assert_eq!(table(true).at_offset(0x10), Some(Located::Named("first".to_owned())));
        assert_eq!(table(true).at_offset(0x5f), Some(Located::Named("second".to_owned())));
        assert_eq!(table(true).at_offset(0x90), None, "no part of the file that is mapped");
    }

    #[test]
    fn an_address_between_exported_functions_is_told_by_its_neighbours() {
        let neighbours = [Some("first".to_owned()), Some("second".to_owned())];
        assert_eq!(table(true).at_offset(0x20), Some(Located::Between(neighbours)));
        assert_eq!(table(false).at_offset(0x20), Some(Located::Named("first".to_owned())));
        assert_eq!(table(true).at_offset(0x8f), Some(Located::Between([Some("second".to_owned()), None])));
    }

    #[test]
    fn the_functions_of_this_program_are_read() {
        let program = std::env::current_exe().unwrap();
        let table = SymbolTable::read_file(Path::new("/"), &program).unwrap();
        assert!(table.functions.iter().any(|function| function.name.contains("functions_of_this_program")));
        assert!(SymbolTable::read_file(Path::new("/"), Path::new("/proc/self/maps")).is_none());
    }
}
