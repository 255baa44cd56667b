//! The sessions of a log. A statement whose duration comes later waits in its session; each session has one at most.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use foldhash::fast::RandomState;
use sql::TransactionStep;

use super::texts::{KnownText, TextTable};
use crate::directory::{
    CaptureResult, CaptureSummary, CaptureWriter, CapturedEvent, EventAction, Execution, StatementProtocol,
};
use crate::log::message::{LogMessage, read_message};
use crate::log::parameters::{ParameterTexts, read_parameters, read_portal_parameters};
use crate::log::{LogEntry, LogLevel, LogSessionId};
use crate::losses::{LossCounter, LossPlace, LossReason};
use crate::mask::ValueMask;

/// Which sessions are captured.
#[derive(Debug, Clone, Default)]
pub(crate) struct SessionFilter {
    /// Of this database only.
    pub(crate) database: Option<String>,
    /// Of this user only.
    pub(crate) user: Option<String>,
}

impl SessionFilter {
    fn admits_entry(&self, entry: &LogEntry<'_>) -> bool {
        let is_database = self.database.as_ref().is_none_or(|name| name.as_bytes() == &*entry.database);
        is_database && self.user.as_ref().is_none_or(|name| name.as_bytes() == &*entry.user)
    }
}

/// Instants that differ by more than this between neighbours are a clock that was set, in microseconds.
const CLOCK_TOLERANCE_US: i64 = 5_000_000;

/// Puts sessions together and writes their events.
pub(crate) struct SessionAssembler {
    writer: CaptureWriter,
    texts: TextTable,
    filter: SessionFilter,
    pub(crate) losses: LossCounter,
    sessions: HashMap<LogSessionId, SessionState, RandomState>,
    /// The latest session of each process, and its last instant.
    processes: HashMap<u32, (LogSessionId, i64), RandomState>,
    databases: BTreeMap<String, u64>,
    users: BTreeMap<String, u64>,
    version: Option<String>,
    begin_us: Option<i64>,
    last_us: i64,
    session_count: u64,
    transaction_count: u64,
    /// The longest parameter that was certainly whole, in bytes.
    longest_parameter: usize,
}

#[derive(Default)]
struct SessionState {
    /// Its number, once it has an event.
    number: Option<u64>,
    user: String,
    database: String,
    /// As the message at its begin said; the one of a line is newer.
    application: String,
    last_line: u64,
    protocol: Option<StatementProtocol>,
    pending: Option<PendingExecution>,
    transaction: TransactionState,
}

/// Which transaction of its session a statement belongs to.
#[derive(Default)]
struct TransactionState {
    /// The number of the one that is open, or of the next.
    number: u64,
    is_open: bool,
    /// Whether a statement has the current number.
    is_used: bool,
    /// Whether one of these has been written.
    has_event: bool,
    virtual_id: Vec<u8>,
}

struct PendingExecution {
    text: Rc<KnownText>,
    protocol: StatementProtocol,
    at_us: i64,
    duration_us: Option<u64>,
    parameters: Option<Result<ParameterTexts, ()>>,
    error: Option<String>,
    virtual_id: Vec<u8>,
    place: LossPlace,
}

impl SessionAssembler {
    pub(crate) fn with_writer(writer: CaptureWriter, mask: ValueMask, filter: SessionFilter) -> Self {
        Self {
            writer,
            texts: TextTable::with_mask(mask),
            filter,
            losses: LossCounter::default(),
            sessions: HashMap::default(),
            processes: HashMap::default(),
            databases: BTreeMap::new(),
            users: BTreeMap::new(),
            version: None,
            begin_us: None,
            last_us: i64::MIN,
            session_count: 0,
            transaction_count: 0,
            longest_parameter: 0,
        }
    }

