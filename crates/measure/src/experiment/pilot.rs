//! A few seconds of every cell of the baseline, to tell beforehand what precision a plan will buy. Writes nothing down.

use std::path::Path;
use std::time::Duration;

use load::{EngineEvent, EngineJob, LoadError, StopRequest, TurnTakingJobs};
use plan::{Interleave, Plan};

use super::access;
use super::asked::TrialRequest;
use super::data;
use super::dumped::DumpedSources;
use super::fleet::Fleet;
use super::load_login;
use super::preflight;
use super::work;
use crate::progress::ProgressReporter;
use crate::scripts::OwnScripts;
use problem::Problem;

/// The load of each trial before what counts.
const WARM_UP: Duration = Duration::from_secs(1);

/// Seconds that each cell of whole trials is measured.
pub const PILOT_SECONDS: u64 = 6;

/// Blocks of each cell whose sides take turns, the baseline being either side.
pub const PILOT_BLOCKS: u64 = 5;

/// Rounds of each of them.
pub(super) const PILOT_ROUNDS: u32 = 8;

/// What the pilot saw of one cell.
#[derive(Debug)]
pub struct PilotCell {
    pub workload: String,
    pub clients: u32,
    pub seen: PilotObservation,
}

/// What a cell's sides do, as the plan has them alternate.
#[derive(Debug)]
pub enum PilotObservation {
    /// Transactions per second of one trial, second by second.
    Seconds(Vec<f64>),
    /// The log ratios of the rounds in which the baseline took turns with itself, block by block, each with connections
    /// of its own.
    Rounds(Vec<Vec<f64>>),
}

/// Measures every workload and number of clients on the baseline.
///
/// # Errors
/// As an experiment's.
pub async fn run_pilot(
    plan: &Plan,
    scripts: &OwnScripts,
    executable: &Path,
    stop: &StopRequest,
    progress: &ProgressReporter,
) -> Result<Vec<PilotCell>, Problem> {
    if let Some(place) = plan.load_place() {
        return Err(Problem::usage_error(format!(
            "a pilot sends its load from this machine, not from {:?}",
            place.name
        ))
        .hint("omit `--pilot`, or remove `generators`"));
    }
    let mut fleet = Box::pin(Fleet::acquire_baseline(plan, executable, stop, progress)).await?;
    let cells = pilot_on(plan, scripts, &mut fleet, stop, progress).await;
    fleet.release_after(cells).await
}

async fn pilot_on(
    plan: &Plan,
    scripts: &OwnScripts,
    fleet: &mut Fleet,
    stop: &StopRequest,
    progress: &ProgressReporter,
) -> Result<Vec<PilotCell>, Problem> {
    preflight::with_servers(plan, fleet).await?;
    let dumps = DumpedSources::in_temporary_directory()?;
    data::set_up(plan, scripts, fleet, &dumps, stop, progress).await?;
    fleet.set_lifted_limits(plan, progress).await?;
    let plan = &access::with_answers(plan, &access::ask_every_server(plan, scripts, fleet).await?);
    let mut cells = Vec::new();
    for workload in &plan.workloads {
        fleet.member_mut(&plan.baseline).target.turn_to(plan.database_on(&plan.baseline, workload));
        let member = fleet.member_by_name(&plan.baseline);
        for clients in plan.clients_of_workload(workload) {
            data::prepare_tables(plan, scripts, member, workload, *clients).await?;
            member.take_turn()?;
            let job = |place: usize, seed: u64| {
                let asked = TrialRequest { clients: *clients, seed, rate_per_s: None, target: &member.name, place };
                work::job_of_workload(plan, scripts, workload, asked, load_login::login_of_member(member))
            };
            let seen = match plan.interleaving_of_workload(workload).how {
                Interleave::Trials => {
                    pilot_tps_by_second(job(0, 1)?, stop.clone()).await.map(PilotObservation::Seconds)
                }
                Interleave::Slices | Interleave::FrozenSlices => {
                    let mut blocks = Vec::new();
                    for seed in 1..=PILOT_BLOCKS {
                        // Which of the two connects first is part of what differs from block to block.
                        let places = if seed % 2 == 0 { [0, 1] } else { [1, 0] };
                        let [one, other] = places.map(|place| job(place, seed));
                        blocks.push(pilot_round_log_ratios(plan.slice, [one?, other?], seed, stop.clone()).await?);
                    }
                    Ok(PilotObservation::Rounds(blocks))
                }
            };
            cells.push(PilotCell { workload: workload.name.clone(), clients: *clients, seen: seen? });
        }
    }
    Ok(cells)
}

/// Transactions per second, second by second, of one short trial.
async fn pilot_tps_by_second(job: EngineJob, stop: StopRequest) -> Result<Vec<f64>, Problem> {
    let job = EngineJob { warm_up: WARM_UP, measure: Duration::from_secs(PILOT_SECONDS).into(), ..job };
    in_a_thread(move || {
        let mut seconds = Vec::new();
        let mut keep = |event: EngineEvent<'_>| match event {
            EngineEvent::Second(second) if second.phase == load::LoadPhase::Measure && second.duration_ns > 0 => {
                seconds.push(second.total_latency().count() as f64 * 1e9 / second.duration_ns as f64);
            }
            _ => {}
        };
        load::run_job(&job, &stop, &mut keep).map(|_| seconds)
    })
    .await
}

/// The log ratio of two sides in each round of one short trial.
async fn pilot_round_log_ratios(
    turn: Duration,
    jobs: [EngineJob; 2],
    seed: u64,
    stop: StopRequest,
) -> Result<Vec<f64>, Problem> {
    let with_time = |job| EngineJob { warm_up: WARM_UP, measure: (turn * 2 * PILOT_ROUNDS).into(), ..job };
    let turns = TurnTakingJobs {
        sides: jobs.into_iter().map(with_time).collect(),
        length: turn,
        transactions_at_least: work::SLICE_TRANSACTIONS,
        seed,
        between: None,
    };
    let done = in_a_thread(move || load::run_turns(&turns, &stop, &mut |_| ())).await?;
    Ok(done.log_ratios([0, 1]).collect())
}

async fn in_a_thread<T: Send + 'static>(
    run: impl FnOnce() -> Result<T, LoadError> + Send + 'static,
) -> Result<T, Problem> {
    let done = tokio::task::spawn_blocking(run).await;
    done.expect("the load engine does not panic").map_err(|error| Problem::could_not_measure(error.to_string()))
}
