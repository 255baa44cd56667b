//! The built-in scripts that write, with an entry in each row of the history.

use crate::ledger::VARIABLE;
use crate::script::ParsedScript;

const PLAIN: &str = "(tid, bid, aid, delta, mtime) VALUES (:tid, :bid, :aid, :delta, CURRENT_TIMESTAMP)";
const WITH_ENTRY: &str =
    "(tid, bid, aid, delta, mtime, filler) VALUES (:tid, :bid, :aid, :delta, CURRENT_TIMESTAMP, :ledger)";

/// The built-in script of that name with an entry of the ledger in the column `filler` of the history. `None`: there is
/// no such script, or it writes no history.
pub fn ledger_script(builtin: &str) -> Option<ParsedScript> {
    let script = ParsedScript::builtin(builtin)?;
    let text = script.text().replace(PLAIN, WITH_ENTRY);
    let writes = text.contains(&format!(":{VARIABLE}"));
    // Parses as the built-in does; a test holds it.
    writes.then(|| ParsedScript::parse(builtin, &text).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_builtins_that_write_have_a_ledger_and_the_others_none() {
        for builtin in ParsedScript::builtin_names() {
            let ledger = ledger_script(builtin);
            assert_eq!(ledger.is_some(), builtin != "select-only", "{builtin}");
            let lines = |script: &ParsedScript| script.text().lines().count();
            if let (Some(ledger), Some(plain)) = (ledger, ParsedScript::builtin(builtin)) {
                assert_eq!((ledger.name(), lines(&ledger)), (plain.name(), lines(&plain)));
            }
        }
    }
}
