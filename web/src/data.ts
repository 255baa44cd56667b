/**
 * The contract with the binary: what a report's JSON holds, field by field, as the types of `crates/report` say it.
 * Generated: `UPDATE=1 cargo test -p report --lib typescript` writes it anew.
 *
 * Units are part of the names; a value that was not measured is `null`, never zero. Everything here is already judged:
 * the viewer draws and words it, it concludes nothing.
 */

/** The format that these types describe. */
export const FORMAT = 4;

/** That of a history. */
export const HISTORY_FORMAT = 1;

/** What became of transactions. */
export type AccountData = {
  /** Transactions that ended, completed or failed. */
  ended: number,
  /** Those of them that failed, also because their connection was lost. */
  failed: number,
  /** The share of them that failed, 0 to 1; absent where none ended. */
  failed_share: number | null,
  /** The share of them that were tried more than once; absent where none ended. */
  retried_share: number | null,
  /** Why transactions failed, in words: SQLSTATE, message and statement of the most frequent error; empty where
   * nothing failed or nothing tells. */
  reason: string,
  /** Every SQLSTATE, the most frequent first. */
  errors: Array<ErrorData>,
};

/** Whether two generators say the same. */
export type AgreementData = "agree" | "differ" | "not-enough-data" | "so-far";

/** The throughput of a trial around an event. */
export type AroundData = {
  /** The trial. */
  trial: number,
  /** Its block. */
  block: number,
  /** The begin of the first piece, in seconds since the event was asked for. */
  from_s: number,
  /** Transactions acknowledged per second, piece by piece. */
  per_s: Array<number>,
  /** Begin and end of the gap that decides, in the same seconds; the end is absent where it did not end. */
  gap_s: [number, number | null] | null,
};

/** An audit. */
export type AuditData = {
  /** How many rules hold, are broken, and cannot be told, in words. */
  summary: string,
  /** Rules that hold. */
  holds: number,
  /** Rules that are broken. */
  broken: number,
  /** Rules of which the account does not tell. */
  cannot_tell: number,
  /** Each check: broken rules first, the gravest at the top, then what cannot be told, then what holds. */
  checks: Array<CheckData>,
};

/** One figure. */
export type AuditFigureData = {
  /** What it is of. */
  of: string,
  /** It, with its unit. */
  text: string,
  /** Whether it breaks the rule. */
  breaks: boolean,
};

/** A step of a waterfall: from where the step before it ended, by its change. The last row is the whole. */
export type BarData = {
  /** The baseline's figure. */
  baseline: number,
  /** The candidate's. */
  candidate: number,
  /** Candidate less baseline. */
  change: number,
  /** The lower end of its interval. */
  low: number,
  /** The upper end. */
  high: number,
};

/** Where the bars of a table stand. */
export type BarsData = {
  /** Before which of the columns, from 0. */
  before: number,
  /** What stands above them. */
  title: string,
};

/** What a finding has to do with the comparison. */
export type BearingData = "difference" | "other side unknown" | "every side" | "more on the faster side" | "no comparison";

/** The quantity of a finding's cause on two sides. */
export type BesideData = {
  /** What was measured. */
  name: string,
  /** How much of it there is where the finding is, with its unit. */
  here: string,
  /** The other target. */
  other: string,
  /** How much of it there is there. */
  there: string,
  /** Here over there, from the blocks; absent with fewer than two. */
  ratio: EstimateData | null,
};

/** The direction that is good. */
export type BetterData = "higher" | "lower";

/** One block of a comparison. */
export type BlockData = {
  /** The block. */
  block: number,
  /** Trial number of the baseline. */
  baseline_trial: number,
  /** Trial number of the candidate. */
  candidate_trial: number,
  /** The baseline's figure of the deciding metric, in its unit. */
  baseline: number,
  /** The candidate's. */
  candidate: number,
  /** candidate / baseline − 1. */
  change: number,
  /** Whether it stands apart. */
  outlying: boolean,
  /** The change without this block. */
  change_without: number | null,
  /** What the two sides did within it where they took turns, in order: transactions per second of the baseline and of
   * the candidate in one round, or the means of neighbouring rounds where there are many. Empty otherwise. */
  turns: Array<[number, number]>,
};

/** One pair's budget. */
export type BudgetData = {
  /** The candidate's target. */
  candidate: string,
  /** Workload name. */
  workload: string,
  /** Number of clients. */
  clients: number,
  /** Blocks in which both sides have a budget: the parts are of these. */
  blocks: number,
  /** Blocks of the comparison: the whole is of these, and the parts sum to it. */
  blocks_of_latency: number,
  /** Which of them have no budget, and why; absent where all have one. */
  without: string | null,
  /** The parts, in the order of a transaction's way, and the whole at the end. */
  rows: Array<BudgetRowData>,
  /** What a transaction takes of the server besides time; only what was read on both sides. */
  taken: Array<TakenData>,
};

/** One part, in milliseconds per transaction. */
export type BudgetRowData = {
  /** Its name. */
  part: string,
  /** Of the baseline. */
  baseline_ms: EstimateData,
  /** Of the candidate. */
  candidate_ms: EstimateData,
  /** Candidate less baseline. */
  change_ms: EstimateData,
};

/** The ceiling at one number of clients. */
export type CeilingData = {
  /** Clients. */
  clients: number,
  /** What was reached. */
  reached_per_s: number,
  /** Transactions per second at which the disk has no more to give. */
  limit_per_s: EstimateData,
  /** Of what. */
  resource: string,
  /** How much of it a transaction takes. */
  per_transaction: number,
  /** Share of the CPUs' time that they idled while a request was under way. */
  iowait: number | null,
};

/** What became of the transactions of one target at one place. */
export type CellAccountData = {
  /** The target. */
  target: string,
  /** Workload name. */
  workload: string,
  /** Number of clients; absent where it is not known. */
  clients: number | null,
  /** Its transactions. */
  account: AccountData,
};

/** The statements of one cell. */
export type CellStatements = {
  /** Target name. */
  target: string,
  /** Workload name. */
  workload: string,
  /** Number of clients. */
  clients: number,
  /** Trials in which they were counted. */
  trials: number,
  /** Those that took most time first. */
  statements: Array<StatementRow>,
};

