//! Names the addresses of a server's processes: which file is mapped there, and which of its functions it is.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use results::profile::Symbol;

use super::kernel_symbols::KernelSymbols;
use super::memory_map::{ExecutableMapping, executable_mappings, mapping_at};
use super::sample_record::ProcessSample;
use super::symbol_table::{Located, SymbolTable};

/// The name of the kernel in the place of a file's.
const KERNEL: &str = "kernel";
/// The name of code that is in no file.
const ANONYMOUS: &str = "anonymous memory";
/// Functions of which one is below every other of a server's process: a stack that reaches none of them was not made
/// of frame pointers.
const OUTERMOST: [&str; 5] = ["main", "PostmasterMain", "PostgresMain", "BackendMain", "postmaster_child_launch"];

/// Symbol tables of files that were read before, by file and path: every trial of a run needs the same.
static TABLES: Mutex<BTreeMap<(String, String), Arc<SymbolTable>>> = Mutex::new(BTreeMap::new());
/// The functions of the kernel, which is one.
static KERNEL_SYMBOLS: OnceLock<KernelSymbols> = OnceLock::new();

/// Names addresses, and keeps the names.
pub(super) struct Symbolizer {
    root: PathBuf,
    postmaster: u32,
    /// What is mapped in each process: read when a sample of it is first named.
    spaces: HashMap<u32, AddressSpace>,
    tables: HashMap<(String, String), Arc<SymbolTable>>,
    symbols: Vec<Symbol>,
    places: HashMap<Symbol, u32>,
    kernel_places: HashMap<u64, u32>,
    /// By file and place in it.
    file_places: HashMap<(Arc<SymbolTableKey>, u64), u32>,
}

/// What names a file.
type SymbolTableKey = (String, String);

#[derive(Default)]
struct AddressSpace {
    mappings: Vec<ExecutableMapping>,
    /// Whether it was read for samples of the same second.
    is_fresh: bool,
}

impl Symbolizer {
    /// For the children of a postmaster; reads the functions of what the postmaster has mapped, so that no sample has
    /// to wait for that.
    pub(super) fn of_server(root: &Path, postmaster: u32) -> Self {
        let mut symbolizer = Self {
            root: root.to_owned(),
            postmaster,
            spaces: HashMap::new(),
            tables: HashMap::new(),
            symbols: Vec::new(),
            places: HashMap::new(),
            kernel_places: HashMap::new(),
            file_places: HashMap::new(),
        };
        KERNEL_SYMBOLS.get_or_init(|| KernelSymbols::read_kallsyms(root));
        symbolizer.read_space(postmaster);
        let mappings: Vec<ExecutableMapping> =
            symbolizer.spaces.get(&postmaster).map_or_else(Vec::new, |s| s.mappings.clone());
        for mapping in mappings.iter().filter(|mapping| mapping.path.starts_with('/')) {
            symbolizer.table_of_file(postmaster, mapping);
        }
        symbolizer
    }

    /// Whether the functions of the kernel are known.
    pub(super) fn names_kernel() -> bool {
        KERNEL_SYMBOLS.get().is_some_and(|symbols| !symbols.is_empty())
    }

    /// From now on what is mapped may have changed.
    pub(super) fn next_second(&mut self) {
        self.spaces.values_mut().for_each(|space| space.is_fresh = false);
    }

    /// The symbols that stacks refer to.
    pub(super) fn into_symbols(self) -> Vec<Symbol> {
        self.symbols
    }

    /// The stack of a sample as places in the symbols, from the innermost function. Callers of a program without frame
    /// pointers are left out: what stands in their place is no stack.
    pub(super) fn named_stack(&mut self, sample: &ProcessSample) -> Vec<u32> {
        let mut frames: Vec<u32> = sample.kernel.iter().map(|address| self.in_kernel(*address)).collect();
        let mut own = Vec::new();
        for (depth, address) in sample.user.iter().enumerate() {
            // A caller is where it goes on after the call, which may be the next function.
            let address = if depth == 0 { *address } else { address.saturating_sub(1) };
            let Some(place) = self.in_process(sample.pid, address, depth == 0) else { break };
            own.push(place);
        }
        let reaches_outermost = own.iter().any(|place| {
            let name = self.symbols[*place as usize].name.as_deref();
            name.is_some_and(|name| OUTERMOST.contains(&name))
        });
        if !reaches_outermost {
            own.truncate(1);
        }
        frames.extend(own);
        frames
    }

    fn place_of(&mut self, symbol: Symbol) -> u32 {
        if let Some(place) = self.places.get(&symbol) {
            return *place;
        }
        let place = u32::try_from(self.symbols.len()).unwrap_or(u32::MAX);
        self.places.insert(symbol.clone(), place);
        self.symbols.push(symbol);
        place
    }

    fn in_kernel(&mut self, address: u64) -> u32 {
        if let Some(place) = self.kernel_places.get(&address) {
            return *place;
        }
        let name = KERNEL_SYMBOLS.get().and_then(|symbols| symbols.function_at(address)).map(str::to_owned);
        let place = self.place_of(Symbol { name, library: KERNEL.to_owned(), between: None });
        self.kernel_places.insert(address, place);
        place
    }

