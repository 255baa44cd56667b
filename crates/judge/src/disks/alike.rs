//! Whether every disk was asked the same: a stage's figures can be compared only where its settings are alike.

use std::collections::BTreeMap;

use results::disk::{DiskGroup, DiskStage};

use super::ObservedStage;

/// The settings of stages of one name that differ from disk to disk, one sentence each.
pub(super) fn stage_setting_differences(stages: &[ObservedStage]) -> Vec<String> {
    let mut by_name: BTreeMap<&str, Vec<&DiskStage>> = BTreeMap::new();
    for observed in stages {
        by_name.entry(&observed.stage.name).or_default().push(&observed.stage);
    }
    by_name.into_iter().flat_map(|(name, stages)| of_stage(name, &stages)).collect()
}

fn of_stage(name: &str, stages: &[&DiskStage]) -> Vec<String> {
    let Some((first, others)) = stages.split_first() else { return Vec::new() };
    let expected = settings_of_stage(first);
    let mut found = Vec::new();
    for other in others {
        for ((what, one), (_, two)) in expected.iter().zip(settings_of_stage(other)) {
            if *one != two {
                found.push(format!("{name}: {what} is {one} on {}, {two} on {}", first.target, other.target));
            }
        }
    }
    found
}

/// What has to be alike, by name.
fn settings_of_stage(stage: &DiskStage) -> [(&'static str, String); 8] {
    let each = |read: &dyn Fn(&DiskGroup) -> String| stage.groups.iter().map(read).collect::<Vec<_>>().join(", ");
    let bytes = stage.place.as_ref().and_then(|place| place.file_bytes);
    [
        ("the pattern", each(&|group| group.pattern.clone().unwrap_or_else(not_reported))),
        (
            "the block size",
            each(&|group| group.block_bytes.map_or_else(not_reported, |bytes| format!("{bytes} bytes"))),
        ),
        ("the depth", each(&|group| group.depth.to_string())),
        ("the number of jobs", each(&|group| group.jobs.to_string())),
        ("direct I/O", each(&|group| group.direct.map_or_else(not_reported, |direct| direct.to_string()))),
        ("the engine", each(&|group| group.engine.clone().unwrap_or_else(not_reported))),
        ("the file size", bytes.map_or_else(not_reported, |bytes| format!("{bytes} bytes"))),
        ("the program", stage.fio_version.clone()),
    ]
}

fn not_reported() -> String {
    "not reported".to_owned()
}
