//! What a client does with an open connection: prepares its statements, then runs transaction after transaction, one
//! statement or pipeline at a time. Decides what follows on each answer.

use crate::engine::cancel::SessionKey;
use crate::engine::clock::{NEVER, duration_to_ns};
use crate::engine::context::Context;
use crate::engine::session::{ConnectionStage, EngineSession, Lost};
use crate::engine::shell::{EndedCommand, Ticket};
use crate::engine::start::TransactionStart;
use crate::error::LoadError;
use crate::ledger::{EntryOutcome, LedgerPage, Scribe};
use crate::listed_results::ResultSoFar;
use crate::random::ClientRandom;
use crate::script::EvaluationError;
use crate::script::awaited::Awaited;
use crate::script::command::OnConflict;
use crate::script::compiled_script::{CompiledScript, RowsNumber};
use crate::script::gather::Gather;
use crate::script::request::LatePreparations;
use crate::script::run::{NextScriptAction, ScriptPlace, ScriptRun};
use crate::script::variables::ClientVariables;
use crate::transaction_log::EndedTransactionRecord;
use wire::{ResultRows, ServerEvent, ServerMessage, SqlState, TransactionStatus, WireError, frontend};
use work::{Connections, Random, Tries};

/// How soon and how late a client asks again whether an earlier transaction has ended that it waits for.
const ASK_EARLIEST_NS: u64 = 100_000;
const ASK_LATEST_NS: u64 = 5_000_000;

/// How long it waits at most: an earlier transaction may wait for a connection, which may not come.
const EARLIER_LIMIT_NS: u64 = 30_000_000_000;

/// What stops a client.
#[derive(Debug)]
pub(crate) enum Halt {
    /// Its connection; it can have another one.
    Lost(Lost),
    /// Something that another connection would not change; the run cannot go on.
    Fatal(Box<LoadError>),
}

impl<E: Into<Lost>> From<E> for Halt {
    fn from(cause: E) -> Halt {
        Halt::Lost(cause.into())
    }
}

/// What an answer has led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AnswerProgress {
    /// Work goes on.
    Working,
    /// The connection has become ready for transactions, and none has begun.
    Opened,
    /// A transaction is over, and no other has begun.
    Over {
        /// Since then.
        at_ns: u64,
    },
}

/// What the script under way waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Waiting {
    /// Nothing: there is no transaction.
    Nothing,
    /// All answers to what was sent.
    Answers,
    /// The end of a `\sleep`.
    Sleep { from_ns: u64, until_ns: u64 },
    /// The end of an earlier transaction, which it asks for again and again.
    EarlierTransaction { since_ns: u64, ask_ns: u64 },
    /// A shell command.
    Shell { ticket: Ticket, since_ns: u64 },
    /// An instant at which the transaction is over. It has not waited for anything; if the next one began at once,
    /// other clients would not get a turn.
    Turn(u64),
}

/// A client's place in its scripts.
#[derive(Debug)]
pub(crate) struct ClientWork {
    /// The client's number on its thread.
    index: u32,
    random: ClientRandom,
    variables: ClientVariables,
    prepared: LatePreparations,
    gather: Gather,
    /// Its part of the ledger, if the job keeps one.
    scribe: Option<Scribe>,
    script: usize,
    place: ScriptPlace,
    waiting: Waiting,
    /// Which statements it waits for.
    awaited: Awaited,
    /// Answers to come: how often the server will say that it is ready.
    syncs: u32,
    /// What becomes of the rows of the statement under way.
    rows: Option<RowsNumber>,
    /// The row of the script's values that the list has for the transaction.
    listed_row: u64,
    /// What the statement under way has returned, if results are noted.
    result: ResultSoFar,
    /// What the server has said last about its transaction.
    status: TransactionStatus,
    /// The transaction under way has waited for something.
    has_waited: bool,
    /// When the transaction began.
    start: TransactionStart,
    /// The script's random numbers at that instant: every try draws the same.
    start_random: Random,
    /// How often the transaction has been tried, this time included.
    tries: u32,
    /// What made the transaction fail.
    failure: Option<SqlState>,
}

