//! The traffic between clients and a server, as a proxy sees it, recorded into a capture directory.
//!
//! Promises: bytes and instants in, events out; no socket and no clock. What cannot be captured is counted by reason.
//! Memory is bounded by what is under way in the sessions that are open, and by what `value_flow` remembers.

mod binary_value;
mod conversation;
mod request;
mod result_rows;
mod session_transactions;
mod splitter;
#[cfg(test)]
mod tests;
mod value_flow;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::rc::Rc;

use jiff::Timestamp;

use crate::assemble::{KnownText, TextTable};
use crate::directory::{
    CaptureResult, CaptureSource, CaptureSummary, CaptureWriter, CapturedEvent, EventAction, Execution,
};
use crate::losses::{LossCounter, LossPlace, LossReason};
use crate::mask::ValueMask;
use conversation::{EndedExecution, SessionConversation, SessionOutcome};
use session_transactions::SessionTransactions;
use value_flow::{MakerFacts, SessionValues, ValueFlow};

/// What a client said when it connected.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrafficSession {
    /// The user.
    pub user: String,
    /// The database.
    pub database: String,
    /// `application_name`; empty where it is not known.
    pub application: String,
    /// Settings that the server has reported, such as `server_version`.
    pub settings: Vec<(String, String)>,
}

/// A capture directory that is to be recorded.
pub struct TrafficCapture {
    writer: CaptureWriter,
    mask: ValueMask,
    begin: Timestamp,
    summary: CaptureSummary,
}

impl TrafficCapture {
    /// Makes the directory. Instants of events count from `begin`.
    ///
    /// # Errors
    /// It cannot be written, or has files.
    pub fn create_directory(directory: &Path, mask: ValueMask, begin: Timestamp) -> CaptureResult<Self> {
        let source = CaptureSource { kind: "proxy".to_owned(), files: Vec::new() };
        let mut summary = CaptureSummary::new_incomplete(vec![source], mask.mask_mode());
        summary.begin = Some(begin);
        let writer = CaptureWriter::create_capture(directory, &summary)?;
        Ok(Self { writer, mask, begin, summary })
    }

    /// Ready to record; it stays in the thread that asks for it.
    #[must_use]
    pub fn start_recorder(self) -> TrafficRecorder {
        let hash_keys = self.mask.hash_keys();
        TrafficRecorder {
            writer: self.writer,
            texts: TextTable::with_mask(self.mask),
            hash_keys,
            begin: self.begin,
            summary: self.summary,
            losses: LossCounter::default(),
            sessions: HashMap::new(),
            flow: ValueFlow::default(),
            makers: HashMap::new(),
            databases: BTreeMap::new(),
            users: BTreeMap::new(),
            version: None,
            session_count: 0,
            transaction_count: 0,
            last_us: 0,
        }
    }
}

/// Records the traffic of sessions. Instants are microseconds since the begin.
pub struct TrafficRecorder {
    writer: CaptureWriter,
    texts: TextTable,
    hash_keys: (u64, u64),
    begin: Timestamp,
    summary: CaptureSummary,
    losses: LossCounter,
    sessions: HashMap<u64, RecordedSession>,
    flow: ValueFlow,
    /// What the statements say of the values that they return, by their address.
    makers: HashMap<*const u8, MakerFacts>,
    databases: BTreeMap<String, u64>,
    users: BTreeMap<String, u64>,
    version: Option<String>,
    session_count: u64,
    transaction_count: u64,
    last_us: i64,
}

struct RecordedSession {
    /// Its number in the capture, once it has an event.
    number: Option<u64>,
    begin_us: i64,
    names: TrafficSession,
    /// Whether texts are UTF-8, as the session's `client_encoding` says.
    is_utf8: bool,
    conversation: SessionConversation,
    transactions: SessionTransactions,
    values: SessionValues,
}

impl TrafficRecorder {
    /// A client has logged in. `key` stands for it from now on.
    pub fn begin_session(&mut self, key: u64, names: TrafficSession, at_us: i64) {
        let mut session = RecordedSession {
            number: None,
            begin_us: at_us,
            is_utf8: true,
            conversation: SessionConversation::with_hash_keys(self.hash_keys),
            transactions: SessionTransactions::default(),
            values: SessionValues::default(),
            names: TrafficSession::default(),
        };
        for (name, value) in &names.settings {
            session.is_utf8 = encoding_after(session.is_utf8, name.as_bytes(), value.as_bytes());
            if name == "server_version" {
                let number = value.split(' ').next().unwrap_or(value);
                self.note_version(number, key);
            }
        }
        session.names = names;
        self.sessions.insert(key, session);
    }

