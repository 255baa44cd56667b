//! Where the tests of a file are: the lines of each item that is compiled for tests only. What follows such an item is
//! part of the program again.

use std::ops::RangeInclusive;

use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};
use syn::{Attribute, ImplItem, Item, Meta};

/// The lines of every item under `#[cfg(test)]`, its attributes included.
pub(crate) fn lines(file: &syn::File) -> Vec<RangeInclusive<usize>> {
    let mut found = TestItems::default();
    found.visit_file(file);
    found.lines
}

#[derive(Default)]
struct TestItems {
    lines: Vec<RangeInclusive<usize>>,
}

impl TestItems {
    /// Whether it is for tests only; its lines are kept if so.
    fn take(&mut self, attributes: &[Attribute], span: proc_macro2::Span) -> bool {
        let is_test = attributes.iter().any(is_for_tests_only);
        if is_test {
            self.lines.push(span.start().line..=span.end().line);
        }
        is_test
    }
}

impl<'ast> Visit<'ast> for TestItems {
    fn visit_item(&mut self, item: &'ast Item) {
        if !self.take(attributes(item), item.span()) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        let attributes: &[Attribute] = match item {
            ImplItem::Const(item) => &item.attrs,
            ImplItem::Fn(item) => &item.attrs,
            ImplItem::Type(item) => &item.attrs,
            ImplItem::Macro(item) => &item.attrs,
            _ => &[],
        };
        if !self.take(attributes, item.span()) {
            visit::visit_impl_item(self, item);
        }
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// `cfg(test)`, or `cfg(all(test, …))`; with `any`, the program has it, too.
fn is_for_tests_only(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg") && attribute.parse_args::<Meta>().is_ok_and(|condition| needs_test(&condition))
}

fn needs_test(condition: &Meta) -> bool {
    match condition {
        Meta::Path(path) => path.is_ident("test"),
        Meta::List(list) if list.path.is_ident("all") => {
            let parts = syn::punctuated::Punctuated::<Meta, syn::Token![,]>::parse_terminated;
            list.parse_args_with(parts).is_ok_and(|parts| parts.iter().any(needs_test))
        }
        Meta::List(_) | Meta::NameValue(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_for_tests_ends_where_its_syntax_ends() {
        let cases: [(&str, &[RangeInclusive<usize>]); 6] = [
            ("#[cfg(test)]\nmod tests;\nfn f() {}\n", &[1..=2]),
            ("fn f() {}\n/// Why.\n#[cfg(test)]\nmod tests {\n    fn g() {}\n}\nfn h() {}\n", &[2..=6]),
            ("struct S;\nimpl S {\n    #[cfg(test)]\n    fn f() {\n    }\n    fn g() {}\n}\n", &[3..=5]),
            ("mod a {\n    #[cfg(all(unix, test))]\n    use b::{c, d};\n    fn f() {}\n}\n", &[2..=3]),
            ("#[cfg(any(test, unix))]\nfn f() {}\n", &[]),
            ("#[cfg(not(test))]\nfn f() {}\n", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(lines(&syn::parse_file(text).expect("Rust")), expected, "{text}");
        }
    }
}
