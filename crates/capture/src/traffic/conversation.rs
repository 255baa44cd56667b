//! One session: what its client asked for, and which of the server's answers belongs to which request. A server answers
//! requests in their order; after an error it passes over all requests up to the next Sync.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use super::request::{BodyReader, BoundValues, ClientRequest, read_request};
use super::result_rows::{ResultColumnFacts, ResultRowsSeen, read_columns};
use super::splitter::{MessageSplitter, SplitMessage};
use crate::directory::StatementProtocol;
use crate::losses::LossReason;

/// What happened in a session, in the order in which it did.
#[derive(Debug)]
pub(super) enum SessionOutcome {
    /// A statement has ended.
    Executed(Box<EndedExecution>),
    /// A transaction has ended, or there was none.
    Idle,
    /// Something is not captured.
    Lost(LossReason),
    /// A setting that the server reports.
    Setting { name: Vec<u8>, value: Vec<u8> },
}

/// A statement that has ended.
#[derive(Debug)]
pub(super) struct EndedExecution {
    pub(super) text: Rc<[u8]>,
    pub(super) protocol: StatementProtocol,
    pub(super) at_us: i64,
    pub(super) duration_us: u64,
    /// Values of the parameters, and their types where they are known.
    pub(super) values: Rc<BoundValues>,
    pub(super) types: Vec<u32>,
    /// The SQLSTATE if it failed.
    pub(super) error: Option<String>,
    pub(super) rows: ResultRowsSeen,
}

/// A prepared statement.
#[derive(Debug)]
struct PreparedText {
    text: Rc<[u8]>,
    types: Vec<u32>,
    columns: Option<Rc<[ResultColumnFacts]>>,
}

#[derive(Debug)]
struct OpenPortal {
    /// `None`: it is of a statement that was prepared before the capture, or while it had losses.
    statement: Option<Rc<PreparedText>>,
    values: Rc<BoundValues>,
    columns: Option<Rc<[ResultColumnFacts]>>,
    /// Whether it has been executed: what comes then are more of its rows.
    is_continued: bool,
}

/// A session as far as it has been seen.
#[derive(Debug, Default)]
pub(super) struct SessionConversation {
    client: MessageSplitter,
    server: MessageSplitter,
    requests: VecDeque<ClientRequest>,
    statements: HashMap<Box<[u8]>, Rc<PreparedText>>,
    portals: HashMap<Box<[u8]>, OpenPortal>,
    /// The result of the statement under way.
    rows: ResultRowsSeen,
    columns: Option<Rc<[ResultColumnFacts]>>,
    error: Option<String>,
    /// When the last statement had ended.
    answered_us: i64,
    is_copying_in: bool,
    /// The keys of the hash of results.
    hash_keys: (u64, u64),
    outcomes: Vec<SessionOutcome>,
}

impl SessionConversation {
    pub(super) fn with_hash_keys(hash_keys: (u64, u64)) -> Self {
        Self { hash_keys, answered_us: i64::MIN, ..Self::default() }
    }

    /// What the client has sent.
    pub(super) fn take_client_bytes(&mut self, bytes: &[u8], at_us: i64) {
        let mut splitter = std::mem::take(&mut self.client);
        splitter.split_bytes(bytes, |message| match message {
            SplitMessage::Whole(tag, body) => match read_request(tag, body, at_us) {
                Some(request) => self.requests.push_back(request),
                None if b"QPBDCE".contains(&tag) => {
                    self.outcomes.push(SessionOutcome::Lost(LossReason::MessageUnknown));
                }
                None => {}
            },
            // Its answers are then those of nothing: a statement without a text.
            SplitMessage::TooLong(tag) => {
                if matches!(tag, b'Q' | b'P' | b'B') {
                    self.outcomes.push(SessionOutcome::Lost(LossReason::MessageTooLong));
                }
            }
            SplitMessage::Malformed => self.outcomes.push(SessionOutcome::Lost(LossReason::MessageUnknown)),
        });
        self.client = splitter;
    }

    /// What the server has sent.
    pub(super) fn take_server_bytes(&mut self, bytes: &[u8], at_us: i64) {
        let mut splitter = std::mem::take(&mut self.server);
        splitter.split_bytes(bytes, |message| match message {
            SplitMessage::Whole(tag, body) => self.take_answer(tag, body, at_us),
            SplitMessage::TooLong(_) => self.rows.add_unknown(),
            SplitMessage::Malformed => self.outcomes.push(SessionOutcome::Lost(LossReason::MessageUnknown)),
        });
        self.server = splitter;
    }