    /// What a client has sent after its login.
    ///
    /// # Errors
    /// The directory cannot be written.
    pub fn take_client_bytes(&mut self, key: u64, bytes: &[u8], at_us: i64) -> CaptureResult<()> {
        if let Some(session) = self.sessions.get_mut(&key) {
            session.conversation.take_client_bytes(bytes, at_us);
        }
        self.take_outcomes(key, at_us)
    }

    /// What the server has sent after the login.
    ///
    /// # Errors
    /// The directory cannot be written.
    pub fn take_server_bytes(&mut self, key: u64, bytes: &[u8], at_us: i64) -> CaptureResult<()> {
        if let Some(session) = self.sessions.get_mut(&key) {
            session.conversation.take_server_bytes(bytes, at_us);
        }
        self.take_outcomes(key, at_us)
    }

    /// So many messages of the client are not captured, up to a moment in which it waited for nothing.
    ///
    /// # Errors
    /// The directory cannot be written.
    pub fn skip_messages(&mut self, key: u64, messages: u64, at_us: i64) -> CaptureResult<()> {
        if let Some(session) = self.sessions.get_mut(&key) {
            session.conversation.skip_to_idle();
            self.losses.add_many(LossReason::CaptureBehind, messages, &session_place(key));
        }
        self.take_outcomes(key, at_us)
    }

    /// A session that is none of statements is passed on and not captured.
    pub fn count_replication(&mut self, key: u64) {
        self.losses.add_one(LossReason::Replication, &session_place(key));
    }

    /// A client, or the server, has ended a session.
    ///
    /// # Errors
    /// The directory cannot be written.
    pub fn end_session(&mut self, key: u64, at_us: i64) -> CaptureResult<()> {
        if let Some(session) = self.sessions.get_mut(&key) {
            session.conversation.end_session(at_us);
        }
        self.take_outcomes(key, at_us)?;
        let Some(session) = self.sessions.remove(&key) else { return Ok(()) };
        match session.number {
            Some(number) => self.write_action(number, at_us, EventAction::Disconnect),
            None => Ok(()),
        }
    }

    /// Makes everything that was recorded readable.
    ///
    /// # Errors
    /// The directory cannot be written.
    pub fn flush_recorded(&mut self) -> CaptureResult<()> {
        self.writer.flush_all()
    }

    /// Completes the capture.
    ///
    /// # Errors
    /// The directory cannot be written.
    pub fn finish_recording(mut self, at_us: i64) -> CaptureResult<CaptureSummary> {
        let mut open: Vec<u64> = self.sessions.keys().copied().collect();
        open.sort_unstable();
        for key in open {
            if let Some(session) = self.sessions.get_mut(&key) {
                session.conversation.end_session(at_us);
            }
            self.take_outcomes(key, at_us)?;
        }
        let end_us = self.begin.as_microsecond().saturating_add(self.last_us.max(at_us));
        let summary = CaptureSummary {
            end: Timestamp::from_microsecond(end_us).ok(),
            server_version: self.version,
            databases: self.databases,
            users: self.users,
            sessions: self.session_count,
            transactions: self.transaction_count,
            losses: self.losses.list_losses(),
            ..self.summary
        };
        self.writer.finish_capture(&summary)
    }

    fn note_version(&mut self, number: &str, key: u64) {
        match &self.version {
            Some(known) if known != number => self.losses.add_one(LossReason::VersionsDiffer, &session_place(key)),
            Some(_) => {}
            None => self.version = Some(number.to_owned()),
        }
    }

    fn take_outcomes(&mut self, key: u64, at_us: i64) -> CaptureResult<()> {
        self.last_us = self.last_us.max(at_us);
        let Some(session) = self.sessions.get_mut(&key) else { return Ok(()) };
        for outcome in session.conversation.take_outcomes() {
            match outcome {
                SessionOutcome::Executed(execution) => self.take_execution(key, &execution)?,
                SessionOutcome::Lost(reason) => self.losses.add_one(reason, &session_place(key)),
                SessionOutcome::Idle => {
                    if let Some(session) = self.sessions.get_mut(&key) {
                        session.transactions.note_idle();
                    }
                }
                SessionOutcome::Setting { name, value } => {
                    if let Some(session) = self.sessions.get_mut(&key) {
                        session.is_utf8 = encoding_after(session.is_utf8, &name, &value);
                    }
                }
            }
        }
        Ok(())
    }