    /// Takes the next message of the log.
    pub(crate) fn take_entry(&mut self, entry: &LogEntry<'_>, place: &LossPlace) -> CaptureResult<()> {
        self.begin_us.get_or_insert(entry.at_us);
        if self.last_us > entry.at_us.saturating_add(CLOCK_TOLERANCE_US) {
            self.losses.add_one(LossReason::ClockWentBack, place);
        }
        self.last_us = entry.at_us;
        let message = read_message(entry);
        if let LogMessage::ServerStart { version } = message {
            self.note_version(&String::from_utf8_lossy(version), place);
        }
        if !self.filter.admits_entry(entry) {
            return Ok(());
        }
        if message == LogMessage::Connection && entry.session.start_s == 0 {
            self.end_session(entry.session, None)?;
        }
        self.note_process(entry, place)?;
        self.note_line(entry, place);
        if entry.level == LogLevel::Unknown {
            self.losses.add_one(LossReason::SeverityUnknown, place);
        }
        if message == LogMessage::Connection {
            self.note_names(entry);
        }
        match message {
            LogMessage::Statement { text, protocol, duration_us, is_continued } => {
                self.flush_pending(entry.session)?;
                if is_continued {
                    self.losses.add_one(LossReason::PortalContinued, place);
                    return Ok(());
                }
                let parameters = read_parameters(&entry.detail);
                self.begin_execution(entry, text, protocol, parameters, place);
                if let Some(duration_us) = duration_us {
                    self.end_execution(entry.session, duration_us, true)?;
                }
            }
            LogMessage::Duration { duration_us } => self.end_execution(entry.session, duration_us, false)?,
            LogMessage::FunctionCall => self.losses.add_one(LossReason::FunctionCall, place),
            LogMessage::Failure { ends_session } => {
                self.take_failure(entry, place)?;
                if ends_session {
                    self.end_session(entry.session, Some(entry.at_us))?;
                }
            }
            LogMessage::Disconnection => self.end_session(entry.session, Some(entry.at_us))?,
            LogMessage::Connection | LogMessage::Preparation | LogMessage::ServerStart { .. } | LogMessage::Other => {}
        }
        Ok(())
    }

    /// Ends what is open and completes the capture.
    pub(crate) fn finish_log(mut self, summary: &CaptureSummary) -> CaptureResult<CaptureSummary> {
        let mut open: Vec<LogSessionId> = self.sessions.keys().copied().collect();
        open.sort();
        for session in open {
            self.flush_pending(session)?;
        }
        let begin = self.begin_us.and_then(|us| jiff::Timestamp::from_microsecond(us).ok());
        let end = begin.and_then(|_| jiff::Timestamp::from_microsecond(self.last_us).ok());
        let summary = CaptureSummary {
            begin,
            end,
            server_version: self.version,
            databases: self.databases,
            users: self.users,
            sessions: self.session_count,
            transactions: self.transaction_count,
            losses: self.losses.list_losses(),
            ..summary.clone()
        };
        self.writer.finish_capture(&summary)
    }

    /// Writes what is known so far into `capture.json`.
    pub(crate) fn write_progress(&mut self, summary: &CaptureSummary) -> CaptureResult<()> {
        let begin = self.begin_us.and_then(|us| jiff::Timestamp::from_microsecond(us).ok());
        self.writer.write_progress(&CaptureSummary { begin, ..summary.clone() })
    }

    /// Whether a line has been read.
    pub(crate) fn has_begun(&self) -> bool {
        self.begin_us.is_some()
    }

    fn note_version(&mut self, version: &str, place: &LossPlace) {
        match &self.version {
            Some(known) if known != version => self.losses.add_one(LossReason::VersionsDiffer, place),
            Some(_) => {}
            None => self.version = Some(version.to_owned()),
        }
    }

    /// A process that has a new session has ended its old one.
    fn note_process(&mut self, entry: &LogEntry<'_>, place: &LossPlace) -> CaptureResult<()> {
        let session = entry.session;
        if let Some((latest, last_us)) = self.processes.get(&session.pid).copied()
            && latest != session
        {
            // A session that began before the last message of another with its process number: there are two servers,
            // or the files are not in order. The start is known to the second.
            let start_us = i64::try_from(session.start_s).unwrap_or(0).saturating_add(1).saturating_mul(1_000_000);
            let is_older = latest.start_s > session.start_s;
            if session.start_s > 0 && (is_older || start_us < last_us) {
                self.losses.add_one(LossReason::SessionsOverlap, place);
            }
            if is_older {
                return Ok(());
            }
            self.end_session(latest, None)?;
        }
        self.processes.insert(session.pid, (session, entry.at_us));
        Ok(())
    }

    fn note_line(&mut self, entry: &LogEntry<'_>, place: &LossPlace) {
        let state = self.sessions.entry(entry.session).or_default();
        let Some(line) = entry.session_line else { return };
        if state.last_line > 0 && line > state.last_line + 1 {
            self.losses.add_many(LossReason::LinesMissing, line - state.last_line - 1, place);
        }
        state.last_line = entry.last_line.unwrap_or(line);
    }

    /// A log whose lines do not say who a session is has a message when it begins.
    fn note_names(&mut self, entry: &LogEntry<'_>) {
        let state = self.sessions.entry(entry.session).or_default();
        for (begin, name) in [
            (&b"user="[..], &mut state.user),
            (&b"database="[..], &mut state.database),
            (&b"application_name="[..], &mut state.application),
        ] {
            let words = entry.message.split(|byte| *byte == b' ');
            for word in words {
                if let Some(value) = word.strip_prefix(begin) {
                    *name = String::from_utf8_lossy(value).into_owned();
                }
            }
        }
    }

