//! One line of a file of events.

use serde::{Deserialize, Serialize};

/// What a session did, and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "EventLine", into = "EventLine")]
pub struct CapturedEvent {
    /// The session's number, from 0.
    pub session: u64,
    /// When it began, in microseconds since the capture's begin. Negative for a statement that had begun before.
    pub at_us: i64,
    /// What it did.
    pub action: EventAction,
}

/// What a session did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventAction {
    /// It executed a statement.
    Execute(Execution),
    /// It began. A session that began before the capture has no such event.
    Connect {
        /// The user.
        user: String,
        /// The database.
        database: String,
        /// `application_name`; empty where it is not known.
        application: String,
    },
    /// It ended.
    Disconnect,
}

/// One execution of a statement.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Execution {
    /// How long it took, in microseconds; absent where the source does not say.
    pub duration_us: Option<u64>,
    /// The statement's id.
    pub statement: u64,
    /// The number of the transaction within the session, from 0.
    pub transaction: u64,
    /// The bind parameters as texts; `None` is NULL.
    pub parameters: Vec<Option<String>>,
    /// The literals that were cut out of the text, as SQL: strings have their quotes.
    pub literals: Vec<String>,
    /// The SQLSTATE with which it failed.
    pub error: Option<String>,
    /// Rows returned or affected, as the server counts them; absent where the source does not say.
    pub rows: Option<u64>,
    /// A hash of the rows that were returned, whatever their order.
    pub rows_hash: Option<u64>,
    /// Where values may come from that the server had made.
    pub origins: Vec<ValueOrigin>,
}

/// Where a value may come from: an earlier event returned the same value, which the server had made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "(u32, u64, u32, u64)", into = "(u32, u64, u32, u64)")]
pub struct ValueOrigin {
    /// The place of the value among the parameters and the literals after them, from 0.
    pub place: u32,
    /// The number of the event, from 0: its line, counted over all files of events.
    pub event: u64,
    /// The column of its result, from 0.
    pub column: u32,
    /// The row of its result, from 0.
    pub row: u64,
}

impl From<(u32, u64, u32, u64)> for ValueOrigin {
    fn from((place, event, column, row): (u32, u64, u32, u64)) -> Self {
        Self { place, event, column, row }
    }
}

impl From<ValueOrigin> for (u32, u64, u32, u64) {
    fn from(origin: ValueOrigin) -> Self {
        (origin.place, origin.event, origin.column, origin.row)
    }
}

/// The line as it is written: the names are short because a capture has millions of them.
#[derive(Serialize, Deserialize)]
pub(super) struct EventLine {
    s: u64,
    t: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    d: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    q: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    x: Option<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    p: Vec<Option<String>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    l: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    e: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    r: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    h: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    o: Vec<ValueOrigin>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    connect: Option<ConnectLine>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    disconnect: bool,
}

#[derive(Serialize, Deserialize)]
struct ConnectLine {
    user: String,
    database: String,
    application: String,
}

impl EventLine {
    fn new_empty(session: u64, at_us: i64) -> Self {
        Self {
            s: session,
            t: at_us,
            d: None,
            q: None,
            x: None,
            p: Vec::new(),
            l: Vec::new(),
            e: None,
            r: None,
            h: None,
            o: Vec::new(),
            connect: None,
            disconnect: false,
        }
    }
}

impl From<CapturedEvent> for EventLine {
    fn from(event: CapturedEvent) -> Self {
        let mut line = Self::new_empty(event.session, event.at_us);
        match event.action {
            EventAction::Execute(execution) => {
                line.d = execution.duration_us;
                line.q = Some(execution.statement);
                line.x = Some(execution.transaction);
                line.p = execution.parameters;
                line.l = execution.literals;
                line.e = execution.error;
                line.r = execution.rows;
                line.h = execution.rows_hash.map(|hash| format!("{hash:016x}"));
                line.o = execution.origins;
            }
            EventAction::Connect { user, database, application } => {
                line.connect = Some(ConnectLine { user, database, application });
            }
            EventAction::Disconnect => line.disconnect = true,
        }
        line
    }
}

impl TryFrom<EventLine> for CapturedEvent {
    type Error = String;

    fn try_from(line: EventLine) -> Result<Self, String> {
        let action = match (line.q, line.connect, line.disconnect) {
            (Some(statement), None, false) => EventAction::Execute(Execution {
                duration_us: line.d,
                statement,
                transaction: line.x.ok_or("\"x\" is missing: the transaction of a statement")?,
                parameters: line.p,
                literals: line.l,
                error: line.e,
                rows: line.r,
                rows_hash: line.h.map(|hash| parse_hash(&hash)).transpose()?,
                origins: line.o,
            }),
            (None, Some(connect), false) => EventAction::Connect {
                user: connect.user,
                database: connect.database,
                application: connect.application,
            },
            (None, None, true) => EventAction::Disconnect,
            _ => return Err("is not one of a statement (\"q\"), \"connect\" and \"disconnect\"".to_owned()),
        };
        Ok(Self { session: line.s, at_us: line.t, action })
    }
}

fn parse_hash(text: &str) -> Result<u64, String> {
    u64::from_str_radix(text, 16).map_err(|_| format!("\"h\" is {text:?}, not a hexadecimal number"))
}
