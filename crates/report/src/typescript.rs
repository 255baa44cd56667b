//! The contract in TypeScript, `web/src/data.ts`: every type that a report's JSON holds, as serde writes it. The viewer
//! is compiled against it.

use std::collections::BTreeMap;

use ts_rs::{Config, TS, TypeVisitor};

use super::data::{FORMAT, ReportData};
use super::history::{self, HistoryData};
use super::live::{LiveSecondData, NowData};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/data.ts");

/// What stands above the types.
const HEAD: &str = "\
/**
 * The contract with the binary: the fields of a report's JSON, as the types of `crates/report` define them.
 * Generated: `UPDATE=1 cargo test -p report --lib typescript` writes it anew.
 *
 * Units are part of the names. A value that was not measured is `null`, never zero. All conclusions are already drawn:
 * the viewer draws and words them.
 */
";

/// Declarations by name.
struct Declared {
    config: Config,
    types: BTreeMap<String, String>,
}

impl TypeVisitor for Declared {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        let is_builtin = T::output_path().is_none();
        if !is_builtin {
            let declaration = T::decl(&self.config).replace(" \n", "\n").replace('\n', "\n  ").replace(", };", ",\n};");
            let text = format!("{}export {declaration}", T::docs().unwrap_or_default());
            // A comment opens and ends in the lines of its text.
            let text = text.replace("/**\n * ", "/** ").replace("/**\n   * ", "/** ");
            let text = text.replace("\n */", " */").replace("\n   */", " */");
            match self.types.insert(T::ident(&self.config), text.clone()) {
                None => T::visit_dependencies(self),
                Some(declared) => assert_eq!(declared, text, "two types of one name"),
            }
        }
    }
}

fn typescript_declarations() -> String {
    // A count of transactions stays below 2⁵³; what may not, such as a seed, is text in the contract.
    let config = Config::new().with_large_int("number");
    let mut declared = Declared { config, types: BTreeMap::new() };
    declared.visit::<ReportData>();
    declared.visit::<HistoryData>();
    declared.visit::<NowData>();
    declared.visit::<LiveSecondData>();
    let history = history::FORMAT;
    let format = format!(
        "/** The format of a report that these types describe. */\nexport const FORMAT = {FORMAT};\n\n\
         /** The format of a history. */\nexport const HISTORY_FORMAT = {history};"
    );
    let texts = [HEAD.trim_end().to_owned(), format].into_iter().chain(declared.types.into_values());
    texts.collect::<Vec<_>>().join("\n\n") + "\n"
}

#[test]
fn the_viewer_s_types_are_those_of_the_report() {
    let generated = typescript_declarations();
    let how = "UPDATE=1 cargo test -p report --lib typescript writes web/src/data.ts anew";
    testbed::assert_generated_file(PATH, &generated, how);
}
