//! Disks of known character, and what is concluded of them.

use results::disk::{
    DiskFilePlace, DiskFlow, DiskGroup, DiskLatency, DiskSecond, DiskStage, FORMAT, FlowRate, StageOutcome, StatedCaps,
};

use results::trial::Trial;

use super::*;
use crate::observed::WatchedPhase;

/// A stage whose series are these rates, an entry each tenth of a second.
fn stage(name: &str, pattern: &str, block_bytes: u64, depth: u32, iops: &[f64]) -> ObservedStage {
    let mean = iops.iter().sum::<f64>() / iops.len() as f64;
    let rate = |iops: f64| {
        Some(FlowRate {
            operations_per_s: Some(iops),
            bytes_per_s: Some(iops * block_bytes as f64),
            latency_ns_mean: Some(1e6),
        })
    };
    let reads = pattern != "write";
    let seconds = iops.iter().enumerate().map(|(k, iops)| DiskSecond {
        end_ms: (k as u64 + 1) * 100,
        duration_ms: 100,
        read: rate(*iops).filter(|_| reads),
        write: rate(*iops).filter(|_| !reads),
    });
    let mean_ns = f64::from(depth) / mean * 1e9;
    let flow = DiskFlow {
        operations: (mean * iops.len() as f64 / 10.0) as u64,
        bytes: (mean * block_bytes as f64 * iops.len() as f64 / 10.0) as u64,
        runtime_ms: iops.len() as u64 * 100,
        operations_per_s: mean,
        bytes_per_s: mean * block_bytes as f64,
        latency: Some(DiskLatency {
            mean_ns,
            max_ns: 10 * mean_ns as u64,
            percentiles: vec![(99.0, 2 * mean_ns as u64)],
        }),
    };
    let group = DiskGroup {
        name: name.into(),
        pattern: Some(pattern.into()),
        block_bytes: Some(block_bytes),
        engine: Some("libaio".into()),
        direct: Some(true),
        depth,
        jobs: 1,
        sync_every: None,
        error: 0,
        read: reads.then(|| flow.clone()),
        write: (!reads).then(|| flow.clone()),
        sync: None,
        paced: false,
        cpu_share: None,
    };
    let stage = DiskStage {
        format: FORMAT,
        target: "a".into(),
        name: name.into(),
        order: 1,
        place: None,
        stated: None,
        fio_version: "fio-3.33".into(),
        definition: None,
        started_at: None,
        outcome: StageOutcome::Completed,
        job: None,
        groups: vec![group],
        devices: vec![],
        series_gap: None,
    };
    ObservedStage { stage, seconds: seconds.collect() }
}

/// A steady rate with one percent of noise, of which no entry tells the next.
fn steady(rate: f64, entries: usize) -> Vec<f64> {
    let mut state = 88_172_645_463_325_252_u64;
    let mut noise = || {
        // Marsaglia's xorshift.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % 2001) as f64 / 1000.0 - 1.0
    };
    (0..entries).map(|_| rate * (1.0 + 0.01 * noise())).collect()
}

/// A sweep that doubles from 400 at a depth of 1 up to a cap.
fn sweep(cap: f64) -> Vec<ObservedStage> {
    let depths = (0..8).map(|k| 1 << k);
    depths
        .map(|d| stage(&format!("depth-{d}"), "randread", 8192, d, &steady((400.0 * f64::from(d)).min(cap), 30)))
        .collect()
}

fn judged(stages: &[ObservedStage]) -> DiskJudged {
    judge_disks(stages, &[]).disks.remove(0)
}

fn stated(mut stages: Vec<ObservedStage>, iops: u64, bytes_per_s: u64) -> Vec<ObservedStage> {
    for observed in &mut stages {
        observed.stage.stated = Some(StatedCaps { iops: Some(iops), bytes_per_s: Some(bytes_per_s) });
    }
    stages
}

#[test]
fn a_sweep_that_stays_flat_is_capped_in_requests_at_its_level_and_compared_with_what_is_stated() {
    let disk = judged(&stated(sweep(3000.0), 3000, 400_000_000));
    let [cap] = &disk.caps[..] else { panic!("{:?}", disk.caps) };
    assert_eq!((cap.unit, cap.stated), (DiskUnit::Iops, Some(3000.0)));
    assert!((cap.level.point / 3000.0 - 1.0).abs() < 0.02, "{cap:?}");
    assert_eq!(cap.shown_by, ShownBy::Ladder { from: 8, to: 128 });
    assert!(disk.caches.is_empty(), "{:?}", disk.caches);
}

