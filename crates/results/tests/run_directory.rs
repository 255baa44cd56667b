//! What the run directory promises: commit by rename, torn lines tolerated, formats checked, nothing deleted.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use hdrhistogram::Histogram;
use jiff::Timestamp;
use results::Error;
use results::disk::{self, DiskSecond, DiskStage, FlowRate, StageOutcome};
use results::interval::{EngineInterval, IntervalLatency, Reading, TrialInterval};
use results::latency_log::LatencySeries;
use results::log::{LogAccess, LogEvent, LogFormat, LogMessageEntry, Origin, ServerLog, Severity};
use results::run::{FORMAT, GeneratorMachine, Run, Schedule, ScheduledTrial};
use results::store::RunDir;
use results::trial::{self, Cell, PhaseRecord, Role, Trial, TrialOutcome, TrialPhase, TurnTotals};
use results::turn::{FirstQuarter, Turn};
use results::workload::{SentStatement, StatementKind, WorkloadStatements};

fn instant() -> Timestamp {
    "2026-11-20T09:12:00Z".parse().unwrap()
}

fn cell() -> Cell {
    Cell { target: "pg17".into(), workload: "read".into(), clients: 8.into() }
}

fn run() -> Run {
    Run {
        format: FORMAT,
        id: "2026-11-20T09-12-00Z-a-run".into(),
        name: "a run".into(),
        pgdyno_version: "0.1.0".into(),
        started_at: instant(),
        imported: None,
        generator: Some(GeneratorMachine { cpus: 2, kernel: "6.18".into() }),
        schedule: Schedule {
            seed: 7,
            trials: vec![ScheduledTrial { number: 1, block: 1, cell: cell(), role: Role::Main, step: None, seed: 42 }],
        },
    }
}

fn trial(number: u32) -> Trial {
    Trial {
        format: trial::FORMAT,
        number,
        block: 1,
        cell: cell(),
        role: Role::Main,
        step: None,
        outcome: TrialOutcome::Completed,
        phases: vec![PhaseRecord { phase: TrialPhase::Measure, started_at: instant(), duration_us: 2_000_000 }],
        preparation: vec![],
        finishing: vec![],
        settings: [("work_mem".to_owned(), "4MB".to_owned())].into(),
        turns: None,
        load: None,
        told: None,
        observer: None,
        events: Vec::new(),
        beside: Vec::new(),
        provider: None,
        incidents: vec![],
    }
}

fn second(index: u32) -> TrialInterval {
    TrialInterval {
        phase: TrialPhase::Measure,
        index,
        start_us: u64::from(index) * 1_000_000,
        duration_us: 1_000_000,
        turn_us: None,
        transactions: 3,
        failed: 0,
        errors: [].into(),
        clients_out: 0,
        attempts: 0,
        late: 0,
        retried: 0,
        open: None,
        latency: Some(IntervalLatency {
            mean_ns: 2e6,
            p50_ns: 2_000_000,
            p95_ns: 3_000_000,
            p99_ns: 3_000_000,
            max_ns: 3_000_000,
        }),
        told: None,
        engine: Some(EngineInterval::default()),
        path: None,
        probes: [
            (
                "host.cpu".to_owned(),
                Reading::Values { took_us: 40, over_us: 1_000_000, values: [("user_us".to_owned(), 9e5)].into() },
            ),
            ("pg.wal".to_owned(), Reading::Gap { took_us: 500_000, gap: "timed out".into() }),
        ]
        .into(),
    }
}

fn latencies() -> Histogram<u64> {
    let mut histogram = Histogram::new_with_bounds(1_000, 3_600_000_000_000, 3).unwrap();
    for value in [1_000_000, 2_000_000, 3_000_000] {
        histogram.record(value).unwrap();
    }
    histogram
}

fn in_a_run(test: impl FnOnce(&RunDir)) {
    let parent = tempfile::tempdir().unwrap();
    test(&RunDir::create(parent.path(), &run(), "name: a run\n", &[]).unwrap());
}

