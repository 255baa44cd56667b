//! Where parameters come from: values that the server made, and that a later statement sends back. A value counts as
//! made by the server if the statement that returned it did not have it among its own values, and
//!
//! - it writes (`RETURNING`), or
//! - the column is computed and the text has no FROM (`SELECT nextval('s')`, `SELECT place_order($1)`), or calls a
//!   function that makes values (`now()`), or
//! - the column is one in which the server has made a value before, so that a session that reads it follows it too.

use std::collections::{HashMap, HashSet};

use super::result_rows::ReturnedValue;
use crate::directory::ValueOrigin;

/// Values that a session remembers before it forgets the older half.
const VALUES_OF_SESSION: usize = 2_048;
/// The same for all sessions together.
const VALUES_OF_ALL: usize = 500_000;
/// Origins of one value that are remembered: two sequences make the same numbers.
const ORIGINS_OF_VALUE: usize = 3;

/// Functions that make values, whatever else the text has.
const MAKERS: &[&str] = &[
    "nextval",
    "lastval",
    "currval",
    "now()",
    "current_timestamp",
    "current_date",
    "localtimestamp",
    "clock_timestamp",
    "statement_timestamp",
    "transaction_timestamp",
    "gen_random_uuid",
    "uuid_generate",
    "uuidv4",
    "uuidv7",
    "random()",
];

/// What a text says of the values that it returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct MakerFacts {
    /// It writes.
    pub(crate) writes: bool,
    /// Its computed columns are made by the server.
    pub(crate) makes_computed: bool,
}

impl MakerFacts {
    /// By its text without literals.
    pub(crate) fn from_text(text: &str, writes: bool) -> Self {
        let folded = text.to_ascii_lowercase();
        let has_maker = MAKERS.iter().any(|maker| folded.contains(maker));
        let words = folded.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let has_from = words.into_iter().any(|word| word == "from");
        Self { writes, makes_computed: has_maker || (folded.trim_start().starts_with("select") && !has_from) }
    }
}

/// Where a value was returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ReturnedAt {
    event: u64,
    column: u32,
    row: u64,
}

/// Values and where they were returned, the latest first. Of two generations, so that old values are forgotten.
#[derive(Debug)]
pub(super) struct RememberedOrigins {
    newer: HashMap<Box<str>, Vec<ReturnedAt>>,
    older: HashMap<Box<str>, Vec<ReturnedAt>>,
    at_most: usize,
}

impl RememberedOrigins {
    fn with_capacity_of(at_most: usize) -> Self {
        Self { newer: HashMap::new(), older: HashMap::new(), at_most }
    }

    fn remember_origin(&mut self, text: &str, at: ReturnedAt) {
        if self.newer.len() >= self.at_most {
            self.older = std::mem::take(&mut self.newer);
        }
        let known = match self.newer.get_mut(text) {
            Some(known) => known,
            None => {
                let older = self.older.remove(text).unwrap_or_default();
                self.newer.entry(text.into()).or_insert(older)
            }
        };
        known.insert(0, at);
        known.truncate(ORIGINS_OF_VALUE);
    }

    fn look_up(&self, text: &str) -> &[ReturnedAt] {
        self.newer.get(text).or_else(|| self.older.get(text)).map_or(&[], Vec::as_slice)
    }
}

/// The values of one session.
#[derive(Debug)]
pub(super) struct SessionValues(RememberedOrigins);

impl Default for SessionValues {
    fn default() -> Self {
        Self(RememberedOrigins::with_capacity_of(VALUES_OF_SESSION))
    }
}

/// The values of all sessions.
#[derive(Debug)]
pub(super) struct ValueFlow {
    all: RememberedOrigins,
    /// Columns in which the server has made a value: table and number.
    made_columns: HashSet<(u32, u16)>,
}

impl Default for ValueFlow {
    fn default() -> Self {
        Self { all: RememberedOrigins::with_capacity_of(VALUES_OF_ALL), made_columns: HashSet::new() }
    }
}

impl ValueFlow {
    /// Where each of these values may come from, those of the session itself before those of others. The place of a
    /// value is that among parameters and literals.
    pub(super) fn find_origins(&self, session: &SessionValues, values: &[Option<String>]) -> Vec<ValueOrigin> {
        let mut origins = Vec::new();
        for (place, value) in (0..).zip(values) {
            let Some(text) = value else { continue };
            let text = comparable_text(text);
            let own = session.0.look_up(&text);
            let known = if own.is_empty() { self.all.look_up(&text) } else { own };
            for at in known {
                origins.push(ValueOrigin { place, event: at.event, column: at.column, row: at.row });
            }
        }
        origins
    }