/** One check. */
export type CheckData = {
  /** Its name. */
  id: string,
  /** What is said of it. */
  verdict: CheckVerdict,
  /** What a broken rule undermines. */
  undermines: string | null,
  /** The rule. */
  rule: string,
  /** The figures, those that break the rule first. */
  figures: Array<AuditFigureData>,
  /** What follows from a broken rule. */
  follows: string | null,
  /** What would be needed to tell. */
  needs: string | null,
};

/** What an audit says of a rule. */
export type CheckVerdict = "broken" | "cannot tell" | "holds";

/** A column of a table. */
export type ColumnData = {
  /** What stands above it. */
  title: string,
  /** Whether it holds figures. */
  is_number: boolean,
};

/** One candidate at one workload and number of clients. */
export type ComparisonData = {
  /** The candidate. */
  candidate: string,
  /** The workload. */
  workload: string,
  /** Clients; absent where nobody says. */
  clients: number | null,
  /** How transactions were sent. */
  loop: LoopData,
  /** The same in words, with what was offered. */
  load: string,
  /** The verdict: on the metric that decides, and on failures where these are worse, or alone better. */
  verdict: VerdictData,
  /** The verdict in words. */
  verdict_text: string,
  /** Every metric; the first decides. */
  metrics: Array<MetricData>,
  /** What became of the transactions of both sides; absent while a side has no trial that tells. */
  failures: FailureComparisonData | null,
  /** Block by block. */
  blocks: Array<BlockData>,
  /** Trials of either side that do not count, for which their blocks are left out. */
  left_out: Array<LeftOutData>,
};

/** Whether a requirement holds. */
export type ComplianceData = "kept" | "broken" | "not-enough-data";

/** How directly the cause of a finding was observed. */
export type ConfidenceData = "high" | "medium" | "low";

/** The verdict on a cost, or on a latency that does not decide. */
export type CostVerdictData = {
  /** The candidate. */
  candidate: string,
  /** The workload. */
  workload: string,
  /** Clients; absent where nobody says. */
  clients: number | null,
  /** What it is about, such as "WAL per transaction". */
  cost: string,
  /** The unit of both sides. */
  unit: string,
  /** The verdict and its figures. */
  ruling: RulingData,
};

/** A figure of one cell by two generators. */
export type CrossCheckData = {
  /** The target. */
  target: string,
  /** The workload that is cross-checked. */
  workload: string,
  /** Number of clients; absent where it is not known. */
  clients: number | null,
  /** The workload's generator, and the other one. */
  generators: [string, string],
  /** What is measured, such as `throughput`. */
  metric: string,
  /** Its unit. */
  unit: string,
  /** What either says of it, in the order of the generators; absent where it says nothing. */
  figures: [EstimateData | null, EstimateData | null],
  /** The other / the workload's own − 1; absent without an interval. */
  change: EstimateData | null,
  /** Whether they say the same. */
  agreement: AgreementData,
};

/** The searches of one target for its capacity in one workload. */
export type CurveData = {
  /** The target. */
  target: string,
  /** The workload. */
  workload: string,
  /** Clients. */
  clients: number,
  /** The limit of p99. */
  limit_ms: number,
  /** The capacity over the blocks. */
  capacity_per_s: EstimateData | null,
  /** Every step, by rate. */
  points: Array<CurvePointData>,
};

/** One step of a search. */
export type CurvePointData = {
  /** The trial. */
  trial: number,
  /** The block. */
  block: number,
  /** The rate that was offered. */
  rate_per_s: number,
  /** 99th percentile of latency. */
  p99_ms: number | null,
  /** Whether it kept the limit. */
  held: boolean,
};

/** A diagnosis. */
export type DiagnosisData = {
  /** Its findings, in their order. */
  findings: Array<FindingData>,
  /** How much of each change they account for. */
  explained: Array<ExplainedData>,
  /** Rules that could not tell. */
  unanswered: Array<UnansweredData>,
  /** How many of them lacked a right of the role, and what would give it, in words; absent where none did. */
  missing_rights: string | null,
};

/** One disk. */
export type DiskData = {
  /** The target. */
  target: string,
  /** Where it was measured, in words. */
  place: string | null,
  /** Its stages, in order. */
  stages: Array<StageData>,
  /** Latency and rate against requests in flight. */
  ladders: Array<DiskLadderData>,
  /** What there is to say of it. */
  remarks: Array<string>,
};

/** One kind of request at several depths. */
export type DiskLadderData = {
  /** What kind, in words. */
  what: string,
  /** Requests in flight. */
  in_flight: Array<number>,
  /** Requests per second in the long run. */
  iops: Array<number>,
  /** Mean latency. */
  mean_ms: Array<number | null>,
  /** 99th percentile of latency. */
  p99_ms: Array<number | null>,
};

/** All disks. */
export type DisksData = {
  /** Each disk. */
  disks: Array<DiskData>,
  /** Why stages cannot be compared from disk to disk. */
  unlike: Array<string>,
  /** What the disks mean for the workloads. */
  meanings: Array<MeaningData>,
};

/** The failures of one SQLSTATE. */
export type ErrorData = {
  /** The SQLSTATE. */
  sqlstate: string,
  /** Transactions that failed with it. */
  count: number,
  /** What the server said first, for each statement that failed with it; empty where the generator does not tell. */
  first: Array<FirstErrorData>,
};

/** A point with its 95 % interval. */
export type EstimateData = {
  /** The point. */
  point: number,
  /** Lower end. */
  low: number,
  /** Upper end. */
  high: number,
  /** Observations. */
  n: number,
};

/** One event in the trials of one cell. */
export type EventData = {
  /** Target. */
  target: string,
  /** Workload. */
  workload: string,
  /** Number of clients. */
  clients: number | null,
  /** Its name in the plan. */
  event: string,
  /** What was done. */
  what: string,
  /** When it was to be, in seconds of the measurement. */
  planned_s: number,
  /** What followed. */
  figures: Array<EventFigureData>,
  /** The parts of the gap, which sum to its mean. */
  parts: Array<EventPartData>,
  /** What its cluster told of it. */
  steps: Array<EventStepData>,
  /** Commits that were acknowledged in its trials; absent without a ledger. */
  acknowledged: number | null,
  /** Acknowledged commits that were not there any more. */
  lost: number | null,
  /** What the plan requires of it. */
  required: Array<RequiredData>,
  /** What is told of it, a sentence each. */
  lines: Array<string>,
  /** The throughput around it, trial by trial. */
  around: Array<AroundData>,
  /** The length of a piece of these curves in seconds. */
  step_s: number,
};

