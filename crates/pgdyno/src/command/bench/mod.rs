//! `bench`: one ad-hoc workload on one server, with pgbench's options; prints pgbench's lines, then percentiles.
//!
//! One number without repetition or a second side: good for a look, not for a comparison; the output says so.

mod connection;
mod counts;
mod output;
mod refusals;
mod request;
mod tables;
#[cfg(test)]
mod tests;
mod watch;

use conninfo::ConnInfo;
use load::external::{self, ExternalError, ExternalJob, ExternalRun};
use load::{EngineJob, LoadError, ParsedScript, StopRequest, Summary};

use super::{Manner, documents, run};
use crate::cli::{BenchArgs, GeneratorName};
use measure::experiment::{login_for_load, statements_of_workload};
use measure::interrupt;
use measure::progress::print_to_stderr;
use output::BenchSummary;
use problem::{CommandStatus, Problem};
use request::{BenchRequest, Workload};
use watch::Watch;

/// Runs it, or with `-i` makes the data.
pub(super) async fn run_bench_command(arguments: &BenchArgs, manner: Manner) -> Result<CommandStatus, Problem> {
    let default_seed = std::env::var("PGBENCH_RANDOM_SEED").ok();
    match request::parse_bench_arguments(arguments, default_seed.as_deref())? {
        BenchRequest::Show(text) => documents::print_bytes(text.as_bytes()),
        BenchRequest::Initialize { scale, fillfactor } => {
            let stop = interrupt::install_signal_handlers()?;
            let target = connection::connect_to_target(arguments).await?;
            tables::initialize_tables(scale, fillfactor, &target, &stop, manner).await
        }
        BenchRequest::Run(workload) => run_benchmark(arguments, *workload, manner).await,
    }
}

async fn run_benchmark(arguments: &BenchArgs, workload: Workload, manner: Manner) -> Result<CommandStatus, Problem> {
    let stop = interrupt::install_signal_handlers()?;
    let target = connection::connect_to_target(arguments).await?;
    let client = target.connect_control().await?;
    let scale = tables::effective_scale(&client, &workload).await?;
    tables::vacuum_tables(&client, &workload, scale).await?;
    let facts = target.collect_facts().await?;
    let job = workload.load_job(login_for_load(&target.load_conninfo()), scale);
    let sent = &statements_of_workload("bench", &job).statements;
    let (server, quiet) = (&facts.server.version, manner.quiet);
    let (summary, text) = match workload.generator {
        GeneratorName::Pgdyno => {
            let mut watch = Watch::new(&workload, &stop, quiet)?;
            let job = EngineJob { log: watch.transaction_log(), ..job };
            let (ran, watch) = run_blocking(move || {
                let ran = load::run_job(&job, &stop, &mut |event| watch.handle_event(&event));
                (ran, watch)
            })
            .await;
            let summary = ran.map_err(|error| load_problem(&error))?;
            let told = BenchSummary {
                workload: &workload,
                scale,
                server,
                summary: &summary,
                sent,
                generator: output::PGDYNO,
                missing: &[],
            };
            let throughput_per_s = watch.finish_watching()?;
            let text = if manner.json {
                told.report_json()
            } else {
                told.report_lines() + &told.additional_lines(&throughput_per_s)
            };
            (summary, text)
        }
        GeneratorName::Pgbench => {
            let progress = workload.progress.is_some() && !quiet;
            let measured = run_blocking(move || run_pgbench(job, &stop, progress)).await;
            let ExternalRun { summary, missing, printed, program, .. } =
                measured.map_err(|error| tool_problem(&error))?;
            let generator = &program.version;
            let told = BenchSummary {
                workload: &workload,
                scale,
                server,
                summary: &summary,
                sent,
                generator,
                missing: &missing,
            };
            let text = if manner.json { told.report_json() } else { printed + &told.additional_lines(&[]) };
            (summary, text)
        }
    };
    documents::print_bytes(text.as_bytes())?;
    Ok(exit_status(&summary))
}

/// As with pgbench, a run in which a client was lost or nothing was processed is no success, although it is told.
fn exit_status(summary: &Summary) -> CommandStatus {
    let complete = summary.outages.is_empty() && !summary.interrupted && summary.successful_transactions() > 0;
    if complete { CommandStatus::Done } else { CommandStatus::CouldNotMeasure }
}

/// Off the runtime's threads, which have to stay free for signals.
async fn run_blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(work).await.expect("a generator does not panic")
}

fn run_pgbench(job: EngineJob, stop: &StopRequest, progress: bool) -> Result<ExternalRun, ExternalError> {
    external::run_external_job(&ExternalJob::Pgbench(Box::new(job)), stop, &mut |event| {
        if let (external::ToolEvent::Second(second), true) = (event, progress) {
            print_to_stderr(&format!(
                "progress: {:.1} tps, lat {:.3} ms",
                second.tps,
                second.latency_mean_ms.unwrap_or(f64::NAN)
            ));
        }
    })
}

impl Workload {
    fn load_job(&self, server: ConnInfo, scale: u32) -> EngineJob {
        let any: ParsedScript = self.scripts[0].script.clone();
        EngineJob {
            scripts: self.scripts.clone(),
            mode: self.mode,
            clients: self.clients,
            threads: self.threads,
            pace: self.pace.clone(),
            latency_limit: self.latency_limit,
            tries: self.tries,
            connections: self.connections,
            warm_up: self.warm_up,
            backend: self.backend,
            measure: self.measure,
            seed: self.seed.unwrap_or_else(run::random_seed),
            scale,
            definitions: self.definitions.clone(),
            shell: self.shell,
            statements: self.statements,
            ..EngineJob::new(server, any)
        }
    }
}

fn load_problem(error: &LoadError) -> Problem {
    Problem::could_not_measure(error.to_string())
        .detail(error.detail().unwrap_or_default())
        .hint(error.hint().unwrap_or_default())
}

fn tool_problem(error: &ExternalError) -> Problem {
    Problem::could_not_measure(error.to_string())
        .detail(error.detail().unwrap_or_default())
        .hint(error.hint().unwrap_or_default())
}