#[test]
fn a_sweep_that_is_flat_where_sequential_reads_are_too_is_capped_in_bandwidth() {
    let mut stages = sweep(3000.0);
    stages.push(stage("seq-read", "read", 1 << 20, 16, &steady(3000.0 * 8192.0 / 1_048_576.0, 30)));
    let disk = judged(&stages);
    assert_eq!(disk.caps.iter().map(|cap| cap.unit).collect::<Vec<_>>(), [DiskUnit::Bandwidth]);
    assert!((disk.caps[0].level.point / (3000.0 * 8192.0) - 1.0).abs() < 0.02, "{:?}", disk.caps);
}

#[test]
fn sequential_reads_and_writes_that_move_the_same_show_a_cap_of_both() {
    let stages = [
        stage("seq-read", "read", 1 << 20, 16, &steady(120.0, 30)),
        stage("seq-write", "write", 1 << 20, 16, &steady(119.0, 30)),
    ];
    let disk = judged(&stages);
    assert_eq!(disk.caps.len(), 1);
    assert_eq!((disk.caps[0].unit, disk.caps[0].shown_by), (DiskUnit::Bandwidth, ShownBy::Sequential));
    let unlike = [stages[0].clone(), stage("seq-write", "write", 1 << 20, 16, &steady(60.0, 30))];
    assert!(judged(&unlike).caps.is_empty());
}

#[test]
fn a_disk_of_sides_that_took_turns_has_no_ceiling_for_one_of_them() {
    let trial: Trial = serde_json::from_value(serde_json::json!({
        "format": 4, "number": 1, "block": 1, "role": "main",
        "cell": { "target": "a", "workload": "read", "clients": 8 },
        "outcome": { "state": "completed" }, "phases": [], "preparation": [], "finishing": [], "settings": {},
        "load": null, "caveats": [], "slices": { "with": [2], "length_us": 100_000 },
    }))
    .unwrap();
    let watched = WatchedPhase::default();
    let load = WorkloadTrials { target: "a", workload: "read", clients: 8, trials: vec![(&trial, &watched)] };
    let meaning = judge_disks(&sweep(3000.0), &[load]).meanings.remove(0);
    let why = "the sides alternate in slices, and the activity of the disks cannot be attributed to one side";
    assert_eq!((meaning.ceilings, meaning.bottleneck), (vec![], Bottleneck::CannotTell(why.to_owned())));
}

#[test]
fn a_sweep_that_still_rises_has_no_cap_and_says_what_the_last_step_gained() {
    let disk = judged(&sweep(1e9));
    assert!(disk.caps.is_empty());
    let LadderEnd::Open { gain } = disk.ladders[0].end else { panic!("{:?}", disk.ladders[0].end) };
    assert!((gain - 1.0).abs() < 0.05, "{gain}");
}

#[test]
fn a_rate_that_falls_for_good_is_a_burst_with_both_rates_its_instant_and_the_credit_it_implies() {
    let series = [steady(9000.0, 40), steady(3000.0, 60)].concat();
    let disk = judged(&[stage("oltp", "randread", 8192, 32, &series)]);
    let [burst] = &disk.bursts[..] else { panic!("{:?}", disk.bursts) };
    assert!((burst.at_s - 4.0).abs() < 0.3, "{burst:?}");
    assert!((burst.burst / 9000.0 - 1.0).abs() < 0.05 && (burst.base_rate / 3000.0 - 1.0).abs() < 0.05, "{burst:?}");
    assert!((burst.credit / 24_000.0 - 1.0).abs() < 0.1, "(9000 − 3000) × 4 s: {burst:?}");
    let steady = disk.stages[0].steady_iops.unwrap();
    assert!(steady.interval.contains(3000.0), "the long run is what counts: {steady:?}");
}

#[test]
fn a_pause_from_which_the_rate_comes_back_is_no_burst() {
    let series = [steady(9000.0, 30), steady(3000.0, 15), steady(9000.0, 30)].concat();
    assert!(judged(&[stage("oltp", "randread", 8192, 32, &series)]).bursts.is_empty());
    let at_the_end = [steady(9000.0, 60), steady(300.0, 8)].concat();
    assert!(judged(&[stage("oltp", "randread", 8192, 32, &at_the_end)]).bursts.is_empty(), "it may be one, too");
    assert!(judged(&[stage("oltp", "randread", 8192, 32, &steady(9000.0, 100))]).bursts.is_empty());
}

#[test]
fn what_is_faster_than_stated_or_than_the_sequential_reads_came_from_elsewhere() {
    let disk = judged(&stated(vec![stage("oltp", "randread", 8192, 32, &steady(9000.0, 30))], 3000, 1 << 40));
    let [InterposedCache::AboveStated { stage: name, unit: DiskUnit::Iops, stated, .. }] = &disk.caches[..] else {
        panic!("{:?}", disk.caches)
    };
    assert_eq!((name.as_str(), *stated), ("oltp", 3000.0));
    let stages = [
        stage("depth-32", "randread", 8192, 32, &steady(90_000.0, 30)),
        stage("seq-read", "read", 1 << 20, 16, &steady(100.0, 30)),
    ];
    assert!(matches!(judged(&stages).caches[..], [InterposedCache::AboveSequential { .. }]));
}