/** A figure of an event over its trials. */
export type EventFigureData = {
  /** What it is called. */
  name: string,
  /** `s` or `transactions`. */
  unit: string,
  /** Absent where it had not ended in some trial, or was too short to be told in all. */
  mean: number | null,
  /** The mean with its interval; absent for a single trial. */
  estimate: EstimateData | null,
  /** Trials in which it was too short to be told, and counts as nothing in the mean. */
  short: number,
  /** Trials in which it had not ended. */
  open: number,
  /** Trials that tell it. */
  of: number,
};

/** One part of a gap. */
export type EventPartData = {
  /** What it ends with. */
  until: string,
  /** Its mean length in seconds. */
  s: number,
  /** The same with its interval; absent for a single trial. */
  estimate: EstimateData | null,
};

/** When a cluster told of a step. */
export type EventStepData = {
  /** What it is called. */
  step: string,
  /** Its mean in seconds since the event was asked for. */
  s: number,
  /** The same with its interval; absent for a single trial. */
  estimate: EstimateData | null,
};

/** What one finding adds. */
export type ExplainedByData = {
  /** The rule's name. */
  rule: string,
  /** The share of the change that no finding before it accounts for, 0 to 1. */
  share: number,
};

/** How much of a change the findings account for, each millisecond counted once. */
export type ExplainedData = {
  /** The candidate. */
  candidate: string,
  /** Workload and clients, in words. */
  place: string,
  /** The one of the two sides whose mean transaction takes longer. */
  slower: string,
  /** How much longer, as a share of the faster side's. */
  change: EstimateData,
  /** The same in milliseconds. */
  change_ms: EstimateData,
  /** The share of the logarithm of the ratio that the findings account for, 0 to 1. */
  share: EstimateData,
  /** What each finding adds to that. */
  by: Array<ExplainedByData>,
  /** Where the rest of the change lies. */
  left: Array<LeftData>,
  /** What differs between the two sides; what the plan does not name as a difference stands first. */
  unlike: Array<UnlikeFactData>,
  /** All of it in words. */
  text: string,
};

/** A fact before and after. */
export type FactChangeData = {
  /** Its name. */
  name: string,
  /** Before; absent where it was not given. */
  from: string | null,
  /** After; absent where it is not given any more. */
  to: string | null,
};

/** One fact of all targets. */
export type FactData = {
  /** Its aspect. */
  group: string,
  /** Its name. */
  name: string,
  /** Values in the order of [`ReportData::targets`]. */
  values: Array<string | null>,
  /** Whether two known values differ. */
  differs: boolean,
  /** Whether the plan lets them. */
  allowed: boolean,
  /** Whether it can be what makes the sides unlike: what names a server, and figures that are never the same twice,
   * are only told. */
  compared: boolean,
};

/** How the failures of two sides differ. */
export type FailureComparisonData = {
  /** The baseline's transactions. */
  baseline: AccountData,
  /** The candidate's. */
  candidate: AccountData,
  /** Share of the candidate's transactions that failed less that of the baseline's; absent where a side ended none. */
  difference: EstimateData | null,
  /** What that says, in words; empty where nothing failed. */
  text: string,
};

/** Series of one trial beside each other. */
export type FindingChartData = {
  /** The trial. */
  trial: number,
  /** End of each second, counted from the load's start. */
  t_s: Array<number>,
  /** The series; the first is the throughput. */
  lines: Array<FindingLineData>,
};

/** One finding. */
export type FindingData = {
  /** The rule's name. */
  rule: string,
  /** What, in a few words. */
  title: string,
  /** What sort of conclusion it is. */
  kind: KindData,
  /** How directly the cause was observed. */
  confidence: ConfidenceData,
  /** What it has to do with the comparison. */
  bearing: BearingData,
  /** The same in words. */
  bearing_text: string,
  /** How much of its cause the first cell has beside another side. */
  beside: BesideData | null,
  /** Findings before it that count some of the same time. */
  overlaps: Array<OverlapData>,
  /** Where, in words; the first is where it costs most and what the rest is about. */
  cells: Array<string>,
  /** What it costs, in words. */
  cost: string,
  /** Its share of the mean latency or of the throughput; absent where it cannot be attributed. */
  cost_share: number | null,
  /** Milliseconds of the mean latency, where it is time. */
  cost_ms: EstimateData | null,
  /** Milliseconds more than the other side spends on it: of several, the one that spends the least. */
  change_ms: EstimateData | null,
  /** The figures that it rests on, with their units. */
  figures: Array<FindingFigureData>,
  /** When it was so. */
  windows: Array<FindingWindowData>,
  /** The series that show it. */
  chart: FindingChartData | null,
  /** Why it matters. */
  why: string,
  /** What would show that it is not so. */
  would_disprove: string,
  /** What to do to confirm it, and what to expect then. */
  confirm: string,
  /** The plan that does it; absent for figures of another tool. */
  confirm_plan_yaml: string | null,
  /** The settings that would take it away and may stay; absent where none would. */
  mend: string | null,
};

/** One figure. */
export type FindingFigureData = {
  /** What was measured. */
  name: string,
  /** How much, with its unit. */
  text: string,
  /** The plans of a statement, where the figure is that they differ. */
  plans: PlansData | null,
};

/** One series. */
export type FindingLineData = {
  /** What it shows. */
  name: string,
  /** Its unit. */
  unit: string,
  /** By second; absent in a gap. */
  values: Array<number | null>,
};

/** A stretch of a trial. */
export type FindingWindowData = {
  /** The trial. */
  trial: number,
  /** Its start, in seconds since the load's start. */
  from_s: number,
  /** Its end. */
  to_s: number,
};

