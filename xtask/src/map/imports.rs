//! Which files of a crate import each other in a circle.
//!
//! An import is any path that begins with `crate`, `self` or `super`, or with a child module, resolved to the file of
//! the longest prefix that is a module, and through `pub use` to the file that defines the name. That a module declares
//! its children, or hands on their names, is no import.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

use super::ProgramFile;

/// A module of one crate: the names from its root to it.
type ModulePath = Vec<String>;

/// The circles of all crates, each with its files in order, the largest first.
pub(super) fn circles(program: &[ProgramFile]) -> Vec<Vec<PathBuf>> {
    let mut by_crate: BTreeMap<PathBuf, Vec<&ProgramFile>> = BTreeMap::new();
    for file in program {
        if let Some((root, _)) = module_of(&file.path) {
            by_crate.entry(root).or_default().push(file);
        }
    }
    let mut circles: Vec<Vec<PathBuf>> = by_crate.values().flat_map(|files| circles_of_crate(files)).collect();
    circles.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
    circles
}

fn circles_of_crate(files: &[&ProgramFile]) -> Vec<Vec<PathBuf>> {
    let modules: BTreeMap<ModulePath, &ProgramFile> =
        files.iter().filter_map(|file| Some((module_of(&file.path)?.1, *file))).collect();
    let mut crate_modules = CrateModules { modules: modules.keys().cloned().collect(), reexports: HashMap::new() };
    for (module, file) in &modules {
        crate_modules.add_reexports(module, file);
    }
    let mut graph: DiGraph<&Path, ()> = DiGraph::new();
    let nodes: BTreeMap<&ModulePath, _> =
        modules.iter().map(|(module, file)| (module, graph.add_node(file.path.as_path()))).collect();
    for (module, file) in &modules {
        for imported in crate_modules.imports_of(module, file) {
            if let Some(to) = nodes.get(&imported) {
                graph.update_edge(nodes[module], *to, ());
            }
        }
    }
    let mut circles = Vec::new();
    for component in tarjan_scc(&graph) {
        if component.len() > 1 {
            let mut circle: Vec<PathBuf> = component.into_iter().map(|node| graph[node].to_owned()).collect();
            circle.sort();
            circles.push(circle);
        }
    }
    circles
}

/// The folder of the crate's sources and the module that a file is.
fn module_of(path: &Path) -> Option<(PathBuf, ModulePath)> {
    let parts: Vec<&str> = path.iter().filter_map(|part| part.to_str()).collect();
    let src = parts.iter().position(|part| *part == "src")?;
    let mut module: ModulePath = parts[src + 1..].iter().map(|part| part.trim_end_matches(".rs").to_owned()).collect();
    if matches!(module.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        module.pop();
    }
    Some((parts[..=src].iter().collect(), module))
}

struct CrateModules {
    modules: BTreeSet<ModulePath>,
    /// By module and name: the path that it hands on.
    reexports: HashMap<(ModulePath, String), Vec<String>>,
}

impl CrateModules {
    fn add_reexports(&mut self, module: &ModulePath, file: &ProgramFile) {
        for item in &file.syntax.items {
            let syn::Item::Use(item) = item else { continue };
            if matches!(item.vis, syn::Visibility::Inherited) {
                continue;
            }
            for (path, name) in leaves(&item.tree) {
                if let Some(absolute) = self.absolute(module, &path) {
                    self.reexports.insert((module.clone(), name), absolute);
                }
            }
        }
    }

    fn imports_of(&self, module: &ModulePath, file: &ProgramFile) -> BTreeSet<ModulePath> {
        let mut paths = PathVisitor { file, paths: Vec::new() };
        paths.visit_file(&file.syntax);
        let mut imports = BTreeSet::new();
        for path in paths.paths {
            let Some(absolute) = self.absolute(module, &path) else { continue };
            let imported = self.defining_module(&absolute);
            // Its own children, which it declares and whose names it hands on, and itself.
            if !imported.starts_with(module) {
                imports.insert(imported);
            }
        }
        imports
    }

    /// The path from the crate's root; absent for a path of another crate.
    fn absolute(&self, module: &ModulePath, path: &[String]) -> Option<Vec<String>> {
        let mut at = module.clone();
        let mut rest = path;
        match path.first().map(String::as_str)? {
            "crate" => {
                at.clear();
                rest = &path[1..];
            }
            "self" => rest = &path[1..],
            "super" => {
                while rest.first().is_some_and(|part| part == "super") {
                    at.pop()?;
                    rest = &rest[1..];
                }
            }
            first => {
                let mut child = module.clone();
                child.push(first.to_owned());
                if !self.modules.contains(&child) {
                    return None;
                }
            }
        }
        at.extend(rest.iter().cloned());
        Some(at)
    }

