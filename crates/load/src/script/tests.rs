//! The script language as tables: text in; commands, values or the exact complaint out.

use super::expression::{Expression, Slot};
use super::program::{Program, Step};
use super::*;
use crate::job::{QueryMode, Weighted};
use crate::random::Random;
use proptest::prelude::*;
use std::num::NonZeroU32;

#[test]
fn every_builtin_parses_and_sends_as_many_statements_as_pgbench() {
    for (name, statements) in [("tpcb-like", 7), ("simple-update", 5), ("select-only", 1)] {
        let script = Script::builtin(name).expect("a built-in parses");
        let sql = script.commands.iter().filter(|command| matches!(command.kind, parser::Kind::Sql(_)));
        assert_eq!(sql.count(), statements, "{name}");
    }
    assert_eq!(Script::builtin_names().count(), 3);
    assert_eq!(Script::builtin("tpcb"), None);
}

/// The requests of a script in a mode, as they are sent with all variables at their initial values.
fn sent(text: &str, mode: QueryMode) -> Result<Vec<String>, String> {
    let script = Script::parse("t.sql", text).map_err(|error| error.to_string())?;
    let program = Program::new(&[Weighted { script, weight: NonZeroU32::MIN }], mode).map_err(|e| e.to_string())?;
    let script = &program.scripts()[0];
    let mut variables = program.initial_variables(0, 1, 42);
    let (mut at, mut random, mut out) = (0, Random::new(1), Vec::new());
    let mut requests = Vec::new();
    while script.advance(&mut at, &mut variables, &mut random, &mut out).map_err(|(line, e)| format!("{line}: {e}"))? {
        requests.push(String::from_utf8_lossy(&out).replace(|c: char| c.is_control(), "·"));
        out.clear();
    }
    requests.extend(script.preparations.iter().map(|(name, sql)| format!("{name}: {sql}")));
    Ok(requests)
}

/// The texts of a script's statements.
fn statements(text: &str) -> Vec<String> {
    let script = Script::parse("t.sql", text).expect("it parses");
    let sql = script.commands.iter().filter_map(|command| match &command.kind {
        parser::Kind::Sql(pieces) => Some(pieces),
        parser::Kind::Set { .. } => None,
    });
    sql.map(|pieces| {
        pieces
            .iter()
            .map(|piece| match piece {
                sql::Piece::Text(text) => text.clone(),
                sql::Piece::Variable { name, .. } => format!(":{name}"),
            })
            .collect()
    })
    .collect()
}