/** The first error of one statement. */
export type FirstErrorData = {
  /** The server's message. */
  message: string,
  /** The script; absent where the error is about no statement. */
  script: string | null,
  /** The statement's line there, from 1. */
  line: number | null,
  /** Its text on one line, shortened. */
  statement: string | null,
};

/** A history. */
export type HistoryData = {
  /** Format version, [`FORMAT`]. First, since the viewer tells a history by it from a report. */
  history_format: number,
  /** The file. */
  file: string,
  /** What a check says, in a sentence: what got worse, if anything did. */
  answer: string,
  /** Commands that accept what got worse. */
  accept: Array<string>,
  /** How often it would say so if nothing changed. */
  false_alarms: string,
  /** By cell and metric. */
  series: Array<SeriesData>,
};

/** Something that is concluded about the run. */
export type IssueData = {
  /** Its code: `pgdyno rule CODE` explains it. */
  code: string,
  /** What the code is about. */
  group: string,
  /** `invalidates`, `weakens`, `explains` or `informs`. */
  effect: string,
  /** What was found. */
  text: string,
  /** The cells that it concerns, in words; none: the whole run. */
  cells: Array<string>,
  /** The trials in which it was seen; none: it is not of single trials. */
  trials: Array<number>,
  /** Its share of the mean latency or of the throughput; absent where it is none or cannot be attributed. */
  cost_share: number | null,
  /** What it rests on, with units. */
  evidence: Array<string>,
  /** What to do about it. */
  fix: string,
  /** What the fix gives up. */
  risk: string | null,
  /** How to confirm it. */
  confirm: string,
  /** Its number in the list of findings, from 1, where a rule found it. */
  finding: number | null,
};

/** What sort of conclusion a finding is. */
export type KindData = "problem" | "limit";

/** Figures of one target and workload against clients. */
export type LadderData = {
  /** The target. */
  target: string,
  /** The workload. */
  workload: string,
  /** By clients, ascending. */
  points: Array<RungData>,
  /** What can be said of the ladder. */
  note: string | null,
};

/** One step, or the whole. */
export type LayerRowData = {
  /** The target without the layer. */
  from: string,
  /** The target with it. */
  to: string,
  /** Mean latency without it, in milliseconds. */
  baseline_ms: EstimateData,
  /** With it. */
  candidate_ms: EstimateData,
  /** What it adds. */
  change_ms: EstimateData,
  /** What the change below is of. */
  metric: string,
  /** With the layer / without it − 1; absent without an interval. */
  change: EstimateData | null,
  /** The verdict on that change. */
  verdict: VerdictData,
};

/** A ladder at one place. */
export type LayersData = {
  /** Workload name. */
  workload: string,
  /** Number of clients. */
  clients: number,
  /** Blocks in which every rung was measured. */
  blocks: number,
  /** The steps from the baseline up, and the whole at the end. The milliseconds of the steps add up to the whole's,
   * their ratios multiply to it. */
  rows: Array<LayerRowData>,
};

/** A part of a change that no finding accounts for. */
export type LeftData = {
  /** The part of the time budget; waiting for a CPU is two, with the time on a CPU and for each millisecond of it. */
  part: string,
  /** Its share of the change. */
  share: number,
};

/** A trial that does not count. */
export type LeftOutData = {
  /** Number in the schedule. */
  trial: number,
  /** Its block. */
  block: number,
  /** Why. */
  reason: string,
};

/** A change of level. */
export type LevelChangeData = {
  /** Index in the segment of the first run of the new level. */
  at: number,
  /** Last run of the old level. */
  before: string,
  /** First run of the new level. */
  after: string,
  /** New level / old level − 1. */
  change: EstimateData,
  /** Of the test by permutation. */
  p_value: number,
  /** Whether it is for the better. */
  verdict: VerdictData,
  /** All that in a sentence. */
  text: string,
  /** What of server and pgdyno changed between the two runs. */
  meanwhile: Array<FactChangeData>,
  /** Where it is for the worse and stands: last level / level before it − 1. */
  stands: EstimateData | null,
  /** What the runs of the new level say against their own figures, those of most runs first. */
  doubts: Array<LevelDoubtData>,
  /** Every run of the new level doubts how it was measured in a way in which no run of the old one does: no alarm. */
  doubtful: boolean,
};

/** Runs between two changes. */
export type LevelData = {
  /** Index of its first run in the segment. */
  from: number,
  /** Index after that of its last run. */
  to: number,
  /** Geometric mean of its runs. */
  mean: number,
};

/** A kind of doubt of the runs of a level. */
export type LevelDoubtData = {
  /** The rule of the audit, or the kind of the caveat. */
  kind: string,
  /** How many runs of the old level have it, and of the new one. */
  runs: [number, number],
  /** It in a sentence, with what the newest run found. */
  text: string,
};

/** A second of a trial. */
export type LiveSecondData = {
  /** The trial. */
  trial: number,
  /** Its target. */
  target: string,
  /** Whether it is one of the warm-up, which does not count. */
  warm_up: boolean,
  /** Number of the second within its phase, from 0. */
  index: number,
  /** Its end, in seconds since 1970. */
  at_s: number,
  /** Transactions per second in which the side could send. */
  throughput_per_s: number | null,
  /** Latency. */
  p50_ms: number | null,
  /** Latency. */
  p95_ms: number | null,
  /** Latency. */
  p99_ms: number | null,
  /** Failed transactions. */
  failed: number,
  /** Share of all CPUs of the server's host that was not idle, in percent. */
  cpu_percent: number | null,
  /** Bytes per second that the server's disk read. */
  disk_read_per_s: number | null,
  /** Bytes per second that it wrote. */
  disk_written_per_s: number | null,
  /** What the load's sessions were doing; absent where they were not looked at. */
  sessions: SessionsData | null,
};

/** How transactions were sent. */
export type LoopData = "closed" | "open" | "capacity";

/** The highest throughput of a target in a workload. */
export type MaximumData = {
  /** The workload. */
  workload: string,
  /** The target. */
  target: string,
  /** With how many clients. */
  clients: number,
  /** How high. */
  throughput_per_s: EstimateData,
  /** Against the baseline's; absent for the baseline, and where a peak was not reached. */
  change: EstimateData | null,
  /** What can be said of the two peaks. */
  text: string | null,
};

