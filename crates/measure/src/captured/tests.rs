//! Captures written by hand, and the scripts that they become.

use super::*;
use capture::directory::{
    CaptureMask, CaptureSummary, CaptureWriter, CapturedEvent, CapturedStatement, EventAction, Execution,
    StatementProtocol,
};

pub(super) fn statement(id: u64, text: &str, kind: &str, (parameters, literals): (u32, u32)) -> CapturedStatement {
    let protocol = if parameters > 0 { StatementProtocol::Extended } else { StatementProtocol::Simple };
    let writes = ["INSERT", "UPDATE", "DELETE"].contains(&kind);
    let (fingerprint, text, kind) = (format!("{id:016x}"), text.to_owned(), kind.to_owned());
    CapturedStatement { id, fingerprint, text, parameters, literals, kind, writes, beyond: None, protocol }
}

pub(super) fn execute(session: u64, transaction: u64, statement: u64, values: &[&str]) -> CapturedEvent {
    let parameters = values.iter().map(|value| (*value != "NULL").then(|| (*value).to_owned())).collect();
    let execution = Execution { statement, transaction, parameters, duration_us: Some(10), ..Execution::default() };
    let at_us = i64::try_from(transaction * 1000 + session).expect("few");
    CapturedEvent { session, at_us, action: EventAction::Execute(execution) }
}

pub(super) fn with_literals(mut event: CapturedEvent, literals: &[&str]) -> CapturedEvent {
    if let EventAction::Execute(execution) = &mut event.action {
        execution.literals = literals.iter().map(|literal| (*literal).to_owned()).collect();
    }
    event
}

fn with_error(mut event: CapturedEvent) -> CapturedEvent {
    if let EventAction::Execute(execution) = &mut event.action {
        execution.error = Some("23505".to_owned());
    }
    event
}

pub(super) fn scripts_of(
    statements: &[CapturedStatement],
    events: &[CapturedEvent],
) -> Result<CapturedScripts, Problem> {
    replay_of(statements, events, ReplayTimes::Sampled)
}

fn replay_of(
    statements: &[CapturedStatement],
    events: &[CapturedEvent],
    times: ReplayTimes,
) -> Result<CapturedScripts, Problem> {
    let place = tempfile::tempdir().expect("a directory");
    let mut summary = CaptureSummary::new_incomplete(Vec::new(), CaptureMask::None);
    let mut writer = CaptureWriter::create_capture(&place.path().join("c"), &summary).expect("it is empty");
    for statement in statements {
        writer.write_statement(statement.clone()).expect("it is written");
    }
    for event in events {
        writer.write_event(event.clone()).expect("it is written");
    }
    summary.complete = true;
    summary.statements = statements.len() as u64;
    writer.finish_capture(&summary).expect("it is written");
    CapturedScripts::of_capture(&place.path().join("c"), times)
}

#[test]
fn transactions_of_the_same_statements_are_one_script_with_a_row_of_values_each() {
    let statements = [
        statement(0, "BEGIN", "BEGIN", (0, 0)),
        statement(1, "UPDATE stock SET n = n - $1 WHERE id = $2", "UPDATE", (2, 0)),
        statement(2, "COMMIT", "COMMIT", (0, 0)),
        statement(3, "SELECT a[1:n] FROM t WHERE name = $1 AND x = $2", "SELECT", (0, 2)),
    ];
    let buy = |session, transaction, n: &str, id: &str| {
        [
            execute(session, transaction, 0, &[]),
            execute(session, transaction, 1, &[n, id]),
            execute(session, transaction, 2, &[]),
        ]
    };
    let mut events = buy(1, 0, "3", "it,\"s").to_vec();
    // Another session in between, of which nothing comes later.
    events.insert(2, with_literals(execute(2, 0, 3, &[]), &["'b:c'", "7"]));
    events.extend(buy(1, 1, "4", "NULL"));
    let made = scripts_of(&statements, &events).expect("there is something to replay");
    let files: Vec<(&str, &str)> = made.files[1..].iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let expected = [
        (
            "001-update-stock.sql",
            "\\values 001-update-stock.csv listed\nBEGIN \\gsimple\nUPDATE stock SET n = n - :v1 WHERE id = :v2;\nCOMMIT \\gsimple\n",
        ),
        ("001-update-stock.csv", "v1,v2\n\"3\",\"it,\"\"s\"\n\"4\",\n"),
        (
            "002-select-t.sql",
            "\\values 002-select-t.csv listed\nSELECT a[1: n] FROM t WHERE name = :v1 AND x = :v2 \\gsimple\n",
        ),
        ("002-select-t.csv", "v1,v2\n\"'b:c'\",\"7\"\n"),
        ("order.txt", "0\n1\n0\n"),
    ];
    assert_eq!(files, expected);
    assert_eq!(made.summary.captured, ReplayedAmount { transactions: 3, calls: 7, busy_us: 70 });
    assert_eq!(made.summary.replayed, made.summary.captured);
    assert!(made.summary.writes && made.summary.not_replayed.is_empty());
    let weights: Vec<u32> = made.parsed_scripts().expect("they parse").iter().map(|it| it.weight.get()).collect();
    assert_eq!(weights, [2, 1]);
}