impl ClientWork {
    /// The work of the client that has number `index` on its thread.
    pub(crate) fn new(
        index: u32,
        random: ClientRandom,
        variables: ClientVariables,
        prepared: LatePreparations,
        scribe: Option<Scribe>,
    ) -> ClientWork {
        ClientWork {
            index,
            start: TransactionStart::at_once(0),
            start_random: random.script.clone(),
            random,
            variables,
            prepared,
            gather: Gather::default(),
            scribe,
            script: 0,
            place: ScriptPlace::default(),
            waiting: Waiting::Nothing,
            awaited: Awaited::default(),
            syncs: 0,
            rows: None,
            listed_row: 0,
            result: ResultSoFar::default(),
            status: TransactionStatus::Idle,
            has_waited: false,
            tries: 1,
            failure: None,
        }
    }

    /// Has what its scripts read and write fetched.
    #[inline]
    pub(crate) fn prefetch_rest(&self) {
        self.variables.prefetch_values();
    }

    /// When the transaction under way began.
    pub(crate) fn started_ns(&self) -> u64 {
        self.start.actual_ns
    }

    /// Whether the server owes an answer.
    #[inline]
    pub(crate) fn awaits_answer(&self) -> bool {
        self.waiting == Waiting::Answers
    }

    /// When it is to be [resumed](Self::resume_script); `NEVER` if it waits for no instant.
    #[inline]
    pub(crate) fn due_ns(&self) -> u64 {
        match self.waiting {
            Waiting::Sleep { until_ns: at_ns, .. }
            | Waiting::EarlierTransaction { ask_ns: at_ns, .. }
            | Waiting::Turn(at_ns) => at_ns,
            Waiting::Nothing | Waiting::Answers | Waiting::Shell { .. } => NEVER,
        }
    }

    /// Begins a transaction; its first statement is queued.
    #[inline]
    pub(crate) fn begin_transaction(
        &mut self,
        session: &mut EngineSession,
        start: TransactionStart,
        cx: &mut Context<'_>,
    ) -> Result<(), Halt> {
        let (script, row) = cx.side.program.choose_script(start.listed, &mut self.random.choice);
        self.script = script;
        self.variables.set_listed_row(row);
        self.listed_row = row;
        self.start = start;
        self.start_random = self.random.script.clone();
        self.variables.keep_row_numbers();
        self.result = ResultSoFar::default();
        self.tries = 1;
        self.failure = None;
        self.has_waited = false;
        self.place = ScriptPlace::default();
        // Whatever a lost connection has left behind.
        (self.rows, self.syncs, self.status) = (None, 0, TransactionStatus::Idle);
        if let (Some(scribe), Some(used)) = (&mut self.scribe, cx.side.program.ledger_use()) {
            scribe.begin_entry(self.script, used, &mut self.variables);
        }
        cx.side.in_flight += 1;
        session.stage = ConnectionStage::InTransaction;
        self.awaited.begin_transaction(match cx.side.job.connections {
            Connections::Kept => start.actual_ns,
            // It was made for an arrival after the transaction had begun.
            Connections::PerTransaction => cx.clock.now_ns(),
        });
        if self.waits_for_earlier(cx) {
            let now_ns = cx.clock.now_ns();
            self.has_waited = true;
            self.ask_again_later(now_ns, now_ns, cx);
            return Ok(());
        }
        self.go_on(session, cx).map(|_| ())
    }

    /// Whether it takes a value from a transaction that comes before it in the order of the job and has not ended.
    #[inline]
    fn waits_for_earlier(&self, cx: &Context<'_>) -> bool {
        self.start.listed.is_some_and(|listed| cx.side.program.remembered_values().waits_for_earlier(listed))
    }

    #[cold]
    fn ask_again_later(&mut self, since_ns: u64, now_ns: u64, cx: &mut Context<'_>) {
        // The earlier one may end on another thread. So a wait is a quarter longer than it has to be at most.
        let ask_ns = now_ns + ((now_ns - since_ns) / 4).clamp(ASK_EARLIEST_NS, ASK_LATEST_NS);
        self.waiting = Waiting::EarlierTransaction { since_ns, ask_ns };
        cx.timers.call_at(self.index, ask_ns);
    }

