//! Judgements on runs made of a few numbers: what counts, what does not, what is said, and when it is enough.

use std::collections::BTreeMap;

use results::facts::{
    self, CgroupLimits, ConnectionEncryption, HostFacts, OfPlatform, Path, Platform, ServerFacts, ServerSetting,
    TargetFacts, Transport,
};
use results::run::{FORMAT, GeneratorMachine, Run};
use results::store::RunDir;
use results::trial::{
    self, Cell, EngineTotals, EventRecord, FailoverStep, Gap, Incident, LatencySummary, LoadTotals, Outage,
    PhaseRecord, Role, SessionsOf, SmartShutdown, Stepped, Trial, TrialOutcome, TrialPhase,
};
use stats::verdict::Verdict;

use judge::caveats::Caveat;
use judge::compare::{LayerLadder, LayerStep, Metric, RunQuestion, RunState};
use judge::observed::Observed;
use judge::stopping::Searches;
use judge::{Judgement, RegressionAnswer, judge_run, judge_separate, judge_so_far};
use plan::parse_plan;
use plan::schedule::schedule_trials;

const PLAN: &str = "
name: a test
targets: { old: { url: 'host=a' }, new: { url: 'host=b' } }
baseline: old
may_differ: [version]
workloads: { read: { builtin: select-only, scale: 1 } }
clients: [8]
trial: { warm_up: 2s, measure: 10s }
blocks: { at_least: 3, at_most: 6, until: 2% }
seed: 1
";

fn remaining(observed: &Observed) -> Vec<u32> {
    judge::stopping::remaining_trials(&observed.run, &RunQuestion::of_run(observed), &observed.trials)
}

/// A run of [`PLAN`] whose trials have these throughputs, block by block: `[old, new]`.
fn observed(blocks: &[[f64; 2]]) -> Observed {
    observed_with(PLAN, blocks)
}

fn observed_with(plan_yaml: &str, blocks: &[[f64; 2]]) -> Observed {
    let plan = parse_plan("plan.yaml", plan_yaml.as_bytes()).unwrap();
    let schedule = schedule_trials(&plan, 1);
    let measured = |scheduled: &results::run::ScheduledTrial| {
        let [old, new] = *blocks.get(scheduled.block as usize - 1)?;
        // The second execution of the baseline is 1 % faster, so that the two can be told apart.
        let tps = match (scheduled.cell.target.as_str(), scheduled.role) {
            ("old", Role::Main) => old,
            ("old", Role::NoiseFloor) => old * 1.01,
            _ => new,
        };
        Some(trial(scheduled.number, scheduled.block, &scheduled.cell, scheduled.role, tps))
    };
    Observed {
        trials: schedule.trials.iter().filter_map(measured).collect(),
        run: Run {
            format: FORMAT,
            id: "2026-11-20T09-12-00-a-test".to_owned(),
            name: "a test".to_owned(),
            pgdyno_version: "0.1.0".to_owned(),
            started_at: "2026-11-20T09:12:00Z".parse().unwrap(),
            generator: Some(GeneratorMachine { cpus: 2, kernel: "6.18".to_owned() }),
            schedule,
            imported: None,
        },
        plan: Some(plan),
        plan_yaml: plan_yaml.to_owned(),
        facts: [("old", 17), ("new", 18)].map(|(name, major)| (name.to_owned(), facts(name, major))).into(),
        series: BTreeMap::new(),
        turns: BTreeMap::new(),
        tallies: BTreeMap::new(),
        seen: BTreeMap::new(),
        watched: BTreeMap::new(),
        workloads: BTreeMap::new(),
        asked: Vec::new(),
        disks: Vec::new(),
        tuning: None,
        viewers: Vec::new(),
        load_place: None,
        rehearsal: None,
    }
}

fn engine_totals() -> EngineTotals {
    EngineTotals {
        backend: "epoll".to_owned(),
        threads: 1,
        cpu_us: 1,
        cpu_system_us: None,
        busiest_thread: 0.1,
        busiest_demand: None,
        late_sends: 0,
        send_lag_ns: 0,
        loop_lag_ns_max: 0,
    }
}

fn trial(number: u32, block: u32, cell: &Cell, role: Role, tps: f64) -> Trial {
    let mean_ns = f64::from(cell.clients.known_count().expect("a number")) / tps * 1e9;
    let ns = mean_ns as u64;
    Trial {
        format: trial::FORMAT,
        number,
        block,
        cell: cell.clone(),
        role,
        step: None,
        outcome: TrialOutcome::Completed,
        phases: vec![PhaseRecord {
            phase: TrialPhase::Measure,
            started_at: "2026-11-20T09:13:00Z".parse().unwrap(),
            duration_us: 10_000_000,
        }],
        preparation: vec![],
        finishing: vec![],
        settings: BTreeMap::new(),
        turns: None,
        load: Some(LoadTotals {
            measure_us: 10_000_000,
            transactions: (tps * 10.0) as u64,
            failed: 0,
            unknown: 0,
            errors: BTreeMap::new(),
            first_errors: Vec::new(),
            latency: Some(LatencySummary {
                mean_ns,
                stddev_ns: 0.0,
                min_ns: ns,
                p50_ns: ns,
                p95_ns: ns,
                p99_ns: ns,
                p999_ns: ns,
                max_ns: ns,
            }),
            late: None,
            retried: 0,
            retries: 0,
            open: None,
            connected_us: Some(20_000),
            connecting: None,
            queries: None,
            ledger: None,
            generator: None,
            sent_from: None,
            generators: Vec::new(),
            scripts: BTreeMap::new(),
            outages: vec![],
            standstills: None,
            engine: engine_totals(),
            path: None,
            waits: None,
        }),
        told: None,
        observer: None,
        events: Vec::new(),
        beside: Vec::new(),
        provider: None,
        incidents: vec![],
    }
}

fn facts(name: &str, major: u32) -> TargetFacts {
    TargetFacts {
        format: facts::FORMAT,
        name: name.to_owned(),
        platform: Platform::Url,
        read_at: "2026-11-20T09:12:00Z".parse().unwrap(),
        path: Path {
            transport: Transport::Tcp,
            address: name.to_owned(),
            port: 5432,
            same_host: false,
            layers: Vec::new(),
            encryption: None,
            round_trip_us: None,
            server_end: None,
        },
        server: ServerFacts {
            database: None,
            version: format!("PostgreSQL {major}.1 on x86_64"),
            version_num: major * 10_000 + 1,
            in_recovery: false,
            started_at: None,
            database_bytes: None,
            databases: BTreeMap::new(),
            locale: Some("UTF8 C libc".to_owned()),
            build: None,
            extensions: None,
            restored_tables: None,
            restore_durations: None,
        },
        standbys: None,
        settings: [("work_mem".to_owned(), setting("4MB", "default"))].into(),
        host: Some(HostFacts {
            cpu_model: Some("a CPU".to_owned()),
            cpus: 2,
            numa_nodes: None,
            memory_bytes: 1 << 30,
            kernel: "6.18".to_owned(),
            os: None,
            virtualization: None,
            machine: None,
            data_disk: None,
            wal_disk: None,
            kernel_settings: BTreeMap::new(),
            cgroup: CgroupLimits::default(),
            pinned_to: None,
        }),
        of_platform: None,
        limits: Vec::new(),
        agent: None,
        gaps: BTreeMap::new(),
    }
}

fn setting(value: &str, source: &str) -> ServerSetting {
    ServerSetting {
        value: value.to_owned(),
        default: Some("4MB".to_owned()),
        source: source.to_owned(),
        pending_restart: false,
    }
}

/// Steady blocks in which the candidate has this share of the baseline's throughput.
fn steady(share: f64, blocks: usize) -> Vec<[f64; 2]> {
    let wobble = [0.0, 0.004, -0.004, 0.002, -0.002, 0.003];
    (0..blocks).map(|block| [1000.0, 1000.0 * share * (1.0 + wobble[block % wobble.len()])]).collect()
}

fn lose_a_connection(trial: &mut Trial) {
    let outage =
        Outage { client: 3, start_us: 1, end_us: None, cause: "connection reset by peer".to_owned(), in_flight: false };
    trial.load.as_mut().unwrap().outages.push(outage);
}

#[test]
fn a_loss_beyond_the_threshold_is_a_regression_in_verdict_headline_and_exit_status() {
    let judgement = judge_run(&observed(&steady(0.89, 6)));
    assert_eq!(judgement.comparison.pairs[0].verdict(), Verdict::Regressed);
    assert_eq!(judgement.answer(), RegressionAnswer::Regression);
    insta::assert_snapshot!(judgement.headline, @"new against old: read loses 11 % [−11.3, −10.6] % at 8 clients.");
}