    fn begin_execution(
        &mut self,
        entry: &LogEntry<'_>,
        text: &[u8],
        protocol: StatementProtocol,
        parameters: Option<Result<ParameterTexts, ()>>,
        place: &LossPlace,
    ) {
        let state = self.sessions.entry(entry.session).or_default();
        state.protocol = Some(protocol);
        if !entry.user.is_empty() && state.user.as_bytes() != &*entry.user {
            state.user = String::from_utf8_lossy(&entry.user).into_owned();
        }
        if !entry.database.is_empty() && state.database.as_bytes() != &*entry.database {
            state.database = String::from_utf8_lossy(&entry.database).into_owned();
        }
        if state.number.is_none() && !entry.application.is_empty() {
            state.application = String::from_utf8_lossy(&entry.application).into_owned();
        }
        match self.texts.look_up(text) {
            Ok(text) => {
                state.pending = Some(PendingExecution {
                    text,
                    protocol,
                    at_us: entry.at_us,
                    duration_us: None,
                    parameters,
                    error: None,
                    virtual_id: entry.transaction.to_vec(),
                    place: place.clone(),
                });
            }
            Err(reason) => self.losses.add_one(reason, place),
        }
    }

    /// The statement of a session has ended. If its message was written at its end, it began that much earlier.
    fn end_execution(&mut self, session: LogSessionId, duration_us: u64, is_at_end: bool) -> CaptureResult<()> {
        if let Some(pending) = self.sessions.get_mut(&session).and_then(|state| state.pending.as_mut()) {
            pending.duration_us = Some(duration_us);
            if is_at_end {
                pending.at_us = pending.at_us.saturating_sub_unsigned(duration_us);
            }
        }
        self.flush_pending(session)
    }

    fn take_failure(&mut self, entry: &LogEntry<'_>, place: &LossPlace) -> CaptureResult<()> {
        let sqlstate = String::from_utf8_lossy(&entry.sqlstate).into_owned();
        let sqlstate = if sqlstate.is_empty() { "XXXXX".to_owned() } else { sqlstate };
        if let Some(pending) = self.sessions.get_mut(&entry.session).and_then(|state| state.pending.as_mut())
            && (entry.query.is_empty() || *pending.text.text == *entry.query)
        {
            pending.error = Some(sqlstate);
            return self.flush_pending(entry.session);
        }
        self.flush_pending(entry.session)?;
        if entry.query.is_empty() {
            // A session that was not let in has no statement either, and is no loss.
            if entry.level == LogLevel::Error {
                self.losses.add_one(LossReason::ErrorWithoutStatement, place);
            }
            return Ok(());
        }
        let parameters = read_portal_parameters(&entry.context);
        let protocol = self.sessions.get(&entry.session).and_then(|state| state.protocol);
        let protocol = if parameters.is_some() { Some(StatementProtocol::Extended) } else { protocol };
        let protocol = protocol.unwrap_or(StatementProtocol::Simple);
        self.begin_execution(entry, &entry.query, protocol, parameters, place);
        if let Some(pending) = self.sessions.get_mut(&entry.session).and_then(|state| state.pending.as_mut()) {
            pending.error = Some(sqlstate);
            if pending.text.parameters > 0 {
                pending.protocol = StatementProtocol::Extended;
            }
        }
        self.flush_pending(entry.session)
    }

    fn end_session(&mut self, session: LogSessionId, at_us: Option<i64>) -> CaptureResult<()> {
        self.flush_pending(session)?;
        let Some(state) = self.sessions.remove(&session) else { return Ok(()) };
        if self.processes.get(&session.pid).is_some_and(|(latest, _)| *latest == session) {
            self.processes.remove(&session.pid);
        }
        if let (Some(number), Some(at_us)) = (state.number, at_us) {
            self.write_action(number, at_us, EventAction::Disconnect)?;
        }
        Ok(())
    }

    /// Writes the statement that waits in a session.
    fn flush_pending(&mut self, session: LogSessionId) -> CaptureResult<()> {
        let Some(state) = self.sessions.get_mut(&session) else { return Ok(()) };
        let Some(mut pending) = state.pending.take() else { return Ok(()) };
        let transaction = state.transaction.place_statement(
            pending.text.statement.transaction_steps(),
            &pending.virtual_id,
            pending.error.is_some(),
        );
        let parameters = match self.keep_parameters(&mut pending) {
            Ok(parameters) => parameters,
            Err(reason) => {
                self.losses.add_one(reason, &pending.place);
                return Ok(());
            }
        };
        let number = self.number_of_session(session, &pending)?;
        let statement = pending.text.statement.statement_id(pending.protocol, &mut self.writer)?;
        let literals = match Rc::try_unwrap(pending.text) {
            Ok(known) => known.literals,
            Err(shared) => shared.literals.clone(),
        };
        let error = pending.error;
        let execution = Execution {
            duration_us: pending.duration_us,
            statement,
            transaction,
            parameters,
            literals,
            error,
            ..Execution::default()
        };
        self.count_names(session);
        self.write_action(number, pending.at_us, EventAction::Execute(execution))
    }