    /// The instant that was waited for has come.
    ///
    /// # Errors
    /// When the client cannot go on.
    pub(crate) fn resume_script(
        &mut self,
        session: &mut EngineSession,
        cx: &mut Context<'_>,
    ) -> Result<AnswerProgress, Halt> {
        match self.waiting {
            Waiting::Sleep { from_ns, until_ns } => {
                // What it woke up late is not the script's.
                cx.side.recorder.script_waited(until_ns - from_ns);
                self.continue_after_wait(session, cx)
            }
            Waiting::EarlierTransaction { since_ns, .. } => {
                let now_ns = cx.clock.now_ns();
                if self.waits_for_earlier(cx) && now_ns - since_ns < EARLIER_LIMIT_NS {
                    self.ask_again_later(since_ns, now_ns, cx);
                    return Ok(AnswerProgress::Working);
                }
                cx.side.recorder.script_waited(now_ns - since_ns);
                // No statement has taken this time.
                self.awaited.begin_transaction(now_ns);
                self.go_on(session, cx)
            }
            Waiting::Turn(_) => Ok(self.complete_transaction(session, cx)),
            Waiting::Nothing | Waiting::Answers | Waiting::Shell { .. } => Ok(AnswerProgress::Working),
        }
    }

    /// A shell command of this client has ended.
    ///
    /// # Errors
    /// When the client cannot go on.
    pub(crate) fn shell_ended(
        &mut self,
        session: &mut EngineSession,
        (ticket, result): EndedCommand,
        cx: &mut Context<'_>,
    ) -> Result<AnswerProgress, Halt> {
        // One whose client has lost its connection meanwhile is not waited for any more.
        let since_ns = match self.waiting {
            Waiting::Shell { ticket: awaited, since_ns } if awaited == ticket => since_ns,
            Waiting::Nothing
            | Waiting::Answers
            | Waiting::Sleep { .. }
            | Waiting::EarlierTransaction { .. }
            | Waiting::Shell { .. }
            | Waiting::Turn(_) => return Ok(AnswerProgress::Working),
        };
        cx.side.recorder.script_waited(cx.now_ns.saturating_sub(since_ns));
        let value = result.map_err(|error| self.cannot_go_on(error, cx))?;
        if let (Some(slot), Some(value)) = (cx.side.program.scripts()[self.script].shell_variable(self.place), value) {
            self.variables.set_value(slot, value);
        }
        self.continue_after_wait(session, cx)
    }

    /// Understands all that has been received, and queues what follows on it.
    ///
    /// # Errors
    /// When the client cannot go on with this connection, or not at all.
    #[inline]
    pub(crate) fn handle_answers(
        &mut self,
        session: &mut EngineSession,
        cx: &mut Context<'_>,
    ) -> Result<AnswerProgress, Halt> {
        let mut progress = AnswerProgress::Working;
        while let Some(event) = session.wire.poll()? {
            match event {
                ServerEvent::ReadyForQuery(status) => progress = self.handle_ready_for_query(session, status, cx)?,
                ServerEvent::Error(error) => {
                    let stage = session.stage;
                    self.handle_server_error(stage, &error, cx)?;
                }
                ServerEvent::CopyIn => {
                    let script = &cx.side.program.scripts()[self.script];
                    answer_copy(session.wire.outgoing_mut(), script, self.place);
                }
                ServerEvent::RowDescription(description) => {
                    if let Some(rows) = self.rows {
                        self.gather.describe_result(
                            &description,
                            cx.side.program.rows_by_number(rows),
                            &self.variables,
                        );
                    }
                }
                ServerEvent::DataRow(row) => {
                    self.result.add_row(&row);
                    if self.rows.is_some() {
                        self.gather.take_row(&row);
                    }
                }
                ServerEvent::CommandComplete(tag) => {
                    self.result.add_tag(tag);
                    cx.side.recorder.count_executed(self.script, tag);
                    if matches!(tag, b"DISCARD ALL" | b"DEALLOCATE ALL") {
                        self.prepared.forget_all();
                    }
                    if self.awaited.in_pipeline() {
                        self.complete_in_pipeline(cx);
                    }
                    if let Some(rows) = self.rows {
                        let completed =
                            self.gather.complete_statement(cx.side.program.rows_by_number(rows), &mut self.variables);
                        completed.map_err(|error| self.cannot_go_on(error, cx))?;
                    }
                }
                ServerEvent::BackendKey { process_id, secret } => session.key = Some(SessionKey { process_id, secret }),
                ServerEvent::Notice(_)
                | ServerEvent::ParameterStatus { .. }
                | ServerEvent::NegotiateProtocolVersion { .. } => {}
            }
        }
        Ok(progress)
    }