#[test]
fn losses_that_fall_in_the_family_are_undecided_in_headline_and_exit_status() {
    // Each by itself has p = 0.04.
    let blocks: Vec<[f64; 2]> = [985.3, 918.3].repeat(3).into_iter().map(|new| [1000.0, new]).collect();
    assert_eq!(judge_run(&observed(&blocks)).answer(), RegressionAnswer::Regression);
    let judgement = judge_run(&observed_with(&PLAN.replace("clients: [8]", "clients: [8, 16]"), &blocks));
    assert_eq!(judgement.comparison.pairs.len(), 2);
    assert!(judgement.comparison.pairs.iter().all(|pair| pair.verdict() == Verdict::Regressed));
    insta::assert_snapshot!(judgement.headline, @"new against old: read has not enough data for a verdict: it loses 4.9 % [−9.3, −0.3] % at 16 clients, which is not significant after the correction for multiple comparisons.");
    assert_eq!(judgement.answer(), RegressionAnswer::NotEnoughData);
}

#[test]
fn several_workloads_have_a_line_each() {
    let two = PLAN.replace("scale: 1 } }", "scale: 1 }, again: { builtin: select-only, scale: 1 } }");
    let judgement = judge_run(&observed_with(&two, &steady(1.0, 6)));
    let expected = "new against old\n  again is equivalent (within ±3 %)\n  read is equivalent (within ±3 %)";
    assert_eq!(judgement.headline, expected);
}

#[test]
fn a_change_between_servers_that_were_made_is_of_these_two() {
    let said = |plan: &str, by: f64| {
        let judgement = judge_run(&observed_with(plan, &steady(by, 6)));
        judgement.issues.iter().any(|issue| issue.text.contains("one server each"))
    };
    let made = PLAN.replace("{ url: 'host=a' }", "{ local: { version: 17 } }");
    let made = made.replace("{ url: 'host=b' }", "{ local: { version: 18 } }");
    assert!(said(&made, 1.2));
    let in_a_pod = "{ kubernetes: { namespace: bench, create: { pod: { image: postgres } } } }";
    assert!(said(&made.replace("{ local: { version: 18 } }", in_a_pod), 1.2), "wherever they were made");
    let restarted = made.replace("until: 2%", "until: 2%, restart: true");
    assert!(!said(&restarted, 1.2), "each block had other ones");
    assert!(!said(&made, 1.0), "where nothing is claimed, nothing is doubted");
    assert!(!said(PLAN, 1.2), "servers that exist are the ones that are asked about");
}

#[test]
fn a_gain_is_told_as_a_gain() {
    let judgement = judge_run(&observed(&steady(1.2, 6)));
    assert_eq!(judgement.comparison.pairs[0].verdict(), Verdict::Improved);
    assert_eq!(judgement.answer(), RegressionAnswer::NoRegression);
    insta::assert_snapshot!(judgement.headline, @"new against old: read gains 20.1 % [+19.6, +20.5] % at 8 clients.");
}

#[test]
fn what_lies_within_the_threshold_is_equivalent() {
    let judgement = judge_run(&observed(&steady(1.0, 6)));
    assert_eq!(judgement.comparison.pairs[0].verdict(), Verdict::Equivalent);
    insta::assert_snapshot!(judgement.headline, @"new against old: read is equivalent (within ±3 %).");
}

#[test]
fn latency_falls_when_throughput_rises_and_that_is_better() {
    let judgement = judge_run(&observed(&steady(1.2, 6)));
    let latency = &judgement.comparison.pairs[0].metrics[1];
    assert!(latency.change.unwrap().point < -0.15);
    assert_eq!(latency.verdict, Verdict::Improved);
}

#[test]
fn two_blocks_are_not_enough_whatever_they_say() {
    let judgement = judge_run(&observed(&steady(0.5, 2)));
    assert!(matches!(judgement.comparison.pairs[0].verdict(), Verdict::NotEnoughData { .. }));
    assert_eq!(judgement.answer(), RegressionAnswer::NotEnoughData);
    assert_eq!(judgement.comparison.state, RunState::Unfinished);
}

