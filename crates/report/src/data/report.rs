//! Everything that a report shows, as one record.

use judge::compare::Metric;
use results::trial::Role;
use schemars::JsonSchema;
use serde::Serialize;

use super::estimate::EstimateData;
use super::verdict::VerdictData;
use crate::audit::AuditData;
use crate::budgets::BudgetData;
use crate::cost::PriceData;
use crate::cross_check::CrossCheckData;
use crate::document::{ReportDocument, SectionData};
use crate::failures::{CellAccountData, FailureComparisonData};
use crate::findings::DiagnosisData;
use crate::issues::IssueData;
use crate::layers::LayersData;
use crate::profiles::ProfileData;
use crate::readings::ReadingData;
use crate::required::RequirementData;
use crate::sections::disks::curves::DiskData;
use crate::sections::events::EventData;
use crate::spread::SpreadData;

/// The newest format of the contract.
pub(crate) const FORMAT: u32 = 4;

/// Everything that a report shows.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReportData {
    /// Format version, [`FORMAT`].
    pub format: u32,
    /// Version of pgdyno that made the report.
    pub pgdyno_version: String,
    /// The run.
    pub run: RunData,
    /// Name of the baseline.
    pub baseline: String,
    /// Names of the candidates.
    pub candidates: Vec<String>,
    /// Whether the sides were measured in the same blocks.
    pub paired: bool,
    /// Smallest change worth acting on, as a share.
    pub practical_threshold: f64,
    /// The threshold of the costs and of the metrics that do not decide, as a share; absent if they are not judged.
    pub costs_threshold: Option<f64>,
    /// The headline.
    pub headline: String,
    /// The extent and the method of the measurement, in one line.
    pub headline_detail: String,
    /// The probes that did not read all the time, a sentence each, without a period.
    pub unread: Vec<String>,
    /// Every conclusion about the run, each fact once, the strongest effect first.
    pub issues: Vec<IssueData>,
    /// The codes that are ignored on request.
    pub ignored: Vec<&'static str>,
    /// Candidate × workload × clients.
    pub comparisons: Vec<ComparisonData>,
    /// The pairs of `compare` of the plan × workload × clients; empty without such pairs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<ComparisonData>,
    /// The baseline compared with itself.
    pub noise_floor: Vec<ComparisonData>,
    /// Figures against clients, per target and workload.
    pub ladders: Vec<LadderData>,
    /// The highest throughput of each target in each workload that has several numbers of clients.
    pub maxima: Vec<MaximumData>,
    /// The diagnosis: findings and the share of the change that they explain.
    pub diagnosis: DiagnosisData,
    /// The overhead of each layer of the plan's ladder.
    pub layers: Vec<LayersData>,
    /// The time budget of each pair that has one.
    pub budgets: Vec<BudgetData>,
    /// The CPU time of each pair by subsystem of the server; empty if it was not sampled.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub profiles: Vec<ProfileData>,
    /// The throughput around the plan's events; empty without events.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<EventData>,
    /// Every cell with failed or retried transactions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<CellAccountData>,
    /// The requirements of the plan on its workloads; empty without requirements.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub required: Vec<RequirementData>,
    /// The cost of a million transactions; empty if the plan declares no price.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prices: Vec<PriceData>,
    /// The figures of one cell by two generators; empty if the plan cross-checks no cell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cross_checks: Vec<CrossCheckData>,
    /// The curves of the disks; empty if no disk was measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disks: Vec<DiskData>,
    /// p99 against the offered rate, for searches of a capacity.
    pub curves: Vec<CurveData>,
    /// Standard deviation of each target's latency and the time to connect its clients; empty if neither is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spreads: Vec<SpreadData>,
    /// The audit of the method; absent for two separate runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub audit: Option<AuditData>,
    /// Names of the targets, the baseline first.
    pub targets: Vec<String>,
    /// Every trial, second by second.
    pub trials: Vec<TrialData>,
    /// The resolved plan.
    pub plan_yaml: String,
    /// The method, in paragraphs.
    pub method: Vec<String>,
    /// The sections that all forms share, as a page shows them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<SectionData>,
    /// The same sections with their figures, from which the other forms are made.
    #[serde(skip)]
    #[cfg_attr(test, ts(skip))]
    pub document: ReportDocument,
}

/// The run itself.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunData {
    /// Directory name.
    pub id: String,
    /// The plan's name.
    pub name: String,
    /// RFC 3339, UTC.
    pub started_at: String,
    /// Seed, as text because JavaScript numbers do not hold 64 bits.
    pub seed: String,
    /// Its state.
    pub state: StateData,
    /// Finished blocks.
    pub blocks: u32,
    /// The largest number of blocks that the plan allows.
    pub blocks_at_most: u32,
    /// Finished trials.
    pub trials: usize,
    /// Seconds of all measurement phases.
    pub measured_s: f64,
    /// The machine of the load engine.
    pub generator: String,
}