    /// The connection was lost during a transaction: a failed one has failed, of any other the outcome is unknown.
    /// Returns whether it is unknown.
    pub(crate) fn abandon_transaction(&mut self, cx: &mut Context<'_>) -> bool {
        cx.side.in_flight -= 1;
        self.waiting = Waiting::Nothing;
        self.note_ended_to_later(cx);
        self.settle_entry(if self.failure.is_some() { EntryOutcome::Failed } else { EntryOutcome::Unknown });
        if cx.side.load.is_counting() {
            match self.failure {
                Some(sqlstate) => {
                    self.count_failed(sqlstate, cx);
                    self.log_transaction(cx.now_ns, cx);
                }
                None => cx.side.recorder.count_unknown(),
            }
        }
        self.failure.is_none()
    }

    /// Transactions that wait for this one go on, whatever it came to.
    #[inline]
    fn note_ended_to_later(&self, cx: &Context<'_>) {
        if let Some(listed) = self.start.listed {
            cx.side.program.remembered_values().note_ended_transaction(listed);
        }
    }

    /// Counts that the transaction has failed, and with which statement.
    #[cold]
    fn count_failed(&mut self, sqlstate: SqlState, cx: &mut Context<'_>) {
        cx.side.recorder.count_failed(self.script, sqlstate);
        if let Some(statement) = self.awaited.take_failed() {
            cx.side.recorder.failed_with(statement);
        }
    }

    /// What was waited for has come, and the script goes on. The clock is not read for it: the loop has done so when it
    /// woke up, and does again when the transaction is over.
    #[inline]
    fn continue_after_wait(
        &mut self,
        session: &mut EngineSession,
        cx: &mut Context<'_>,
    ) -> Result<AnswerProgress, Halt> {
        if !cx.side.program.scripts()[self.script].ends_at(self.place) {
            self.count_statement(cx.now_ns, cx);
        }
        self.go_on(session, cx)
    }

    /// Counts the statement that was waited for until `now_ns`, if it was one.
    #[inline]
    fn count_statement(&mut self, now_ns: u64, cx: &mut Context<'_>) {
        if let Some((statement, took_ns)) = self.awaited.finish_statement(now_ns)
            && cx.side.load.is_counting()
        {
            cx.side.recorder.record_statement_time(statement, took_ns);
        }
    }

    /// A statement of a pipeline is complete: counts it.
    #[inline]
    fn complete_in_pipeline(&mut self, cx: &mut Context<'_>) {
        if let Some((statement, took_ns)) = self.awaited.complete_in_pipeline(cx.now_ns)
            && cx.side.load.is_counting()
        {
            cx.side.recorder.record_statement_time(statement, took_ns);
        }
    }

    /// Notes in the ledger how the transaction has ended.
    #[inline]
    fn settle_entry(&mut self, outcome: EntryOutcome) {
        if let Some(scribe) = &mut self.scribe {
            scribe.settle_entry(outcome);
        }
    }

    /// The client is gone. Returns its page of the ledger, if the job keeps one.
    pub(crate) fn close_page(self) -> Option<(u32, LedgerPage)> {
        self.scribe.map(Scribe::close_page)
    }