#[test]
fn where_there_is_no_verdict_it_says_in_one_line_what_is_left_open() {
    let judgement = judge_run(&observed(&[[1000.0, 960.0], [1000.0, 1040.0], [1000.0, 980.0], [1000.0, 1000.0]]));
    let text = report::terminal_text(&judgement, false, Some(120));
    let first = text.lines().find(|line| line.contains("the change in")).unwrap();
    insta::assert_snapshot!(first.trim(), @"new against old: read has not enough data for a verdict; the change in throughput is between −8.8 and +8.4 %.");
    let settle = text.lines().find(|line| line.contains("more blocks")).unwrap();
    insta::assert_snapshot!(settle.trim(), @r##"not enough data in 1 of 1 comparisons: about 25 more blocks would probably settle it"##);
    let latency = observed_with(&PLAN.replace("scale: 1 }", "scale: 1, rate: 100/s }"), &steady(1.0, 2));
    assert!(
        !report::terminal_text(&judge_run(&latency), false, None).contains("the change in"),
        "two blocks exclude nothing"
    );
}

#[test]
fn one_block_shows_its_figures_and_says_that_they_are_of_one_run() {
    let judgement = judge_run(&observed(&steady(0.5, 1)));
    let text = report::terminal_text(&judgement, false, None);
    assert!(text.contains("1000 tps") && text.contains("500 tps"), "{text}");
    assert!(text.contains("not include run-to-run variation"), "{text}");
    assert_eq!(judgement.answer(), RegressionAnswer::NotEnoughData);
}

#[test]
fn a_trial_that_lost_a_connection_is_shown_and_not_compared() {
    let mut observed = observed(&steady(0.89, 6));
    let lost = observed.trials.iter_mut().find(|t| t.block == 2 && t.cell.target == "new").unwrap();
    lose_a_connection(lost);
    let number = lost.number;
    let judgement = judge_run(&observed);
    let pair = &judgement.comparison.pairs[0];
    assert_eq!(pair.blocks.iter().map(|b| b.block).collect::<Vec<_>>(), [1, 3, 4, 5, 6]);
    assert_eq!(pair.excluded[0].trial, number);
    let text = report::terminal_text(&judgement, false, None);
    assert!(text.contains("connection reset by peer"), "{text}");
}

#[test]
fn a_trial_in_which_transactions_failed_is_not_compared() {
    let mut observed = observed(&steady(0.89, 6));
    let load = observed.trials[0].load.as_mut().unwrap();
    load.failed = load.transactions / 50;
    load.errors = [("25006".to_owned(), load.failed)].into();
    let judgement = judge_run(&observed);
    assert_eq!(judgement.comparison.pairs[0].blocks.len(), 5);
    assert!(
        judgement.comparison.pairs[0].excluded[0].reason.contains("25006"),
        "{:?}",
        judgement.comparison.pairs[0].excluded
    );
}

#[test]
fn no_verdict_comes_from_trials_that_all_lost_connections() {
    let mut observed = observed(&steady(0.5, 6));
    observed.trials.iter_mut().for_each(lose_a_connection);
    let judgement = judge_run(&observed);
    assert!(matches!(judgement.comparison.pairs[0].verdict(), Verdict::NotEnoughData { .. }));
    assert_eq!(judgement.comparison.pairs[0].deciding_change(), None);
}

#[test]
fn an_outlying_block_is_flagged_and_stays() {
    let mut blocks = steady(1.0, 6);
    blocks[3][1] = 500.0;
    let judgement = judge_run(&observed(&blocks));
    let pair = &judgement.comparison.pairs[0];
    assert_eq!(pair.blocks.len(), 6);
    assert!(pair.blocks[3].outlying);
    assert!(pair.blocks[3].change_without.unwrap().abs() < 0.01);
    assert!(pair.deciding_change().unwrap().point < -0.05);
}

#[test]
fn the_stopping_rule_ends_a_precise_comparison_and_only_looks_at_whole_blocks() {
    let left = |observed: &Observed| remaining(observed);
    let enough = (3..6).find(|blocks| left(&observed(&steady(1.0, *blocks))).is_empty()).unwrap();
    let mut observed = observed(&steady(1.0, enough));
    let last = observed.trials.iter().position(|t| t.block == enough as u32 && t.cell.target == "new").unwrap();
    let missing = observed.trials.remove(last).number;
    assert!(left(&observed).contains(&missing));
}

#[test]
fn a_noisy_comparison_goes_on_to_its_last_block() {
    let noisy: Vec<[f64; 2]> = [800.0, 1300.0, 900.0, 1200.0].map(|new| [1000.0, new]).to_vec();
    let observed = observed(&noisy);
    let left = remaining(&observed);
    assert_eq!(left.len(), 2 * 2);
}

#[test]
fn until_a_verdict_a_comparison_goes_on_however_narrow_and_ends_with_one_however_wide() {
    let plan = PLAN.replace("at_most: 6, until: 2%", "at_most: 40, until: verdict");
    let left = |blocks: &[[f64; 2]]| remaining(&observed_with(&plan, blocks)).len();
    assert_eq!(left(&steady(0.5, 8)), 0, "a loss");
    assert_eq!(left(&steady(1.0, 8)), 0, "equivalent");
    let wild = [[1000.0, 880.0], [1000.0, 1150.0]].repeat(4);
    assert_eq!(left(&wild), 2 * 32, "nothing is excluded");
}

#[test]
fn no_block_begins_that_would_go_beyond_the_time_and_the_last_has_the_level_of_the_last() {
    let plan = PLAN.replace("at_most: 6, until: 2%", "until: verdict, at_most_time: 95s");
    let noisy: Vec<[f64; 2]> = [800.0, 1300.0, 900.0, 1200.0].map(|new| [1000.0, new]).to_vec();
    assert!(!remaining(&observed_with(&plan, &noisy[..3])).is_empty(), "60 s, and another block takes 20 s");
    let mut observed = observed_with(&plan, &noisy);
    assert_eq!(remaining(&observed), [0; 0], "80 s, and another block takes 20 s");
    let question = RunQuestion::of_run(&observed);
    assert_eq!(question.blocks.at_most, 4);
    assert_eq!(question.blocks.stopping_rule().level_at(4), stats::stopping::VERDICT_LAST);
    // Trials that took turns were executed in the same time.
    let numbers: Vec<u32> = observed.trials.iter().map(|trial| trial.number).collect();
    for trial in &mut observed.trials {
        trial.turns = Some(trial::TurnTotals { with: vec![numbers[0]], length_us: 100_000 });
    }
    assert!(!remaining(&observed).is_empty(), "40 s");
}

#[test]
fn a_change_of_sides_that_write_by_turns_says_by_its_row_that_it_looks_smaller_than_it_is() {
    let of = |plan: &str, started_at: [Option<&str>; 2]| {
        let mut observed = observed_with(plan, &steady(1.1, 6));
        for trial in &mut observed.trials {
            trial.turns = Some(trial::TurnTotals { with: vec![], length_us: 100_000 });
        }
        for (target, at) in ["old", "new"].into_iter().zip(started_at) {
            let server = &mut observed.facts.get_mut(target).unwrap().server;
            server.started_at = at.map(|at| at.parse().unwrap());
        }
        let text = report::terminal_text(&judge_run(&observed), false, None);
        text.lines().find(|line| line.contains("in alternate slices:")).map(|line| line.trim().to_owned())
    };
    let writes = PLAN.replace("select-only", "tpcb-like").replace("seed: 1", "interleave: slices\nseed: 1");
    let (then, later) = (Some("2026-11-20T09:00:00Z"), Some("2026-11-20T09:00:01Z"));
    insta::assert_snapshot!(of(&writes, [then, later]).unwrap(), @"read at 8 clients, new: improved: throughput rose; the interval excludes 0 (6 blocks); its sides write in alternate slices: the deferred work of one side (WAL, dirty pages) continues in the other's slices, so the difference is underestimated (`interleave: trials` measures it in full)");
    insta::assert_snapshot!(of(&writes, [then, then]).unwrap(), @"read at 8 clients, new: improved: throughput rose; the interval excludes 0 (6 blocks); its sides write in alternate slices: one server does the deferred work of both (WAL, dirty pages, checkpoints, autovacuum), so a difference in that work is not measured (`interleave: trials` measures it in full)");
    assert_eq!(of(PLAN, [then, later]), None, "it only reads");
}

#[test]
fn a_trial_that_failed_or_was_interrupted_remains_to_be_executed() {
    let mut observed = observed(&steady(1.0, 2));
    observed.trials[1].outcome = TrialOutcome::Interrupted;
    let number = observed.trials[1].number;
    assert!(remaining(&observed).contains(&number));
}

#[test]
fn the_noise_floor_is_the_baseline_s_second_execution_and_doubts_the_run_when_it_differs() {
    let plan = PLAN.replace("seed: 1", "seed: 1\nnoise_floor: true");
    let judgement = judge_run(&observed_with(&plan, &steady(1.0, 6)));
    let change = judgement.comparison.noise_floor[0].deciding_change().unwrap();
    assert!((change.point - 0.01).abs() < 0.001, "{change:?}");
    assert!(report::terminal_text(&judgement, false, None).contains("Noise floor (old against itself)"));
    assert!(has_issue(&judgement, "differs from itself"), "{:?}", judgement.issues);
}

#[test]
fn undeclared_differences_are_one_issue_that_is_printed_once() {
    let mut observed = observed(&steady(1.0, 6));
    let new = observed.facts.get_mut("new").unwrap();
    new.host.as_mut().unwrap().kernel = "6.8".to_owned();
    new.settings.insert("work_mem".to_owned(), setting("64MB", "configuration file"));
    let judgement = judge_run(&observed);
    let what: Vec<&str> = judgement.comparison.confounders.iter().map(|c| c.difference.what.as_str()).collect();
    assert_eq!(what, ["work_mem", "kernel"]);
    let text = report::terminal_text(&judgement, false, None);
    for difference in ["work_mem: 4MB / 64MB", "kernel: 6.18 / 6.8"] {
        assert_eq!(text.matches(difference).count(), 1, "{difference}: {text}");
    }
    assert_eq!(text.matches("undeclared-difference").count(), 1, "{text}");
}

#[test]
fn encryption_is_the_first_of_the_differences_and_what_an_operator_chooses_by_itself_is_one_of_them() {
    let mut observed = observed(&steady(1.0, 6));
    let chosen = ["wal_level", "archive_mode"];
    for (name, value) in [("old", "off"), ("new", "on")] {
        let facts = observed.facts.get_mut(name).unwrap();
        let settings = chosen.iter().chain(&["jit"]);
        facts.settings.extend(settings.map(|name| ((*name).to_owned(), setting(value, "configuration file"))));
    }
    observed.facts.get_mut("old").unwrap().path.encryption = Some(ConnectionEncryption::Nothing);
    let new = observed.facts.get_mut("new").unwrap();
    new.path.encryption =
        Some(ConnectionEncryption::Tls { version: "TLSv1.3".to_owned(), cipher: "AES".to_owned(), certificate: None });
    let set_by_operator = chosen.map(str::to_owned).to_vec();
    new.of_platform = Some(OfPlatform { facts: BTreeMap::new(), set_by_operator });
    let confounders = judge_run(&observed).comparison.confounders;
    let what: Vec<&str> = confounders.iter().map(|confounder| confounder.difference.what.as_str()).collect();
    assert_eq!(what, ["encryption", "jit", "settings chosen by the operator"]);
    assert_eq!(confounders[0].difference.values_in_words(), ["none", "TLSv1.3, AES"]);
    assert_eq!(confounders[2].difference.values_in_words()[1], "archive_mode = on, wal_level = on");
}

#[test]
fn differences_are_grouped_said_once_of_several_candidates_and_ranked_by_what_they_can_cost() {
    let plan = PLAN.replacen("new: {", "further: { url: 'host=c' }, new: {", 1);
    assert_ne!(plan, PLAN);
    let mut observed = observed_with(&plan, &steady(1.0, 6));
    let differ = [
        ("DateStyleOfOurs", "b"),
        ("hot_standby_feedback", "on"),
        ("log_connections", "on"),
        ("log_statement", "all"),
        ("max_connections", "300"),
        ("ssl_ciphers", "HIGH"),
        ("synchronous_commit", "off"),
        ("wal_level", "logical"),
    ];
    for (target, changed) in [("old", false), ("new", true)] {
        let settings = &mut observed.facts.get_mut(target).unwrap().settings;
        let value = |new: &'static str| if changed { new } else { "before" };
        settings
            .extend(differ.iter().map(|(name, new)| ((*name).to_owned(), setting(value(new), "configuration file"))));
    }
    let new = observed.facts.get_mut("new").unwrap();
    new.host.as_mut().unwrap().cpus += 1;
    let further = results::facts::TargetFacts { name: "further".to_owned(), ..observed.facts["new"].clone() };
    observed.facts.insert("further".to_owned(), further);
    let confounders = judge_run(&observed).comparison.confounders;
    let what: Vec<&str> = confounders.iter().map(|found| found.difference.what.as_str()).collect();
    let expected = [
        "synchronous_commit",
        "CPUs",
        "settings of replication and archiving",
        "settings of logging",
        "DateStyleOfOurs",
        "max_connections",
        "ssl_ciphers",
    ];
    assert_eq!(what, expected, "{confounders:#?}");
    assert!(confounders.iter().all(|found| found.candidates.len() == 2), "{confounders:#?}");
    assert_eq!(confounders[3].difference.values_in_words()[1], "log_statement = all, log_connections = on");
}

#[test]
fn a_default_that_the_version_changed_belongs_to_the_version() {
    let mut observed = observed(&steady(1.0, 6));
    let new = observed.facts.get_mut("new").unwrap();
    new.settings.insert("work_mem".to_owned(), setting("8MB", "default"));
    assert_eq!(judge_run(&observed).comparison.confounders, []);
}

#[test]
fn the_same_caveat_of_many_trials_is_said_once() {
    let mut observed = observed(&steady(1.0, 6));
    observed.trials.iter_mut().for_each(|trial| trial.incidents.push(Incident::Cancelled { transactions: 1 }));
    let judgement = judge_run(&observed);
    let cancelled: Vec<_> =
        judgement.issues.iter().filter(|issue| issue.code.name == "transactions-cancelled").collect();
    assert_eq!(cancelled.len(), 1);
    assert_eq!(cancelled[0].trials.len(), 12);
}

#[test]
fn a_trial_whose_pod_was_lost_is_shown_and_not_compared_unless_it_is_about_that() {
    let said = "the pod db-1 has failed: Evicted: The node was low on memory.";
    let mut observed = observed(&steady(1.0, 6));
    let lost = observed.trials.iter_mut().find(|trial| trial.cell.target == "new").expect("a trial");
    lost.incidents.push(Incident::PodLost { said: said.to_owned() });
    let number = lost.number;
    let judgement = judge_run(&observed);
    let pair = &judgement.comparison.pairs[0];
    let excluded: Vec<(u32, &str)> = pair.excluded.iter().map(|of| (of.trial, of.reason.as_str())).collect();
    assert_eq!(excluded, [(number, said)]);
    let text = &report::build_report(&observed, &judgement).comparisons[0].verdict_text;
    assert!(text.contains("1 trial of new is excluded") && text.contains(said), "{text}");
    assert!(judgement.issues.iter().any(|issue| issue.text.contains(said)), "{:?}", judgement.issues);

    let lost = observed.trials.iter_mut().find(|trial| trial.number == number).expect("a trial");
    lost.events.push(EventRecord {
        name: "away".to_owned(),
        what: "command".to_owned(),
        planned_us: 1_000_000,
        requested_us: 1_000_000,
        requested_at: "2026-11-20T09:13:05Z".parse().unwrap(),
        took_us: Some(1),
        write_gap: None,
        read_gap: None,
        steps: Vec::new(),
        smart_shutdown: None,
        error: None,
    });
    assert_eq!(judge_run(&observed).comparison.pairs[0].excluded, []);
}

#[test]
fn two_runs_made_separately_are_compared_unpaired_and_it_is_said() {
    let one = || observed(&steady(1.0, 6));
    let (both, judgement) = judge_separate(one(), one(), RunQuestion::of_run(&observed(&[]))).unwrap();
    assert!(!judgement.comparison.paired);
    assert!(has_issue(&judgement, "two runs"), "{:?}", judgement.issues);
    assert_eq!(judgement.comparison.question.candidates, ["old-of-2026-11-20T09-12-00-a-test"]);
    assert_eq!(both.trials.len(), 12, "the baseline of each");
    let comparison = &report::build_report(&both, &judgement).comparisons[0];
    assert!(comparison.verdict_text.contains("(6 trials per side)"), "{}", comparison.verdict_text);
    assert_eq!(report::build_report(&both, &judgement).trials.len(), 12, "the timelines of each");
    let audit = judgement.audit.as_ref().unwrap();
    let verdict = |id: &str| &audit.findings.iter().find(|(check, _)| check.code.name == id).unwrap().1.verdict;
    assert_eq!(*verdict("no-repetition"), judge::audit::CheckRuling::Holds, "six blocks of each");
}

#[test]
fn what_the_plans_of_two_runs_ask_otherwise_is_a_doubt() {
    let baseline = observed(&steady(1.0, 3));
    let question = RunQuestion::of_run(&baseline);
    let other = observed_with(&PLAN.replace("select-only", "simple-update"), &steady(1.0, 3));
    let (_, judgement) = judge_separate(baseline, other, question).unwrap();
    assert!(has_issue(&judgement, "differ in the workload read"), "{:?}", judgement.issues);
}

#[test]
fn runs_without_a_common_workload_cannot_be_compared() {
    let other = observed_with(&PLAN.replace("clients: [8]", "clients: [9]"), &steady(1.0, 3));
    let baseline = observed(&steady(1.0, 3));
    let question = RunQuestion::of_run(&baseline);
    let error = judge_separate(baseline, other, question).unwrap_err();
    assert!(error.to_string().ends_with("have no workload with the same number of clients in common"), "{error}");
}

#[test]
fn a_run_directory_of_the_first_format_still_loads_and_is_judged() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../results/tests/fixtures/run-format-1");
    let dir = RunDir::open(std::path::Path::new(path)).unwrap();
    let observed = Observed::read(&dir).unwrap();
    assert_eq!(observed.trials.len(), 6);
    for trial in &observed.trials {
        let logged: u64 = dir.latency_log(trial.number).unwrap().iter().map(|i| i.histogram.len()).sum();
        let counted: u64 = dir.trial_intervals(trial.number).unwrap().iter().map(|i| i.transactions).sum();
        assert_eq!(logged, counted, "trial {}", trial.number);
    }
    let judgement = judge_run(&observed);
    assert_eq!(judgement.comparison.state, RunState::Complete);
    insta::assert_snapshot!(judgement.headline, @"more against plain: write has not enough data for a verdict; the change in throughput is between −28.7 and +115 %.");
}