/// The state of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum StateData {
    Complete,
    Interrupted,
    Running,
    Unfinished,
}

/// One candidate at one workload and number of clients.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ComparisonData {
    /// The target that it is compared with.
    pub baseline: String,
    /// The candidate.
    pub candidate: String,
    /// The workload.
    pub workload: String,
    /// Number of clients; absent if unknown.
    pub clients: Option<u32>,
    /// The loop by which transactions were sent.
    #[serde(rename = "loop")]
    pub load_loop: LoopData,
    /// The loop in words, with the offered rate.
    pub load: String,
    /// The verdict on the metric that decides. It is the verdict on failures if these are worse, or if only these are
    /// better.
    pub verdict: VerdictData,
    /// The verdict in words.
    pub verdict_text: String,
    /// Every metric; the first decides.
    pub metrics: Vec<MetricData>,
    /// Failed and retried transactions of both sides; absent while a side has no trial that counts them.
    pub failures: Option<FailureComparisonData>,
    /// The figures by block.
    pub blocks: Vec<BlockData>,
    /// Excluded trials of either side. Their blocks are excluded, too.
    pub left_out: Vec<LeftOutData>,
}

/// An excluded trial.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LeftOutData {
    /// Number in the schedule.
    pub trial: u32,
    /// Its block.
    pub block: u32,
    /// The reason.
    pub reason: String,
}

/// The loop by which transactions were sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum LoopData {
    Closed,
    Open,
    Capacity,
}

/// A metric by which the two sides are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum MetricName {
    Capacity,
    Throughput,
    WriteGap,
    ReadGap,
    DatabaseTime,
    StatementTime,
    LatencyMean,
    LatencyP50,
    LatencyP95,
    LatencyP99,
    LatencyP999,
}

impl From<Metric> for MetricName {
    fn from(metric: Metric) -> Self {
        match metric {
            Metric::Capacity => Self::Capacity,
            Metric::Throughput => Self::Throughput,
            Metric::WriteGap => Self::WriteGap,
            Metric::ReadGap => Self::ReadGap,
            Metric::DatabaseTime => Self::DatabaseTime,
            Metric::StatementTime => Self::StatementTime,
            Metric::LatencyMean => Self::LatencyMean,
            Metric::LatencyP50 => Self::LatencyP50,
            Metric::LatencyP95 => Self::LatencyP95,
            Metric::LatencyP99 => Self::LatencyP99,
            Metric::LatencyP999 => Self::LatencyP999,
        }
    }
}

/// The direction that is good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum BetterData {
    Higher,
    Lower,
}

/// One metric of a comparison.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MetricData {
    /// Its name.
    pub metric: MetricName,
    /// Its unit.
    pub unit: &'static str,
    /// The direction that is good.
    pub better: BetterData,
    /// The baseline's level, over the blocks of the change if there is one, else over its own trials.
    pub baseline: Option<EstimateData>,
    /// The candidate's level. Candidate / baseline − 1 is the change.
    pub candidate: Option<EstimateData>,
    /// The figure of the baseline's only trial: absent if there are several.
    pub baseline_alone: Option<f64>,
    /// The figure of the candidate's only trial.
    pub candidate_alone: Option<f64>,
    /// The change without an interval, if a side has one trial.
    pub change_alone: Option<f64>,
    /// candidate / baseline − 1; absent without an interval, and if it is not known. It is not known if the interval
    /// includes 0 and its ends are more than a factor of 10 apart.
    pub change: Option<EstimateData>,
    /// The verdict on this metric: of one that does not decide, the verdict among the costs. Absent if the metric is
    /// not judged.
    pub verdict: Option<VerdictData>,
}

/// One block of a comparison.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BlockData {
    /// The block.
    pub block: u32,
    /// Number of the baseline's trial.
    pub baseline_trial: u32,
    /// Number of the candidate's trial.
    pub candidate_trial: u32,
    /// The baseline's figure of the deciding metric, in its unit.
    pub baseline: f64,
    /// The candidate's figure.
    pub candidate: f64,
    /// candidate / baseline − 1.
    pub change: f64,
    /// Whether it is an outlier.
    pub outlying: bool,
    /// The change without this block.
    pub change_without: Option<f64>,
    /// The pairs of slices within it, in order, if its sides alternate: transactions per second of the baseline and of
    /// the candidate, or means of neighbouring pairs if there are many. Empty otherwise.
    pub slices: Vec<[f64; 2]>,
}

/// Figures of one target and workload against clients.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LadderData {
    /// The target.
    pub target: String,
    /// The workload.
    pub workload: String,
    /// By number of clients, ascending.
    pub points: Vec<RungData>,
    /// A note on the ladder.
    pub note: Option<String>,
}