    /// The server is ready for the next thing.
    #[inline]
    fn handle_ready_for_query(
        &mut self,
        session: &mut EngineSession,
        status: TransactionStatus,
        cx: &mut Context<'_>,
    ) -> Result<AnswerProgress, Halt> {
        match session.stage {
            ConnectionStage::InTransaction => {
                self.syncs = self.syncs.saturating_sub(1);
                self.status = status;
                self.awaited.skip_to_sync();
                // In a pipeline answers come while the script goes on; they are looked at when all are there.
                if self.syncs > 0 || self.waiting != Waiting::Answers {
                    return Ok(AnswerProgress::Working);
                }
                self.answers_complete(session, cx)
            }
            ConnectionStage::RollingBack => {
                cx.side.recorder.round_trip();
                self.retry_or_complete(session, cx)
            }
            ConnectionStage::LoggingIn => {
                session.logged_in(cx.side.job.server.session, cx.clock.now_ns())?;
                self.prepared.forget_all();
                Ok(queue_preparations(session, 0, cx))
            }
            ConnectionStage::Preparing(script) => {
                cx.side.recorder.round_trip();
                Ok(queue_preparations(session, script + 1, cx))
            }
            ConnectionStage::Connecting | ConnectionStage::Idle => {
                Err(WireError::Protocol("an answer to nothing").into())
            }
        }
    }

    /// All that was sent has been answered.
    #[inline]
    fn answers_complete(&mut self, session: &mut EngineSession, cx: &mut Context<'_>) -> Result<AnswerProgress, Halt> {
        cx.side.recorder.round_trip();
        self.note_result(cx);
        if let Some(rows) = self.rows.take() {
            session.wire.set_rows(ResultRows::Skip);
            if self.failure.is_none() {
                let finished = self.gather.finish_exchange(cx.side.program.rows_by_number(rows), &mut self.variables);
                finished.map_err(|error| self.cannot_go_on(error, cx))?;
            }
        }
        if self.failure.is_none() {
            return self.continue_after_wait(session, cx);
        }
        if self.status == TransactionStatus::Idle {
            return self.retry_or_complete(session, cx);
        }
        frontend::write_query_message(session.wire.outgoing_mut(), |sql| sql.extend_from_slice(b"ROLLBACK"));
        session.stage = ConnectionStage::RollingBack;
        Ok(AnswerProgress::Working)
    }

    /// Notes what the statement outside of a pipeline came to whose answers are complete, if results are noted.
    #[inline]
    fn note_result(&mut self, cx: &Context<'_>) {
        let result = std::mem::take(&mut self.result);
        let Some(results) = &cx.side.job.results else { return };
        let statement = match self.failure {
            None => self.awaited.statement_alone(),
            Some(_) => self.awaited.failed_statement(),
        };
        if let Some(statement) = statement {
            results.note_result((self.script, self.listed_row), statement, result, self.failure);
        }
    }

    /// Goes on in the script until it waits for something or is over.
    #[inline]
    fn go_on(&mut self, session: &mut EngineSession, cx: &mut Context<'_>) -> Result<AnswerProgress, Halt> {
        let script = &cx.side.program.scripts()[self.script];
        let mut run = ScriptRun {
            variables: &mut self.variables,
            random: &mut self.random.script,
            prepared: &mut self.prepared,
            syncs: &mut self.syncs,
            awaited: &mut self.awaited,
            out: session.wire.outgoing_mut(),
        };
        match script
            .advance_script(&mut self.place, &mut run)
            .map_err(|(line, source)| fatal_evaluation_error(script, line, source))?
        {
            NextScriptAction::Answers { rows } => {
                self.waiting = Waiting::Answers;
                self.has_waited = true;
                if rows.is_some() {
                    self.rows = rows;
                    self.gather.begin_exchange();
                }
                if rows.is_some() || cx.side.job.results.is_some() {
                    session.wire.set_rows(ResultRows::Keep);
                }
                Ok(AnswerProgress::Working)
            }
            NextScriptAction::Over if !self.has_waited => {
                self.waiting = Waiting::Turn(self.start.actual_ns + 1);
                cx.timers.call_at(self.index, self.start.actual_ns + 1);
                Ok(AnswerProgress::Working)
            }
            NextScriptAction::Over if self.status == TransactionStatus::Idle => {
                Ok(self.complete_transaction(session, cx))
            }
            NextScriptAction::Over => {
                Err(Halt::Fatal(Box::new(LoadError::OpenTransaction { script: script.name.clone() })))
            }
            NextScriptAction::Time { us } => {
                let from_ns = cx.clock.now_ns();
                self.sleep_until(from_ns, from_ns.saturating_add(us.saturating_mul(1000)), cx);
                Ok(AnswerProgress::Working)
            }
            NextScriptAction::Shell { step } => self.run_shell(step, cx),
        }
    }