#[test]
fn reads_through_the_page_cache_are_set_beside_direct_ones() {
    let mut cached = stage("cached-read", "randread", 8192, 1, &steady(400_000.0, 30));
    cached.stage.groups[0].direct = Some(false);
    let stages = [stage("depth-32", "randread", 8192, 32, &steady(9000.0, 30)), cached];
    assert!(matches!(judged(&stages).caches[..], [InterposedCache::FasterBuffered { .. }]));
}

#[test]
fn a_file_smaller_than_twice_the_memory_is_said_with_its_reason() {
    let mut small = stage("oltp", "randread", 8192, 32, &steady(9000.0, 30));
    let place = |file_bytes, reason: Option<&str>| DiskFilePlace {
        directory: "/mnt".into(),
        disk: None,
        file_bytes: Some(file_bytes),
        memory_bytes: Some(1 << 30),
        size_reason: reason.map(str::to_owned),
    };
    small.stage.place = Some(place(1 << 30, Some("a test")));
    assert!(
        matches!(&judged(&[small.clone()]).caches[..], [InterposedCache::SmallFile { reason: Some(r), .. }] if r == "a test")
    );
    small.stage.place = Some(place(2 << 30, None));
    assert!(judged(&[small]).caches.is_empty());
}

#[test]
fn a_file_system_over_a_network_is_named() {
    let mut observed = stage("oltp", "randread", 8192, 32, &steady(9000.0, 30));
    let on = |filesystem: &str| DiskFilePlace {
        directory: "/mnt".into(),
        disk: Some(results::facts::DataDirectoryDisk {
            device: None,
            model: None,
            vendor: None,
            made_of: Vec::new(),
            rotational: None,
            filesystem: filesystem.into(),
            mount_options: "rw".into(),
            size_bytes: 1 << 40,
            free_bytes: 1 << 39,
        }),
        file_bytes: None,
        memory_bytes: None,
        size_reason: None,
    };
    for (filesystem, named) in
        [("nfs4", true), ("fuse.sshfs", true), ("overlay", true), ("ext4", false), ("xfs", false)]
    {
        observed.stage.place = Some(on(filesystem));
        let caches = judged(&[observed.clone()]).caches;
        assert_eq!(
            matches!(&caches[..], [InterposedCache::Elsewhere { filesystem: f }] if f == filesystem),
            named,
            "{filesystem}"
        );
    }
}

#[test]
fn the_same_stage_with_another_depth_on_another_disk_is_not_comparable() {
    let one = stage("oltp", "randread", 8192, 32, &steady(9000.0, 30));
    let mut other = one.clone();
    other.stage.target = "b".into();
    assert_eq!(judge_disks(&[one.clone(), other.clone()], &[]).unlike, [] as [String; 0]);
    other.stage.groups[0].depth = 64;
    assert_eq!(judge_disks(&[one, other], &[]).unlike, ["oltp: the depth is 32 on a, 64 on b"]);
}

#[test]
fn a_stage_that_failed_counts_for_nothing() {
    let mut stages = sweep(3000.0);
    for observed in &mut stages {
        observed.stage.outcome = StageOutcome::Failed { error: "No space left on device".into() };
    }
    let disk = judged(&stages);
    assert!(disk.caps.is_empty() && disk.ladders.is_empty() && disk.stage_by_name("depth-1").is_none());
}

#[test]
fn the_output_of_a_real_fio_under_a_real_cap_is_judged_as_what_it_is() {
    let read = |name: &str| -> ObservedStage {
        let directory =
            std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/fio/capped")).join(name);
        let stage = std::fs::read(directory.join("stage.json")).unwrap();
        let seconds = std::fs::read_to_string(directory.join("seconds.jsonl")).unwrap();
        ObservedStage {
            stage: serde_json::from_slice(&stage).unwrap(),
            seconds: seconds.lines().map(|line| serde_json::from_str(line).unwrap()).collect(),
        }
    };
    let names = [
        "depth-1",
        "depth-2",
        "depth-4",
        "depth-8",
        "depth-16",
        "depth-32",
        "depth-64",
        "depth-128",
        "oltp",
        "seq-read",
    ];
    let disk = judged(&names.map(read));
    let [cap] = &disk.caps[..] else { panic!("{:?}", disk.caps) };
    assert_eq!(cap.unit, DiskUnit::Iops);
    assert!((cap.level.point / 2000.0 - 1.0).abs() < 0.05, "the kernel was told 2000 reads a second: {cap:?}");
    let burst = disk.bursts.iter().find(|burst| burst.stage == "oltp").expect("the throttle was tightened in flight");
    assert!(burst.base_rate < 0.7 * burst.burst && (1.0..4.5).contains(&burst.at_s), "{burst:?}");
}
