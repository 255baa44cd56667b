//! The script language as tables: text in; commands, values or the exact complaint out.

use super::awaited::Awaited;
use super::command::CommandKind;
use super::compiled_script::ScriptStep;
use super::double::DoubleText;
use super::program::ScriptProgram;
use super::run::{NextScriptAction, ScriptPlace, ScriptRun};
use super::value::ScriptValue;
use super::*;
use crate::job::{EngineJob, ShellCommands};
use conninfo::{ConnInfo, ServerHost};
use proptest::prelude::*;
use work::{QueryMode, Random};

#[test]
fn every_builtin_parses_and_sends_as_many_statements_as_pgbench() {
    for (name, statements) in [("tpcb-like", 7), ("simple-update", 5), ("select-only", 1)] {
        let script = ParsedScript::builtin(name).expect("a built-in parses");
        let sql = script.commands.iter().filter(|command| matches!(command.kind, CommandKind::Sql { .. }));
        assert_eq!(sql.count(), statements, "{name}");
    }
    assert_eq!(ParsedScript::builtin_names().count(), 3);
    assert_eq!(ParsedScript::builtin("tpcb"), None);
}

/// A job that runs a script, which nobody starts.
fn job(text: &str, mode: QueryMode) -> Result<EngineJob, String> {
    let script = ParsedScript::parse("t.sql", text).map_err(|error| error.to_string())?;
    let server = ConnInfo::new((ServerHost::Unix("nowhere".into()), 1), "nobody", "nothing");
    Ok(EngineJob { mode, scale: 20, seed: 42, ..EngineJob::new(server, script) })
}

/// What a script sends, with all variables at their initial values, and what it prepares before.
fn sent(text: &str, mode: QueryMode) -> Result<Vec<String>, String> {
    run(&job(text, mode)?)
}

fn run(job: &EngineJob) -> Result<Vec<String>, String> {
    let program = ScriptProgram::new(job).map_err(|error| error.to_string())?;
    let script = &program.scripts()[0];
    let (mut variables, mut prepared) = (program.initial_variables(3), program.nothing_prepared());
    let (mut place, mut random, mut syncs, mut out) = (ScriptPlace::default(), Random::new(1), 0, Vec::new());
    let mut requests = Vec::new();
    loop {
        let mut run = ScriptRun {
            variables: &mut variables,
            random: &mut random,
            prepared: &mut prepared,
            awaited: &mut Awaited::default(),
            syncs: &mut syncs,
            out: &mut out,
        };
        match script.advance_script(&mut place, &mut run).map_err(|(line, e)| format!("{line}: {e}"))? {
            NextScriptAction::Answers { .. } => {
                requests.push(String::from_utf8_lossy(&out).replace(|c: char| c.is_control(), "·"));
            }
            NextScriptAction::Time { us } => requests.push(format!("sleep {us} us")),
            NextScriptAction::Shell { step } => {
                let command = script.shell_command(step, &variables).map_err(|(line, e)| format!("{line}: {e}"))?;
                requests.push(format!("shell {}", command.0));
            }
            NextScriptAction::Over => break,
        }
        out.clear();
    }
    requests.extend(script.preparations.iter().map(|(name, sql)| format!("{name}: {sql}")));
    Ok(requests)
}

/// The texts of a script's statements.
fn statements(text: &str) -> Vec<String> {
    let script = ParsedScript::parse("t.sql", text).expect("it parses");
    let sql = script.commands.iter().filter_map(|command| match &command.kind {
        CommandKind::Sql { statement, .. } => Some(&statement.pieces),
        _ => None,
    });
    sql.map(|pieces| {
        pieces
            .iter()
            .map(|piece| match piece {
                sql::SqlPiece::Text(text) => text.clone(),
                sql::SqlPiece::Variable { name, .. } | sql::SqlPiece::Literal { name, .. } => format!(":{name}"),
            })
            .collect()
    })
    .collect()
}

