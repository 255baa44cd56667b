//! How often everything is repeated, and what ends it.

use std::time::Duration;

use serde_json::json;

use super::error::PlanFinding;
use super::language::{
    At, AtLeastMs, Form, Key, MappingEntries, MappingFields, MappingKeys, MappingRecord, PlanReadingFindings,
    ValueDescription, Whole, Yaml, record,
};
use super::units::Percent;

/// How often everything is repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockRepetition {
    /// The fewest blocks.
    pub at_least: u32,
    /// Maximum number of blocks.
    pub at_most: u32,
    /// What ends a comparison before them.
    pub until: ComparisonEnd,
    /// No block begins that would not be over after this time of trials, once there are `at_least`.
    pub at_most_time: Option<Duration>,
    /// Whether each server that pgdyno started on this machine is restarted before every block.
    pub restart: bool,
}

/// What ends a comparison, from `at_least` blocks on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComparisonEnd {
    /// Its interval is at most ± this wide, or ± a quarter of the change.
    HalfWidth(Percent),
    /// It has a verdict.
    Verdict,
}

impl ComparisonEnd {
    const VERDICT: &'static str = "verdict";
}

impl Form for ComparisonEnd {
    type Value = Self;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self> {
        match at.scalar_text() {
            Self::VERDICT => Some(Self::Verdict),
            _ => Percent::read_value(findings, at).map(Self::HalfWidth),
        }
    }

    fn write_value(value: &Self) -> Yaml {
        match value {
            Self::HalfWidth(half_width) => Percent::write_value(half_width),
            Self::Verdict => Yaml::Scalar(Self::VERDICT.to_owned()),
        }
    }

    fn describe_form() -> ValueDescription {
        let verdict = ValueDescription::new("`verdict`", Self::VERDICT, json!({ "const": Self::VERDICT }));
        ValueDescription::any_of([Percent::describe_form(), verdict])
    }
}

/// The most blocks where the plan says nothing of it, and that where it limits the time.
const AT_MOST: [u32; 2] = [10, 100];

record! {
    /// Number of repetitions.
    #[derive(Copy)]
    struct BlocksKeys = "blocks", check = Self::in_order {
        /// Minimum number of blocks. Fewer than 3 blocks give no verdict.
        key at_least: u32 as Whole<1, 1000> = Default("3"),
        /// Maximum number of blocks.
        key at_most: Option<u32> as Option<Whole<1, 1000>> = Open("`10`, or `100` with `at_most_time`"),
        /// When a comparison is complete, from `at_least` on. A percentage: when its interval is at most ± this wide,
        /// or ± a quarter of the change if that is more. `verdict`: when it has a verdict.
        key until: ComparisonEnd = Default("2%"),
        /// Time limit for all trials together. From `at_least` on, pgdyno does not start a block that would probably
        /// exceed it.
        key at_most_time: Option<Duration> as Option<AtLeastMs<1000>> = Absent("no limit except `at_most`"),
        /// Restart every `local` server before each block. Properties that a server acquires at its start, such as its
        /// memory layout, then vary between blocks and are part of the interval. Without this key they are part of the
        /// change. Shared buffers are empty at the start of a block; fill them with `cache: warm` or the warm-up.
        key restart: bool = Default("false"),
    }
}

impl MappingKeys for BlockRepetition {
    fn list_keys() -> Vec<Key> {
        BlocksKeys::list_keys()
    }

    fn read_keys(findings: &mut PlanReadingFindings, fields: &MappingFields<'_>) -> Option<Self> {
        let keys = BlocksKeys::read_keys(findings, fields)?;
        let at_most = keys.at_most();
        let BlocksKeys { at_least, until, at_most_time, restart, .. } = keys;
        Some(Self { at_least, at_most, until, at_most_time, restart })
    }

    fn write_keys(&self, to: &mut MappingEntries) {
        BlocksKeys::from(*self).write_keys(to);
    }
}

impl MappingRecord for BlockRepetition {
    const TITLE: &'static str = BlocksKeys::TITLE;
    const DOC: &'static str = BlocksKeys::DOC;

    fn check_record(&self, findings: &mut PlanReadingFindings, fields: &MappingFields<'_>) {
        BlocksKeys::from(*self).in_order(findings, fields);
    }
}

impl From<BlockRepetition> for BlocksKeys {
    fn from(BlockRepetition { at_least, at_most, until, at_most_time, restart }: BlockRepetition) -> Self {
        Self { at_least, at_most: Some(at_most), until, at_most_time, restart }
    }
}

impl BlocksKeys {
    fn at_most(self) -> u32 {
        self.at_most.unwrap_or(AT_MOST[usize::from(self.at_most_time.is_some())])
    }

    fn in_order(&self, findings: &mut PlanReadingFindings, fields: &MappingFields<'_>) {
        let (at_least, at_most) = (self.at_least, self.at_most());
        let given = ["at_least", "at_most"].map(|key| fields.entry_of_key(key));
        let (true, Some(entry)) = (at_least > at_most, given[1].or(given[0])) else { return };
        let [least, most] = given.map(|entry| if entry.is_some() { "" } else { " (by default)" });
        let message = format!("blocks: at_least is {at_least}{least}, at_most is {at_most}{most}");
        let hint = format!("write `at_most: {at_least}` or more, or lower at_least");
        findings.push(PlanFinding::new(entry.node.span, message).hint(hint).mark_as_read());
    }
}