#[test]
fn a_run_directory_that_cannot_be_written_whole_is_not_left() {
    let parent = tempfile::tempdir().unwrap();
    // The plan is a file, so that no file can be below it.
    let refused = RunDir::create(parent.path(), &run(), "a plan", &[("plan.yaml/script.sql".into(), "SELECT 1")]);
    assert!(matches!(refused, Err(Error::Io { .. })), "{refused:?}");
    assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
}

#[test]
fn the_statements_of_a_workload_are_kept_once_and_whole() {
    let of = |workload: &str, text: String| WorkloadStatements {
        format: results::workload::FORMAT,
        workload: workload.to_owned(),
        statements: vec![SentStatement {
            script: "own.sql".to_owned(),
            line: 3,
            kind: StatementKind::Sql,
            text,
            parameters: vec!["id".to_owned()],
            variants: 1,
            captured: None,
        }],
        captured: None,
    };
    in_a_run(|dir| {
        assert!(dir.workload_statements().unwrap().is_empty());
        let long = of("a/b", format!("SELECT $1,\n\t'{}'", "größer ".repeat(150_000)));
        dir.write_workload(&long).unwrap();
        dir.write_workload(&of("c", "SELECT 1".to_owned())).unwrap();
        dir.write_workload(&of("c", "SELECT 2".to_owned())).unwrap();
        let found = dir.workload_statements().unwrap();
        assert_eq!(found["a/b"], long);
        assert_eq!(found["c"].statements[0].text, "SELECT 1");
        assert_eq!(found.len(), 2);
    });
}

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn what_was_written_is_read_back() {
    in_a_run(|dir| {
        let mut writer = dir.begin_trial(1, instant()).unwrap();
        writer.append_interval(&second(0), &[(LatencySeries::Measure, &latencies())]).unwrap();
        writer
            .append_interval(
                &second(1),
                &[(LatencySeries::Measure, &latencies()), (LatencySeries::Script("a b".into()), &latencies())],
            )
            .unwrap();
        writer.commit(&trial(1)).unwrap();

        assert_eq!(dir.read_run().unwrap(), run());
        assert_eq!(dir.finished_trials().unwrap(), [trial(1)]);
        assert_eq!(dir.trial_intervals(1).unwrap(), [second(0), second(1)]);
        let log = dir.latency_log(1).unwrap();
        assert_eq!(log.len(), 3);
        assert_eq!(log[0].histogram, latencies());
        assert_eq!(log[2].series, LatencySeries::Script("a_b".into()));
    });
}

#[test]
fn the_servers_log_is_read_back_and_a_trial_without_one_has_none() {
    in_a_run(|dir| {
        let log = ServerLog {
            origin: Origin { access: Some(LogAccess::File), format: Some(LogFormat::Csvlog), ..Origin::default() },
            entries: vec![
                LogMessageEntry { at_us: 5, severity: Severity::Error, event: LogEvent::Deadlock },
                LogMessageEntry { at_us: 6, severity: Severity::Log, event: LogEvent::TemporaryFile { bytes: 8192 } },
            ],
        };
        let mut writer = dir.begin_trial(1, instant()).unwrap();
        assert_eq!(dir.server_log(1).unwrap(), None);
        writer.write_log(&log).unwrap();
        writer.commit(&trial(1)).unwrap();
        assert_eq!(dir.server_log(1).unwrap(), Some(log));
        assert_eq!(dir.trial_statements(1).unwrap(), None);
    });
}

fn turn(round: u32, lost: bool) -> Turn {
    Turn {
        phase: TrialPhase::Measure,
        round,
        place: 1,
        start_us: 500_000 * u64::from(round),
        duration_us: 250_300,
        overrun_us: 300,
        gap_us: 40,
        taken_up_after_us: 25,
        transactions: 900,
        failed: 1,
        unknown: 0,
        latency_sum_us: 240_000,
        first_quarter: FirstQuarter { transactions: 220, latency_sum_us: 61_000 },
        clients_out: if lost { 8 } else { 0 },
        lost,
    }
}