    /// The place of an address of a process; none where nothing is mapped that could be executed and `must` is unset.
    fn in_process(&mut self, pid: u32, address: u64, must: bool) -> Option<u32> {
        let Some(mapping) = self.mapping_of_process(pid, address) else {
            let unmapped = Symbol { name: None, library: ANONYMOUS.to_owned(), between: None };
            return if must { Some(self.place_of(unmapped)) } else { None };
        };
        if !mapping.path.starts_with('/') {
            let library = if mapping.path.starts_with('[') { mapping.path } else { ANONYMOUS.to_owned() };
            return Some(self.place_of(Symbol { name: None, library, between: None }));
        }
        let offset = mapping.offset + (address - mapping.start);
        let key = (Arc::new((mapping.file.clone(), mapping.path.clone())), offset);
        if let Some(place) = self.file_places.get(&key) {
            return Some(*place);
        }
        let library = mapping.path.rsplit('/').next().unwrap_or(&mapping.path).to_owned();
        let (name, between) = match self.table_of_file(pid, &mapping).at_offset(offset) {
            Some(Located::Named(name)) => (Some(name), None),
            Some(Located::Between([None, None])) | None => (None, None),
            Some(Located::Between(neighbours)) => (None, Some(neighbours)),
        };
        let place = self.place_of(Symbol { name, library, between });
        self.file_places.insert(key, place);
        Some(place)
    }

    /// What is mapped at an address of a process. A process that has ended was forked by the postmaster, whose files
    /// are at the same addresses in it.
    fn mapping_of_process(&mut self, pid: u32, address: u64) -> Option<ExecutableMapping> {
        if let Some(found) = self.spaces.get(&pid).and_then(|space| mapping_at(&space.mappings, address)) {
            return Some(found.clone());
        }
        if self.spaces.get(&pid).is_none_or(|space| !space.is_fresh) {
            self.read_space(pid);
            if let Some(found) = self.spaces.get(&pid).and_then(|space| mapping_at(&space.mappings, address)) {
                return Some(found.clone());
            }
        }
        self.spaces.get(&self.postmaster).and_then(|space| mapping_at(&space.mappings, address)).cloned()
    }

    fn read_space(&mut self, pid: u32) {
        let text = std::fs::read_to_string(self.root.join(format!("proc/{pid}/maps")));
        let space = self.spaces.entry(pid).or_default();
        space.is_fresh = true;
        if let Ok(text) = text {
            space.mappings = executable_mappings(&text);
        }
    }

    /// The functions of a mapped file, which is read once; an empty table where it cannot be read.
    fn table_of_file(&mut self, pid: u32, mapping: &ExecutableMapping) -> Arc<SymbolTable> {
        let key = (mapping.file.clone(), mapping.path.clone());
        if let Some(table) = self.tables.get(&key) {
            return Arc::clone(table);
        }
        let known = TABLES.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        let table = known.unwrap_or_else(|| self.read_table(pid, mapping));
        self.tables.insert(key, Arc::clone(&table));
        table
    }

    fn read_table(&self, pid: u32, mapping: &ExecutableMapping) -> Arc<SymbolTable> {
        let roots = [pid, self.postmaster].map(|pid| self.root.join(format!("proc/{pid}/root")));
        let read = roots.iter().find_map(|root| SymbolTable::read_file(root, Path::new(&mapping.path)));
        let Some(read) = read else { return Arc::default() };
        let (key, table) = ((mapping.file.clone(), mapping.path.clone()), Arc::new(read));
        TABLES.lock().unwrap_or_else(PoisonError::into_inner).insert(key, Arc::clone(&table));
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(symbolizer: &Symbolizer, stack: &[u32]) -> Vec<String> {
        let name = |place: &u32| {
            let symbol = &symbolizer.symbols[*place as usize];
            symbol.name.clone().unwrap_or_else(|| symbol.library.clone())
        };
        stack.iter().map(name).collect()
    }

    #[test]
    fn own_function_is_named_and_what_is_no_stack_is_left_out() {
        let pid = std::process::id();
        let mut symbolizer = Symbolizer::of_server(Path::new("/"), pid);
        let here = own_function_is_named_and_what_is_no_stack_is_left_out as *const () as u64;
        let sample = ProcessSample { pid, kernel: Vec::new(), user: vec![here, here + 1, here + 2] };
        let stack = symbolizer.named_stack(&sample);
        let names = named(&symbolizer, &stack);
        assert!(matches!(&names[..], [one] if one.contains("own_function_is_named")), "{names:?}");
        assert_eq!(symbolizer.named_stack(&sample), stack, "the same from what was kept");
    }

    #[test]
    fn address_of_nothing_is_anonymous_memory() {
        let pid = std::process::id();
        let mut symbolizer = Symbolizer::of_server(Path::new("/"), pid);
        let stack = symbolizer.named_stack(&ProcessSample { pid, kernel: vec![1], user: vec![2, 3] });
        assert_eq!(named(&symbolizer, &stack), ["kernel", "anonymous memory"]);
    }
}