#[test]
fn statements_end_at_semicolons_outside_of_quotes_comments_and_parentheses() {
    let cases: [(&str, &[&str]); 10] = [
        ("SELECT 1; SELECT 2", &["SELECT 1", "SELECT 2"]),
        ("-- a ; comment\n  SELECT ';' ;;", &["SELECT ';'"]),
        ("SELECT 'it''s;' ; x", &["SELECT 'it''s;'", "x"]),
        (r"SELECT E'\';' ; x", &[r"SELECT E'\';'", "x"]),
        (r"SELECT '\'; x", &[r"SELECT '\'", "x"]),
        (r#"SELECT "a;""b" ; x"#, &[r#"SELECT "a;""b""#, "x"]),
        ("SELECT $q$ ; $$ ; $q$ ; x", &["SELECT $q$ ; $$ ; $q$", "x"]),
        ("SELECT /* ; /* ; */ ; */ 1 ; x", &["SELECT /* ; /* ; */ ; */ 1", "x"]),
        ("CREATE RULE r AS (a; b) ; x", &["CREATE RULE r AS (a; b)", "x"]),
        ("SELECT 1 -- ;'\n + :client_id; x", &["SELECT 1 -- ;'\n + :client_id", "x"]),
    ];
    for (text, expected) in cases {
        assert_eq!(statements(text), expected, "{text}");
    }
}

#[test]
fn variables_become_text_in_simple_mode_and_parameters_otherwise() {
    let text = "\\set a 5\nINSERT INTO t VALUES (:a, '12:30'::time, :a, x[1:2]);";
    assert_eq!(
        sent(text, QueryMode::Simple).expect("it parses"),
        ["Q···7INSERT INTO t VALUES (5, '12:30'::time, 5, x[1:2])·"]
    );
    let prepared = sent(text, QueryMode::Prepared).expect("it parses");
    assert_eq!(prepared[1], "P0_0: INSERT INTO t VALUES ($1, '12:30'::time, $2, x[1:2])");
    let extended = sent(text, QueryMode::Extended).expect("it parses");
    assert!(extended[0].contains("VALUES ($1, '12:30'::time, $2, x[1:2])"), "{extended:?}");
}

#[test]
fn what_is_wrong_is_told_with_line_and_column() {
    let cases = [
        ("\\sleep 1 s\nSELECT 1;", "t.sql:1:1: unknown meta-command \"\\sleep\""),
        ("SELECT 1 \\gset\n", "t.sql:1:10: unknown meta-command \"\\gset\""),
        ("\\set\nSELECT 1;", "t.sql:1:5: \\set needs a variable and an expression"),
        ("\\set 1a 2\nSELECT 1;", "t.sql:1:6: \"1a\" is not a variable's name"),
        ("\\set a\nSELECT 1;", "t.sql:1:7: expected a number, a variable or a function, found the end of the line"),
        ("\\set a (1\nSELECT 1;", "t.sql:1:10: expected \")\", found the end of the line"),
        ("\\set a 1 2\nSELECT 1;", "t.sql:1:10: expected an operator or the end of the line, found \"2\""),
        ("\\set a 1 $ 2\nSELECT 1;", "t.sql:1:10: expected an operator or the end of the line, found \"$\""),
        ("\\set a 99999999999999999999\nSELECT 1;", "t.sql:1:8: \"99999999999999999999\" is not a 64-bit integer"),
        ("\\set a 1.5\nSELECT 1;", "t.sql:1:8: \"1.5\" is not a 64-bit integer"),
        ("\\set a sqrt(2)\nSELECT 1;", "t.sql:1:8: unknown function \"sqrt\""),
        ("\\set a random(1)\nSELECT 1;", "t.sql:1:16: expected \",\", found \")\""),
        ("SELECT 1;\n\n  SELECT :b;", "t.sql:3:10: the variable \"b\" has no value here"),
        ("\\set a :a + 1\nSELECT 1;", "t.sql:1:7: the variable \"a\" has no value here"),
        ("-- nothing\n\\set a 1\n", "t.sql:1:1: the script has no SQL command"),
    ];
    for (text, expected) in cases {
        assert_eq!(sent(text, QueryMode::Prepared), Err(expected.to_owned()), "{text}");
    }
}

#[test]
fn nesting_beyond_the_limit_is_refused_rather_than_overflowing_the_stack() {
    for text in ["(".repeat(100_000), "-".repeat(100_001), "1".to_owned() + &"+1".repeat(100_000)] {
        let complaint = sent(&format!("\\set a {text}\nSELECT 1;"), QueryMode::Prepared).expect_err("too deep");
        assert!(complaint.ends_with("the expression is nested too deeply"), "{complaint}");
    }
}

/// The value of `text`, or what is said about it when it runs.
fn value(text: &str) -> Result<i64, String> {
    let script = Script::parse("t.sql", &format!("\\set a {text}\nSELECT 1;")).map_err(|error| error.to_string())?;
    let program =
        Program::new(&[Weighted { script, weight: NonZeroU32::MIN }], QueryMode::Simple).map_err(|e| e.to_string())?;
    let Step::Set { slot: Slot(slot), expression, .. } = &program.scripts()[0].steps[0] else { panic!("no \\set") };
    let variables = program.initial_variables(3, 20, 42);
    assert_eq!(*slot, variables.len() - 1);
    expression.evaluate(&variables, &mut Random::new(1)).map_err(|error| error.to_string())
}

#[test]
fn expressions_have_the_values_that_pgbench_gives_them() {
    let cases = [
        ("1 + 2 * 3", Ok(7)),
        ("(1 + 2) * 3", Ok(9)),
        ("10 - 4 - 3", Ok(3)),
        ("100 / 7 / 2", Ok(7)),
        ("-7 / 2", Ok(-3)),
        ("-7 % 3", Ok(-1)),
        ("- - 5", Ok(5)),
        ("-(2 + 3)", Ok(-5)),
        ("100000 * :scale", Ok(2_000_000)),
        (":client_id", Ok(3)),
        ("1 + \\\n 1", Ok(2)),
        ("-9223372036854775808", Ok(i64::MIN)),
        ("-9223372036854775808 % -1", Ok(0)),
        ("-9223372036854775808 / -1", Err("integer out of range")),
        ("9223372036854775807 + 1", Err("integer out of range")),
        ("1 / 0", Err("division by zero")),
        ("1 % 0", Err("division by zero")),
        ("random(5, 5)", Ok(5)),
        ("random(2, 1)", Err("empty range given to random")),
        ("random(-9223372036854775808, 1)", Err("random range is too large")),
    ];
    for (text, expected) in cases {
        assert_eq!(value(text), expected.map_err(str::to_owned), "{text}");
    }
}

fn expression() -> impl Strategy<Value = (String, Option<i64>)> {
    let leaf = (-50i64..50).prop_map(|value| (value.to_string(), Some(value)));
    leaf.prop_recursive(5, 40, 2, |inner| {
        (inner.clone(), prop::sample::select(vec!['+', '-', '*', '/', '%']), inner).prop_map(
            |((left, a), operator, (right, b))| {
                let value = a.zip(b).and_then(|(a, b)| match operator {
                    '+' => a.checked_add(b),
                    '-' => a.checked_sub(b),
                    '*' => a.checked_mul(b),
                    '/' => a.checked_div(b),
                    _ => a.checked_rem(b),
                });
                (format!("({left} {operator} {right})"), value)
            },
        )
    })
}

proptest! {
    #[test]
    fn any_expression_has_the_value_of_the_same_arithmetic((text, expected) in expression()) {
        prop_assert_eq!(value(&text).ok(), expected);
    }

    #[test]
    fn any_text_is_parsed_or_refused_but_never_panics(text in "[\\\\:;'\"$a-c1é /*()\n-]{0,60}") {
        if let Ok(script) = Script::parse("t.sql", &text) {
            prop_assert!(!script.commands.is_empty());
        }
    }

    #[test]
    fn a_draw_lies_within_its_bounds(lower in -1000i64..1000, width in 0i64..1000, seed: u64) {
        let (lower_e, upper_e) = (Expression::Integer(lower), Expression::Integer(lower + width));
        let draw = Expression::<Slot>::Random(Box::new(lower_e), Box::new(upper_e));
        let value = draw.evaluate(&[], &mut Random::new(seed)).expect("a valid range");
        prop_assert!((lower..=lower + width).contains(&value));
    }
}