#[test]
fn turns_are_read_back_also_of_a_trial_that_was_killed_and_one_that_ran_alone_has_none() {
    in_a_run(|dir| {
        let mut writer = dir.begin_trial(1, instant()).unwrap();
        writer.append_turn(&turn(0, false)).unwrap();
        writer.append_turn(&turn(1, true)).unwrap();
        drop(writer);
        let path = dir.path().join("trials/1.partial/turns.jsonl");
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().map(|line| line.contains("lost")).collect::<Vec<_>>(), [false, true]);
        fs::write(&path, text + r#"{"phase":"measure","rou"#).unwrap();
        assert_eq!(dir.trial_turns(1).unwrap(), [turn(0, false), turn(1, true)]);

        let mut writer = dir.begin_trial(1, instant()).unwrap();
        writer.append_turn(&turn(0, false)).unwrap();
        let taken = Trial { turns: Some(TurnTotals { with: vec![2], length_us: 250_000 }), ..trial(1) };
        writer.commit(&taken).unwrap();
        dir.begin_trial(2, instant()).unwrap().commit(&trial(2)).unwrap();
        assert_eq!(dir.trial_turns(1).unwrap(), [turn(0, false)]);
        assert_eq!(dir.trial_turns(2).unwrap(), []);
        assert_eq!(dir.finished_trials().unwrap(), [taken, trial(2)]);
    });
}

#[test]
fn a_trial_without_its_commit_is_unfinished_but_every_second_of_it_is_readable() {
    in_a_run(|dir| {
        let mut writer = dir.begin_trial(1, instant()).unwrap();
        writer.append_interval(&second(0), &[(LatencySeries::Measure, &latencies())]).unwrap();
        // As after kill -9: the writer never commits.
        std::mem::forget(writer);
        assert_eq!(dir.finished_trials().unwrap(), []);
        assert_eq!(dir.unfinished_trials().unwrap(), [1]);
        assert_eq!(dir.trial_intervals(1).unwrap(), [second(0)]);
        assert_eq!(dir.latency_log(1).unwrap().len(), 1);
    });
}

#[test]
fn a_torn_last_line_is_left_out() {
    in_a_run(|dir| {
        let mut writer = dir.begin_trial(1, instant()).unwrap();
        writer.append_interval(&second(0), &[(LatencySeries::Measure, &latencies())]).unwrap();
        drop(writer);
        let partial = dir.path().join("trials/1.partial");
        for (file, torn) in [("intervals.jsonl", "{\"phase\":\"mea"), ("latency.hlog", "1.0,1.0,3.0,HISTF")] {
            fs::OpenOptions::new().append(true).open(partial.join(file)).unwrap().write_all(torn.as_bytes()).unwrap();
        }
        assert_eq!(dir.trial_intervals(1).unwrap(), [second(0)]);
        assert_eq!(dir.latency_log(1).unwrap().len(), 1);
    });
}

#[test]
fn a_broken_line_in_the_middle_is_an_error_with_its_number() {
    in_a_run(|dir| {
        drop(dir.begin_trial(1, instant()).unwrap());
        let file = dir.path().join("trials/1.partial/intervals.jsonl");
        fs::write(&file, "{}\n{}\n").unwrap();
        let error = dir.trial_intervals(1).unwrap_err().to_string();
        assert!(error.contains("intervals.jsonl") && error.contains("line 1"), "{error}");
    });
}

#[test]
fn a_trial_executed_again_sets_the_older_one_aside() {
    in_a_run(|dir| {
        dir.begin_trial(1, instant()).unwrap().commit(&trial(1)).unwrap();
        drop(dir.begin_trial(1, instant()).unwrap());
        dir.begin_trial(1, instant()).unwrap().commit(&trial(1)).unwrap();
        assert_eq!(names(&dir.path().join("trials")), ["1", "1.aside-1", "1.aside-2"]);
        assert_eq!(dir.finished_trials().unwrap().len(), 1);
    });
}

#[test]
fn a_newer_format_is_refused_by_name() {
    in_a_run(|dir| {
        fs::write(dir.path().join("run.json"), "{\"format\": 99}").unwrap();
        let error = dir.read_run().unwrap_err();
        assert!(matches!(error, Error::NewerFormat { found: 99, .. }), "{error}");
    });
}