    /// Remembers what an event returned that the server made. `own` are the values that its statement had.
    pub(super) fn remember_returned(
        &mut self,
        session: &mut SessionValues,
        event: u64,
        facts: MakerFacts,
        own: &[Option<String>],
        returned: &[ReturnedValue],
    ) {
        for value in returned {
            let is_word = matches!(&*value.text, "t" | "f");
            if is_word || own.iter().flatten().any(|own| **own == *value.text) {
                continue;
            }
            let is_made = match value.facts {
                None => facts.writes || facts.makes_computed,
                Some(column) if column.is_computed() => facts.writes || facts.makes_computed,
                Some(column) => {
                    let key = (column.table_oid, column.attribute);
                    if facts.writes {
                        self.made_columns.insert(key);
                    }
                    self.made_columns.contains(&key)
                }
            };
            if is_made {
                let at = ReturnedAt { event, column: value.column, row: value.row };
                let text = comparable_text(&value.text);
                session.0.remember_origin(&text, at);
                self.all.remember_origin(&text, at);
            }
        }
    }
}

/// A value as it is compared: an instant in UTC has one form, whatever driver wrote it.
fn comparable_text(text: &str) -> String {
    let bytes = text.as_bytes();
    let is_instant = bytes.len() >= 20 && bytes[4] == b'-' && bytes[7] == b'-' && bytes[13] == b':';
    if !is_instant || !matches!(bytes[10], b' ' | b'T') {
        return text.to_owned();
    }
    let mut end = text.len();
    for zone in ["+00:00", "+00", "Z"] {
        if let Some(before) = text.strip_suffix(zone) {
            end = before.len();
            break;
        }
    }
    let clock = text.get(11..end).unwrap_or_default();
    let clock = if clock.contains('.') { clock.trim_end_matches('0').trim_end_matches('.') } else { clock };
    format!("{} {clock}", text.get(..10).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn returned(text: &str) -> ReturnedValue {
        ReturnedValue { text: text.into(), row: 0, column: 1, facts: None }
    }

    fn values(texts: &[&str]) -> Vec<Option<String>> {
        texts.iter().map(|text| Some((*text).to_owned())).collect()
    }

    #[test]
    fn a_value_that_the_statement_did_not_have_is_followed_within_and_across_sessions() {
        let mut flow = ValueFlow::default();
        let (mut first, second) = (SessionValues::default(), SessionValues::default());
        let facts = MakerFacts::from_text("INSERT INTO t (a) VALUES ($1) RETURNING *", true);
        flow.remember_returned(&mut first, 7, facts, &values(&["5"]), &[returned("5"), returned("41"), returned("t")]);
        let expected = [ValueOrigin { place: 1, event: 7, column: 1, row: 0 }];
        assert_eq!(flow.find_origins(&first, &values(&["5", "41", "t"])), expected);
        assert_eq!(flow.find_origins(&second, &values(&["5", "41", "t"])), expected);
        flow.remember_returned(&mut first, 9, facts, &[], &[returned("41")]);
        let events: Vec<u64> = flow.find_origins(&first, &values(&["41"])).iter().map(|it| it.event).collect();
        assert_eq!(events, [9, 7], "the latest first");
    }

    #[test]
    fn texts_that_make_values_are_known() {
        for (text, makes) in [
            ("SELECT nextval($1)", true),
            ("select place_order($1, $2)", true),
            ("SELECT now(), x FROM t", true),
            ("SELECT count(*) FROM t", false),
            ("UPDATE t SET a = $1", false),
        ] {
            assert_eq!(MakerFacts::from_text(text, false).makes_computed, makes, "{text}");
        }
    }

    #[test]
    fn instants_of_different_drivers_are_compared() {
        for text in ["2026-11-29 18:00:00.5+00", "2026-11-29T18:00:00.500Z", "2026-11-29 18:00:00.50+00:00"] {
            assert_eq!(comparable_text(text), "2026-11-29 18:00:00.5");
        }
        assert_eq!(comparable_text("2026-11-29"), "2026-11-29");
        assert_eq!(comparable_text("an example of a long text"), "an example of a long text");
    }

    #[test]
    fn old_values_are_forgotten() {
        let mut origins = RememberedOrigins::with_capacity_of(10);
        for number in 0..100 {
            origins.remember_origin(&number.to_string(), ReturnedAt { event: number, column: 0, row: 0 });
        }
        assert!(origins.look_up("1").is_empty() && !origins.look_up("95").is_empty());
    }
}
