//! What a client does with an open connection: prepares its statements, then runs transaction after transaction, one
//! statement at a time. Decides what follows on each answer.

use crate::engine::context::{Context, Load};
use crate::engine::session::{Lost, Session, Stage};
use crate::error::LoadError;
use crate::job::QueryMode;
use crate::random::ClientRandom;
use wire::{Event, ServerMessage, SqlState, TransactionStatus, WireError, frontend};

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
pub(crate) enum Progress {
    /// Work goes on.
    Working,
    /// The connection has become ready for transactions, and none has begun.
    Opened,
}

/// A client's place in its scripts.
#[derive(Debug)]
pub(crate) struct Work {
    random: ClientRandom,
    variables: Vec<i64>,
    script: usize,
    /// The step after the statement under way.
    step: usize,
    /// The transaction's actual start.
    started_ns: u64,
    /// What made the transaction fail.
    failure: Option<SqlState>,
}

impl Work {
    pub(crate) fn new(random: ClientRandom, variables: Vec<i64>) -> Work {
        Work { random, variables, script: 0, step: 0, started_ns: 0, failure: None }
    }

    /// When the transaction under way began.
    pub(crate) fn started_ns(&self) -> u64 {
        self.started_ns
    }

    /// Begins a transaction at `now_ns`; its first statement is queued.
    #[inline]
    pub(crate) fn begin(&mut self, session: &mut Session, now_ns: u64, cx: &mut Context<'_>) -> Result<(), Halt> {
        self.script = cx.program.choose(&mut self.random.choice);
        self.step = 0;
        self.started_ns = now_ns;
        self.failure = None;
        cx.in_flight += 1;
        session.stage = Stage::InTransaction;
        // A script has at least one statement, so this sends one.
        self.next_statement(session, cx).map(|_| ())
    }

    /// Understands all that has been received, and queues what follows on it.
    ///
    /// # Errors
    /// When the client cannot go on with this connection, or not at all.
    #[inline]
    pub(crate) fn answered(&mut self, session: &mut Session, cx: &mut Context<'_>) -> Result<Progress, Halt> {
        let mut progress = Progress::Working;
        while let Some(event) = session.wire.poll()? {
            match event {
                Event::ReadyForQuery(status) => progress = self.proceed(session, status, cx)?,
                Event::Error(error) => {
                    let stage = session.stage;
                    self.failed(stage, &error, cx)?;
                }
                Event::CopyIn => refuse_copy(session.wire.outgoing_mut(), cx.job.mode),
                Event::CommandComplete(_)
                | Event::RowDescription(_)
                | Event::DataRow(_)
                | Event::Notice(_)
                | Event::ParameterStatus { .. }
                | Event::BackendKey { .. }
                | Event::NegotiateProtocolVersion { .. } => {}
            }
        }
        Ok(progress)
    }

    /// The connection was lost during a transaction: a failed one has failed, of any other the outcome is unknown.
    /// Returns whether it is unknown.
    pub(crate) fn abandon(&mut self, cx: &mut Context<'_>) -> bool {
        cx.in_flight -= 1;
        if cx.load == Load::Running {
            match self.failure {
                Some(sqlstate) => cx.recorder.failed(self.script, sqlstate),
                None => cx.recorder.unknown(),
            }
        }
        self.failure.is_none()
    }

    /// The server is ready for the next thing.
    #[inline]
    fn proceed(
        &mut self,
        session: &mut Session,
        status: TransactionStatus,
        cx: &mut Context<'_>,
    ) -> Result<Progress, Halt> {
        match session.stage {
            Stage::InTransaction if self.failure.is_none() => {
                if self.next_statement(session, cx)? {
                    return Ok(Progress::Working);
                }
                if status != TransactionStatus::Idle {
                    let script = cx.program.scripts()[self.script].name.clone();
                    return Err(Halt::Fatal(Box::new(LoadError::OpenTransaction { script })));
                }
                self.complete(session, cx)
            }
            Stage::InTransaction if status != TransactionStatus::Idle => {
                frontend::query(session.wire.outgoing_mut(), |sql| sql.extend_from_slice(b"ROLLBACK"));
                session.stage = Stage::RollingBack;
                Ok(Progress::Working)
            }
            Stage::InTransaction => self.complete(session, cx),
            Stage::RollingBack => self.complete(session, cx),
            Stage::LoggingIn => Ok(prepare(session, 0, cx)),
            Stage::Preparing(script) => Ok(prepare(session, script + 1, cx)),
            Stage::Connecting | Stage::Idle => Err(WireError::Protocol("an answer to nothing").into()),
        }
    }

    /// Queues the next statement of the script. False: there is none.
    #[inline]
    fn next_statement(&mut self, session: &mut Session, cx: &Context<'_>) -> Result<bool, Halt> {
        let script = &cx.program.scripts()[self.script];
        let out = session.wire.outgoing_mut();
        script.advance(&mut self.step, &mut self.variables, &mut self.random.script, out).map_err(|(line, source)| {
            Halt::Fatal(Box::new(LoadError::Evaluate { script: script.name.clone(), line, source }))
        })
    }

    /// The transaction is over: counts it, and begins the next one at the same instant.
    #[inline]
    fn complete(&mut self, session: &mut Session, cx: &mut Context<'_>) -> Result<Progress, Halt> {
        let now_ns = cx.clock.now();
        cx.pass(now_ns);
        cx.in_flight -= 1;
        session.stage = Stage::Idle;
        if cx.load == Load::Running {
            match self.failure {
                None => cx.recorder.succeeded(self.script, now_ns - self.started_ns),
                Some(sqlstate) => cx.recorder.failed(self.script, sqlstate),
            }
            self.begin(session, now_ns, cx)?;
        }
        Ok(Progress::Working)
    }

    #[cold]
    fn failed(&mut self, stage: Stage, error: &ServerMessage<'_>, cx: &mut Context<'_>) -> Result<(), Halt> {
        match stage {
            Stage::Preparing(script) if !error.is_fatal() => {
                let message = error.message().into_owned();
                Err(Lost::Prepare { script, sqlstate: error.sqlstate(), message }.into())
            }
            Stage::InTransaction | Stage::RollingBack if !error.is_fatal() => {
                self.failure.get_or_insert(error.sqlstate());
                cx.recorder.example(error);
                Ok(())
            }
            _ => Err(Lost::by_server(error).into()),
        }
    }
}

/// Queues the statements to prepare of the first script from number `script` on that has any; none: the connection is
/// open.
fn prepare(session: &mut Session, script: usize, cx: &Context<'_>) -> Progress {
    let mut scripts = cx.program.scripts().iter().enumerate().skip(script);
    let Some((number, script)) = scripts.find(|(_, script)| !script.preparations.is_empty()) else {
        session.opened();
        return Progress::Opened;
    };
    let out = session.wire.outgoing_mut();
    for (name, sql) in &script.preparations {
        frontend::parse(out, name, sql);
    }
    frontend::sync(out);
    session.stage = Stage::Preparing(number);
    Progress::Working
}

/// Makes COPY FROM STDIN fail. While it waits for data the server ignores Sync, so an extended-protocol exchange needs
/// another one.
fn refuse_copy(out: &mut Vec<u8>, mode: QueryMode) {
    frontend::copy_fail(out, "the load engine has no data to copy");
    if mode != QueryMode::Simple {
        frontend::sync(out);
    }
}
