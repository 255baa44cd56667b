//! Logs written by hand, without results: which values of later statements are taken from what the replay returns.

use capture::directory::{CapturedEvent, CapturedStatement};

use super::tests::{execute, scripts_of, statement};

const INSERT: &str = "INSERT INTO orders (customer) VALUES ($1) RETURNING id";
const PAY: &str = "INSERT INTO payments (order_id, amount) VALUES ($1, $2)";

/// Sessions that take turns; the numbers of transactions are theirs.
#[derive(Default)]
struct WrittenLog {
    statements: Vec<CapturedStatement>,
    events: Vec<CapturedEvent>,
    transactions: [u64; 4],
}

impl WrittenLog {
    fn of_texts(texts: &[(&str, u32)]) -> Self {
        let mut log = Self::default();
        for (id, (text, parameters)) in (0..).zip(texts) {
            let kind = text.split(' ').next().unwrap_or_default();
            log.statements.push(statement(id, text, kind, (*parameters, 0)));
        }
        log
    }

    /// A statement that is a transaction of its own.
    fn add_alone(&mut self, session: u64, statement: u64, values: &[&str]) {
        self.add_within(session, statement, values);
        self.transactions[session as usize] += 1;
    }

    /// A statement of the transaction that is open.
    fn add_within(&mut self, session: u64, statement: u64, values: &[&str]) {
        let mut event = execute(session, self.transactions[session as usize], statement, values);
        event.at_us = 1_000 * self.events.len() as i64;
        self.events.push(event);
    }

    /// All scripts, without their values.
    fn script_texts(&self) -> String {
        let made = scripts_of(&self.statements, &self.events).expect("there is something to replay");
        made.parsed_scripts().expect("they parse");
        let scripts = made.files.iter().filter(|(name, _)| name.ends_with(".sql"));
        scripts.map(|(_, text)| text.as_str()).collect()
    }
}

#[track_caller]
fn assert_links(log: &WrittenLog, expected: &[&str], why: &str) {
    let texts = log.script_texts();
    for text in expected {
        assert!(texts.contains(text), "{why}: {text:?} is not in\n{texts}");
    }
    if expected.is_empty() {
        assert!(!texts.contains("\\recall") && !texts.contains("\\aset"), "{why}:\n{texts}");
    }
}

#[test]
fn a_made_number_is_followed_to_later_transactions_of_any_session() {
    for (making, why) in [
        (INSERT, "RETURNING"),
        ("SELECT nextval($1::text::regclass)", "a sequence"),
        ("SELECT place_order($1)", "a function"),
        ("INSERT INTO orders (customer) VALUES ($1) RETURNING *", "all columns"),
    ] {
        let mut log =
            WrittenLog::of_texts(&[(making, 1), (PAY, 2), ("UPDATE orders SET sent = true WHERE id = $1", 1)]);
        for number in 0..8_u64 {
            let (id, customer, session) = ((500_001 + number).to_string(), (number * 5 % 3).to_string(), number % 2);
            log.add_alone(session, 0, &[&customer]);
            log.add_alone(session, 1, &[&id, "7"]);
            log.add_alone(2, 2, &[&id]);
        }
        assert_links(
            &log,
            &[
                " \\aset r1_\n\\remember r1_1 v2\n",
                "\\recall v1 v3\nINSERT INTO payments (order_id, amount) VALUES (:v1, :v2);",
                "\\recall v1 v2\nUPDATE orders SET sent = true WHERE id = :v1;",
            ],
            why,
        );
    }
}

#[test]
fn a_made_uuid_is_followed_where_it_is_compared_with_its_column() {
    let returning = "INSERT INTO payments (amount) VALUES ($1) RETURNING created, id";
    let log_with = |using: &str| {
        let mut log = WrittenLog::of_texts(&[(returning, 1), (using, 1)]);
        for number in 0..8_u64 {
            log.add_alone(0, 0, &["5"]);
            log.add_alone(0, 1, &[&format!("{:032x}", 0x9e37_79b9_7f4a_7c15_u128 * u128::from(number + 1))]);
        }
        log
    };
    let log = log_with("SELECT amount FROM payments WHERE id = $1");
    assert_links(&log, &["\\remember r1_2 v2\n", "\\recall v1 v2\nSELECT amount"], "the second column");
    assert_links(&log_with("INSERT INTO visits (id) VALUES ($1)"), &[], "the application made it");
    assert_links(&log_with("INSERT INTO payments (id) VALUES ($1)"), &[], "it is stored, not looked for");
}