    /// Messages are missing, up to a moment at which no request was under way.
    pub(super) fn skip_to_idle(&mut self) {
        self.client.forget_partial();
        self.server.forget_partial();
        self.requests.clear();
        self.portals.clear();
        // A name may stand for another statement by now.
        self.statements.clear();
        self.is_copying_in = false;
        self.begin_result();
        self.outcomes.push(SessionOutcome::Idle);
    }

    /// The session has ended.
    pub(super) fn end_session(&mut self, at_us: i64) {
        let Some(request) = self.requests.pop_front() else { return };
        let has_ended = self.rows.has_ended || self.error.is_some();
        match request {
            ClientRequest::Query { text, at_us: begin_us } if has_ended => {
                self.end_query(text.into(), begin_us, at_us);
            }
            ClientRequest::Query { .. } | ClientRequest::Execute { .. } => {
                self.outcomes.push(SessionOutcome::Lost(LossReason::StatementUnfinished));
            }
            _ => {}
        }
    }

    /// What has happened since this was asked last.
    pub(super) fn take_outcomes(&mut self) -> Vec<SessionOutcome> {
        std::mem::take(&mut self.outcomes)
    }

    fn begin_result(&mut self) {
        self.rows = ResultRowsSeen::with_keys(self.hash_keys);
        self.columns = None;
        self.error = None;
    }

    fn take_answer(&mut self, tag: u8, body: &[u8], at_us: i64) {
        match tag {
            b'D' => self.take_row(body),
            b'C' => self.take_completion(body, at_us),
            b'Z' => self.take_ready(body, at_us),
            b'1' => self.take_parse_complete(),
            b'2' => self.take_bind_complete(),
            b'3' => self.take_close_complete(),
            b'T' | b'n' => self.take_description(tag, body),
            b't' => self.take_parameter_types(body),
            b'E' => self.take_error(body, at_us),
            b'I' => self.take_empty_answer(),
            b's' => self.take_completion(b"", at_us),
            b'G' => self.is_copying_in = true,
            b'd' => self.rows.add_copied(body),
            b'S' => self.take_setting(body),
            _ => {}
        }
    }

    fn take_row(&mut self, body: &[u8]) {
        let (columns, formats) = match self.requests.front() {
            Some(ClientRequest::Execute { portal, .. }) => match self.portals.get(portal) {
                Some(portal) => (portal.columns.as_deref(), Some(&*portal.values)),
                None => (None, None),
            },
            _ => (self.columns.as_deref(), None),
        };
        self.rows.add_row(body, columns, formats);
    }

    fn take_completion(&mut self, tag: &[u8], at_us: i64) {
        self.rows.end_result(tag);
        self.end_copy();
        match self.requests.front() {
            Some(ClientRequest::Execute { .. }) => {
                if let Some(ClientRequest::Execute { portal, at_us: begin_us }) = self.requests.pop_front() {
                    self.end_portal(&portal, begin_us, at_us);
                }
            }
            Some(ClientRequest::Query { .. }) => {
                self.columns = None;
                // It has ended when the last of its statements has.
                self.rows.ended_us = at_us;
            }
            _ => self.begin_result(),
        }
    }

    /// The text was empty: there is no statement.
    fn take_empty_answer(&mut self) {
        if let Some(ClientRequest::Execute { .. }) = self.requests.front() {
            self.requests.pop_front();
            self.begin_result();
        }
    }

    /// The end of one execution of a portal.
    fn end_portal(&mut self, name: &[u8], begin_us: i64, at_us: i64) {
        let rows = std::mem::replace(&mut self.rows, ResultRowsSeen::with_keys(self.hash_keys));
        let error = self.error.take();
        self.begin_result();
        let since_us = self.answered_us.max(begin_us);
        self.answered_us = at_us;
        let Some(portal) = self.portals.get_mut(name) else {
            return self.outcomes.push(SessionOutcome::Lost(LossReason::StatementUnknown));
        };
        let Some(statement) = &portal.statement else {
            return self.outcomes.push(SessionOutcome::Lost(LossReason::StatementUnknown));
        };
        if std::mem::replace(&mut portal.is_continued, true) {
            return self.outcomes.push(SessionOutcome::Lost(LossReason::PortalContinued));
        }
        self.outcomes.push(SessionOutcome::Executed(Box::new(EndedExecution {
            text: Rc::clone(&statement.text),
            protocol: StatementProtocol::Extended,
            at_us: begin_us,
            duration_us: at_us.saturating_sub(since_us).max(0).cast_unsigned(),
            values: Rc::clone(&portal.values),
            types: statement.types.clone(),
            error,
            rows,
        })));
    }

