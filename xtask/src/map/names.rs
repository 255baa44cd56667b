//! The names that one file gives: its types, its functions, and how many closures it binds by `let`.

use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

use super::ProgramFile;

/// Counted without what only tests use.
pub(super) struct NamesInFile {
    /// Structs, enums, unions, traits and aliases.
    pub(super) types: Vec<String>,
    /// Functions and methods; those of a trait's `impl` are named by the trait.
    pub(super) functions: Vec<String>,
    /// `let name = |...| ...`.
    pub(super) let_closures: usize,
}

impl NamesInFile {
    pub(super) fn of(file: &ProgramFile) -> Self {
        let names = Self { types: Vec::new(), functions: Vec::new(), let_closures: 0 };
        let mut visitor = NameVisitor { file, names, is_in_trait_impl: false };
        visitor.visit_file(&file.syntax);
        visitor.names
    }
}

struct NameVisitor<'a> {
    file: &'a ProgramFile,
    names: NamesInFile,
    is_in_trait_impl: bool,
}

impl NameVisitor<'_> {
    fn is_test(&self, span: proc_macro2::Span) -> bool {
        self.file.is_test_line(span.start().line)
    }

    fn add_type(&mut self, name: &syn::Ident) {
        if !self.is_test(name.span()) {
            self.names.types.push(name.to_string());
        }
    }

    fn add_function(&mut self, signature: &syn::Signature) {
        if !self.is_test(signature.span()) && !self.is_in_trait_impl {
            self.names.functions.push(signature.ident.to_string());
        }
    }
}

impl<'ast> Visit<'ast> for NameVisitor<'_> {
    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.add_type(&item.ident);
        visit::visit_item_struct(self, item);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.add_type(&item.ident);
        visit::visit_item_enum(self, item);
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.add_type(&item.ident);
        visit::visit_item_trait(self, item);
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.add_type(&item.ident);
        visit::visit_item_type(self, item);
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.add_function(&item.sig);
        visit::visit_item_fn(self, item);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let outer = std::mem::replace(&mut self.is_in_trait_impl, item.trait_.is_some());
        visit::visit_item_impl(self, item);
        self.is_in_trait_impl = outer;
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.add_function(&item.sig);
        // A function inside of a method is nobody's but its own.
        let outer = std::mem::replace(&mut self.is_in_trait_impl, false);
        visit::visit_impl_item_fn(self, item);
        self.is_in_trait_impl = outer;
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        let binds_closure = local.init.as_ref().is_some_and(|init| matches!(*init.expr, syn::Expr::Closure(_)));
        if binds_closure && !self.is_test(local.span()) {
            self.names.let_closures += 1;
        }
        visit::visit_local(self, local);
    }
}
