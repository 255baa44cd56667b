//! The order of an audit, and that its verdicts do not depend on units.

use proptest::prelude::*;

use super::account::clean;
use crate::audit::material::Material;
use crate::audit::{CheckRuling, audit_material};

#[test]
fn what_undermines_most_comes_first_and_what_holds_last() {
    let mut material = clean();
    material.design.repetitions = Some(1);
    material.design.stated_s = Some(10.0);
    material.trials.iter_mut().for_each(|trial| trial.stated_s = Some(10.0));
    material.sides[0].not_in_force = None;
    material.trials[0].generator_demand = Some(1.0);
    let found = audit_material(&material);
    let first: Vec<&str> = found.findings.iter().take(5).map(|(check, _)| check.code.name).collect();
    assert_eq!(
        first,
        ["generator-bound", "no-repetition", "duration-mismatch", "settings-not-applied", "durability-off"]
    );
    assert_eq!(found.counts_by_ruling(), [found.findings.len() - 5, 3, 2]);
}

/// The same account by a clock that runs `by` times as fast: every time is longer, every rate lower.
fn slower(mut material: Material, by: f64) -> Material {
    for trial in &mut material.trials {
        trial.throughput_per_s = trial.throughput_per_s.map(|tps| tps / by);
        trial.latency_ms_mean = trial.latency_ms_mean.map(|ms| ms * by);
        let detail = &mut *trial.detail;
        let common = &mut *detail.common;
        for time in [
            &mut detail.latency_ms_max,
            &mut common.unfinished_s,
            &mut common.between_ms,
            &mut common.stated_s,
            &mut detail.measured_s,
        ] {
            *time = time.map(|time| time * by);
        }
        trial.percentiles_ms.iter_mut().for_each(|(_, ms)| *ms *= by);
        trial.each_per_s.iter_mut().for_each(|rate| *rate /= by);
    }
    material.design.stated_s = material.design.stated_s.map(|time| time * by);
    for side in &mut material.sides {
        let timeout_s = side.checkpoint_timeout_s().expect("a side of the clean account has one") * by;
        side.settings.insert("checkpoint_timeout".to_owned(), timeout_s.to_string());
    }
    for flow in material.stages.iter_mut().flat_map(|stage| stage.reads.iter_mut().chain(&mut stage.writes)) {
        flow.iops /= by;
        flow.bytes_per_s = flow.bytes_per_s.map(|rate| rate / by);
        flow.latency_ms_mean = flow.latency_ms_mean.map(|ms| ms * by);
    }
    material
}

proptest! {
    // Longer only: PostgreSQL's least checkpoint_timeout and the least latency that a generator can measure are
    // physical, and a study that is scaled below them is another study.
    #[test]
    fn verdicts_do_not_depend_on_the_unit_of_time(
        by in 1.0..100.0_f64,
        latencies in proptest::collection::vec(0.2..5.0_f64, 16),
        in_flight in 1.0..8.0_f64,
    ) {
        let mut material = clean();
        for (trial, factor) in material.trials.iter_mut().zip(&latencies) {
            trial.latency_ms_mean = trial.latency_ms_mean.map(|ms| ms * factor);
        }
        material.stages[0].reads.iter_mut().for_each(|flow| flow.latency_ms_mean = flow.latency_ms_mean.map(|ms| ms * in_flight));
        let verdicts = |material: &Material| -> Vec<(&str, CheckRuling)> {
            audit_material(material).findings.into_iter().map(|(check, outcome)| (check.code.name, outcome.verdict)).collect()
        };
        prop_assert_eq!(verdicts(&material), verdicts(&slower(material.clone(), by)));
    }
}
