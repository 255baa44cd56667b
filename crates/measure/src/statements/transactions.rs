//! Whether a script ends every transaction that it begins, and begins every one that it ends, by its text alone. Pure.
//!
//! What stands in an `\if` may be sent or not, and either is possible at any time: only what is so on every way through
//! a script is told. Commands within a variable's value are not known, so that anything may follow from them.

use load::Preparable;

use super::tokens::{SqlToken, tokens_of_text};

/// What does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unbalanced {
    /// The statement begins a transaction that is still open at the script's end, in every execution.
    StaysOpen,
    /// The statement ends a transaction where none is open, of which a server only warns.
    EndsNothing,
}

/// What does not fit in a script, whose statements these are in order.
pub(crate) fn unbalanced_statements(statements: &[Preparable]) -> Vec<(&Preparable, Unbalanced)> {
    let mut found = Vec::new();
    let (mut may_be_open, mut may_be_closed) = (false, true);
    let mut begun_by = None;
    for statement in statements {
        match effect_of(&statement.text) {
            OnTransaction::Nothing => {}
            OnTransaction::Unknown => (may_be_open, may_be_closed) = (true, true),
            OnTransaction::Begins => {
                if may_be_closed {
                    begun_by = Some(statement);
                }
                may_be_open = true;
                may_be_closed = may_be_closed && statement.conditional;
            }
            OnTransaction::Ends => {
                if !may_be_open {
                    found.push((statement, Unbalanced::EndsNothing));
                }
                may_be_open = may_be_open && statement.conditional;
                may_be_closed = true;
            }
        }
    }
    if let Some(statement) = begun_by.filter(|_| !may_be_closed) {
        found.push((statement, Unbalanced::StaysOpen));
    }
    found
}

/// What a statement does to the transaction of its session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OnTransaction {
    Begins,
    Ends,
    Nothing,
    /// Its first word is a variable.
    Unknown,
}

fn effect_of(text: &str) -> OnTransaction {
    let tokens = tokens_of_text(text);
    let words: Vec<&str> = tokens.iter().map_while(word_of).collect();
    match words.as_slice() {
        ["begin", ..] | ["start", "transaction", ..] => OnTransaction::Begins,
        ["prepare", "transaction", ..] => OnTransaction::Ends,
        // Those of two-phase commits are not the session's; AND CHAIN begins the next at once; TO is a savepoint.
        ["commit" | "rollback", "prepared", ..] => OnTransaction::Nothing,
        ["commit" | "end" | "rollback" | "abort", rest @ ..] => {
            let goes_on = rest.contains(&"to") || rest.ends_with(&["and", "chain"]);
            if goes_on { OnTransaction::Nothing } else { OnTransaction::Ends }
        }
        [] if tokens.first() == Some(&SqlToken::Symbol('$')) => OnTransaction::Unknown,
        _ => OnTransaction::Nothing,
    }
}

fn word_of(token: &SqlToken) -> Option<&str> {
    match token {
        SqlToken::Word(word) => Some(word),
        SqlToken::Symbol(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use load::{ParsedScript, QueryMode};

    use super::Unbalanced::{EndsNothing, StaysOpen};
    use super::*;

    fn found(text: &str) -> Vec<(u32, Unbalanced)> {
        let script = ParsedScript::parse("t.sql", text).expect("it parses");
        let statements = script.preparable_statements(QueryMode::Simple, &[]);
        unbalanced_statements(&statements).into_iter().map(|(statement, what)| (statement.line, what)).collect()
    }

    #[test]
    fn a_transaction_that_stays_open_or_was_never_begun_is_found_and_no_other() {
        let cases: [(&str, &[(u32, Unbalanced)]); 20] = [
            ("SELECT 1;", &[]),
            ("BEGIN;\nSELECT 1;", &[(1, StaysOpen)]),
            ("SELECT 1;\n/* x */ start transaction isolation level serializable;", &[(2, StaysOpen)]),
            ("BEGIN;\nBEGIN;", &[(1, StaysOpen)]),
            ("BEGIN;\nEND;\nBEGIN;", &[(3, StaysOpen)]),
            ("BEGIN;\nSAVEPOINT s;\nROLLBACK TO s;", &[(1, StaysOpen)]),
            ("BEGIN;\nCOMMIT AND CHAIN;", &[(1, StaysOpen)]),
            ("BEGIN;\nCOMMIT PREPARED 'x';", &[(1, StaysOpen)]),
            ("BEGIN\\;\nSELECT 1;", &[(1, StaysOpen)]),
            ("BEGIN;\n\\if :x\nSELECT 1;\n\\endif", &[(1, StaysOpen)]),
            ("BEGIN;\nCOMMIT AND CHAIN;\nCOMMIT AND NO CHAIN;", &[]),
            ("BEGIN;\nPREPARE TRANSACTION 'x';", &[]),
            ("BEGIN;\nABORT;", &[]),
            ("BEGIN WORK;\nROLLBACK WORK;", &[]),
            ("BEGIN;\n:end_it;", &[]),
            ("\\if :x\nBEGIN;\n\\endif\nSELECT 1;\n\\if :x\nEND;\n\\endif", &[]),
            ("BEGIN;\n\\if :x\nCOMMIT;\n\\else\nROLLBACK;\n\\endif", &[]),
            ("\\if :x\nBEGIN;\n\\endif\nEND;", &[]),
            ("SELECT 1;\nEND;", &[(2, EndsNothing)]),
            ("CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; END;", &[]),
        ];
        for (text, wanted) in cases {
            assert_eq!(found(text), wanted, "{text}");
        }
    }
}