    /// The module that defines what a path names, through what modules hand on.
    fn defining_module(&self, absolute: &[String]) -> ModulePath {
        let mut path = absolute.to_vec();
        // A circle of `pub use` does not compile; a bound keeps a file under way from hanging this.
        for _ in 0..8 {
            let mut length = path.len();
            while length > 0 && !self.modules.contains(&path[..length]) {
                length -= 1;
            }
            let module = path[..length].to_vec();
            let Some(name) = path.get(length) else { return module };
            match self.reexports.get(&(module.clone(), name.clone())) {
                Some(target) => path = [target.as_slice(), &path[length + 1..]].concat(),
                None => return module,
            }
        }
        path
    }
}

/// Every path of a `use`, with the name under which it is known afterwards.
fn leaves(tree: &syn::UseTree) -> Vec<(Vec<String>, String)> {
    match tree {
        syn::UseTree::Path(path) => {
            let first = path.ident.to_string();
            let rest = leaves(&path.tree);
            rest.into_iter().map(|(path, name)| ([vec![first.clone()], path].concat(), name)).collect()
        }
        syn::UseTree::Name(name) => vec![(vec![name.ident.to_string()], name.ident.to_string())],
        syn::UseTree::Rename(rename) => vec![(vec![rename.ident.to_string()], rename.rename.to_string())],
        syn::UseTree::Glob(_) => vec![(Vec::new(), "*".to_owned())],
        syn::UseTree::Group(group) => group.items.iter().flat_map(leaves).collect(),
    }
}

/// Every path that a file names, those of `use` included.
struct PathVisitor<'a> {
    file: &'a ProgramFile,
    paths: Vec<Vec<String>>,
}

impl<'ast> Visit<'ast> for PathVisitor<'_> {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if !self.file.is_test_line(item.span().start().line) {
            self.paths.extend(leaves(&item.tree).into_iter().map(|(path, _)| path));
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.segments.len() > 1 && !self.file.is_test_line(path.span().start().line) {
            self.paths.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::Source;

    fn circles_of(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let source = |(path, text): &(&str, &str)| Source { path: PathBuf::from(path), text: (*text).to_owned() };
        let program: Vec<ProgramFile> =
            files.iter().map(source).filter_map(|source| ProgramFile::parse(&source)).collect();
        let names = |circle: Vec<PathBuf>| circle.iter().map(|path| path.display().to_string()).collect();
        circles(&program).into_iter().map(names).collect()
    }

    #[test]
    fn files_that_import_each_other_are_a_circle() {
        let found = circles_of(&[
            ("crates/a/src/lib.rs", "mod b; mod c; mod d;"),
            ("crates/a/src/b.rs", "use crate::c::C;"),
            ("crates/a/src/c.rs", "fn f() -> super::b::B { super::b::B }"),
            ("crates/a/src/d.rs", "use super::b::B;"),
        ]);
        assert_eq!(found, [["crates/a/src/b.rs", "crates/a/src/c.rs"]]);
    }

    #[test]
    fn a_name_that_a_module_hands_on_is_imported_from_where_it_is_defined() {
        let found = circles_of(&[
            ("crates/a/src/lib.rs", "mod b; mod c;"),
            ("crates/a/src/b/mod.rs", "mod x; mod y; pub use x::X;"),
            ("crates/a/src/b/x.rs", "use crate::c::C;"),
            ("crates/a/src/b/y.rs", "use super::X;"),
            ("crates/a/src/c.rs", "use crate::b::X;"),
        ]);
        assert_eq!(found, [["crates/a/src/b/x.rs", "crates/a/src/c.rs"]]);
    }

    #[test]
    fn a_module_and_its_children_are_no_circle_by_themselves_and_tests_import_nothing() {
        let found = circles_of(&[
            ("crates/a/src/lib.rs", "mod b;"),
            ("crates/a/src/b/mod.rs", "mod x; pub use x::X; use x::Y;"),
            ("crates/a/src/b/x.rs", "use super::Z;\n#[cfg(test)]\nmod tests {\n    use crate::c::C;\n}"),
            ("crates/a/src/c.rs", "use crate::b::X;"),
        ]);
        assert_eq!(found, Vec::<Vec<String>>::new());
    }
}