/** What a disk means for one workload. */
export type MeaningData = {
  /** The target. */
  target: string,
  /** The workload. */
  workload: string,
  /** Whether the disk is the bottleneck, in words. */
  bottleneck: string,
  /** The smallest machine beyond which the disk is the limit, in words. */
  machine: string | null,
  /** By clients. */
  ceilings: Array<CeilingData>,
};

/** One metric of a comparison. */
export type MetricData = {
  /** Its name. */
  metric: MetricName,
  /** Its unit. */
  unit: string,
  /** The direction that is good. */
  better: BetterData,
  /** The baseline's level: over the blocks of the change where there is one, else over its own trials. */
  baseline: EstimateData | null,
  /** The candidate's: the ratio of the two is the change. */
  candidate: EstimateData | null,
  /** candidate / baseline − 1; absent without an interval, and where it is not known: the interval includes no change
   * and its ends lie more than a factor of 10 apart. */
  change: EstimateData | null,
  /** The verdict on this metric. */
  verdict: VerdictData,
};

/** A figure that the two sides are compared by. */
export type MetricName = "capacity" | "throughput" | "write_gap" | "read_gap" | "statement_time" | "latency_mean" | "latency_p50" | "latency_p95" | "latency_p99" | "latency_p999";

/** Where a run is. */
export type NowData = {
  /** The report as it would be made now: another text, another report. */
  report: string,
  /** Names of the targets, the baseline first. */
  targets: Array<string>,
  /** Blocks at most. */
  blocks_at_most: number | null,
  /** Finished trials. */
  trials_done: number,
  /** Trials that are still to be executed at most. */
  trials_left: number,
  /** Seconds until its end at most, by the trials so far; absent before the first has ended. */
  left_s: number | null,
  /** What is being measured: several trials where sides take turns, none between two. */
  under_way: Array<UnderWayData>,
};

/** A figure over the trials of a target. */
export type OverTrialsData = {
  /** Its level: the geometric mean, or the arithmetic one where a trial has zero. */
  mean: number,
  /** The same with its interval; absent of a single trial. */
  estimate: EstimateData | null,
  /** Trials that tell it. */
  trials: number,
};

/** Time that another finding counts, too. */
export type OverlapData = {
  /** The rule of the other finding. */
  rule: string,
  /** The share of this finding's time that the other is about, too, 0 to 1. */
  share: number,
};

/** The statements of one pair. */
export type PairStatementsData = {
  /** The candidate's target. */
  candidate: string,
  /** Workload name. */
  workload: string,
  /** Number of clients. */
  clients: number,
  /** Blocks in which both sides were timed. */
  blocks: number,
  /** Those that change a transaction most come first. */
  statements: Array<StatementChangeData>,
  /** How many more were executed. */
  left_out: number,
};

/** One part of a transaction's time. */
export type PartData = {
  /** Its name. */
  part: string,
  /** Milliseconds of the mean transaction; the parts sum to its latency. */
  ms: number,
};

/** Two plans of one statement beside each other. */
export type PlansData = {
  /** The targets: the one with the finding, and the other. */
  targets: [string, string],
  /** The lines of their plans, a node to a line, indented. */
  lines: [Array<string>, Array<string>],
  /** The first line, from 0, in which they do unlike things. */
  differs_at: number,
};

/** What a run measured. */
export type PointData = {
  /** The run. */
  run: string,
  /** When it began: RFC 3339, UTC. */
  at: string,
  /** The mean over its trials. */
  point: number,
  /** Its 95 % interval. */
  interval: [number, number] | null,
  /** Trials that count. */
  trials: number,
  /** What the run says against its own figure; absent where an older pgdyno added it. */
  doubts: Array<RunDoubtData> | null,
};

/** The price of a million transactions. */
export type PriceData = {
  /** The workload. */
  workload: string,
  /** The target. */
  target: string,
  /** Clients; absent where nobody says. */
  clients: number | null,
  /** The throughput that it is of. */
  throughput_per_s: EstimateData,
  /** What that throughput is, in words. */
  basis: string,
  /** The price of a million transactions at that throughput; absent where its interval leaves open that nothing gets
   * done. */
  per_million: EstimateData | null,
  /** Its currency. */
  currency: string,
  /** What an hour of the target costs. */
  per_hour: string,
  /** The day of that price. */
  as_of: string,
  /** What it includes. */
  includes: string,
};

/** A series of one trial. */
export type ReadingData = {
  /** What it is about: series with the same words belong together. */
  about: string,
  /** What it shows. */
  name: string,
  /** Its unit. */
  unit: string,
  /** Whether the series about the same are parts of one whole. */
  stacked: boolean,
  /** By second of the trial, aligned with its other series; absent in a gap. */
  values: Array<number | null>,
};