#[test]
fn a_directory_without_run_json_is_not_a_run() {
    let parent = tempfile::tempdir().unwrap();
    assert!(matches!(RunDir::open(parent.path()), Err(Error::NotARun { .. })));
}

#[test]
fn one_writer_at_a_time_holds_a_run() {
    in_a_run(|dir| {
        let held = dir.lock_directory().unwrap();
        assert!(dir.lock_directory().unwrap_err().to_string().contains("another pgdyno"));
        drop(held);
        dir.lock_directory().unwrap();
    });
}

#[test]
fn no_temporary_file_stays_behind() {
    in_a_run(|dir| assert_eq!(names(dir.path()), ["plan.yaml", "run.json", "targets", "trials"]));
}

fn stage(name: &str, order: u32) -> DiskStage {
    DiskStage {
        format: disk::FORMAT,
        target: "ssd".into(),
        name: name.into(),
        order,
        place: None,
        stated: None,
        fio_version: "fio-3.33".into(),
        definition: None,
        started_at: Some(instant()),
        outcome: StageOutcome::Completed,
        job: None,
        groups: vec![],
        devices: vec![],
        series_gap: None,
    }
}

#[test]
fn stages_of_disks_come_back_in_their_order_with_their_series_and_a_torn_one_is_not_there() {
    let parent = tempfile::tempdir().unwrap();
    let dir = RunDir::create_without_plan(parent.path(), &run()).unwrap();
    assert!(!dir.has_plan());
    assert_eq!(dir.disk_stages().unwrap(), []);
    let rate = FlowRate { operations_per_s: Some(3000.0), ..FlowRate::default() };
    let second = DiskSecond { end_ms: 1000, duration_ms: 1000, read: Some(rate), write: None };
    dir.write_disk_stage(&stage("wal", 2), Some(b"{}"), &[second]).unwrap();
    dir.write_disk_stage(&stage("oltp", 1), None, &[]).unwrap();
    fs::create_dir(dir.path().join("disk/ssd/depth-1.partial")).unwrap();
    fs::write(dir.path().join("disk/ssd/depth-1.partial/stage.json"), "{").unwrap();
    let stages = dir.disk_stages().unwrap();
    assert_eq!(stages.iter().map(|stage| stage.name.as_str()).collect::<Vec<_>>(), ["oltp", "wal"]);
    assert_eq!(dir.disk_seconds(&stages[0]).unwrap(), []);
    assert_eq!(dir.disk_seconds(&stages[1]).unwrap(), [second]);
    let again = DiskStage { outcome: StageOutcome::Interrupted, ..stage("wal", 2) };
    dir.write_disk_stage(&again, None, &[]).unwrap();
    assert_eq!(dir.disk_stages().unwrap()[1], again, "a second attempt replaces the first");
    assert!(!dir.path().join("disk/ssd/wal/fio.json").exists());
}

#[test]
fn stages_of_a_variant_s_disk_stand_beside_those_of_its_target() {
    let parent = tempfile::tempdir().unwrap();
    let dir = RunDir::create_without_plan(parent.path(), &run()).unwrap();
    let of = |target: &str, name: &str| DiskStage { target: target.into(), ..stage(name, 1) };
    let second = DiskSecond { end_ms: 1000, duration_ms: 1000, read: None, write: None };
    let stages = [of("ssd", "wal"), of("ssd/xfs", "wal")];
    dir.write_disk_stage(&stages[1], None, &[second]).unwrap();
    dir.write_disk_stage(&stages[0], None, &[]).unwrap();
    dir.write_disk_stage(&of("ssd", "xfs"), None, &[]).unwrap();
    let found = dir.disk_stages().unwrap();
    assert_eq!(
        found.iter().map(|stage| (stage.target.as_str(), stage.name.as_str())).collect::<Vec<_>>(),
        [("ssd", "wal"), ("ssd", "xfs"), ("ssd/xfs", "wal")]
    );
    assert_eq!(dir.disk_seconds(&stages[1]).unwrap(), [second]);
}
