//! What became of the pods of the servers while a load ran, and the servers found again where they are afterwards.

use jiff::Timestamp;
use results::run::ScheduledTrial;
use results::trial::{Incident, TrialOutcome};

use super::run_request::Experiment;
use crate::experiment::fleet::Fleet;
use crate::interrupt::unless_stopped;
use crate::progress::ProgressReporter;
use problem::Problem;

/// What is to be noted of each of these trials, whose load began then. Where one has lost its pod, every server of the
/// fleet is found again: others may be reached through the same pod.
pub(super) async fn of_trials(
    experiment: &Experiment<'_>,
    fleet: &mut Fleet,
    scheduled: &[&ScheduledTrial],
    since: Timestamp,
    progress: &ProgressReporter,
) -> Vec<Option<Incident>> {
    let mut noted = Vec::new();
    for trial in scheduled {
        let target = &fleet.member_by_name(&trial.cell.target).target;
        let fate = async { target.fate_of_pod_since(since).await.map_err(Problem::from) };
        noted.push(match unless_stopped(experiment.stop, fate).await {
            Ok(said) => said.map(|said| Incident::PodLost { said }),
            Err(problem) if problem.is_interruption() => None,
            Err(problem) => Some(Incident::PodUnseen { why: problem.in_one_line() }),
        });
    }
    let lost = scheduled
        .iter()
        .zip(&noted)
        .filter_map(|(trial, noted)| Some((trial.number, words_of_lost_pod(noted.as_ref()?)?)));
    for (number, said) in lost {
        progress.print_line(&format!("trial {number}: {said}; waiting until its server is back"));
    }
    if noted.iter().flatten().any(|noted| words_of_lost_pod(noted).is_some()) {
        // Whoever is not back is told by the trial that finds it so.
        let _ = unless_stopped(experiment.stop, fleet.find_again()).await;
    }
    noted
}

/// How a trial ended: one that failed with its pod says first what became of that.
pub(super) fn outcome_with_fate(outcome: TrialOutcome, noted: Option<&Incident>) -> TrialOutcome {
    match (outcome, noted.and_then(words_of_lost_pod)) {
        (TrialOutcome::Failed { error }, Some(said)) => TrialOutcome::Failed { error: format!("{said}; {error}") },
        (outcome, _) => outcome,
    }
}

fn words_of_lost_pod(noted: &Incident) -> Option<&str> {
    if let Incident::PodLost { said } = noted { Some(said) } else { None }
}