/** Everything that a report shows. */
export type ReportData = {
  /** Format version, [`FORMAT`]. */
  format: number,
  /** Version of pgdyno that made the report. */
  pgdyno_version: string,
  /** The run. */
  run: RunData,
  /** Name of the baseline. */
  baseline: string,
  /** Names of the candidates. */
  candidates: Array<string>,
  /** Whether the sides were measured in the same blocks. */
  paired: boolean,
  /** Smallest change worth acting on, as a share. */
  practical_threshold: number,
  /** The sentence at the top. */
  headline: string,
  /** How it was measured, in one line. */
  headline_detail: string,
  /** Everything that is concluded about the run, each fact once, the strongest effect first. */
  issues: Array<IssueData>,
  /** The codes that are left out on request. */
  ignored: Array<string>,
  /** Candidate × workload × clients. */
  comparisons: Array<ComparisonData>,
  /** The verdicts on costs and on the latencies that do not decide, pair by pair. */
  cost_verdicts?: Array<CostVerdictData>,
  /** The verdicts on statements, pair by pair. */
  statement_verdicts?: Array<StatementVerdictData>,
  /** The baseline against itself. */
  noise_floor: Array<ComparisonData>,
  /** Figures against clients, per target and workload. */
  ladders: Array<LadderData>,
  /** The highest throughput of each target in each workload that has several numbers of clients. */
  maxima: Array<MaximumData>,
  /** What became of transactions besides being completed, a line for each cell that has any. */
  service: Array<string>,
  /** Why it is so. */
  diagnosis: DiagnosisData,
  /** What each layer of the plan's ladder adds. */
  layers: Array<LayersData>,
  /** Where the time went, for each pair that tells. */
  budgets: Array<BudgetData>,
  /** Latency by statement as the load engine timed it, for each pair that tells. */
  statement_latency: Array<PairStatementsData>,
  /** The same of a target that is compared with nothing. */
  statement_latency_alone: Array<TargetStatementsData>,
  /** The statements that took most time, by cell; none where they were not counted. */
  statements?: Array<CellStatements>,
  /** What followed the events of the plan; none where it has none. */
  events?: Array<EventData>,
  /** Every cell of which transactions failed or were retried. */
  failures?: Array<CellAccountData>,
  /** What the plan requires of its workloads; none where it requires nothing. */
  required?: Array<RequirementData>,
  /** What a million transactions cost; none where the plan states no price. */
  prices?: Array<PriceData>,
  /** What two generators say of one cell; none where the plan has nothing cross-checked. */
  cross_checks?: Array<CrossCheckData>,
  /** The rounds of the tuning that this run ends; absent where it ends none. */
  tuning?: TuningData,
  /** What the disks can do; absent where none was measured. */
  disks?: DisksData,
  /** p99 against the offered rate, for searches of a capacity. */
  curves: Array<CurveData>,
  /** How far the latencies of each target lie apart, and how long its clients took to connect; none where neither is
   * told. */
  spreads?: Array<SpreadData>,
  /** What must hold, or the comparison is not one; absent for two runs made separately. */
  audit?: AuditData,
  /** Facts of all targets. */
  facts: Array<FactData>,
  /** Names of the targets, the baseline first. */
  targets: Array<string>,
  /** Every trial, second by second. */
  trials: Array<TrialData>,
  /** The resolved plan. */
  plan_yaml: string,
  /** How to read the figures, in paragraphs. */
  method: Array<string>,
  /** The sections that are built once for all forms, as a page shows them. */
  sections?: Array<SectionData>,
};

/** A requirement of a plan. */
export type RequiredData = {
  /** What is required. */
  text: string,
  /** Whether it holds. */
  ruling: ComplianceData,
};

/** A limit of a workload on one server. */
export type RequirementData = {
  /** The server's target. */
  target: string,
  /** Workload name. */
  workload: string,
  /** Number of clients; absent where it is not known. */
  clients: number | null,
  /** What is required, such as `p99 latency below 20.0 ms`. */
  text: string,
  /** What was measured: of rates per second, of latencies milliseconds, of failed transactions the share of all;
   * absent where nothing usable was. */
  measured: EstimateData | null,
  /** The same in words. */
  measured_text: string,
  /** Whether it holds. */
  compliance: ComplianceData,
};

/** What a trial is for. */
export type RoleData = "main" | "noise-floor";

/** A row of a table. */
export type RowData = {
  /** Its cells, with their units. */
  cells: Array<string>,
  /** Whether it is to be seen first. */
  stands_out: boolean,
  /** Its bar. */
  bar: BarData | null,
};

/** What one comparison beside the deciding one says. */
export type RulingData = {
  /** The baseline's figure: the geometric mean over the blocks. */
  baseline: number,
  /** The candidate's. */
  candidate_value: number,
  /** candidate / baseline − 1; absent with fewer than two blocks. */
  change: EstimateData | null,
  /** The direction that is good. */
  better: BetterData,
  /** The verdict in the family of all of its kind. */
  verdict: VerdictData,
  /** Whether the change is larger than the threshold for sure: a loss then fails the run. */
  beyond_threshold: boolean,
  /** The change in a sentence. */
  text: string,
};

/** The run itself. */
export type RunData = {
  /** Directory name. */
  id: string,
  /** The plan's name. */
  name: string,
  /** RFC 3339, UTC. */
  started_at: string,
  /** Seed; text, since JavaScript's numbers do not hold 64 bits. */
  seed: string,
  /** How far it got. */
  state: StateData,
  /** Blocks that were finished. */
  blocks: number,
  /** Blocks after which the plan would have stopped anyway. */
  blocks_at_most: number,
  /** Finished trials. */
  trials: number,
  /** Seconds of all measurement phases. */
  measured_s: number,
  /** The load engine's machine. */
  generator: string,
};

/** What a run says against its own figure. */
export type RunDoubtData = {
  /** The rule of the audit, or the kind of the caveat. */
  kind: string,
  /** What was found. */
  text: string,
};

/** One rung of a ladder. */
export type RungData = {
  /** Clients. */
  clients: number,
  /** Throughput. */
  throughput_per_s: EstimateData | null,
  /** Mean latency. */
  latency_mean_ms: EstimateData | null,
  /** 99th percentile of latency. */
  latency_p99_ms: EstimateData | null,
};

/** A part of a section. */
export type SectionBlockData = { "kind": "explanation",
  /** Sentences. */
  text: string, } | { "kind": "note",
  /** The sentence. */
  text: string, } | { "kind": "table",
  /** What it is of, where the section has several. */
  caption: string | null,
  /** Whether it is shown before somebody asks. */
  is_foremost: boolean,
  /** Where its rows have bars; absent where they have none. */
  bars: BarsData | null,
  /** Its columns. */
  columns: Array<ColumnData>,
  /** Its rows. */
  rows: Array<RowData>,
  /** Sentences that belong to its figures. */
  notes: Array<string>,
};

/** A section. */
export type SectionData = {
  /** The name by which links lead to it. */
  id: string,
  /** Its heading. */
  title: string,
  /** What stands below it. */
  blocks: Array<SectionBlockData>,
};

/** Runs that can be compared. */
export type SegmentData = {
  /** Why it begins, in a sentence; absent for the first. */
  begins: string | null,
  /** The conditions that changed with it; none where the level was accepted, or before the first. */
  changed: Array<FactChangeData>,
  /** Why the level was accepted; absent where it begins for another reason. */
  accepted: string | null,
  /** Unit of its figures. */
  unit: string,
  /** Runs that lack until a change can be told from chance. */
  missing_runs: number,
  /** In the order of time. */
  points: Array<PointData>,
  /** In the order of time; together all of its runs. */
  levels: Array<LevelData>,
  /** Between the levels. */
  changes: Array<LevelChangeData>,
};