#[test]
fn what_is_kept_in_a_run_reads_back() {
    let statements = [statement(0, "SELECT $1::int", "SELECT", (1, 0))];
    let made = scripts_of(&statements, &[execute(1, 0, 0, &["1"])]).expect("there is something to replay");
    let files: Vec<(PathBuf, &str)> = made.files_in(Path::new("scripts/w")).collect();
    let read = |path: &Path| {
        let found = files.iter().find(|(known, _)| known == path);
        found.map(|(_, text)| text.as_bytes().to_vec()).ok_or(std::io::Error::from(std::io::ErrorKind::NotFound))
    };
    let back =
        CapturedScripts::read_directory(Path::new("scripts/w"), ReplayTimes::Sampled, &read).expect("it is there");
    assert_eq!((&back.summary, &back.files), (&made.summary, &made.files));
    let nothing = CapturedScripts::read_directory(Path::new("elsewhere"), ReplayTimes::Sampled, &read)
        .expect_err("there is none");
    assert!(nothing.to_string().contains("is not a capture"), "{nothing}");
}

#[test]
fn what_cannot_be_replayed_is_counted_by_its_reason() {
    let mut statements = vec![
        statement(0, "SELECT $1::int", "SELECT", (1, 0)),
        statement(1, "SET work_mem = $1", "SET", (0, 1)),
        statement(2, "BEGIN", "BEGIN", (0, 0)),
        statement(3, "COPY t FROM STDIN", "COPY", (0, 0)),
        statement(4, "SELECT dblink($1)", "SELECT", (1, 0)),
        statement(5, "SELECT \":v1\"", "SELECT", (0, 0)),
    ];
    statements[4].beyond = Some("dblink".to_owned());
    let events = [
        execute(1, 0, 0, &["1"]),
        with_error(execute(1, 1, 0, &["1"])),
        with_literals(execute(1, 2, 1, &[]), &["'4MB'"]),
        execute(1, 3, 3, &[]),
        execute(1, 4, 4, &["x"]),
        execute(1, 5, 5, &[]),
        execute(1, 6, 0, &[]),
        execute(1, 7, 2, &[]),
        execute(1, 7, 0, &["2"]),
    ];
    let made = scripts_of(&statements, &events).expect("one is replayed");
    assert_eq!((made.summary.captured.transactions, made.summary.replayed.transactions), (8, 1));
    let mut reasons: Vec<(&str, u64)> =
        made.summary.not_replayed.iter().map(|not| (not.reason.as_str(), not.transactions)).collect();
    reasons.sort_unstable();
    let expected = ["beyond", "copied-data", "failed", "not-a-script", "session-state", "unfinished", "values-missing"];
    assert_eq!(reasons, expected.map(|reason| (reason, 1)));
    let nothing = scripts_of(&statements, &[with_error(execute(1, 1, 0, &["1"]))]).expect_err("nothing is left");
    assert!(nothing.in_one_line().contains("1 transactions that failed"), "{nothing}");
    let mut masked = made.summary;
    masked.masked = true;
    let words = masked.in_words();
    assert!(words.starts_with("1 of 8 captured transactions are replayed, 11.1 % of their time; not: 1 "), "{words}");
    assert!(words.ends_with("data that are masked alike (`capture mask-sql`)"), "{words}");
}