    fn end_query(&mut self, text: Rc<[u8]>, begin_us: i64, at_us: i64) {
        let rows = std::mem::replace(&mut self.rows, ResultRowsSeen::with_keys(self.hash_keys));
        let error = self.error.take();
        self.begin_result();
        let end_us = if rows.ended_us > 0 { rows.ended_us } else { at_us };
        let since_us = self.answered_us.max(begin_us);
        self.answered_us = at_us;
        self.outcomes.push(SessionOutcome::Executed(Box::new(EndedExecution {
            text,
            protocol: StatementProtocol::Simple,
            at_us: begin_us,
            duration_us: end_us.saturating_sub(since_us).max(0).cast_unsigned(),
            values: Rc::default(),
            types: Vec::new(),
            error,
            rows,
        })));
    }

    fn take_ready(&mut self, body: &[u8], at_us: i64) {
        self.is_copying_in = false;
        while let Some(request) = self.requests.pop_front() {
            match request {
                ClientRequest::Query { text, at_us: begin_us } => {
                    // An empty text is no statement.
                    if self.rows.has_ended || self.error.is_some() {
                        self.end_query(text.into(), begin_us, at_us);
                    }
                    break;
                }
                ClientRequest::FunctionCall => {
                    self.outcomes.push(SessionOutcome::Lost(LossReason::FunctionCall));
                    break;
                }
                ClientRequest::Sync => break,
                // Passed over after an error.
                _ => {}
            }
        }
        self.begin_result();
        self.answered_us = at_us;
        if body == b"I" {
            // Portals end with their transaction.
            self.portals.clear();
            self.outcomes.push(SessionOutcome::Idle);
        }
    }

    fn take_parse_complete(&mut self) {
        let Some(ClientRequest::Parse { .. }) = self.requests.front() else { return };
        if let Some(ClientRequest::Parse { name, text, types }) = self.requests.pop_front() {
            self.statements.insert(name, Rc::new(PreparedText { text, types, columns: None }));
        }
    }

    fn take_bind_complete(&mut self) {
        let Some(ClientRequest::Bind { .. }) = self.requests.front() else { return };
        if let Some(ClientRequest::Bind { portal, statement, values }) = self.requests.pop_front() {
            let statement = self.statements.get(&statement).cloned();
            let columns = statement.as_ref().and_then(|statement| statement.columns.clone());
            let open = OpenPortal { statement, values: Rc::new(values), columns, is_continued: false };
            self.portals.insert(portal, open);
        }
    }

    fn take_close_complete(&mut self) {
        let Some(ClientRequest::Close { .. }) = self.requests.front() else { return };
        if let Some(ClientRequest::Close { is_portal, name }) = self.requests.pop_front() {
            if is_portal {
                self.portals.remove(&name);
            } else {
                self.statements.remove(&name);
            }
        }
    }

    /// Columns of a result, or that there are none.
    fn take_description(&mut self, tag: u8, body: &[u8]) {
        let columns = if tag == b'T' { read_columns(body) } else { Some(Rc::default()) };
        match self.requests.front() {
            Some(ClientRequest::Describe { is_portal: true, name }) => {
                if let Some(portal) = self.portals.get_mut(name) {
                    portal.columns = columns;
                }
            }
            Some(ClientRequest::Describe { is_portal: false, name }) => {
                if let Some(statement) = self.statements.get_mut(name) {
                    *statement = Rc::new(PreparedText {
                        text: Rc::clone(&statement.text),
                        types: statement.types.clone(),
                        columns,
                    });
                }
            }
            _ => {
                self.columns = columns;
                return;
            }
        }
        self.requests.pop_front();
    }

    fn take_parameter_types(&mut self, body: &[u8]) {
        let Some(ClientRequest::Describe { is_portal: false, name }) = self.requests.front() else { return };
        let Some(statement) = self.statements.get_mut(name) else { return };
        let mut reader = BodyReader { rest: body };
        let count = reader.take_u16().unwrap_or_default();
        let mut types = Vec::with_capacity(count.into());
        while let Some(type_oid) = reader.take_u32() {
            types.push(type_oid);
        }
        let columns = statement.columns.clone();
        *statement = Rc::new(PreparedText { text: Rc::clone(&statement.text), types, columns });
    }