/** A metric of a cell over time. */
export type SeriesData = {
  /** Target, workload and clients in words. */
  cell: string,
  /** The target. */
  target: string,
  /** The workload. */
  workload: string,
  /** Clients; absent where nobody tells. */
  clients: number | null,
  /** The metric that decides about the cell. */
  metric: string,
  /** The direction that is good. */
  better: BetterData,
  /** In the order of time; nothing is compared across. */
  segments: Array<SegmentData>,
};

/** What the series of a stage holds. */
export type SeriesUnit = "iops" | "bytes_per_s";

/** How many of the load's sessions were seen in each state, on average over the samples of a second. */
export type SessionsData = {
  /** On a CPU, or waiting for one. */
  cpu: number,
  /** Reading or writing. */
  io: number,
  /** Behind a lock of another transaction. */
  lock: number,
  /** Behind a lock within the server. */
  lwlock: number,
  /** Waiting for anything else. */
  other: number,
  /** Waiting for the client. */
  client: number,
};

/** One target at one place. */
export type SpreadData = {
  /** The workload. */
  workload: string,
  /** The target. */
  target: string,
  /** Clients; absent where nobody says. */
  clients: number | null,
  /** Mean latency. */
  latency_mean_ms: OverTrialsData | null,
  /** Standard deviation of the latency over the transactions of a trial. */
  latency_stddev_ms: OverTrialsData | null,
  /** The time in which all clients were connected before a trial's load; absent where connections are made for each
   * transaction, where sides take turns, and where it was not told. */
  connected_ms: OverTrialsData | null,
};

/** One stage. */
export type StageData = {
  /** Its name. */
  name: string,
  /** What it did, in words. */
  what: string,
  /** Why it does not count. */
  failed: string | null,
  /** Requests per second over the whole time. */
  iops: number,
  /** The same in the long run. */
  steady_iops: EstimateData | null,
  /** Bytes per second over the whole time. */
  bytes_per_s: number,
  /** The same in the long run. */
  steady_bytes_per_s: EstimateData | null,
  /** Mean latency. */
  mean_ms: number | null,
  /** Percentiles of latency as `[percent, ms]`. */
  percentiles_ms: Array<[number, number]>,
  /** Mean latency of the calls that sync. */
  sync_ms: number | null,
  /** Share of the time that the device was busy. */
  utilisation: number | null,
  /** What the series holds. */
  series_unit: SeriesUnit,
  /** End of each entry, in seconds since the stage's start. */
  t_s: Array<number>,
  /** Reads and writes together. */
  rate: Array<number | null>,
  /** When the rate fell for good. */
  fell_at_s: number | null,
};

/** How far a run got. */
export type StateData = "complete" | "interrupted" | "running" | "unfinished";

/** One statement on both sides. */
export type StatementChangeData = {
  /** Its number in the workload, from 0. */
  number: number,
  /** The name of its script. */
  script: string,
  /** Its line there. */
  line: number,
  /** Its text in one line, shortened; the run directory has it whole. */
  text: string,
  /** Of a COMMIT the lines of the statements that wrote, whose time it is. */
  commits: Array<number>,
  /** Of the baseline. */
  baseline: StatementFiguresData,
  /** Of the candidate. */
  candidate: StatementFiguresData,
  /** Candidate less baseline of the time that it takes of a mean transaction, in milliseconds. */
  change_ms: number,
  /** The same with its interval; `null` of one block. */
  change_interval_ms: EstimateData | null,
  /** Candidate over baseline less 1 of the mean of an execution; `null` where fewer than two blocks have both. */
  mean_change: EstimateData | null,
  /** The verdict on that mean in the family of all statements; absent where it was not judged by itself. */
  verdict?: VerdictData,
  /** The same of the 99th percentile. */
  p99_change: EstimateData | null,
};

/** What one side tells of a statement. */
export type StatementFiguresData = {
  /** How often it was executed and succeeded. */
  executions: number,
  /** Transactions that failed with it. */
  failed: number,
  /** Tries that failed with it and were followed by another. */
  retried: number,
  /** The time that it takes of a mean transaction. */
  time_ms: number,
  /** The part of a mean transaction that this is, 0 to 1; more in pipelines, where statements overlap. */
  share: number | null,
  /** The mean of an execution; `null`, as what follows, where there was none. */
  mean_ms: number | null,
  /** Median. */
  p50_ms: number | null,
  /** 95th percentile. */
  p95_ms: number | null,
  /** 99th percentile. */
  p99_ms: number | null,
  /** The longest. */
  max_ms: number | null,
};

/** One statement, over all trials of its cell. */
export type StatementRow = {
  /** The server's identifier, in decimal: it has more digits than a number of JavaScript. */
  query_id: string,
  /** Its normalised text; absent where the role may not see it. */
  text: string | null,
  /** Share of the execution time of all statements, 0 to 1. */
  share: number,
  /** Executions per second. */
  calls_per_s: number,
  /** Mean execution time in milliseconds. */
  mean_ms: number,
  /** Rows per execution. */
  rows: number,
  /** Blocks found in the buffer cache, per execution. */
  blocks_hit: number,
  /** Blocks read from outside it, per execution. */
  blocks_read: number,
  /** Blocks of temporary files written, per execution. */
  temp_blocks: number,
  /** Bytes of WAL per execution. */
  wal_bytes: number,
};

/** The verdict on a statement, or on all rare ones of a class. */
export type StatementVerdictData = {
  /** The candidate. */
  candidate: string,
  /** The workload. */
  workload: string,
  /** Clients; absent where nobody says. */
  clients: number | null,
  /** Its number in the workload; absent of a class. */
  number: number | null,
  /** `SCRIPT:LINE`, or the class. */
  statement: string,
  /** Candidate less baseline of the time that it takes of a mean transaction, in milliseconds. */
  more_ms: number,
  /** The verdict on the mean of one execution, in milliseconds. */
  ruling: RulingData,
};