/// One rung of a ladder.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RungData {
    /// Clients.
    pub clients: u32,
    /// Throughput.
    pub throughput_per_s: Option<EstimateData>,
    /// Mean latency.
    pub latency_mean_ms: Option<EstimateData>,
    /// 99th percentile of latency.
    pub latency_p99_ms: Option<EstimateData>,
    /// The figures of the only trial, if there is one alone.
    pub of_only_trial: OnlyTrialData,
}

/// The figures of the only trial of a cell; each is absent if there are several trials.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OnlyTrialData {
    /// Throughput.
    pub throughput_per_s: Option<f64>,
    /// Mean latency.
    pub latency_mean_ms: Option<f64>,
    /// 99th percentile of latency.
    pub latency_p99_ms: Option<f64>,
}

/// The highest throughput of a target in a workload.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MaximumData {
    /// The workload.
    pub workload: String,
    /// The target.
    pub target: String,
    /// Number of clients.
    pub clients: u32,
    /// The highest throughput.
    pub throughput_per_s: EstimateData,
    /// Change against the baseline's; absent for the baseline, and if a peak was not reached.
    pub change: Option<EstimateData>,
    /// A note on the two peaks.
    pub text: Option<String>,
}

/// The searches for the capacity of one target in one workload.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CurveData {
    /// The target.
    pub target: String,
    /// The workload.
    pub workload: String,
    /// Clients.
    pub clients: u32,
    /// The limit on p99.
    pub limit_ms: f64,
    /// The capacity over the blocks.
    pub capacity_per_s: Option<EstimateData>,
    /// Every step by rate.
    pub points: Vec<CurvePointData>,
}

/// One step of a search.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CurvePointData {
    /// The trial.
    pub trial: u32,
    /// The block.
    pub block: u32,
    /// The offered rate.
    pub rate_per_s: f64,
    /// 99th percentile of latency.
    pub p99_ms: Option<f64>,
    /// Whether it kept the limit.
    pub held: bool,
}

/// One trial, second by second, in columns.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TrialData {
    /// Number in the schedule.
    pub number: u32,
    /// Block.
    pub block: u32,
    /// Target.
    pub target: String,
    /// Workload.
    pub workload: String,
    /// Number of clients; absent if unknown.
    pub clients: Option<u32>,
    /// The offered rate, if it is a step of a search.
    pub rate_per_s: Option<f64>,
    /// Its role.
    pub role: RoleData,
    /// Its outcome in words.
    pub outcome: String,
    /// The start of its load; RFC 3339, UTC.
    pub started_at: String,
    /// End of each second, counted from the load's start.
    pub t_s: Vec<f64>,
    /// Length of each interval, if another tool reported intervals longer than a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub span_s: Option<Vec<f64>>,
    /// Transactions per second.
    pub throughput_per_s: Vec<f64>,
    /// Transactions per second that an open loop offered.
    pub offered_per_s: Vec<Option<f64>>,
    /// Arrivals that were skipped.
    pub skipped: Vec<u64>,
    /// Median latency.
    pub p50_ms: Vec<Option<f64>>,
    /// 95th percentile.
    pub p95_ms: Vec<Option<f64>>,
    /// 99th percentile.
    pub p99_ms: Vec<Option<f64>>,
    /// Other figures of latency that another tool reported; empty if pgdyno measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reported_latency: Vec<ToldSeriesData>,
    /// Failed transactions.
    pub failed: Vec<u64>,
    /// CPU in use on the server's host, of all its CPUs.
    pub cpu_percent: Vec<Option<f64>>,
    /// Clients without a connection.
    pub clients_out: Vec<u32>,
    /// The seconds before this are warm-up.
    pub warm_up_until_s: f64,
    /// The instants of checkpoints.
    pub checkpoints_s: Vec<f64>,
    /// The reason why it was not steady; absent if it was.
    pub steady: Option<String>,
    /// The time budget of its mean transaction; absent if the sessions were not sampled or no transaction was
    /// completed.
    pub budget: Option<Vec<PartData>>,
    /// The readings of the probes, by second; empty without probes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readings: Vec<ReadingData>,
    /// Its caveats in words.
    pub caveats: Vec<String>,
}

/// The role of a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum RoleData {
    Main,
    NoiseFloor,
}

impl From<Role> for RoleData {
    fn from(role: Role) -> Self {
        match role {
            Role::Main => Self::Main,
            Role::NoiseFloor => Self::NoiseFloor,
        }
    }
}

/// A figure of latency that another tool reported for each interval.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ToldSeriesData {
    /// `mean`, `stddev`, `max`, or a percentile such as `p90`.
    pub figure: String,
    /// Its values, aligned with [`TrialData::t_s`].
    pub ms: Vec<Option<f64>>,
}

/// One part of a transaction's time.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PartData {
    /// Its name.
    pub part: String,
    /// Milliseconds of the mean transaction; the parts sum to its latency.
    pub ms: f64,
}