#[test]
fn a_whole_report_on_a_terminal_reads_like_this() {
    let judgement = judge_run(&observed(&steady(0.89, 6)));
    insta::assert_snapshot!(report::terminal_text(&judgement, false, Some(120)), @r##"
    new against old: read loses 11 % [−11.3, −10.6] % at 8 clients.
    6 blocks, 2 min of measuring, interleaved blocks, closed loop, threshold ±3 %

    Verdicts
     workload  clients     old (baseline)               new   change     95 % interval  verdict
     read            8  1000 tps  8.00 ms  890 tps  8.98 ms  −11.0 %  [−11.3, −10.6] %  regressed

    Workloads
     workload  transaction             data                   load
     read      select-only of pgbench  scale 1, about 15 MiB  closed loop

    Throughput and latency of each target
     workload  target  clients  throughput     95 % interval  mean latency  p99 latency  blocks
     read      old           8    1000 tps  [1000, 1000] tps       8.00 ms      8.00 ms       6
     read      new           8     890 tps    [888, 893] tps       8.98 ms      8.98 ms       6

    Percentiles of the latency
     target  workload  clients  percentile      baseline  candidate   change     95 % interval  verdict
     new     read            8  median latency   8.00 ms    8.98 ms  +12.3 %  [+11.9, +12.7] %  within ±20 % (costs)
     new     read            8  p95 latency      8.00 ms    8.98 ms  +12.3 %  [+11.9, +12.7] %  within ±20 % (costs)
     new     read            8  p99 latency      8.00 ms    8.98 ms  +12.3 %  [+11.9, +12.7] %  within ±20 % (costs)
     new     read            8  p99.9 latency    8.00 ms    8.98 ms  +12.3 %  [+11.9, +12.7] %  –

    Spread of latency, and the time to connect
     workload  clients  target  mean latency  standard deviation  95 % interval  connected after    95 % interval
     read            8  old          8.00 ms                0 µs      [0, 0] µs          20.0 ms  [20.0, 20.0] ms
     read            8  new          8.98 ms                0 µs      [0, 0] µs          20.0 ms  [20.0, 20.0] ms

    Audit
     31 checks: 24 hold, 0 broken, 7 cannot tell
    "##);
}

#[test]
fn a_first_screen_reads_like_this() {
    let mut observed = observed(&steady(0.89, 6));
    observed.facts.get_mut("new").unwrap().host.as_mut().unwrap().kernel = "6.8".to_owned();
    let lost = observed.trials.iter_mut().find(|trial| trial.block == 2 && trial.cell.target == "new").unwrap();
    lose_a_connection(lost);
    let judgement = judge_run(&observed);
    insta::assert_snapshot!(report::first_screen(&judgement, false, Some(120)), @r##"
    new against old: read loses 11 % [−11.5, −10.6] % at 8 clients.
    6 blocks, 2 min of measuring, interleaved blocks, closed loop, threshold ±3 %
    ! confounders, which the plan does not allow: kernel (6.18 / 6.8)
    ! read at 8 clients: 1 trial of new is excluded (trial 4: 1 connection was lost while measuring: connection reset by
      peer)

     workload  clients     old (baseline)               new   change     95 % interval  verdict
     read            8  1000 tps  8.00 ms  890 tps  8.99 ms  −11.0 %  [−11.5, −10.6] %  regressed
    "##);
}

#[test]
fn a_whole_report_in_markdown_reads_like_this() {
    let judgement = judge_run(&observed(&steady(0.89, 6)));
    insta::assert_snapshot!(report::judgement_markdown(&judgement, "a | test"), @r##"
    ## a \| test

    **new against old: read loses 11 % \[−11.3, −10.6\] % at 8 clients.** 6 blocks, 2 min of measuring, interleaved blocks, closed loop, threshold ±3 %.


    ### Verdicts

    | workload | clients | old (baseline) | new | change | 95 % interval | verdict |
    |---|--:|--:|--:|--:|--:|---|
    | read | 8 | 1000 tps  8.00 ms | 890 tps  8.98 ms | −11.0 % | \[−11.3, −10.6\] % | regressed |

    ### Workloads

    | workload | transaction | data | load |
    |---|---|---|---|
    | read | select-only of pgbench | scale 1, about 15 MiB | closed loop |

    ### Throughput and latency of each target

    | workload | target | clients | throughput | 95 % interval | mean latency | p99 latency | blocks |
    |---|---|--:|--:|--:|--:|--:|--:|
    | read | old | 8 | 1000 tps | \[1000, 1000\] tps | 8.00 ms | 8.00 ms | 6 |
    | read | new | 8 | 890 tps | \[888, 893\] tps | 8.98 ms | 8.98 ms | 6 |

    ### Percentiles of the latency

    | target | workload | clients | percentile | baseline | candidate | change | 95 % interval | verdict |
    |---|---|--:|---|--:|--:|--:|--:|---|
    | new | read | 8 | median latency | 8.00 ms | 8.98 ms | +12.3 % | \[+11.9, +12.7\] % | within ±20 % (costs) |
    | new | read | 8 | p95 latency | 8.00 ms | 8.98 ms | +12.3 % | \[+11.9, +12.7\] % | within ±20 % (costs) |
    | new | read | 8 | p99 latency | 8.00 ms | 8.98 ms | +12.3 % | \[+11.9, +12.7\] % | within ±20 % (costs) |
    | new | read | 8 | p99.9 latency | 8.00 ms | 8.98 ms | +12.3 % | \[+11.9, +12.7\] % | – |

    ### Spread of latency, and the time to connect

    | workload | clients | target | mean latency | standard deviation | 95 % interval | connected after | 95 % interval |
    |---|--:|---|--:|--:|--:|--:|--:|
    | read | 8 | old | 8.00 ms | 0 µs | \[0, 0\] µs | 20.0 ms | \[20.0, 20.0\] ms |
    | read | 8 | new | 8.98 ms | 0 µs | \[0, 0\] µs | 20.0 ms | \[20.0, 20.0\] ms |

    ### Audit

    31 checks: 24 hold, 0 broken, 7 cannot tell
    "##);
}

/// A run of searches between a rate and another: a step at `rate` keeps its limit of 20 ms up to `[old, new]`.
fn searched(blocks: &[[f64; 2]]) -> Observed {
    let plan =
        PLAN.replace("scale: 1 }", "scale: 1, capacity: { p99: 20ms, from: 100/s, to: 4000/s, precision: 5% } }");
    let mut observed = observed_with(&plan, &[]);
    let question = RunQuestion::of_run(&observed);
    loop {
        let next = remaining(&observed).first().copied();
        let Some(number) = next else { return observed };
        let scheduled = observed.run.schedule.trials[number as usize - 1].clone();
        let Some([old, new]) = blocks.get(scheduled.block as usize - 1) else { return observed };
        let step = Searches::from_trials(&observed.trials).next_step(&question, &scheduled).expect("a step is wanted");
        let capacity = if scheduled.cell.target == "old" { old } else { new };
        let mut trial = trial(number, scheduled.block, &scheduled.cell, scheduled.role, step.rate_per_s);
        trial.step = Some(step);
        let latency = trial.load.as_mut().and_then(|load| load.latency.as_mut()).expect("figures");
        latency.p99_ns = (20e6 * step.rate_per_s / capacity) as u64;
        observed.trials.push(trial);
    }
}

#[test]
fn capacities_are_compared_block_by_block_whatever_the_steps() {
    let observed =
        searched(&[[1000.0, 800.0], [1010.0, 815.0], [990.0, 790.0], [1005.0, 800.0], [998.0, 801.0], [1002.0, 799.0]]);
    let judgement = judge_run(&observed);
    assert_eq!(judgement.comparison.pairs.len(), 1);
    let pair = &judgement.comparison.pairs[0];
    assert_eq!(pair.verdict(), Verdict::Regressed);
    let change = pair.deciding_change().expect("blocks enough");
    assert!(change.interval.contains(-0.2), "{change:?}");
    assert!(judgement.headline.contains("read loses in capacity"), "{}", judgement.headline);
    assert_eq!(judgement.comparison.curves.len(), 2);
    assert!(judgement.comparison.curves.iter().all(|curve| curve.points.iter().any(|point| point.held)));
    assert!(judgement.comparison.ladders.is_empty(), "clients are no ladder in an open loop");
    let numbers: Vec<u32> = observed.trials.iter().map(|trial| trial.number).collect();
    assert!(
        numbers.len() < observed.run.schedule.trials.len() / 2,
        "searches leave out the steps that they do not need"
    );
}

#[test]
fn the_sides_of_a_search_take_their_steps_in_turns() {
    let observed = searched(&[[1000.0, 800.0]]);
    let steps: Vec<(u32, &str)> =
        observed.trials.iter().map(|trial| (trial.step.expect("a step").index, trial.cell.target.as_str())).collect();
    assert!(steps.is_sorted_by_key(|(index, _)| *index), "{steps:?}");
    assert_ne!(steps[0].1, steps[1].1);
}

#[test]
fn a_capacity_beyond_the_search_is_not_compared_and_says_which_end_to_move() {
    let observed = searched(&[[1000.0, 9000.0], [1000.0, 9000.0], [1000.0, 9000.0]]);
    let judgement = judge_run(&observed);
    assert!(matches!(judgement.comparison.pairs[0].verdict(), Verdict::NotEnoughData { .. }));
    assert!(judgement.comparison.pairs[0].excluded.iter().any(|excluded| excluded.reason.contains("raise `to`")));
}

#[test]
fn a_step_that_was_stopped_before_it_measured_establishes_no_capacity() {
    let mut observed = searched(&[[1000.0, 800.0]]);
    let stop = |trial: &mut Trial| (trial.outcome, trial.load) = (TrialOutcome::Interrupted, None);
    let reasons = |observed: &Observed| -> Vec<String> {
        let pair = &judge_run(observed).comparison.pairs[0];
        assert_eq!(pair.blocks, []);
        pair.excluded.iter().map(|excluded| excluded.reason.clone()).collect()
    };
    assert_eq!(judge_run(&observed).comparison.pairs[0].blocks.len(), 1, "both searches have ended");
    stop(observed.trials.iter_mut().rfind(|trial| trial.cell.target == "old").unwrap());
    assert_eq!(reasons(&observed), ["the search for its capacity has not ended"]);
    observed.trials.retain(|trial| trial.cell.target == "new" || trial.outcome == TrialOutcome::Interrupted);
    assert_eq!(reasons(&observed), ["interrupted"]);
}

#[test]
fn the_verdict_on_an_open_loop_is_on_its_latency() {
    let plan = PLAN.replace("scale: 1 }", "scale: 1, rate: 500/s }");
    // In these runs the latency falls as the throughput rises.
    let observed = observed_with(&plan, &steady(0.8, 6));
    let judgement = judge_run(&observed);
    let pair = &judgement.comparison.pairs[0];
    assert_eq!((pair.deciding_metric(), pair.verdict()), (Metric::LatencyMean, Verdict::Regressed));
    assert!(judgement.headline.contains("read is slower by"), "{}", judgement.headline);
    assert!(report::terminal_text(&judgement, false, None).contains("open loop, offered 500/s"));
}

#[test]
fn a_run_directory_of_the_second_format_still_loads_and_is_judged() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../results/tests/fixtures/run-format-2");
    let observed = Observed::read(&RunDir::open(std::path::Path::new(path)).unwrap()).unwrap();
    assert_eq!((observed.run.format, observed.trials[0].format), (2, 2));
    let judgement = judge_run(&observed);
    assert_eq!(judgement.comparison.state, RunState::Complete);
    assert_eq!(judgement.comparison.curves.len(), 2);
    insta::assert_snapshot!(judgement.comparison.service.join("\n"), @"
    own at 4 clients, more: offered 210 tps, achieved 208 tps, 0 skipped, schedule lag p99 4.55 ms, service time p99 8.03 ms (worst trial); 0 of 416 over the latency limit
    own at 4 clients, plain: offered 210 tps, achieved 209 tps, 0 skipped, schedule lag p99 13.7 ms, service time p99 14.7 ms (worst trial); 0 of 418 over the latency limit
    ");
}

#[test]
fn a_trial_of_the_third_format_still_loads_as_one_that_was_executed_alone() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../results/tests/fixtures/run-format-3");
    let dir = RunDir::open(std::path::Path::new(path)).unwrap();
    let observed = Observed::read(&dir).unwrap();
    assert_eq!(observed.trials.iter().map(|trial| trial.format).collect::<Vec<_>>(), [3; 6]);
    assert!(observed.trials.iter().all(|trial| trial.turns.is_none()));
    assert!((1..=6).all(|number| dir.trial_turns(number).unwrap().is_empty()));
    assert_eq!(judge_run(&observed).comparison.state, RunState::Complete);
}

#[test]
fn what_earlier_formats_hold_against_a_trial_is_said_once_and_by_the_rules_of_today() {
    for format in ["run-format-1", "run-format-2"] {
        let path = format!("{}/../results/tests/fixtures/{format}", env!("CARGO_MANIFEST_DIR"));
        let observed = Observed::read(&RunDir::open(std::path::Path::new(&path)).unwrap()).unwrap();
        let judgement = judge_run(&observed);
        for trial in &observed.trials {
            let text = std::fs::read_to_string(format!("{path}/trials/{}/trial.json", trial.number)).unwrap();
            let stored: serde_json::Value = serde_json::from_str(&text).unwrap();
            let stored = stored["caveats"].as_array().unwrap().iter().map(|caveat| match caveat["kind"].as_str() {
                Some("shared-host") => Caveat::SharedHost,
                Some("late-sends") => {
                    let count = |of: &str| caveat[of].as_u64().unwrap();
                    Caveat::LateSends { late: count("late"), of: count("of") }
                }
                other => panic!("{other:?}"),
            });
            let stored: Vec<Caveat> = stored.collect();
            assert_eq!(judgement.caveats[&trial.number], stored, "{format}, trial {}", trial.number);
            assert!(trial.incidents.is_empty());
        }
    }
}

#[test]
fn a_pause_that_a_closed_loop_hides_is_told_with_what_it_hid() {
    let mut observed = observed(&steady(1.0, 3));
    assert!(judge_run(&observed).comparison.service.is_empty(), "an even load hides nothing");
    let load = observed.trials[0].load.as_mut().unwrap();
    load.latency.as_mut().unwrap().max_ns = load.measure_us * 1000 / 50;
    let transactions = load.transactions;
    let [line] = &judge_run(&observed).comparison.service[..] else { panic!("one cell has something to say") };
    assert!(line.contains(&format!("had {} more slow transactions", (transactions as f64 / 50.0).round())), "{line}");
}

/// A ladder of three rungs; the middle one's throughput is that of the last times `middle[block]`.
fn ladder(blocks: &[[f64; 2]], middle: &[f64]) -> Observed {
    let plan = PLAN
        .replace("new: { url: 'host=b' }", "mid: { url: 'host=c' }, new: { url: 'host=b' }")
        .replace("baseline: old", "baseline: old\nladder: [old, mid, new]");
    let mut observed = observed_with(&plan, blocks);
    for one in observed.trials.iter_mut().filter(|trial| trial.cell.target == "mid") {
        let index = one.block as usize - 1;
        *one = trial(one.number, one.block, &one.cell, one.role, blocks[index][1] * middle[index]);
    }
    observed
}

#[test]
fn the_steps_of_a_ladder_multiply_to_the_whole_and_their_milliseconds_add_up_to_it() {
    let blocks = [[1000.0, 800.0], [1010.0, 790.0], [990.0, 820.0], [1005.0, 810.0]];
    let judgement = judge_run(&ladder(&blocks, &[1.1, 1.12, 1.08, 1.11]));
    let [layers] = &judgement.comparison.layers[..] else { panic!("one place: {:?}", judgement.comparison.layers) };
    assert_eq!(layers.blocks, 4);
    let names: Vec<(&str, &str)> = layers.steps.iter().map(|step| (&*step.from, &*step.to)).collect();
    assert_eq!(names, [("old", "mid"), ("mid", "new")]);
    let ratio = |step: &LayerStep| 1.0 + step.metrics[0].change.expect("an interval").point;
    let product: f64 = layers.steps.iter().map(ratio).product();
    assert!((product / ratio(&layers.total) - 1.0).abs() < 1e-9, "{product}");
    let sum: f64 = layers.steps.iter().map(|step| step.added_ms.point).sum();
    assert!((sum - layers.total.added_ms.point).abs() < 1e-9, "{sum}");
    assert_eq!(layers.steps[0].metrics[0].verdict, Verdict::Regressed);
}

#[test]
fn a_block_in_which_a_rung_is_missing_counts_for_none_of_the_steps() {
    let blocks = [[1000.0, 800.0], [1010.0, 790.0], [990.0, 820.0], [1005.0, 810.0]];
    let mut observed = ladder(&blocks, &[1.1; 4]);
    observed.trials.retain(|trial| trial.cell.target != "mid" || trial.block != 2);
    assert_eq!(judge_run(&observed).comparison.layers[0].blocks, 3);
    observed.trials.retain(|trial| trial.cell.target != "mid");
    assert!(judge_run(&observed).comparison.layers.is_empty(), "nothing is said of a rung that was not measured");
}

/// Three targets, of which the pair of the two candidates is compared besides; `new` is slower than `mid`.
fn compared_besides() -> Observed {
    let mut observed = ladder(&[[1000.0, 800.0], [1010.0, 790.0], [990.0, 820.0], [1005.0, 810.0]], &[1.3; 4]);
    let plan = observed.plan.as_mut().expect("a run of a plan");
    plan.ladder = vec![vec!["mid".to_owned(), "new".to_owned()], vec!["old".to_owned(), "new".to_owned()]];
    plan.compare = vec![plan::ComparedTargets { candidate: "new".to_owned(), baseline: "mid".to_owned() }];
    observed
}

#[test]
fn a_pair_that_the_plan_names_is_judged_and_every_form_names_both_of_its_sides() {
    let observed = compared_besides();
    let judgement = judge_run(&observed);
    let [pair] = &judgement.comparison.further[..] else { panic!("one pair at one place") };
    assert_eq!((pair.candidate.as_str(), pair.baseline.as_str()), ("new", "mid"));
    let change = pair.deciding_change().expect("an interval").point;
    assert!((change - (1.0 / 1.3 - 1.0)).abs() < 1e-9, "{change}");
    assert_eq!(pair.verdict(), Verdict::Regressed);
    assert!(
        judgement.headline.lines().any(|line| line.starts_with("new against mid: read loses 23")),
        "{}",
        judgement.headline
    );
    assert_eq!(judgement.answer(), RegressionAnswer::Regression);

    let data = report::build_report(&observed, &judgement);
    let junit = report::formats::junit_xml(&judgement, &data);
    assert!(
        junit.contains("classname=\"new against mid\"") && junit.contains("classname=\"new against old\""),
        "{junit}"
    );
    let json = serde_json::to_value(&data).unwrap();
    assert_eq!([&json["further"][0]["candidate"], &json["further"][0]["baseline"]], ["new", "mid"]);
    assert_eq!([&json["comparisons"][0]["candidate"], &json["comparisons"][0]["baseline"]], ["mid", "old"]);
    let terminal = report::terminal_text(&judgement, false, None);
    assert!(terminal.contains("Further comparisons") && terminal.contains("new against mid"), "{terminal}");
}

#[test]
fn another_baseline_takes_over_the_pairs_that_it_is_one_of() {
    let observed = compared_besides();
    let question = RunQuestion::of_run(&observed);
    for (name, further) in [("old", 1), ("mid", 0), ("new", 0)] {
        let judgement = judge::judge_question(&observed, question.with_baseline(name).expect("a target"));
        assert_eq!((judgement.comparison.pairs.len(), judgement.comparison.further.len()), (2, further), "{name}");
    }
}

#[test]
fn each_of_several_ladders_is_judged() {
    let judgement = judge_run(&compared_besides());
    let ends = |layers: &LayerLadder| (layers.total.from.clone(), layers.total.to.clone());
    let found: Vec<(String, String)> = judgement.comparison.layers.iter().map(ends).collect();
    assert_eq!(found, [("mid".to_owned(), "new".to_owned()), ("old".to_owned(), "new".to_owned())]);
}

#[test]
fn what_layers_and_peaks_change_is_told_at_the_level_of_the_rule_as_the_ratios_are() {
    let blocks = [[1000.0, 800.0], [1010.0, 790.0], [990.0, 820.0], [1005.0, 810.0]];
    let observed = ladder(&blocks, &[1.1; 4]);
    let ratios: Vec<f64> = blocks.iter().map(|[old, new]| (old / new).ln()).collect();
    let level = RunQuestion::of_run(&observed).blocks.stopping_rule().level_at(4);
    let expected = stats::paired::change_of_log_ratios(&ratios, level).unwrap().interval.half_width();
    let total = judge_run(&observed).comparison.layers[0].total.clone();
    let found = total.added_ms.interval.half_width() / total.latency_ms[0].point;
    assert!((found / expected - 1.0).abs() < 1e-6, "{total:?}");

    let peak = |limits: &str| {
        let plan = PLAN.replace("clients: [8]", "clients: [8, 16]").replace("at_least: 3, at_most: 6", limits);
        judge_run(&observed_with(&plan, &steady(0.9, 4))).comparison.maxima[1].text.clone()
    };
    let (chosen, fixed) = (peak("at_least: 3, at_most: 6"), peak("at_least: 4, at_most: 4"));
    assert_ne!(chosen, fixed, "the same blocks, of which the number was chosen by looking or not");
}

#[test]
fn the_maxima_of_all_targets_stand_in_one_table_with_the_change_of_the_peak() {
    let plan = PLAN.replace("clients: [8]", "clients: [8, 16]");
    let judgement = judge_run(&observed_with(&plan, &steady(0.9, 4)));
    let [old, new] = &judgement.comparison.maxima[..] else { panic!("two targets in one workload") };
    assert_eq!((old.target.as_str(), new.target.as_str()), ("old", "new"));
    assert!((old.throughput_per_s.point - 1000.0).abs() < 1e-6 && old.change.is_none());
    let change = new.change.expect("both peaks were reached");
    assert!((change.point + 0.1).abs() < 0.01 && change.interval.high < 0.0, "{change:?}");
    let text = report::terminal_text(&judgement, false, None);
    assert!(text.contains("Peak throughput over the numbers of clients"), "{text}");
    assert!(judge_run(&observed(&steady(0.9, 4))).comparison.maxima.is_empty(), "one number of clients has no maximum");
}

#[test]
fn a_million_transactions_cost_what_their_time_does_at_the_most_that_keeps_the_limits() {
    let cost = "cost: { per_hour: 3.6, currency: EUR, as_of: 2026-11-01, includes: vm }";
    let plan = PLAN.replace("{ url: 'host=a' }", &format!("{{ url: 'host=a', {cost} }}"));
    let prices = |plan: &str| judge_run(&observed_with(plan, &steady(0.9, 4))).prices;
    let found = prices(&plan);
    let [price] = &found[..] else { panic!("one target states its price: {found:?}") };
    // A second costs a thousandth of a euro, in which a thousand are done.
    assert!((price.per_million.expect("it got something done").point - 1.0).abs() < 1e-9, "{price:?}");
    assert_eq!(price.basis, judge::cost::Basis::Highest);
    let limited =
        |p99: &str| prices(&plan.replace("scale: 1 }", &format!("scale: 1, require: {{ p99: \"< {p99}\" }} }}")));
    assert_eq!(limited("1s")[0].basis, judge::cost::Basis::KeepsLimits);
    assert_eq!(limited("1ms"), [], "no number of clients keeps the limit");
    let text = report::terminal_text(&judge_run(&observed_with(&plan, &steady(0.9, 4))), false, None);
    let includes = "old: 3.60 EUR an hour as of 2026-11-01, including vm";
    assert!(text.contains("1.00   [1.00, 1.00]  EUR") && text.contains(includes), "{text}");
    assert!(prices(PLAN).is_empty());
}

#[test]
fn what_two_generators_say_of_one_cell_is_judged_in_the_same_blocks() {
    let plan = PLAN.replace("scale: 1 }", "scale: 1, cross_check: pgbench }");
    let told = |share: f64| {
        let mut observed = observed_with(&plan, &steady(1.0, 4));
        let by_pgbench = |trial: &&mut Trial| trial.cell.workload == "read/pgbench";
        for one in observed.trials.iter_mut().filter(by_pgbench) {
            let [_, tps] = steady(share, 4)[one.block as usize % 4];
            *one = trial(one.number, one.block, &one.cell.clone(), one.role, tps);
        }
        let judgement = judge_run(&observed);
        let checks = &judgement.comparison.cross_checks;
        let targets: Vec<&str> = checks.iter().map(|check| check.target.as_str()).collect();
        assert_eq!(targets, ["old", "new"]);
        let text = report::terminal_text(&judgement, false, None);
        let is_row =
            |line: &&str| line.split_whitespace().collect::<Vec<_>>().starts_with(&["old", "read", "8", "throughput"]);
        let line = text.lines().find(is_row);
        line.unwrap_or_else(|| panic!("{text}")).to_owned()
    };
    let (alike, lower) = (told(1.0), told(0.8));
    assert!(alike.ends_with("agree") && !alike.contains("DIFFER"), "{alike}");
    assert!(lower.contains("−20") && lower.ends_with("DIFFER"), "{lower}");
}

/// A run in whose trials the server was away for so long, `[old, new]`, after a crash at 5 s.
fn crashed(gaps_ms: &[[u64; 2]]) -> Observed {
    crashed_with(gaps_ms, "{}")
}

/// The same with these limits of what follows.
fn crashed_with(gaps_ms: &[[u64; 2]], limits: &str) -> Observed {
    let plan = PLAN
        .replace("{ url: 'host=a' }", "{ url: 'host=a', may_disturb: true }")
        .replace("{ url: 'host=b' }", "{ url: 'host=b', may_disturb: true }")
        + &format!("events: {{ crash: {{ at: 5s, command: crash, require: {limits} }} }}\n");
    let mut run = observed_with(&plan, &vec![[1000.0, 1000.0]; gaps_ms.len()]);
    for trial in &mut run.trials {
        let [old, new] = gaps_ms[trial.block as usize - 1];
        let end_us = 5_000_000 + 1_000 * if trial.cell.target == "old" { old } else { new };
        trial.events.push(EventRecord {
            name: "crash".to_owned(),
            what: "crash".to_owned(),
            planned_us: 5_000_000,
            requested_us: 5_010_000,
            requested_at: "2026-11-20T09:13:05Z".parse().unwrap(),
            took_us: Some(1),
            write_gap: None,
            read_gap: Some(Gap::Between { start_us: 5_000_000, end_us: Some(end_us) }),
            steps: Vec::new(),
            smart_shutdown: None,
            error: None,
        });
        let load = trial.load.as_mut().unwrap();
        load.failed = load.transactions;
        let cause = "the server closed the connection".to_owned();
        load.outages.push(Outage { client: 0, start_us: 5_020_000, end_us: Some(end_us), cause, in_flight: true });
    }
    run
}

#[test]
fn trials_with_an_event_are_compared_by_the_gap_and_what_it_cost_does_not_exclude_them() {
    let run = crashed(&[[400, 800], [420, 850], [410, 830]]);
    let judgement = judge_run(&run);
    let pair = &judgement.comparison.pairs[0];
    assert_eq!((pair.deciding_metric(), pair.verdict()), (Metric::ReadGap, Verdict::Regressed));
    assert!(
        pair.excluded.is_empty()
            && judgement
                .caveats
                .values()
                .flatten()
                .all(|caveat| { !matches!(caveat, Caveat::Outages { .. } | Caveat::Failures(_)) })
    );
    assert!(judgement.headline.contains("has a read gap longer by 102 %"), "{}", judgement.headline);
    let text = report::terminal_text(&judgement, false, None);
    assert!(text.contains(" read: read gap "), "the table says of what its figures are: {text}");
    let told = text.split("Events").nth(1).expect("they are told").lines().take(6).collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!(told, @r##"
    (means over the trials, with 95 % intervals)
    crash (crash at 5 s): new · read · 8 clients, 3 trials
       read gap 826 ms [766, 892] ms
       of that 10.0 ms [10.0, 10.0] ms until the event was requested, 10.0 ms [10.0, 10.0] ms until the first connection was lost, 806 ms [746, 872] ms until a client had reconnected, 0 s [0, 0] s until the first transaction was acknowledged
       connections lost and re-established within 806 ms [746, 872] ms
       transactions of a trial: 0 [0, 0] failed; 1 [1, 1] of unknown outcome
    "##);
}

#[test]
fn what_a_cluster_tells_of_an_event_takes_its_gap_apart() {
    let mut run = crashed(&[[400, 800], [420, 850], [410, 830]]);
    for trial in run.trials.iter_mut().filter(|trial| trial.cell.target == "new") {
        let stepped = |step, after_us| Stepped { step, at_us: 5_010_000 + after_us, pod: Some("db-2".to_owned()) };
        trial.events[0].steps = vec![
            stepped(FailoverStep::Promoted, 310_000),
            stepped(FailoverStep::ServiceMoved, 710_000),
            stepped(FailoverStep::Healthy, 10_000_000 + u64::from(trial.block) * 100_000),
        ];
        let sessions = |application: Option<&str>, role: &str, count, idle| SessionsOf {
            application: application.map(str::to_owned),
            role: role.to_owned(),
            count,
            idle,
        };
        let sessions = Some(vec![sessions(Some("psql"), "app", 3, 2), sessions(None, "other", 1, 0)]);
        trial.events[0].smart_shutdown = Some(SmartShutdown { timeout_s: 10, sessions });
    }
    let judgement = judge_run(&run);
    let text = report::terminal_text(&judgement, false, None);
    for told in [
        "the old primary stopped 10.3 s after the request (in 3 of 3 trials): for 10 s its smart shutdown accepts no session",
        "(sessions just before: 3 of psql (role app, 2 idle), 1 of an unnamed application (role other)). Idle sessions do not end.",
        "300 ms [300, 300] ms until the new primary was promoted, 400 ms [400, 400] ms until the -rw Service pointed to",
        "107 ms [57.8, 197] ms until a client had reconnected",
        "new primary promoted after 310 ms [310, 310] ms, -rw Service points to a primary after 710 ms",
        "cluster healthy after 10.2 s [9.95, 10.5] s",
    ] {
        assert!(text.contains(told), "{told}: {text}");
    }
    let events =
        report::formats::CsvTable::table_by_name("events").unwrap().csv_text(&report::build_report(&run, &judgement));
    let count = |what: &str| events.lines().filter(|line| line.contains(&format!(",new,8,crash,{what}: "))).count();
    assert_eq!((count("step"), count("part")), (3, 6), "{events}");
}

#[test]
fn what_is_required_of_an_event_decides_the_answer_and_is_a_test_of_junit() {
    for (limits, ruling, answer) in [
        ("{ read_gap: < 1s }", "required: read gap below 1.00 s: kept", RegressionAnswer::NoRegression),
        ("{ read_gap: < 100ms }", "required: read gap below 100 ms: BROKEN", RegressionAnswer::Broken),
        ("{ read_gap: < 410ms }", "required: read gap below 410 ms: not enough data", RegressionAnswer::NotEnoughData),
        ("{ write_gap: < 1s }", "required: write gap below 1.00 s: not enough data", RegressionAnswer::NotEnoughData),
    ] {
        let run = crashed_with(&[[400, 400], [420, 420], [410, 410]], limits);
        let judgement = judge_run(&run);
        assert_eq!(judgement.answer(), answer, "{limits}");
        assert!(report::terminal_text(&judgement, false, None).contains(ruling), "{limits}");
        let junit = report::formats::junit_xml(&judgement, &report::build_report(&run, &judgement));
        assert_eq!(junit.contains("<failure"), answer == RegressionAnswer::Broken, "{junit}");
        assert!(junit.contains("classname=\"event crash\""), "{junit}");
    }
}

#[test]
fn a_gap_that_outlasts_its_event_counts_once() {
    let mut run = crashed(&[[400, 800], [420, 850], [410, 830]]);
    let once = judge_run(&run).comparison.pairs[0].deciding_change().unwrap().point;
    for trial in run.trials.iter_mut().filter(|trial| trial.cell.target == "new") {
        let next = EventRecord { name: "next".to_owned(), requested_us: 5_200_000, ..trial.events[0].clone() };
        trial.events.push(next);
    }
    assert!((judge_run(&run).comparison.pairs[0].deciding_change().unwrap().point - once).abs() < 1e-9);
}

#[test]
fn a_connection_that_was_lost_before_the_event_still_excludes_its_trial() {
    let mut run = crashed(&[[400, 800], [420, 850], [410, 830]]);
    let load = run.trials[0].load.as_mut().unwrap();
    let cause = "connection reset by peer".to_owned();
    load.outages.push(Outage { client: 1, start_us: 1, end_us: Some(2_000_000), cause, in_flight: false });
    assert_eq!(judge_run(&run).comparison.pairs[0].excluded.len(), 1);
}

#[test]
fn what_is_required_of_a_workload_is_held_against_the_interval_of_every_server() {
    for (limits, told, answer) in [
        ("{ throughput: > 900/s }", "throughput above 900 tps", RegressionAnswer::NoRegression),
        ("{ throughput: > 2000/s }", "BROKEN", RegressionAnswer::Broken),
        ("{ throughput: > 1000/s }", "not enough data", RegressionAnswer::NotEnoughData),
        ("{ throughput: > 900/s, p99: < 1ms }", "p99 latency below 1.00 ms", RegressionAnswer::Broken),
    ] {
        let plan = PLAN.replace("scale: 1 }", &format!("scale: 1, require: {limits} }}"));
        assert_ne!(plan, PLAN);
        let run = observed_with(&plan, &[[998.0, 1000.0], [1000.0, 1002.0], [1002.0, 1001.0]]);
        let judgement = judge_run(&run);
        assert_eq!(judgement.answer(), answer, "{limits}: {:?}", judgement.required);
        let text = report::terminal_text(&judgement, false, None);
        assert!(text.contains("Required by the plan") && text.contains(told), "{limits}: {text}");
        let data = report::build_report(&run, &judgement);
        let targets: Vec<&str> = data.required.iter().map(|one| one.target.as_str()).collect();
        assert!(targets.contains(&"old") && targets.contains(&"new"), "{targets:?}");
        let junit = report::formats::junit_xml(&judgement, &data);
        assert_eq!(junit.contains("<failure"), answer == RegressionAnswer::Broken, "{junit}");
        assert!(junit.contains("classname=\"required\""), "{junit}");
    }
}

#[test]
fn while_a_run_is_measured_there_are_intervals_and_no_verdict_before_the_stopping_rule() {
    let loses = [[1000.0, 800.0], [1001.0, 799.0], [999.0, 801.0], [1000.5, 800.5]];
    let two = observed(&loses[..2]);
    let so_far = judge_so_far(&two);
    assert_eq!(so_far.comparison.state, RunState::Running);
    assert!(so_far.comparison.pairs[0].metrics.iter().all(|metric| metric.verdict == Verdict::SoFar));
    assert!(so_far.comparison.pairs[0].deciding_change().is_some(), "what is known is told");
    assert_eq!(so_far.headline, "new against old: read is being measured; no verdict yet.");
    assert_eq!(so_far.answer(), RegressionAnswer::NotEnoughData);
    let data = serde_json::to_value(report::build_report(&two, &so_far)).unwrap();
    assert_eq!((&data["run"]["state"], &data["comparisons"][0]["verdict"]), (&"running".into(), &"so far".into()));

    // Noisy blocks would give a verdict of a run that was killed there; of one that goes on, they give none.
    let noisy = observed(&[[1000.0, 700.0], [1000.0, 800.0], [1000.0, 750.0], [1000.0, 740.0]]);
    assert!(!remaining(&noisy).is_empty());
    assert_eq!(judge_run(&noisy).comparison.pairs[0].verdict(), Verdict::Regressed);
    let so_far = judge_so_far(&noisy);
    assert_eq!(so_far.comparison.pairs[0].verdict(), Verdict::SoFar);
    assert!(
        so_far.headline.contains("no verdict yet, so far the change in throughput is between −35.0 and −"),
        "{}",
        so_far.headline
    );

    // What the rule has ended has its verdict, whoever still holds the directory.
    let ended = observed(&loses);
    assert_eq!(remaining(&ended), Vec::<u32>::new());
    let firm = judge_so_far(&ended);
    assert_eq!((firm.comparison.state, firm.comparison.pairs[0].verdict()), (RunState::Complete, Verdict::Regressed));
}

/// Whether something is concluded in such words.
fn has_issue(judgement: &Judgement, words: &str) -> bool {
    judgement.issues.iter().any(|issue| issue.text.contains(words))
}