/** What a transaction takes of the server besides time. */
export type TakenData = {
  /** Its name. */
  resource: string,
  /** `ms`, `B` or `blocks`. */
  unit: string,
  /** Of the baseline, per transaction. */
  baseline: EstimateData,
  /** Of the candidate, per transaction. */
  candidate: EstimateData,
  /** Candidate over baseline less 1. */
  change: EstimateData,
};

/** The statements of one target at one place. */
export type TargetStatementsData = {
  /** The target. */
  target: string,
  /** Workload name. */
  workload: string,
  /** Number of clients. */
  clients: number,
  /** Blocks in which they were timed. */
  blocks: number,
  /** Those that take most of a transaction first. */
  statements: Array<TimedStatementData>,
  /** How many more were executed. */
  left_out: number,
};

/** One statement. */
export type TimedStatementData = {
  /** Its number in the workload, from 0. */
  number: number,
  /** The name of its script. */
  script: string,
  /** Its line there. */
  line: number,
  /** Its text in one line, shortened; the run directory has it whole. */
  text: string,
  /** Of a COMMIT the lines of the statements that wrote, whose time it is. */
  commits: Array<number>,
  /** What was timed. */
  figures: StatementFiguresData,
};

/** A figure of latency that another tool told of each interval. */
export type ToldSeriesData = {
  /** `mean`, `stddev`, `max`, or a percentile such as `p90`. */
  figure: string,
  /** Its values, aligned with [`TrialData::t_s`]. */
  ms: Array<number | null>,
};

/** One trial, second by second, in columns. */
export type TrialData = {
  /** Number in the schedule. */
  number: number,
  /** Block. */
  block: number,
  /** Target. */
  target: string,
  /** Workload. */
  workload: string,
  /** Clients; absent where nobody says. */
  clients: number | null,
  /** The rate of a step of a search. */
  rate_per_s: number | null,
  /** What it is for. */
  role: RoleData,
  /** How it ended, in words. */
  outcome: string,
  /** When its load began; RFC 3339, UTC. */
  started_at: string,
  /** End of each second, counted from the load's start. */
  t_s: Array<number>,
  /** Length of each interval, where another tool told longer ones than seconds. */
  span_s?: Array<number>,
  /** Transactions per second. */
  throughput_per_s: Array<number>,
  /** Transactions per second that an open loop offered. */
  offered_per_s: Array<number | null>,
  /** Arrivals that were skipped. */
  skipped: Array<number>,
  /** Median latency. */
  p50_ms: Array<number | null>,
  /** 95th percentile. */
  p95_ms: Array<number | null>,
  /** 99th percentile. */
  p99_ms: Array<number | null>,
  /** What another tool told of latency beyond these percentiles; empty where pgdyno measured. */
  told_latency?: Array<ToldSeriesData>,
  /** Failed transactions. */
  failed: Array<number>,
  /** CPU in use on the server's host, of all its CPUs. */
  cpu_percent: Array<number | null>,
  /** Clients without a connection. */
  clients_out: Array<number>,
  /** The seconds before this are warm-up. */
  warm_up_until_s: number,
  /** When checkpoints were seen. */
  checkpoints_s: Array<number>,
  /** Why it was not steady, if it was not. */
  steady: string | null,
  /** Where the time of its mean transaction went; absent where the sessions were not sampled,
   * or nothing was completed. */
  budget: Array<PartData> | null,
  /** What the probes read, second by second; empty where nothing was watched. */
  readings?: Array<ReadingData>,
  /** Its caveats in words. */
  caveats: Array<string>,
};

/** What came of a change at one place, as shares of the best of before. */
export type TuningCellData = {
  /** Workload name. */
  workload: string,
  /** Number of clients. */
  clients: number,
  /** The changed server / the best of before − 1; absent where there was no interval to be had. */
  change: EstimateData | null,
  /** The verdict, in a word. */
  verdict: string,
};

/** A tuning from its first look to its end. */
export type TuningData = {
  /** The target that was tuned. */
  target: string,
  /** The rounds in the order of time. */
  rounds: Array<TuningRoundData>,
  /** What was found and not tried. */
  left_out: Array<TuningLeftOutData>,
  /** What was kept, as settings; empty where nothing was. */
  kept: string,
  /** Why it ended. */
  ended: string,
};

/** A change that was not tried. */
export type TuningLeftOutData = {
  /** The rule that found what it would mend. */
  rule: string,
  /** What was found. */
  found: string,
  /** The settings. */
  change: string,
  /** Why it was not tried. */
  why: string,
};

/** One change, tried against the best of before. */
export type TuningRoundData = {
  /** Identifier of its run. */
  run: string,
  /** The rule that found what it is to mend; several with commas where what they found is mended together. */
  rule: string,
  /** What was found. */
  found: string,
  /** What was expected of the change. */
  expected: string,
  /** The settings. */
  change: string,
  /** What they give up. */
  gives_up: string | null,
  /** What came of it, at every place. */
  cells: Array<TuningCellData>,
  /** Whether it was kept. */
  kept: boolean,
};

/** A rule that could not tell. */
export type UnansweredData = {
  /** The rule's name. */
  rule: string,
  /** What it would have found. */
  finds: string,
  /** In how many cells. */
  cells: number,
  /** What it lacked in the first of them. */
  lacks: string,
};

/** A trial under way. */
export type UnderWayData = {
  /** Its number. */
  trial: number,
  /** Its block. */
  block: number,
  /** Target name. */
  target: string,
  /** Workload name. */
  workload: string,
  /** Number of clients. */
  clients: number | null,
  /** Seconds that the plan gives its warm-up. */
  warm_up_s: number,
  /** Seconds that the plan gives its measurement. */
  measure_s: number,
};

/** A fact that is not the same on the two sides. */
export type UnlikeFactData = {
  /** Its name, such as that of a setting. */
  name: string,
  /** The baseline's value. */
  baseline: string,
  /** The candidate's. */
  candidate: string,
};

/** The verdicts, and that there is none yet; nothing else may be said of a comparison, and the last two of none of its
 * metrics. */
export type VerdictData = "improved" | "regressed" | "equivalent" | "not enough data" | "so far" | "broken" | "does not work";