    fn take_error(&mut self, body: &[u8], at_us: i64) {
        self.end_copy();
        let sqlstate = sqlstate_of_error(body);
        match self.requests.front() {
            Some(ClientRequest::Query { .. }) => {
                self.error = Some(sqlstate);
                self.rows.ended_us = at_us;
                return;
            }
            Some(ClientRequest::Execute { .. }) => {
                self.error = Some(sqlstate);
                if let Some(ClientRequest::Execute { portal, at_us: begin_us }) = self.requests.pop_front() {
                    self.end_portal(&portal, begin_us, at_us);
                }
            }
            Some(ClientRequest::Parse { .. } | ClientRequest::Bind { .. } | ClientRequest::Describe { .. }) => {
                self.fail_before_execution(sqlstate, at_us);
            }
            Some(ClientRequest::FunctionCall) | None => return,
            Some(ClientRequest::Close { .. } | ClientRequest::Sync | ClientRequest::CopyEnd) => {}
        }
        while self.requests.front().is_some_and(|request| !matches!(request, ClientRequest::Sync)) {
            self.requests.pop_front();
        }
    }

    /// A statement that failed before it was executed: its parameters are those of the Bind that follows.
    fn fail_before_execution(&mut self, sqlstate: String, at_us: i64) {
        let mut prepared = None;
        let mut bound = None;
        let mut begin_us = None;
        for request in &self.requests {
            match request {
                ClientRequest::Parse { text, types, .. } if prepared.is_none() => {
                    prepared =
                        Some(Rc::new(PreparedText { text: Rc::clone(text), types: types.clone(), columns: None }));
                }
                ClientRequest::Bind { statement, values, .. } if bound.is_none() => {
                    if prepared.is_none() {
                        prepared = self.statements.get(statement).cloned();
                    }
                    bound = Some(values.clone());
                }
                ClientRequest::Describe { is_portal: true, name } if prepared.is_none() => {
                    if let Some(portal) = self.portals.get(name) {
                        prepared.clone_from(&portal.statement);
                        bound = Some((*portal.values).clone());
                    }
                }
                ClientRequest::Describe { is_portal: false, name } if prepared.is_none() => {
                    prepared = self.statements.get(name).cloned();
                }
                ClientRequest::Execute { at_us, .. } => {
                    begin_us = Some(*at_us);
                    break;
                }
                ClientRequest::Sync => break,
                _ => {}
            }
        }
        let begin_us = begin_us.unwrap_or(at_us);
        let since_us = self.answered_us.max(begin_us);
        self.answered_us = at_us;
        let Some(prepared) = prepared else {
            return self.outcomes.push(SessionOutcome::Lost(LossReason::StatementUnknown));
        };
        self.outcomes.push(SessionOutcome::Executed(Box::new(EndedExecution {
            text: Rc::clone(&prepared.text),
            protocol: StatementProtocol::Extended,
            at_us: begin_us,
            duration_us: at_us.saturating_sub(since_us).max(0).cast_unsigned(),
            values: Rc::new(bound.unwrap_or_default()),
            types: prepared.types.clone(),
            error: Some(sqlstate),
            rows: ResultRowsSeen::with_keys(self.hash_keys),
        })));
    }

    /// The end of a COPY from the client. The server has passed over each Sync that came before the end of its data.
    fn end_copy(&mut self) {
        if !std::mem::replace(&mut self.is_copying_in, false) {
            return;
        }
        let Some(end) = self.requests.iter().position(|request| matches!(request, ClientRequest::CopyEnd)) else {
            return;
        };
        // The first request is the COPY itself.
        self.requests.drain(1.min(end)..=end);
    }

    fn take_setting(&mut self, body: &[u8]) {
        let mut reader = BodyReader { rest: body };
        if let (Some(name), Some(value)) = (reader.take_text(), reader.take_text()) {
            self.outcomes.push(SessionOutcome::Setting { name: name.to_vec(), value: value.to_vec() });
        }
    }
}

/// The SQLSTATE of an error; `XXXXX` where it has none.
fn sqlstate_of_error(body: &[u8]) -> String {
    let mut reader = BodyReader { rest: body };
    while let Some(field) = reader.take_byte() {
        let Some(text) = reader.take_text() else { break };
        if field == b'C' {
            return String::from_utf8_lossy(text).into_owned();
        }
    }
    "XXXXX".to_owned()
}