#[test]
fn statements_end_at_semicolons_outside_of_quotes_comments_and_parentheses() {
    let cases: [(&str, &[&str]); 15] = [
        ("SELECT 1; SELECT 2", &["SELECT 1", "SELECT 2"]),
        ("-- a ; comment\n  SELECT ';' ;;", &["SELECT ';'"]),
        ("SELECT 'it''s;' ; x", &["SELECT 'it''s;'", "x"]),
        (r"SELECT E'\';' ; x", &[r"SELECT E'\';'", "x"]),
        (r"SELECT '\'; x", &[r"SELECT '\'", "x"]),
        (r#"SELECT "a;""b" ; x"#, &[r#"SELECT "a;""b""#, "x"]),
        ("SELECT $q$ ; $$ ; $q$ ; x", &["SELECT $q$ ; $$ ; $q$", "x"]),
        ("SELECT /* ; /* ; */ ; */ 1 ; x", &["SELECT /* ; /* ; */ ; */ 1", "x"]),
        ("CREATE RULE r AS (a; b) ; x", &["CREATE RULE r AS (a; b)", "x"]),
        (r"SELECT 1 \; SELECT 2; x", &["SELECT 1 ; SELECT 2", "x"]),
        (r"SELECT 'a\;b' \:x", &[r"SELECT 'a\;b' :x"]),
        ("SELECT 1; /* y */ SELECT 2", &["SELECT 1", "/* y */ SELECT 2"]),
        (
            "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT CASE WHEN true THEN 2 END; END; x",
            &["CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT CASE WHEN true THEN 2 END; END", "x"],
        ),
        ("BEGIN; SELECT 1; END;", &["BEGIN", "SELECT 1", "END"]),
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
        ("\\slep 1 s\nSELECT 1;", "t.sql:1:1: invalid command in command \"slep\""),
        ("\\setrandom a 1 2\nSELECT 1;", "t.sql:1:1: invalid command in command \"setrandom\""),
        ("\\gset\n", "t.sql:1:1: \\gset must follow an SQL command"),
        ("SELECT 1 \\gset\n\\gset", "t.sql:2:1: \\gset must follow an SQL command"),
        ("SELECT 1 \\gset a b\n", "t.sql:1:18: too many arguments in command \"gset\""),
        ("\\set\nSELECT 1;", "t.sql:1:5: missing argument in command \"set\""),
        ("\\set 1a 2\nSELECT 1;", "t.sql:1:6: invalid variable name: \"1a\""),
        (
            "\\set a\nSELECT 1;",
            "t.sql:1:7: syntax error: expected a number, a variable or a function, found the end of the line in command \"set\"",
        ),
        (
            "\\set a (1\nSELECT 1;",
            "t.sql:1:10: syntax error: expected \")\", found the end of the line in command \"set\"",
        ),
        (
            "\\set a 1 2\nSELECT 1;",
            "t.sql:1:10: syntax error: expected an operator or the end of the line, found \"2\" in command \"set\"",
        ),
        ("\\set a 1 $ 2\nSELECT 1;", "t.sql:1:10: unexpected character \"$\" in command \"set\""),
        (
            "\\set a 99999999999999999999\nSELECT 1;",
            "t.sql:1:8: bigint constant overflow (99999999999999999999) in command \"set\"",
        ),
        ("\\set a 1e999\nSELECT 1;", "t.sql:1:8: double constant overflow (1e999) in command \"set\""),
        ("\\set a sqr(2)\nSELECT 1;", "t.sql:1:8: unexpected function name (sqr) in command \"set\""),
        ("\\set a random(1)\nSELECT 1;", "t.sql:1:8: unexpected number of arguments (random) in command \"set\""),
        ("\\set a 1 < 2 < 3\nSELECT 1;", "t.sql:1:14: comparisons cannot be chained in command \"set\""),
        (
            "\\if\nSELECT 1;\n",
            "t.sql:1:4: syntax error: expected a number, a variable or a function, found the end of the line in command \"if\"",
        ),
        ("SELECT 1;\n\\if true\nSELECT 1;", "t.sql:2:1: \\if without matching \\endif"),
        ("\\else\n", "t.sql:1:1: \\else without matching \\if"),
        ("\\if 1\n\\else\n\\elif 1\n\\endif\n", "t.sql:3:1: \\elif after \\else"),
        ("\\if 1\n\\else\n\\else\n\\endif\n", "t.sql:3:1: \\else after \\else"),
        ("\\endif x\n", "t.sql:1:8: unexpected argument in command \"endif\""),
        ("\\sleep\n", "t.sql:1:7: missing argument in command \"sleep\""),
        ("\\sleep x\n", "t.sql:1:8: invalid sleep time, must be an integer (x) in command \"sleep\""),
        ("\\sleep 10 min\n", "t.sql:1:11: unrecognized time unit, must be us, ms or s (min) in command \"sleep\""),
        ("\\sleep 10 s now\n", "t.sql:1:13: too many arguments in command \"sleep\""),
        ("\\values\n", "t.sql:1:8: missing file in command \"values\""),
        ("\\values a.csv backwards\n", "t.sql:1:15: unknown order of rows \"backwards\" in command \"values\""),
        ("\\gsimple\n", "t.sql:1:1: \\gsimple must follow an SQL command"),
        ("SELECT 1\\gsimple\n\\gsimple\n", "t.sql:2:1: \\gsimple must follow an SQL command"),
        ("\\shell\n", "t.sql:1:7: missing command in command \"shell\""),
        ("\\shell true\n", "t.sql:1:1: the script runs shell commands, which are not permitted"),
        ("SELECT 1;\n\n  SELECT :b;", "t.sql:3:10: the variable \"b\" has no value here"),
        ("\\set a :scal + 1\nSELECT 1;", "t.sql:1:8: the variable \"scal\" has no value here"),
        ("\\endpipeline\n", "1: not in pipeline mode"),
        ("\\startpipeline\n\\startpipeline\n", "2: already in pipeline mode"),
        ("\\startpipeline\nSELECT 1;\n", "2: end of script reached with pipeline open"),
        (
            "\\startpipeline\nSELECT 1 AS a \\gset\n\\endpipeline\n",
            "2: \\gset and \\aset are not allowed in pipeline mode",
        ),
        ("-- nothing\n", "t.sql:1:1: the script has no command"),
    ];
    for (text, expected) in cases {
        assert_eq!(sent(text, QueryMode::Prepared), Err(expected.to_owned()), "{text}");
    }
    let simple = sent("\\startpipeline\nSELECT 1;\n\\endpipeline\n", QueryMode::Simple);
    assert_eq!(simple, Err("t.sql:1:1: cannot use pipeline mode with the simple query protocol".to_owned()));
}

#[test]
fn an_error_shows_its_line_with_a_caret_and_hints_at_the_nearest_name() {
    let cases = [
        (
            "SELECT 1;\n\\set a 1 + randm(1, 2)\n",
            "\\set a 1 + randm(1, 2)\n           ^ error found here",
            "did you mean random?",
        ),
        ("\t\\slep 1\n", "\t\\slep 1\n\t^ error found here", "did you mean \\sleep?"),
        ("\\set a hash()\n", "\\set a hash()\n       ^ error found here", "hash takes 1 to 2, not 0"),
    ];
    for (text, excerpt, hint) in cases {
        let error = ParsedScript::parse("t.sql", text).expect_err("it is wrong");
        assert_eq!((error.source_excerpt().as_str(), error.hint.as_deref()), (excerpt, Some(hint)));
    }
    let long = format!("\\set a {}$", "1 + ".repeat(20_000));
    let error = ParsedScript::parse("t.sql", &long).expect_err("it is wrong");
    assert!(error.source_excerpt().len() < 300);
}

#[test]
fn limits_are_told() {
    let uses = |count: usize| format!("SELECT {};", vec![":scale"; count].join(", "));
    assert!(sent(&uses(65_535), QueryMode::Prepared).is_ok());
    let complaint = sent(&uses(65_536), QueryMode::Prepared).expect_err("too many");
    assert_eq!(complaint, "t.sql:1:1: the statement uses variables 65536 times");
    assert!(sent(&uses(1000), QueryMode::Simple).is_ok());
    let words = |count: usize| format!("\\setshell a {}\n", vec!["x"; count].join(" "));
    assert!(ParsedScript::parse("t.sql", &words(254)).is_ok());
    assert!(ParsedScript::parse("t.sql", &words(255)).is_err());
    let arguments = |count: usize| format!("\\set a least({})\n", vec!["1"; count].join(", "));
    assert!(ParsedScript::parse("t.sql", &arguments(16)).is_ok());
    assert!(ParsedScript::parse("t.sql", &arguments(17)).is_err());
    let mut many = job("SELECT 1;", QueryMode::Simple).expect("it parses");
    many.scripts = vec![many.scripts[0].clone(); 4097];
    assert_eq!(run(&many), Err("the job has more than 4096 scripts".to_owned()));
}

#[test]
fn conditions_choose_what_is_sent() {
    let text = "\\set x 0\n\\if :n = 1\nSELECT 1;\n\\elif :n = 2\nSELECT 2;\n\\if true\n\\set x 7\n\\else\nSELECT 0;\n\\endif\n\
                \\elif 1 / (:n - 3) > 0\nSELECT 3;\n\\else\nSELECT 4;\n\\endif\nSELECT :x;\n";
    for (n, expected) in [("1", vec!["1", "0"]), ("2", vec!["2", "7"]), ("4", vec!["3", "0"]), ("0", vec!["4", "0"])] {
        let mut job = job(text, QueryMode::Simple).expect("it parses");
        job.definitions = vec![("n".to_owned(), n.to_owned())];
        let sent = run(&job).expect("it runs");
        let expected: Vec<String> = expected.iter().map(|sql| format!("Q····SELECT {sql}·")).collect();
        assert_eq!(sent, expected, "{n}");
    }
}

#[test]
fn a_pipeline_is_sent_at_once_and_synced_where_the_script_says() {
    let text = "\\startpipeline\nSELECT 1;\n\\syncpipeline\nSELECT 2;\nSELECT 3;\n\\endpipeline\nSELECT 4;\n";
    let sent = sent(text, QueryMode::Prepared).expect("it runs");
    let kinds = |request: &str| request.matches("S····").count();
    assert_eq!(sent.len(), 2 + 4, "{sent:?}");
    assert_eq!((kinds(&sent[0]), kinds(&sent[1])), (2, 1), "{sent:?}");
}

#[test]
fn what_a_script_defines_itself_is_prepared_when_it_is_needed() {
    let sent = sent("CREATE TEMP TABLE t ();\nSELECT * FROM t;\n", QueryMode::Prepared).expect("it runs");
    assert_eq!(sent.len(), 2, "nothing is prepared before: {sent:?}");
    assert!(sent[1].contains("P0_L1·SELECT * FROM t·"), "{sent:?}");
}

#[test]
fn whether_a_statement_defines_something_is_seen_behind_comments_and_in_select_into() {
    for (defines, statement) in [
        (true, "/* step /* 1 */ */ -- of two\n CREATE TEMP TABLE t ()"),
        (true, "SELECT 1 AS a\nInto TEMP t"),
        (true, "SELECT :client_id AS a INTO TEMP t"),
        (true, "WITH one AS (SELECT 1) SELECT * INTO t FROM one"),
        (false, "SELECT 1 AS into_t"),
        (false, "/* CREATE */ SELECT 1"),
        (false, "INSERT INTO t SELECT 1"),
    ] {
        let sent = sent(&format!("{statement};\nSELECT * FROM t;\n"), QueryMode::Prepared).expect("it runs");
        assert_eq!(sent.len(), if defines { 2 } else { 4 }, "{statement}: {sent:?}");
    }
}

#[test]
fn sleeps_and_shell_commands_are_told_with_their_values() {
    let text = "\\set n 3\n\\sleep 10ms\n\\sleep :n us\n\\sleep 2\n\\sleep -1 s\n\\shell echo :n ::n a:n\n\\setshell m echo 1\n";
    let mut job = job(text, QueryMode::Simple).expect("it parses");
    job.shell = ShellCommands::Permitted;
    // A time that has passed already is not waited for.
    let expected = ["sleep 10000 us", "sleep 3 us", "sleep 2000000 us", "shell echo 3 :n a:n", "shell echo 1"];
    assert_eq!(run(&job).expect("it runs"), expected);
    job.definitions = vec![("n".to_owned(), String::new())];
    assert!(run(&job).is_ok(), "\\set overrides a definition");
}

/// A job of one client whose script takes rows of a file with the columns `id` and `note`.
fn job_with_rows(text: &str, mode: QueryMode) -> Result<EngineJob, String> {
    let rows = ValueRows::from_csv(b"id,note\n1,\"it's\"\n2,\n3,\"\"\n").map_err(|error| error.to_string())?;
    let mut job = job(text, mode)?;
    let script = job.scripts[0].script.clone();
    assert_eq!(script.value_files().into_iter().collect::<Vec<_>>(), ["notes.csv"]);
    job.scripts[0].script = script.with_values("notes.csv", &std::sync::Arc::new(rows));
    Ok(job)
}

#[test]
fn a_row_of_a_file_becomes_variables_and_its_nulls_are_those_of_sql() {
    let text = "\\values notes.csv sequential\nINSERT INTO t VALUES (:id, :note);\n".repeat(2);
    let sent_rows = run(&job_with_rows(&text, QueryMode::Extended).expect("it parses")).expect("it runs");
    // Client 3 begins at row 4 of three, which is row 1 again; both commands count for themselves.
    assert!(sent_rows.iter().all(|request| request.contains("1····it's")), "{sent_rows:?}");
    let text = "\\values notes.csv sequential\n\\set x :id + 1\nSELECT :x, ':note' \\gsimple\n";
    let job = job_with_rows(text, QueryMode::Prepared).expect("it parses");
    assert_eq!(run(&job).expect("it runs"), ["Q····SELECT 2, 'it's'·"]);
    let unread = sent("\\values notes.csv\nSELECT :id;", QueryMode::Prepared);
    assert_eq!(unread, Err("t.sql:1:1: the values of \"notes.csv\" have not been read".to_owned()));
}

#[test]
fn null_and_the_empty_text_are_parameters_of_their_own() {
    let sent_of = |row: &[u8]| {
        let mut job = job("\\values notes.csv\nSELECT :id;", QueryMode::Extended).expect("it parses");
        let rows = std::sync::Arc::new(ValueRows::from_csv(row).expect("it is a file"));
        job.scripts[0].script = job.scripts[0].script.clone().with_values("notes.csv", &rows);
        run(&job).expect("it runs")[0].clone()
    };
    // The length of a parameter: -1 of NULL, 0 of an empty text.
    let (null, empty) = (sent_of(b"id\n\n"), sent_of(b"id\n\"\"\n"));
    assert!(null.contains('\u{fffd}') && !empty.contains('\u{fffd}'), "{null:?} {empty:?}");
}

#[test]
fn a_statement_is_sent_by_the_simple_protocol_in_every_mode() {
    let text = "\\set a 7\nSELECT interval '1 day', :a \\gsimple\nSELECT :a;\n";
    let sent = sent(text, QueryMode::Prepared).expect("it runs");
    assert!(sent[0].starts_with('Q') && sent[0].ends_with("SELECT interval '1 day', 7·"), "{sent:?}");
    assert_eq!(sent.last().map(String::as_str), Some("P0_0: SELECT $1"), "{sent:?}");
    let script = ParsedScript::parse("t.sql", text).expect("it parses");
    assert_eq!(script.unknown_to_pgbench(), Some("\\gsimple"));
    let asked = script.preparable_statements(QueryMode::Prepared, &[]);
    assert_eq!(asked.iter().map(|asked| asked.parameters).collect::<Vec<_>>(), [1, 1]);
}

#[test]
fn nesting_beyond_the_limit_is_refused_rather_than_overflowing_the_stack() {
    for text in
        ["(".repeat(100_000), "-".repeat(100_001), "not ".repeat(100_000), "1".to_owned() + &"+1".repeat(100_000)]
    {
        let complaint = sent(&format!("\\set a {text}\nSELECT 1;"), QueryMode::Prepared).expect_err("too deep");
        assert!(complaint.contains("the expression is nested too deeply"), "{complaint}");
    }
}

/// The value of `text` as SQL would get it, or what is said about it when it runs.
fn value(text: &str) -> Result<String, String> {
    let job = job(&format!("\\set a {text}\nSELECT :a;"), QueryMode::Simple)?;
    let program = ScriptProgram::new(&job).map_err(|error| error.to_string())?;
    let ScriptStep::Set { expression, .. } = &program.scripts()[0].steps[0] else { panic!("no \\set") };
    let value = expression.evaluate(&program.initial_variables(3), &mut Random::new(1));
    Ok(match value.map_err(|error| error.to_string())? {
        ScriptValue::Null => "NULL".to_owned(),
        ScriptValue::Boolean(value) => value.to_string(),
        ScriptValue::Integer(value) => value.to_string(),
        ScriptValue::Double(value) => format!("{}d", String::from_utf8_lossy(DoubleText::new().format_double(value))),
    })
}

#[test]
fn expressions_have_the_values_that_pgbench_gives_them() {
    let cases = [
        ("1 + 2 * 3", Ok("7")),
        ("(1 + 2) * 3", Ok("9")),
        ("10 - 4 - 3", Ok("3")),
        ("100 / 7 / 2", Ok("7")),
        ("-7 / 2", Ok("-3")),
        ("-7 % 3", Ok("-1")),
        ("- - 5", Ok("5")),
        ("-(2 + 3)", Ok("-5")),
        ("100000 * :scale", Ok("2000000")),
        (":client_id", Ok("3")),
        ("1 + \\\n 1", Ok("2")),
        ("-9223372036854775808", Ok("-9223372036854775808")),
        ("-9223372036854775808 % -1", Ok("0")),
        ("-9223372036854775808 / -1", Err("integer out of range")),
        ("9223372036854775807 + 1", Err("integer out of range")),
        ("1 / 0", Err("division by zero")),
        ("1 % 0", Err("division by zero")),
        ("1 / 0.0", Ok("Infinityd")),
        ("7 / 2.0", Ok("3.5d")),
        ("7.6 % 3", Ok("2")),
        ("-0.0", Ok("0d")),
        ("1.5e3 + .5", Ok("1500.5d")),
        ("2 + 3 < 6 - 1", Ok("false")),
        ("1 = 1.0", Ok("true")),
        ("1 | 6 & 3", Ok("3")),
        ("5 # 3 << 2", Ok("24")),
        ("~ 1 + 2", Ok("-4")),
        ("1 << 65", Ok("2")),
        ("not 1 = 2 and false or true", Ok("true")),
        ("NOT true IS NULL", Ok("true")),
        ("1 = 2 IS NULL", Ok("false")),
        ("NULL ISNULL", Ok("true")),
        ("1 NOTNULL IS NOT FALSE", Ok("true")),
        ("NULL and true", Ok("NULL")),
        ("false and 1 / 0 = 1", Ok("false")),
        ("true or 1 / 0 = 1", Ok("true")),
        ("true and 1", Err("cannot coerce int to boolean")),
        ("not 1", Err("cannot coerce int to boolean")),
        ("true + 1", Err("cannot coerce boolean to int")),
        ("NULL + true", Ok("NULL")),
        ("case when 0 then 1 when NULL then 2 when 0.5 then 3 else 1 / 0 end", Ok("3")),
        ("CASE WHEN false THEN 1 END", Ok("NULL")),
        ("abs(-5) + ABS(-0.5)", Ok("5.5d")),
        ("least(3, 2, 4) + greatest(1, 2.5)", Ok("4.5d")),
        ("int(2.5) + int(3.5) + double(1)", Ok("7d")),
        ("int(1e20)", Err("double to int overflow for 100000000000000000000.000000")),
        ("sqrt(2) + ln(2) + exp(1) + pi()", Ok("7.96723522498188d")),
        ("pow(2, 10) - power(2, 0.5)", Ok("1022.58578643763d")),
        ("mod(10, 3)", Ok("1")),
        ("hash(10, 5432)", Ok("-5817877081768721676")),
        ("hash_fnv1a(10, 5432)", Ok("-7793829335365542153")),
        ("hash(10) = hash_murmur2(10, :default_seed)", Ok("true")),
        ("permute(5, 0, 1)", Err("permute size parameter must be greater than zero")),
        ("random(5, 5)", Ok("5")),
        ("random(2, 1)", Err("empty range given to random")),
        ("random(-9223372036854775808, 1)", Err("random range is too large")),
        ("random_gaussian(1, 10, 1.9)", Err("gaussian parameter must be at least 2.000000 (not 1.900000)")),
        ("random_zipfian(1, 10, 1)", Err("zipfian parameter must be in range [1.001, 1000] (not 1.000000)")),
        ("random_exponential(1, 10, 0)", Err("exponential parameter must be greater than zero (not 0.000000)")),
    ];
    for (text, expected) in cases {
        assert_eq!(value(text), expected.map(str::to_owned).map_err(str::to_owned), "{text}");
    }
}

#[test]
fn a_distribution_whose_parameter_is_no_number_is_refused_rather_than_drawn_from_for_ever() {
    for name in ["exponential", "gaussian", "zipfian"] {
        let refused = value(&format!("random_{name}(1, 10, sqrt(-1))")).expect_err(name);
        assert!(refused.starts_with(name) && refused.ends_with("(not NaN)"), "{refused}");
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
        prop_assert_eq!(value(&text).ok(), expected.map(|value| value.to_string()));
    }

    #[test]
    fn any_text_is_parsed_or_refused_but_never_panics(text in "[\\\\:;'\"$a-c1é /*()\n-]{0,60}") {
        if let Ok(script) = ParsedScript::parse("t.sql", &text) {
            prop_assert!(!script.commands.is_empty());
        }
    }

    #[test]
    fn any_meta_command_is_parsed_or_refused_but_never_panics(
        name in "(set a|if|sleep|gset|shell|\\\\)", rest in "[-+*<=>!|&~(),.:0-9a-eé \\\\\n\tNOTULIS]{0,40}",
    ) {
        let text = format!("SELECT 1 \\{name} {rest}");
        if let Err(error) = sent(&text, QueryMode::Prepared) {
            prop_assert!(!error.is_empty());
        }
    }

    #[test]
    fn a_draw_lies_within_its_bounds(lower in -1000i64..1000, width in 0i64..1000, seed: u64, kind in 0usize..4) {
        let range = distribution::Range::new(lower, lower + width).expect("a range");
        let mut random = Random::new(seed);
        let value = match kind {
            0 => Ok(range.draw_uniform(&mut random)),
            1 => range.draw_gaussian(2.0 + (seed % 5) as f64, &mut random),
            2 => range.draw_zipfian(1.001 + (seed % 3) as f64, &mut random),
            _ => range.draw_exponential(0.1 + (seed % 9) as f64, &mut random),
        };
        prop_assert!((lower..=lower + width).contains(&value.expect("valid parameters")));
    }
}