    fn count_names(&mut self, session: LogSessionId) {
        let Some(state) = self.sessions.get_mut(&session) else { return };
        self.transaction_count += u64::from(!state.transaction.has_event);
        state.transaction.has_event = true;
        for (counts, name) in [(&mut self.databases, &state.database), (&mut self.users, &state.user)] {
            match counts.get_mut(name) {
                Some(count) => *count += 1,
                None => {
                    counts.insert(name.clone(), 1);
                }
            }
        }
    }

    /// The session's number; with its first event it gets one, and the event that says who it is.
    fn number_of_session(&mut self, session: LogSessionId, pending: &PendingExecution) -> CaptureResult<u64> {
        let Some(state) = self.sessions.get_mut(&session) else { return Ok(0) };
        if let Some(number) = state.number {
            return Ok(number);
        }
        let number = self.session_count;
        self.session_count += 1;
        state.number = Some(number);
        let begin_us = self.begin_us.unwrap_or(pending.at_us);
        // The start is known to the second. It is not after the first statement, and a session that is older than the
        // log was there when that began.
        let start_us = i64::try_from(session.start_s).unwrap_or(0).saturating_mul(1_000_000);
        let at_us = if session.start_s == 0 { pending.at_us } else { start_us.max(begin_us).min(pending.at_us) };
        let action = EventAction::Connect {
            user: state.user.clone(),
            database: state.database.clone(),
            application: state.application.clone(),
        };
        self.write_action(number, at_us, action)?;
        Ok(number)
    }

    fn write_action(&mut self, session: u64, at_us: i64, action: EventAction) -> CaptureResult<()> {
        let at_us = at_us.saturating_sub(self.begin_us.unwrap_or(0));
        self.writer.write_event(CapturedEvent { session, at_us, action })
    }

    fn keep_parameters(&mut self, pending: &mut PendingExecution) -> Result<Vec<Option<String>>, LossReason> {
        let given = match pending.parameters.take() {
            None => Vec::new(),
            Some(Ok(parameters)) => parameters,
            Some(Err(())) => return Err(LossReason::ParametersMalformed),
        };
        if given.len() < pending.text.parameters as usize {
            return Err(LossReason::ParametersMissing);
        }
        let mut kept = Vec::with_capacity(given.len());
        for parameter in given {
            let Some(bytes) = parameter else {
                kept.push(None);
                continue;
            };
            if let Some(whole) = bytes.strip_suffix(b"...") {
                // The server cuts at one length. A parameter that ends so and is shorter than another was not cut.
                if whole.len() >= self.longest_parameter {
                    return Err(LossReason::ParametersCut);
                }
            } else {
                self.longest_parameter = self.longest_parameter.max(bytes.len());
            }
            let text = String::from_utf8(bytes).map_err(|_| LossReason::NotUtf8)?;
            kept.push(Some(self.texts.value_mask().mask_parameter(text, pending.text.holds_secret)));
        }
        Ok(kept)
    }
}

impl TransactionState {
    /// The number of the transaction that a statement belongs to.
    fn place_statement(&mut self, steps: &[TransactionStep], virtual_id: &[u8], has_failed: bool) -> u64 {
        // After a transaction has ended, and before one begins, its number is 0.
        let is_numbered = !virtual_id.is_empty() && !virtual_id.ends_with(b"/0");
        let is_same = is_numbered && self.virtual_id == virtual_id;
        if !self.is_open && self.is_used && !is_same {
            self.number += 1;
            self.has_event = false;
        }
        // BEGIN was not logged: that its statements share a transaction shows by their number.
        self.virtual_id.clear();
        if is_numbered {
            self.virtual_id.extend_from_slice(virtual_id);
        }
        self.is_used = true;
        for step in steps {
            self.is_open = match step {
                TransactionStep::Begin => true,
                // A text of several statements that failed may not have come to its COMMIT.
                TransactionStep::End => has_failed && steps.len() > 1 && self.is_open,
            };
        }
        if steps.last() == Some(&TransactionStep::End) && !self.is_open {
            self.virtual_id.clear();
        }
        self.number
    }
}