    fn sleep_until(&mut self, from_ns: u64, until_ns: u64, cx: &mut Context<'_>) {
        self.waiting = Waiting::Sleep { from_ns, until_ns };
        self.has_waited = true;
        cx.timers.call_at(self.index, until_ns);
    }

    fn run_shell(&mut self, step: usize, cx: &mut Context<'_>) -> Result<AnswerProgress, Halt> {
        let script = &cx.side.program.scripts()[self.script];
        let (command, variable) = script
            .shell_command(step, &self.variables)
            .map_err(|(line, source)| fatal_evaluation_error(script, line, source))?;
        let ticket = cx.shell.run_command(self.index, command, variable.is_some());
        let ticket = ticket.map_err(|error| self.cannot_go_on(error, cx))?;
        self.waiting = Waiting::Shell { ticket, since_ns: cx.clock.now_ns() };
        self.has_waited = true;
        Ok(AnswerProgress::Working)
    }

    /// The transaction has failed and is rolled back: tries it again, or lets it be over.
    #[cold]
    fn retry_or_complete(&mut self, session: &mut EngineSession, cx: &mut Context<'_>) -> Result<AnswerProgress, Halt> {
        self.status = TransactionStatus::Idle;
        self.syncs = 0;
        self.prepared.forget_fresh();
        if self.may_retry(cx) {
            self.retry_transaction(session, cx)
        } else {
            Ok(self.complete_transaction(session, cx))
        }
    }

    /// The transaction is over: counts it.
    #[inline]
    fn complete_transaction(&mut self, session: &mut EngineSession, cx: &mut Context<'_>) -> AnswerProgress {
        let now_ns = cx.clock.now_ns();
        cx.finish_past_intervals(now_ns);
        cx.side.in_flight -= 1;
        session.stage = ConnectionStage::Idle;
        self.waiting = Waiting::Nothing;
        self.prepared.keep_fresh();
        self.note_ended_to_later(cx);
        self.settle_entry(if self.failure.is_some() { EntryOutcome::Failed } else { EntryOutcome::Acknowledged });
        if cx.side.load.is_counting() {
            match self.failure {
                None => {
                    cx.side.recorder.count_succeeded(self.script, &self.start, now_ns);
                    self.count_statement(now_ns, cx);
                }
                Some(sqlstate) => self.count_failed(sqlstate, cx),
            }
            cx.side.recorder.count_retries(self.script, self.tries - 1);
            self.log_transaction(now_ns, cx);
        }
        AnswerProgress::Over { at_ns: now_ns }
    }

    /// Gives the transaction, which is over, its line, if a log is kept.
    #[inline]
    fn log_transaction(&self, end_ns: u64, cx: &mut Context<'_>) {
        if let Some(log) = cx.side.recorder.active_log() {
            let ClientWork { index, script, ref start, tries, failure, .. } = *self;
            log.add(&EndedTransactionRecord { index, script, start, end_ns, retries: tries - 1, failure });
        }
    }

    /// Whether a transaction that has failed is tried again: because of others, while the load runs, and as long as the
    /// job's limits allow it.
    fn may_retry(&self, cx: &mut Context<'_>) -> bool {
        let now_ns = cx.clock.now_ns();
        cx.finish_past_intervals(now_ns);
        let on_conflict = cx.side.program.scripts()[self.script].on_conflict;
        let because_of_others = self.failure.is_some_and(|sqlstate| match sqlstate.as_str() {
            "40001" | "40P01" => true,
            "23505" => on_conflict == OnConflict::Restart,
            _ => false,
        });
        let tries_left = match cx.side.job.tries {
            Tries::AtMost(most) => on_conflict == OnConflict::Restart || self.tries < most.get(),
            Tries::Unlimited => true,
        };
        let spent_ns = now_ns - self.start.scheduled_ns;
        let in_time = cx.side.job.latency_limit.is_none_or(|limit| spent_ns <= duration_to_ns(limit));
        because_of_others && tries_left && in_time && cx.side.load.is_counting()
    }