#[test]
fn a_value_that_the_server_made_is_taken_from_what_it_returns() {
    let statements = [
        statement(0, "BEGIN", "BEGIN", (0, 0)),
        statement(1, "INSERT INTO orders (customer) VALUES ($1) RETURNING id AS oid", "INSERT", (1, 0)),
        statement(2, "INSERT INTO lines VALUES ($1, $2)", "INSERT", (0, 2)),
        statement(3, "COMMIT", "COMMIT", (0, 0)),
    ];
    let mut events = Vec::new();
    for (transaction, customer) in (0..).zip(["7", "3", "9", "7", "1"]) {
        let id = (20_001 + transaction).to_string();
        events.push(execute(1, transaction, 0, &[]));
        events.push(execute(1, transaction, 1, &[customer]));
        events.push(with_literals(execute(1, transaction, 2, &[]), &[&id, "5"]));
        events.push(execute(1, transaction, 3, &[]));
    }
    let made = scripts_of(&statements, &events).expect("there is something to replay");
    let expected = "\\values 001-insert-orders.csv listed\nBEGIN \\gsimple\n\
                    INSERT INTO orders (customer) VALUES (:v1) RETURNING id AS oid \\aset r2_\n\
                    INSERT INTO lines VALUES (:r2_1, :v3) \\gsimple\nCOMMIT \\gsimple\n";
    assert_eq!(made.files[1].1, expected);
    made.parsed_scripts().expect("they parse");
}

#[test]
fn a_timed_replay_has_sessions_with_their_pauses_and_their_own_statements() {
    let statements = [
        statement(0, "BEGIN", "BEGIN", (0, 0)),
        statement(1, "SELECT $1::int", "SELECT", (1, 0)),
        statement(2, "COMMIT", "COMMIT", (0, 0)),
        statement(3, "SET work_mem = $1", "SET", (0, 1)),
        statement(4, "DEALLOCATE pdo_1", "DEALLOCATE", (0, 0)),
    ];
    let at = |at_us: i64, mut event: CapturedEvent| {
        event.at_us = at_us;
        event
    };
    let events = [
        at(-10, with_literals(execute(1, 0, 3, &[]), &["'4MB'"])),
        at(990, execute(1, 1, 0, &[])),
        at(2_000, execute(1, 1, 1, &["7"])),
        at(2_010, execute(1, 1, 2, &[])),
        at(3_990, execute(2, 0, 1, &["8"])),
        at(5_000, execute(1, 2, 4, &[])),
    ];
    let made =
        replay_of(&statements, &events, ReplayTimes::Timed { speed: 2.0 }).expect("there is something to replay");
    let texts: Vec<&str> = made.files[1..].iter().map(|(_, text)| text.as_str()).collect();
    let expected = [
        "\\values 001-set.csv listed\nSET work_mem = :v1 \\gsimple\n",
        "v1\n\"'4MB'\"\n",
        "\\values 002-begin.csv listed\nBEGIN \\gsimple\n\\sleep :p2 us\nSELECT :v1::int;\nCOMMIT \\gsimple\n",
        "v1,p2,p3\n\"7\",\"500\",\"0\"\n",
        "\\values 003-select.csv listed\nSELECT :v1::int;\n",
        "v1\n\"8\"\n",
        // The second session begins when the first one has not ended.
        "0 0 0 0\n1 0 500\n2 1 2000 0\n",
    ];
    assert_eq!(texts, expected);
    let timed = made.summary.timed.as_ref().expect("it is timed");
    assert_eq!((timed.sessions, timed.connections, timed.window_ends_us.as_slice()), (2, 2, &[2_006_u64][..]));
    assert_eq!(made.summary.not_replayed.len(), 1, "DEALLOCATE of what a driver prepared: {:?}", made.summary);
    made.parsed_scripts().expect("they parse");
    let CapturedOrder::Timed(sessions) = made.parsed_order().expect("it is in order") else { panic!("it is timed") };
    assert_eq!((sessions.client_count(), sessions.transaction_count()), (2, 3));
    let files: Vec<(PathBuf, &str)> = made.files_in(Path::new("scripts/w")).collect();
    let read = |path: &Path| {
        let found = files.iter().find(|(known, _)| known == path);
        found.map(|(_, text)| text.as_bytes().to_vec()).ok_or(std::io::Error::from(std::io::ErrorKind::NotFound))
    };
    let other = ReplayTimes::Timed { speed: 1.0 };
    let refused = CapturedScripts::read_directory(Path::new("scripts/w"), other, &read).expect_err("another speed");
    assert!(refused.in_one_line().contains("it was made for `replay: timed` at speed 2"), "{refused}");
}
