//! A few seconds of every cell of the baseline, to tell beforehand what precision a plan will buy. Writes nothing down.

use std::path::Path;
use std::time::Duration;

use load::{Event, Stop};
use plan::Plan;

use super::data;
use super::fleet::Fleet;
use super::preflight;
use super::work::{self, Asked};
use crate::problem::Problem;
use crate::progress::Progress;
use crate::scripts::OwnScripts;

/// Seconds that each cell is measured.
pub const PILOT_SECONDS: u64 = 6;

/// What the pilot saw of one cell.
#[derive(Debug)]
pub struct PilotCell {
    pub workload: String,
    pub clients: u32,
    /// Transactions per second, second by second.
    pub throughput_per_s: Vec<f64>,
}

/// Measures every workload and number of clients on the baseline.
///
/// # Errors
/// As an experiment's.
pub async fn pilot(
    plan: &Plan,
    scripts: &OwnScripts,
    executable: &Path,
    stop: &Stop,
    progress: &Progress,
) -> Result<Vec<PilotCell>, Problem> {
    let fleet = Fleet::acquire_baseline(plan, executable, stop, progress).await?;
    let cells = pilot_on(plan, scripts, &fleet, stop, progress).await;
    fleet.release_after(cells).await
}

async fn pilot_on(
    plan: &Plan,
    scripts: &OwnScripts,
    fleet: &Fleet,
    stop: &Stop,
    progress: &Progress,
) -> Result<Vec<PilotCell>, Problem> {
    preflight::with_servers(plan, fleet).await?;
    data::set_up(plan, fleet, stop, progress).await?;
    let member = fleet.member(&plan.baseline);
    let mut cells = Vec::new();
    for workload in &plan.workloads {
        for clients in &plan.clients {
            data::prepare(plan, member, workload, *clients).await?;
            member.take_turn()?;
            let asked = Asked { clients: *clients, seed: 1, rate_per_s: None, place: 0 };
            let mut job = work::job(plan, scripts, workload, asked, member)?;
            (job.warm_up, job.measure) = (Duration::from_secs(1), Duration::from_secs(PILOT_SECONDS).into());
            let stop = stop.clone();
            let seconds = tokio::task::spawn_blocking(move || {
                let mut seconds = Vec::new();
                let mut keep = |event: Event<'_>| match event {
                    Event::Second(second) if second.phase == load::Phase::Measure && second.duration_ns > 0 => {
                        seconds.push(second.latency().count() as f64 * 1e9 / second.duration_ns as f64);
                    }
                    _ => {}
                };
                load::run(&job, &stop, &mut keep).map(|_| seconds)
            });
            let throughput_per_s = seconds
                .await
                .expect("the load engine does not panic")
                .map_err(|error| Problem::could_not_measure(error.to_string()))?;
            cells.push(PilotCell { workload: workload.name.clone(), clients: *clients, throughput_per_s });
        }
    }
    Ok(cells)
}