    fn take_execution(&mut self, key: u64, execution: &EndedExecution) -> CaptureResult<()> {
        let Some(session) = self.sessions.get_mut(&key) else { return Ok(()) };
        let text = match self.texts.look_up(&execution.text) {
            Ok(_) if !session.is_utf8 && !execution.text.is_ascii() => Err(LossReason::NotUtf8),
            other => other,
        };
        let text = match text {
            Ok(text) => text,
            Err(reason) => {
                session.transactions.place_statement(&[], execution.error.is_some());
                self.losses.add_one(reason, &session_place(key));
                return Ok(());
            }
        };
        let steps = text.statement.transaction_steps();
        let transaction = session.transactions.place_statement(steps, execution.error.is_some());
        let parameters = match read_parameters(execution, &text, session.is_utf8) {
            Ok(parameters) => parameters,
            Err(reason) => {
                self.losses.add_one(reason, &session_place(key));
                return Ok(());
            }
        };
        let mut own = parameters.clone();
        for literal in &text.literals {
            own.push(Some(crate::mask::value_of_literal(literal)));
        }
        let origins = self.flow.find_origins(&session.values, &own);
        let mut masked = Vec::with_capacity(parameters.len());
        for parameter in parameters {
            masked.push(parameter.map(|value| self.texts.value_mask().mask_parameter(value, text.holds_secret)));
        }
        let number = self.number_of_session(key, execution.at_us)?;
        let statement = text.statement.statement_id(execution.protocol, &mut self.writer)?;
        self.count_execution(key);
        let event = self.writer.event_count();
        let captured = Execution {
            duration_us: Some(execution.duration_us),
            statement,
            transaction,
            parameters: masked,
            literals: text.literals.clone(),
            error: execution.error.clone(),
            rows: execution.rows.counted,
            rows_hash: execution.rows.rows_hash(),
            origins,
        };
        self.write_action(number, execution.at_us, EventAction::Execute(captured))?;
        if let Some(session) = self.sessions.get_mut(&key)
            && !execution.rows.values.is_empty()
        {
            let facts = maker_facts(&mut self.makers, &text);
            self.flow.remember_returned(&mut session.values, event, facts, &own, &execution.rows.values);
        }
        Ok(())
    }

    /// The session's number; with its first event it gets one, and the event that says who it is.
    fn number_of_session(&mut self, key: u64, at_us: i64) -> CaptureResult<u64> {
        let Some(session) = self.sessions.get_mut(&key) else { return Ok(0) };
        if let Some(number) = session.number {
            return Ok(number);
        }
        let number = self.session_count;
        self.session_count += 1;
        session.number = Some(number);
        let action = EventAction::Connect {
            user: session.names.user.clone(),
            database: session.names.database.clone(),
            application: session.names.application.clone(),
        };
        let begin_us = session.begin_us.min(at_us);
        self.write_action(number, begin_us, action)?;
        Ok(number)
    }

    fn count_execution(&mut self, key: u64) {
        let Some(session) = self.sessions.get_mut(&key) else { return };
        if session.transactions.takes_first_event() {
            self.transaction_count += 1;
        }
        for (counts, name) in [(&mut self.databases, &session.names.database), (&mut self.users, &session.names.user)] {
            match counts.get_mut(name) {
                Some(count) => *count += 1,
                None => {
                    counts.insert(name.clone(), 1);
                }
            }
        }
    }

    fn write_action(&mut self, session: u64, at_us: i64, action: EventAction) -> CaptureResult<()> {
        self.writer.write_event(CapturedEvent { session, at_us, action })
    }
}

/// What the losses of a session name as their place.
fn session_place(key: u64) -> LossPlace {
    LossPlace { file: Rc::from("connection"), line: key }
}

/// Whether texts are UTF-8 after the server has reported a setting.
fn encoding_after(is_utf8: bool, name: &[u8], value: &[u8]) -> bool {
    if name == b"client_encoding" { matches!(value, b"UTF8" | b"SQL_ASCII") } else { is_utf8 }
}

fn maker_facts(known: &mut HashMap<*const u8, MakerFacts>, text: &KnownText) -> MakerFacts {
    // A statement is never forgotten, so its text stays where it is.
    let normalised = text.statement.normalised_text();
    *known.entry(normalised.as_ptr()).or_insert_with(|| MakerFacts::from_text(normalised, text.statement.writes_rows()))
}

/// The parameters as texts.
fn read_parameters(
    execution: &EndedExecution,
    text: &KnownText,
    is_utf8: bool,
) -> Result<Vec<Option<String>>, LossReason> {
    let sent = &execution.values.parameters;
    if sent.len() < text.parameters as usize {
        return Err(LossReason::ParametersMissing);
    }
    let mut parameters = Vec::with_capacity(sent.len());
    for (place, value) in sent.iter().enumerate() {
        let Some((is_binary, bytes)) = value else {
            parameters.push(None);
            continue;
        };
        let written = if *is_binary {
            let type_oid = execution.types.get(place).copied().unwrap_or(0);
            binary_value::text_of_binary(type_oid, bytes).ok_or(LossReason::ParameterTypeUnknown)?
        } else {
            std::str::from_utf8(bytes).map_err(|_| LossReason::NotUtf8)?.to_owned()
        };
        if !is_utf8 && !written.is_ascii() {
            return Err(LossReason::NotUtf8);
        }
        parameters.push(Some(written));
    }
    Ok(parameters)
}