    /// Begins the transaction again, with the same random numbers unless its script wants others. As in pgbench,
    /// variables keep what they have.
    #[cold]
    fn retry_transaction(&mut self, session: &mut EngineSession, cx: &mut Context<'_>) -> Result<AnswerProgress, Halt> {
        self.tries += 1;
        self.failure = None;
        if let Some(statement) = self.awaited.take_failed() {
            cx.side.recorder.retried_after(statement);
        }
        self.awaited.begin_transaction(cx.clock.now_ns());
        match cx.side.program.scripts()[self.script].on_conflict {
            OnConflict::AsTheJobSays => {
                self.random.script = self.start_random.clone();
                self.variables.return_row_numbers();
            }
            OnConflict::Restart => {}
        }
        self.place = ScriptPlace::default();
        session.stage = ConnectionStage::InTransaction;
        self.go_on(session, cx)
    }

    /// A command of the script, the last one that was begun, cannot be executed.
    #[cold]
    fn cannot_go_on(&self, source: EvaluationError, cx: &Context<'_>) -> Halt {
        let script = &cx.side.program.scripts()[self.script];
        fatal_evaluation_error(script, script.line_before(self.place), source)
    }

    #[cold]
    fn handle_server_error(
        &mut self,
        stage: ConnectionStage,
        error: &ServerMessage<'_>,
        cx: &mut Context<'_>,
    ) -> Result<(), Halt> {
        match stage {
            ConnectionStage::Preparing(script) if !error.is_fatal() => {
                let message = error.primary_message().into_owned();
                Err(Lost::Prepare { script, sqlstate: error.sqlstate(), message }.into())
            }
            ConnectionStage::InTransaction | ConnectionStage::RollingBack if !error.is_fatal() => {
                self.awaited.note_failure();
                if self.failure.is_none() {
                    self.failure = Some(error.sqlstate());
                    cx.side.recorder.first_error(error, self.awaited.failed_statement());
                }
                Ok(())
            }
            _ => Err(Lost::by_server(error).into()),
        }
    }
}

#[cold]
fn fatal_evaluation_error(script: &CompiledScript, line: u32, source: EvaluationError) -> Halt {
    Halt::Fatal(Box::new(LoadError::Evaluate { script: script.name.clone(), line, source }))
}

/// Queues the statements to prepare of the first script from number `script` on that has any; none: the connection is
/// open.
fn queue_preparations(session: &mut EngineSession, script: usize, cx: &Context<'_>) -> AnswerProgress {
    let mut scripts = cx.side.program.scripts().iter().enumerate().skip(script);
    let Some((number, script)) = scripts.find(|(_, script)| !script.preparations.is_empty()) else {
        session.mark_opened();
        return AnswerProgress::Opened;
    };
    let out = session.wire.outgoing_mut();
    for (name, sql) in &script.preparations {
        frontend::write_parse_message(out, name, sql);
    }
    frontend::write_sync_message(out);
    session.stage = ConnectionStage::Preparing(number);
    AnswerProgress::Working
}

/// Sends the rows of a COPY FROM STDIN, or makes it fail if it has none, as within a text of several statements. While
/// it waits for rows the server ignores Sync, so that an extended-protocol exchange needs another one.
#[cold]
fn answer_copy(out: &mut Vec<u8>, script: &CompiledScript, place: ScriptPlace) {
    if let Some(data) = script.copy_data(place) {
        frontend::write_copy_data(out, data);
        frontend::copy_done(out);
        return;
    }
    frontend::copy_fail(out, "the load engine has no data to copy");
    if !script.was_sent_as_text(place) {
        frontend::write_sync_message(out);
    }
}