#[test]
fn rows_that_a_queue_gave_are_followed_within_the_transaction() {
    for (taking, why) in [
        ("UPDATE jobs SET taken = now() WHERE id = (SELECT min(id) FROM jobs) RETURNING id, order_id", "RETURNING"),
        ("SELECT id, order_id FROM jobs WHERE NOT done ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED", "FOR UPDATE"),
        ("DELETE FROM jobs j RETURNING j.id, j.payload AS order_id", "a label"),
    ] {
        let mut log = WrittenLog::of_texts(&[
            ("BEGIN", 0),
            (taking, 0),
            ("SELECT product FROM lines WHERE order_id = $1", 1),
            ("UPDATE orders SET state = 'sent' WHERE id = $1", 1),
            ("UPDATE jobs SET done = true WHERE id = $1", 1),
            ("COMMIT", 0),
        ]);
        for order in [31, 17, 55, 23, 42, 38_u64] {
            let job = (order * 7 % 61).to_string();
            let order = order.to_string();
            log.add_within(0, 0, &[]);
            log.add_within(0, 1, &[]);
            log.add_within(0, 2, &[&order]);
            log.add_within(0, 3, &[&order]);
            log.add_within(0, 4, &[&job]);
            log.add_alone(0, 5, &[]);
        }
        assert_links(
            &log,
            &[
                "FROM lines WHERE order_id = :r2_2;",
                "UPDATE orders SET state = 'sent' WHERE id = :r2_2;",
                "UPDATE jobs SET done = true WHERE id = :r2_1;",
            ],
            why,
        );
    }
}

#[test]
fn values_of_the_application_stay_as_they_are() {
    let mut log = WrittenLog::of_texts(&[(INSERT, 1), ("SELECT price FROM products WHERE number = $1", 1)]);
    for number in 0..20_u64 {
        log.add_alone(0, 0, &["1"]);
        log.add_alone(0, 1, &[&(number * 7_919 % 20).to_string()]);
    }
    assert_links(&log, &[], "numbers in no order");
    let mut log = WrittenLog::of_texts(&[(INSERT, 1), ("SELECT price FROM products WHERE number = $1", 1)]);
    for number in 0..20_u64 {
        log.add_alone(1, 1, &[&(500_001 + number).to_string()]);
        log.add_alone(0, 0, &["1"]);
        log.add_alone(0, 1, &[&(500_001 + number).to_string()]);
    }
    assert_links(&log, &[], "another session has sent it before");
    let mut log = WrittenLog::of_texts(&[(INSERT, 1), (PAY, 2)]);
    for number in 0..20_u64 {
        log.add_alone(0, 0, &["1"]);
        log.add_alone(0, 1, &[&(1_700_000_000_000 + number * 61_234).to_string(), "7"]);
    }
    assert_links(&log, &[], "a clock");
}

#[test]
fn what_may_come_from_several_statements_is_not_followed() {
    let mut log = WrittenLog::of_texts(&[(INSERT, 1), (PAY, 2)]);
    for number in 0..10_u64 {
        let [first, second] = [500_001 + 2 * number, 500_002 + 2 * number].map(|id| id.to_string());
        log.add_alone(0, 0, &["1"]);
        log.add_alone(0, 0, &["1"]);
        log.add_alone(0, 1, &[&first, "7"]);
        log.add_alone(0, 1, &[&second, "7"]);
    }
    assert_links(&log, &[], "two executions, of which either may have returned it");
    let other = "INSERT INTO visits (customer) VALUES ($1) RETURNING id";
    let log_with = |using: &str| {
        let mut log = WrittenLog::of_texts(&[(INSERT, 1), (other, 1), (using, 1)]);
        for number in 0..10_u64 {
            log.add_alone(0, 0, &["1"]);
            log.add_alone(0, 1, &["1"]);
            log.add_alone(0, 2, &[&(500_001 + number).to_string()]);
        }
        log
    };
    assert_links(&log_with("SELECT f($1)"), &[], "two statements, of which either may have returned it");
    let by_name = log_with("INSERT INTO payments (order_id) VALUES ($1)");
    assert_links(
        &by_name,
        &["RETURNING id \\aset r1_\n\\remember", "\\recall v1 v2\nINSERT INTO payments"],
        "its name",
    );
    let texts = by_name.script_texts();
    assert!(texts.contains("INSERT INTO visits (customer) VALUES (:v1) RETURNING id;"), "{texts}");
}
