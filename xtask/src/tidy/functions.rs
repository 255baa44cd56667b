//! Functions may not grow past 70 lines. A ratchet: the ones listed are longer for a reason and may not grow.

use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

use super::{Finding, Source};

const LINES_AT_MOST: usize = 70;

/// `(end of the path, function, lines)`.
const LONGER: &[(&str, &str, usize)] = &[];

/// Every function of one file that is too long.
pub(super) fn check(source: &Source, file: &syn::File) -> Vec<Finding> {
    let mut lengths = Lengths::default();
    lengths.visit_file(file);
    let too_long = lengths.functions.into_iter().filter_map(|(name, line, lines)| {
        let allowed = LONGER.iter().find(|(path, function, _)| source.path.ends_with(path) && *function == name);
        let at_most = allowed.map_or(LINES_AT_MOST, |(_, _, lines)| *lines);
        let text = format!("function `{name}` has {lines} lines, {at_most} at most: take a part with a name out of it");
        (lines > at_most).then(|| Finding { path: source.path.clone(), line, text })
    });
    too_long.collect()
}

#[derive(Default)]
struct Lengths {
    /// Name, first line, number of lines.
    functions: Vec<(String, usize, usize)>,
}

impl Lengths {
    fn add(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let first = signature.span().start().line;
        let last = block.span().end().line;
        self.functions.push((signature.ident.to_string(), first, last - first + 1));
    }
}

impl<'ast> Visit<'ast> for Lengths {
    fn visit_item_fn(&mut self, node: &'ast syn::ItemFn) {
        self.add(&node.sig, &node.block);
        visit::visit_item_fn(self, node);
    }

    fn visit_impl_item_fn(&mut self, node: &'ast syn::ImplItemFn) {
        self.add(&node.sig, &node.block);
        visit::visit_impl_item_fn(self, node);
    }
}
