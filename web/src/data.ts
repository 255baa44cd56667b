/**
 * The contract with the binary: the fields of a report's JSON, as the types of `crates/report` define them.
 * Generated: `UPDATE=1 cargo test -p report --lib typescript` writes it anew.
 *
 * Units are part of the names. A value that was not measured is `null`, never zero. All conclusions are already drawn:
 * the viewer draws and words them.
 */

/** The format of a report that these types describe. */
export const FORMAT = 4;

/** The format of a history. */
export const HISTORY_FORMAT = 1;

/** Failed and retried transactions. */
export type AccountData = {
  /** Ended transactions: completed or failed. */
  ended: number,
  /** Failed transactions, including those whose connection was lost. */
  failed: number,
  /** Failed transactions as a share of the ended ones, 0 to 1; absent if none ended. */
  failed_share: number | null,
  /** Retried transactions as a share of the ended ones, 0 to 1; absent if none ended. */
  retried_share: number | null,
  /** SQLSTATE, message and statement of the most frequent error, in words; empty if no transaction failed or the
   * error is unknown. */
  reason: string,
  /** Every SQLSTATE, the most frequent first. */
  errors: Array<ErrorData>,
};

/** Whether the figures of two generators agree. */
export type AgreementData = "agree" | "differ" | "not-enough-data" | "so-far";

/** The throughput of a trial around an event. */
export type AroundData = {
  /** The trial. */
  trial: number,
  /** Its block. */
  block: number,
  /** The start of the first interval, in seconds since the request for the event. */
  from_s: number,
  /** Transactions acknowledged per second, by interval. */
  per_s: Array<number>,
  /** Start and end of the gap that decides, in the same seconds. The end is absent if the gap did not end. */
  gap_s: [number, number | null] | null,
};

/** An audit. */
export type AuditData = {
  /** The numbers of rules that hold, are broken, and cannot be decided, in words. */
  summary: string,
  /** Rules that hold. */
  holds: number,
  /** Rules that are broken. */
  broken: number,
  /** Rules that the data do not decide. */
  cannot_tell: number,
  /** What is to be known before the rules: sides without a common cell, and sides that were measured at the same time
   * on hosts that are not declared. One sentence each. */
  remarks: Array<string>,
  /** Each check: broken rules first, the most severe at the top, then undecided rules, then rules that hold. */
  checks: Array<CheckData>,
};

/** One figure. */
export type AuditFigureData = {
  /** The object that it describes. */
  of: string,
  /** The figure with its unit. */
  text: string,
  /** Whether it breaks the rule. */
  breaks: boolean,
};

/** A step of a waterfall. It begins where the previous step ends, and its length is the change. The last row is the
 * total. */
export type BarData = {
  /** The baseline's figure. */
  baseline: number,
  /** The candidate's. */
  candidate: number,
  /** Candidate − baseline. */
  change: number,
  /** The lower end of its interval. */
  low: number,
  /** The upper end. */
  high: number,
};

/** The position of the bars of a table. */
export type BarsData = {
  /** Index of the column after the bars, from 0. */
  before: number,
  /** The heading of the bars. */
  title: string,
};

/** The relation of a finding to the comparison. */
export type BearingData = "difference" | "other side unknown" | "every side" | "more on the faster side" | "no comparison";

/** The quantity of a finding's cause on two sides. */
export type BesideData = {
  /** The name of the quantity. */
  name: string,
  /** The quantity in the cell of the finding, with its unit. */
  here: string,
  /** The other target. */
  other: string,
  /** The quantity on the other target. */
  there: string,
  /** `here` / `there` over the blocks; absent with fewer than two blocks. */
  ratio: EstimateData | null,
};

/** The direction that is good. */
export type BetterData = "higher" | "lower";

/** One block of a comparison. */
export type BlockData = {
  /** The block. */
  block: number,
  /** Number of the baseline's trial. */
  baseline_trial: number,
  /** Number of the candidate's trial. */
  candidate_trial: number,
  /** The baseline's figure of the deciding metric, in its unit. */
  baseline: number,
  /** The candidate's figure. */
  candidate: number,
  /** candidate / baseline − 1. */
  change: number,
  /** Whether it is an outlier. */
  outlying: boolean,
  /** The change without this block. */
  change_without: number | null,
  /** The pairs of slices within it, in order, if its sides alternate: transactions per second of the baseline and of
   * the candidate, or means of neighbouring pairs if there are many. Empty otherwise. */
  slices: Array<[number, number]>,
};

/** One pair's budget. */
export type BudgetData = {
  /** The candidate's target. */
  candidate: string,
  /** Workload name. */
  workload: string,
  /** Number of clients. */
  clients: number,
  /** Blocks in which both sides have a budget. The parts are means over these blocks. */
  blocks: number,
  /** Blocks of the comparison. The mean latency is over these blocks, and the parts sum to it. */
  blocks_of_latency: number,
  /** The blocks without a budget, with the reasons; absent if every block has one. */
  without: string | null,
  /** The parts in the order of a transaction's route, and the mean latency at the end. */
  rows: Array<BudgetRowData>,
  /** Resources that a transaction uses besides time, as far as both sides were read. */
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
  /** Candidate − baseline. */
  change_ms: EstimateData,
  /** The part's share of the change of the mean latency; below 0 if it changes the other way. The shares of the parts
   * sum to 1. Absent if the mean latency has no certain change. */
  share_of_change: number | null,
};

/** Failed and retried transactions of one cell. */
export type CellAccountData = {
  /** The target. */
  target: string,
  /** Workload name. */
  workload: string,
  /** Number of clients; absent if unknown. */
  clients: number | null,
  /** Its transactions. */
  account: AccountData,
};

/** What a drawing shows. */
export type ChartName = "event" | "disk" | "capacity" | "flame";

/** One check. */
export type CheckData = {
  /** Its name. */
  id: string,
  /** Its result. */
  verdict: CheckVerdict,
  /** What a broken rule undermines. */
  undermines: string | null,
  /** The rule. */
  rule: string,
  /** The figures, those that break the rule first. */
  figures: Array<AuditFigureData>,
  /** The consequence of a broken rule. */
  follows: string | null,
  /** The data that would decide it. */
  needs: string | null,
};

/** The result of an audit for one rule. */
export type CheckVerdict = "broken" | "cannot tell" | "holds";

/** A column of a table. */
export type ColumnData = {
  /** Its heading. */
  title: string,
  /** Whether it holds figures. */
  is_number: boolean,
  /** Whether it holds statements or commands. */
  is_code: boolean,
};

/** One candidate at one workload and number of clients. */
export type ComparisonData = {
  /** The target that it is compared with. */
  baseline: string,
  /** The candidate. */
  candidate: string,
  /** The workload. */
  workload: string,
  /** Number of clients; absent if unknown. */
  clients: number | null,
  /** The loop by which transactions were sent. */
  loop: LoopData,
  /** The loop in words, with the offered rate. */
  load: string,
  /** The verdict on the metric that decides. It is the verdict on failures if these are worse, or if only these are
   * better. */
  verdict: VerdictData,
  /** The verdict in words. */
  verdict_text: string,
  /** Every metric; the first decides. */
  metrics: Array<MetricData>,
  /** Failed and retried transactions of both sides; absent while a side has no trial that counts them. */
  failures: FailureComparisonData | null,
  /** The figures by block. */
  blocks: Array<BlockData>,
  /** Excluded trials of either side. Their blocks are excluded, too. */
  left_out: Array<LeftOutData>,
};

/** Whether a requirement is kept. */
export type ComplianceData = "kept" | "broken" | "not-enough-data";

/** How directly the cause of a finding was observed. */
export type ConfidenceData = "high" | "medium" | "low";

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
  /** The metric, such as `throughput`. */
  metric: string,
  /** Its unit. */
  unit: string,
  /** The figure of each generator, in the order of `generators`; absent if a generator does not report it. */
  figures: [EstimateData | null, EstimateData | null],
  /** Other generator / workload's generator − 1; absent without an interval. */
  change: EstimateData | null,
  /** Whether the two figures agree. */
  agreement: AgreementData,
};

/** The searches for the capacity of one target in one workload. */
export type CurveData = {
  /** The target. */
  target: string,
  /** The workload. */
  workload: string,
  /** Clients. */
  clients: number,
  /** The limit on p99. */
  limit_ms: number,
  /** The capacity over the blocks. */
  capacity_per_s: EstimateData | null,
  /** Every step by rate. */
  points: Array<CurvePointData>,
};

/** One step of a search. */
export type CurvePointData = {
  /** The trial. */
  trial: number,
  /** The block. */
  block: number,
  /** The offered rate. */
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
  /** Rules without enough data. */
  unanswered: Array<UnansweredData>,
  /** The number of rules for which the role lacks a privilege, and the statements that grant it, in words; absent if
   * there is none. */
  missing_rights: string | null,
  /** Why no rule was evaluated at all; absent if some were. */
  lacked: string | null,
};

/** One disk. */
export type DiskData = {
  /** The target. */
  target: string,
  /** Its stages, in order. */
  stages: Array<StageData>,
  /** Latency and rate against requests in flight. */
  ladders: Array<DiskLadderData>,
};

/** One kind of request at several queue depths. */
export type DiskLadderData = {
  /** The kind of request, in words. */
  what: string,
  /** Requests in flight. */
  in_flight: Array<number>,
  /** Requests per second in the steady state. */
  iops: Array<number>,
  /** Mean latency. */
  mean_ms: Array<number | null>,
  /** 99th percentile of latency. */
  p99_ms: Array<number | null>,
};

/** The failures of one SQLSTATE. */
export type ErrorData = {
  /** The SQLSTATE. */
  sqlstate: string,
  /** Transactions that failed with it. */
  count: number,
  /** The first error message for each statement that failed with it; empty if the generator does not report it. */
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

/** The curves of one event in the trials of one cell. */
export type EventData = {
  /** Target. */
  target: string,
  /** Workload. */
  workload: string,
  /** Number of clients. */
  clients: number | null,
  /** Its name in the plan. */
  event: string,
  /** Its planned instant, in seconds of the measurement. */
  planned_s: number,
  /** The throughput around it, by trial. */
  around: Array<AroundData>,
  /** The length of an interval of these curves in seconds. */
  step_s: number,
};

/** The contribution of one finding. */
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
  /** The side whose mean transaction takes longer. */
  slower: string,
  /** How much longer, as a share of the faster side's. */
  change: EstimateData,
  /** The difference in milliseconds. */
  change_ms: EstimateData,
  /** The share of the logarithm of the ratio that the findings account for, 0 to 1. */
  share: EstimateData,
  /** The contribution of each finding to that share. */
  by: Array<ExplainedByData>,
  /** The parts of the change that no finding accounts for. */
  left: Array<LeftData>,
  /** Facts that differ between the two sides, undeclared differences first. */
  differences: Array<UnlikeFactData>,
  /** The explanation in words. */
  text: string,
};

/** A fact before and after. */
export type FactChangeData = {
  /** Its name. */
  name: string,
  /** The value before; absent if it was not set. */
  from: string | null,
  /** The value after; absent if it is no longer set. */
  to: string | null,
};

/** The failures of two sides compared. */
export type FailureComparisonData = {
  /** The baseline's transactions. */
  baseline: AccountData,
  /** The candidate's. */
  candidate: AccountData,
  /** Failed share of the candidate − failed share of the baseline; absent if no transaction of a side ended. */
  difference: EstimateData | null,
  /** The comparison in words; empty if no transaction failed. */
  text: string,
};

/** Series of one trial. */
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
  /** The title. */
  title: string,
  /** The kind of the conclusion. */
  kind: KindData,
  /** How directly the cause was observed. */
  confidence: ConfidenceData,
  /** Its relation to the comparison. */
  bearing: BearingData,
  /** The same in words. */
  bearing_text: string,
  /** The quantity of its cause in the first cell and on another side. */
  beside: BesideData | null,
  /** Earlier findings that count some of the same time. */
  overlaps: Array<OverlapData>,
  /** The cells in words. The first has the highest cost, and the other fields are about it. */
  cells: Array<string>,
  /** Its cost in words. */
  cost: string,
  /** Its share of the mean latency or of the throughput; absent where it cannot be attributed. */
  cost_share: number | null,
  /** Milliseconds of the mean latency, if the cost is time. */
  cost_ms: EstimateData | null,
  /** Milliseconds more than the other side spends on it. With several other sides, the one that spends the least. */
  change_ms: EstimateData | null,
  /** The share of the change of the mean latency that it explains if no other finding is counted, 0 to 1; absent if
   * it explains none. */
  share_of_change: number | null,
  /** Its evidence, with units. */
  figures: Array<FindingFigureData>,
  /** The windows in which it was observed. */
  windows: Array<FindingWindowData>,
  /** The series that show it in one trial. */
  chart: FindingChartData | null,
  /** Why it matters. */
  why: string,
  /** The observation that would disprove it. */
  would_disprove: string,
  /** The experiment that confirms it, and the expected result. */
  confirm: string,
  /** The plan of that experiment; absent for figures of another tool. */
  confirm_plan_yaml: string | null,
  /** The fix: the settings that remove the cause, with their risk; absent if no setting does. */
  fix: string | null,
};

/** One figure. */
export type FindingFigureData = {
  /** The name of the quantity. */
  name: string,
  /** The amount with its unit. */
  text: string,
  /** The two plans of a statement, if the figure is their difference. */
  plans: PlansData | null,
};

/** One series. */
export type FindingLineData = {
  /** The name of the figure. */
  name: string,
  /** Its unit. */
  unit: string,
  /** By second; absent in a gap. */
  values: Array<number | null>,
};

/** A window of a trial. */
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
  /** The script; absent if the error concerns no statement. */
  script: string | null,
  /** The statement's line there, from 1. */
  line: number | null,
  /** Its text on one line, shortened. */
  statement: string | null,
};

/** A function with the functions that it called. */
export type FlameData = {
  /** Function or subsystem. */
  name: string,
  /** Milliseconds per transaction of baseline and candidate, called functions included. */
  ms: [number, number],
  /** Whether the difference is beyond chance over the blocks. The graph has a colour only for these. */
  is_certain: boolean,
  /** Called functions. */
  children?: Array<FlameData>,
};

/** The last rows of a table, which are folded. */
export type FoldedRowsData = {
  /** Index of the first of them. */
  from: number,
  /** The sentence in their place. */
  summary: string,
};

/** One function. */
export type FunctionData = {
  /** Its name. */
  function: string,
  /** Its CPU time per transaction. */
  row: ProfileRowData,
};

/** A history. */
export type HistoryData = {
  /** Format version, [`FORMAT`]. It comes first, because the viewer distinguishes a history from a report by it. */
  history_format: number,
  /** The file. */
  file: string,
  /** The result of a check in a sentence: the unresolved regressions, if there are any. */
  answer: string,
  /** Cells that are broken in the newest run that measured them, each in a sentence with the reason. */
  broken: Array<string>,
  /** Commands that accept the new levels of unresolved regressions. */
  accept: Array<string>,
  /** The probability of a false alarm, in a sentence. */
  false_alarms: string,
  /** The series, by cell and metric. */
  series: Array<SeriesData>,
};

/** A conclusion about the run. */
export type IssueData = {
  /** Its code: `pgdyno rule CODE` explains it. */
  code: string,
  /** The group of the code. */
  group: string,
  /** `invalidates`, `weakens`, `explains` or `informs`. */
  effect: string,
  /** The observation. */
  text: string,
  /** The cells that it concerns, in words; empty for the whole run. */
  cells: Array<string>,
  /** The trials in which it was observed; empty if it does not concern single trials. */
  trials: Array<number>,
  /** Its share of the mean latency or of the throughput; absent if there is none or it cannot be attributed. */
  cost_share: number | null,
  /** Its evidence, with units. */
  evidence: Array<string>,
  /** The fix. */
  fix: string,
  /** The risk of the fix. */
  risk: string | null,
  /** The experiment that confirms it. */
  confirm: string,
  /** Its number in the list of findings, from 1, if a rule found it. */
  finding: number | null,
};

/** The kind of a finding. */
export type KindData = "problem" | "limit";

/** Figures of one target and workload against clients. */
export type LadderData = {
  /** The target. */
  target: string,
  /** The workload. */
  workload: string,
  /** By number of clients, ascending. */
  points: Array<RungData>,
  /** A note on the ladder. */
  note: string | null,
};

/** One step, or the total. */
export type LayerRowData = {
  /** The target without the layer. */
  from: string,
  /** The target with it. */
  to: string,
  /** Mean latency without it, in milliseconds. */
  baseline_ms: EstimateData,
  /** Mean latency with it, in milliseconds. */
  candidate_ms: EstimateData,
  /** Its overhead, in milliseconds. */
  change_ms: EstimateData,
  /** The metric of `change`. */
  metric: string,
  /** With the layer / without it − 1; absent without an interval. */
  change: EstimateData | null,
  /** The verdict on that change. */
  verdict: VerdictData,
};

/** A ladder of layers for one workload and number of clients. */
export type LayersData = {
  /** Workload name. */
  workload: string,
  /** Number of clients. */
  clients: number,
  /** Blocks in which every rung was measured. */
  blocks: number,
  /** The steps from the baseline up, and the total at the end. The milliseconds of the steps add up to the total, and
   * their ratios multiply to it. */
  rows: Array<LayerRowData>,
};

/** A part of a change that no finding accounts for. */
export type LeftData = {
  /** The part of the time budget. Waiting for a CPU has two parts: one follows the time on a CPU, the other is the
   * wait for each millisecond of that time. */
  part: string,
  /** Its share of the change. */
  share: number,
};

/** An excluded trial. */
export type LeftOutData = {
  /** Number in the schedule. */
  trial: number,
  /** Its block. */
  block: number,
  /** The reason. */
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
  /** p-value of the permutation test. */
  p_value: number,
  /** The verdict on the change. */
  verdict: VerdictData,
  /** The change in a sentence. */
  text: string,
  /** Facts of the server and of pgdyno that changed between the two runs. */
  meanwhile: Array<FactChangeData>,
  /** Last level / level before the change − 1, if it is an unresolved regression. */
  unresolved: EstimateData | null,
  /** Caveats on the runs of the new level, the most frequent first. */
  caveats: Array<LevelDoubtData>,
  /** Every run of the new level has a caveat on its measurement that no run of the old level has. The change then
   * raises no alarm. */
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

/** A kind of caveat on the runs of a level. */
export type LevelDoubtData = {
  /** The code of the issue. */
  kind: string,
  /** Numbers of runs of the old and of the new level that have it. */
  runs: [number, number],
  /** The caveat in a sentence, with the observation of the newest run. */
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
  /** Throughput over the time in which the side could send. */
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
  /** The states of the load's sessions; absent if they were not sampled. */
  sessions: SessionsData | null,
};

/** The loop by which transactions were sent. */
export type LoopData = "closed" | "open" | "capacity";

/** The highest throughput of a target in a workload. */
export type MaximumData = {
  /** The workload. */
  workload: string,
  /** The target. */
  target: string,
  /** Number of clients. */
  clients: number,
  /** The highest throughput. */
  throughput_per_s: EstimateData,
  /** Change against the baseline's; absent for the baseline, and if a peak was not reached. */
  change: EstimateData | null,
  /** A note on the two peaks. */
  text: string | null,
};

/** One metric of a comparison. */
export type MetricData = {
  /** Its name. */
  metric: MetricName,
  /** Its unit. */
  unit: string,
  /** The direction that is good. */
  better: BetterData,
  /** The baseline's level, over the blocks of the change if there is one, else over its own trials. */
  baseline: EstimateData | null,
  /** The candidate's level. Candidate / baseline − 1 is the change. */
  candidate: EstimateData | null,
  /** The figure of the baseline's only trial: absent if there are several. */
  baseline_alone: number | null,
  /** The figure of the candidate's only trial. */
  candidate_alone: number | null,
  /** The change without an interval, if a side has one trial. */
  change_alone: number | null,
  /** candidate / baseline − 1; absent without an interval, and if it is not known. It is not known if the interval
   * includes 0 and its ends are more than a factor of 10 apart. */
  change: EstimateData | null,
  /** The verdict on this metric: of one that does not decide, the verdict among the costs. Absent if the metric is
   * not judged. */
  verdict: VerdictData | null,
};

/** A metric by which the two sides are compared. */
export type MetricName = "capacity" | "throughput" | "write_gap" | "read_gap" | "database_time" | "statement_time" | "latency_mean" | "latency_p50" | "latency_p95" | "latency_p99" | "latency_p999";

/** The progress of a run. */
export type NowData = {
  /** An identifier of the current report. It changes if the report changes. */
  report: string,
  /** Names of the targets, the baseline first. */
  targets: Array<string>,
  /** The largest number of blocks. */
  blocks_at_most: number | null,
  /** Finished trials. */
  trials_done: number,
  /** The largest number of trials that are still to be executed. */
  trials_left: number,
  /** The largest number of seconds until its end, estimated from the trials so far; absent before the first has
   * ended. */
  left_s: number | null,
  /** The trials that are being measured: several if their sides alternate, none between two trials. */
  under_way: Array<UnderWayData>,
};

/** The figures of the only trial of a cell; each is absent if there are several trials. */
export type OnlyTrialData = {
  /** Throughput. */
  throughput_per_s: number | null,
  /** Mean latency. */
  latency_mean_ms: number | null,
  /** 99th percentile of latency. */
  latency_p99_ms: number | null,
};

/** A figure over the trials of a target. */
export type OverTrialsData = {
  /** Its level: the geometric mean, or the arithmetic mean if a trial has 0. */
  mean: number,
  /** The level with its interval; absent for a single trial. */
  estimate: EstimateData | null,
  /** Trials that have the figure. */
  trials: number,
};

/** Time that another finding also counts. */
export type OverlapData = {
  /** The rule of the other finding. */
  rule: string,
  /** The share of this finding's time that the other finding also counts, 0 to 1. */
  share: number,
};

/** One part of a transaction's time. */
export type PartData = {
  /** Its name. */
  part: string,
  /** Milliseconds of the mean transaction; the parts sum to its latency. */
  ms: number,
};

/** Two plans of one statement, side by side. */
export type PlansData = {
  /** The targets: the one with the finding, and the other. */
  targets: [string, string],
  /** The lines of their plans, a node to a line, indented. */
  lines: [Array<string>, Array<string>],
  /** The first line, from 0, in which the plans differ. */
  differs_at: number,
};

/** The figure of a run. */
export type PointData = {
  /** The run. */
  run: string,
  /** Its start: RFC 3339, UTC. */
  at: string,
  /** The mean over its trials. */
  point: number,
  /** Its 95 % interval. */
  interval: [number, number] | null,
  /** Trials that count. */
  trials: number,
  /** Caveats on the figure; absent if an older pgdyno added the run. */
  caveats: Array<RunDoubtData> | null,
};

/** The price of a million transactions. */
export type PriceData = {
  /** The workload. */
  workload: string,
  /** The target. */
  target: string,
  /** Number of clients; absent if unknown. */
  clients: number | null,
  /** The throughput that the price is computed from. */
  throughput_per_s: EstimateData,
  /** The basis of that throughput, in words. */
  basis: string,
  /** The price of a million transactions at that throughput; absent if the interval of the throughput includes 0. */
  per_million: EstimateData | null,
  /** Its currency. */
  currency: string,
  /** The price of an hour of the target. */
  per_hour: string,
  /** The day of that price. */
  as_of: string,
  /** The resources that the price includes. */
  includes: string,
};

/** One pair's profile. */
export type ProfileData = {
  /** The candidate's target. */
  candidate: string,
  /** Workload name. */
  workload: string,
  /** Number of clients. */
  clients: number,
  /** The part of the time budget that the subsystems sum to. */
  part: string,
  /** Its time per transaction. */
  total: ProfileRowData,
  /** The subsystems, the largest difference first; `not sampled` is last. */
  subsystems: Array<SubsystemData>,
  /** Samples of baseline and candidate. */
  samples: [number, number],
  /** Share of the CPU time of baseline and candidate in functions of no known subsystem. */
  unknown: [number, number],
  /** Blocks without samples, with the reasons; absent if every block has them. */
  without: string | null,
  /** The stacks of both sides. */
  flame: FlameData,
};

/** Milliseconds per transaction. */
export type ProfileRowData = {
  /** Of the baseline. */
  baseline_ms: EstimateData,
  /** Of the candidate. */
  candidate_ms: EstimateData,
  /** Candidate − baseline. */
  change_ms: EstimateData,
};

/** A series of one trial. */
export type ReadingData = {
  /** The group of the series. */
  about: string,
  /** The name of the figure. */
  name: string,
  /** Its unit. */
  unit: string,
  /** Whether the series of the group are parts of one whole. */
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
  /** The threshold of the costs and of the metrics that do not decide, as a share; absent if they are not judged. */
  costs_threshold: number | null,
  /** The headline. */
  headline: string,
  /** The extent and the method of the measurement, in one line. */
  headline_detail: string,
  /** The probes that did not read all the time, a sentence each, without a period. */
  unread: Array<string>,
  /** Every conclusion about the run, each fact once, the strongest effect first. */
  issues: Array<IssueData>,
  /** The codes that are ignored on request. */
  ignored: Array<string>,
  /** Candidate × workload × clients. */
  comparisons: Array<ComparisonData>,
  /** The pairs of `compare` of the plan × workload × clients; empty without such pairs. */
  further?: Array<ComparisonData>,
  /** The baseline compared with itself. */
  noise_floor: Array<ComparisonData>,
  /** Figures against clients, per target and workload. */
  ladders: Array<LadderData>,
  /** The highest throughput of each target in each workload that has several numbers of clients. */
  maxima: Array<MaximumData>,
  /** The diagnosis: findings and the share of the change that they explain. */
  diagnosis: DiagnosisData,
  /** The overhead of each layer of the plan's ladder. */
  layers: Array<LayersData>,
  /** The time budget of each pair that has one. */
  budgets: Array<BudgetData>,
  /** The CPU time of each pair by subsystem of the server; empty if it was not sampled. */
  profiles?: Array<ProfileData>,
  /** The throughput around the plan's events; empty without events. */
  events?: Array<EventData>,
  /** Every cell with failed or retried transactions. */
  failures?: Array<CellAccountData>,
  /** The requirements of the plan on its workloads; empty without requirements. */
  required?: Array<RequirementData>,
  /** The cost of a million transactions; empty if the plan declares no price. */
  prices?: Array<PriceData>,
  /** The figures of one cell by two generators; empty if the plan cross-checks no cell. */
  cross_checks?: Array<CrossCheckData>,
  /** The curves of the disks; empty if no disk was measured. */
  disks?: Array<DiskData>,
  /** p99 against the offered rate, for searches of a capacity. */
  curves: Array<CurveData>,
  /** Standard deviation of each target's latency and the time to connect its clients; empty if neither is known. */
  spreads?: Array<SpreadData>,
  /** The audit of the method; absent for two separate runs. */
  audit?: AuditData,
  /** Names of the targets, the baseline first. */
  targets: Array<string>,
  /** Every trial, second by second. */
  trials: Array<TrialData>,
  /** The resolved plan. */
  plan_yaml: string,
  /** The method, in paragraphs. */
  method: Array<string>,
  /** The sections that all forms share, as a page shows them. */
  sections?: Array<SectionData>,
};

/** A limit of a workload on one server. */
export type RequirementData = {
  /** The server's target. */
  target: string,
  /** Workload name. */
  workload: string,
  /** Number of clients; absent if unknown. */
  clients: number | null,
  /** The requirement, such as `p99 latency below 20.0 ms`. */
  text: string,
  /** The measured figure: a rate per second, a latency in milliseconds, or the share of failed transactions; absent
   * if no usable figure was measured. */
  measured: EstimateData | null,
  /** The same in words. */
  measured_text: string,
  /** Whether it is kept. */
  compliance: ComplianceData,
};

/** The role of a trial. */
export type RoleData = "main" | "noise-floor";

/** A row of a table. */
export type RowData = {
  /** Its cells, with their units. */
  cells: Array<string>,
  /** Whether it is emphasized. */
  stands_out: boolean,
  /** Its bar. */
  bar: BarData | null,
};

/** The run itself. */
export type RunData = {
  /** Directory name. */
  id: string,
  /** The plan's name. */
  name: string,
  /** RFC 3339, UTC. */
  started_at: string,
  /** Seed, as text because JavaScript numbers do not hold 64 bits. */
  seed: string,
  /** Its state. */
  state: StateData,
  /** Finished blocks. */
  blocks: number,
  /** The largest number of blocks that the plan allows. */
  blocks_at_most: number,
  /** Finished trials. */
  trials: number,
  /** Seconds of all measurement phases. */
  measured_s: number,
  /** The machine of the load engine. */
  generator: string,
};

/** A caveat on the figure of a run. */
export type RunDoubtData = {
  /** The code of the issue. */
  kind: string,
  /** The observation. */
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
  /** The figures of the only trial, if there is one alone. */
  of_only_trial: OnlyTrialData,
};

/** A part of a section. */
export type SectionBlockData = { "kind": "explanation",
  /** The explanation. */
  text: string, } | { "kind": "note",
  /** The sentence. */
  text: string, } | { "kind": "list",
  /** The subject. */
  title: string,
  /** The sentences. */
  items: Array<string>,
  /** Whether they are folded. */
  is_folded: boolean, } | { "kind": "chart",
  /** What is drawn. */
  chart: ChartName,
  /** Index of what is drawn in the data. */
  index: number, } | { "kind": "table",
  /** Its caption, if the section has several tables. */
  caption: string | null,
  /** Whether it is shown unfolded. */
  is_foremost: boolean,
  /** The position of the bars; absent if its rows have none. */
  bars: BarsData | null,
  /** Its columns. */
  columns: Array<ColumnData>,
  /** Its rows. */
  rows: Array<RowData>,
  /** The rows that are folded; absent if all are shown. */
  folded: FoldedRowsData | null,
  /** Sentences that belong to its figures. */
  notes: Array<string>,
};

/** A section. */
export type SectionData = {
  /** The anchor of links to it. */
  id: string,
  /** Its heading. */
  title: string,
  /** Its content. */
  blocks: Array<SectionBlockData>,
};

/** Runs that can be compared. */
export type SegmentData = {
  /** The reason why it begins, in a sentence; absent for the first. */
  begins: string | null,
  /** The conditions that changed with it; empty for the first, and if the level was accepted. */
  changed: Array<FactChangeData>,
  /** The reason why the level was accepted; absent if it begins for another reason. */
  accepted: string | null,
  /** Unit of its figures. */
  unit: string,
  /** Runs that are missing until a change can be distinguished from chance. */
  missing_runs: number,
  /** In chronological order. */
  points: Array<PointData>,
  /** In chronological order. Together they hold all of its runs. */
  levels: Array<LevelData>,
  /** The changes between the levels. */
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
  /** Number of clients; absent if unknown. */
  clients: number | null,
  /** The metric that decides for the cell. */
  metric: string,
  /** The direction that is good. */
  better: BetterData,
  /** In chronological order. Runs of different segments are not compared. */
  segments: Array<SegmentData>,
};

/** The unit of the series of a stage. */
export type SeriesUnit = "iops" | "bytes_per_s";

/** The mean number of the load's sessions in each state, over the samples of a second. */
export type SessionsData = {
  /** On a CPU, or waiting for one. */
  cpu: number,
  /** Reading or writing. */
  io: number,
  /** Waiting for a heavyweight lock. */
  lock: number,
  /** Waiting for a lightweight lock. */
  lwlock: number,
  /** Waiting for anything else. */
  other: number,
  /** Waiting for the client. */
  client: number,
};

/** One target in one workload at one number of clients. */
export type SpreadData = {
  /** The workload. */
  workload: string,
  /** The target. */
  target: string,
  /** Number of clients; absent if unknown. */
  clients: number | null,
  /** Mean latency. */
  latency_mean_ms: OverTrialsData | null,
  /** Standard deviation of the latency over the transactions of a trial. */
  latency_stddev_ms: OverTrialsData | null,
  /** The time to connect all clients before a trial's load. It is absent if each transaction has its own connection,
   * if sides alternate, and if it is unknown. */
  connected_ms: OverTrialsData | null,
};

/** One stage. */
export type StageData = {
  /** Its name. */
  name: string,
  /** Its requests, in words. */
  what: string,
  /** The unit of the series. */
  series_unit: SeriesUnit,
  /** End of each entry, in seconds since the stage's start. */
  t_s: Array<number>,
  /** Rate of reads and writes together. */
  rate: Array<number | null>,
  /** The instant at which the rate fell and did not recover. */
  fell_at_s: number | null,
};

/** The state of a run. */
export type StateData = "complete" | "interrupted" | "running" | "unfinished";

/** One subsystem. */
export type SubsystemData = {
  /** Its name. */
  subsystem: string,
  /** Its CPU time per transaction. */
  row: ProfileRowData,
  /** Its functions with the largest differences. */
  functions: Array<FunctionData>,
};

/** A resource that a transaction uses besides time. */
export type TakenData = {
  /** Its name. */
  resource: string,
  /** `ms`, `B` or `blocks`. */
  unit: string,
  /** Of the baseline, per transaction. */
  baseline: EstimateData,
  /** Of the candidate, per transaction. */
  candidate: EstimateData,
  /** candidate / baseline − 1. */
  change: EstimateData,
};

/** A figure of latency that another tool reported for each interval. */
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
  /** Number of clients; absent if unknown. */
  clients: number | null,
  /** The offered rate, if it is a step of a search. */
  rate_per_s: number | null,
  /** Its role. */
  role: RoleData,
  /** Its outcome in words. */
  outcome: string,
  /** The start of its load; RFC 3339, UTC. */
  started_at: string,
  /** End of each second, counted from the load's start. */
  t_s: Array<number>,
  /** Length of each interval, if another tool reported intervals longer than a second. */
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
  /** Other figures of latency that another tool reported; empty if pgdyno measured. */
  reported_latency?: Array<ToldSeriesData>,
  /** Failed transactions. */
  failed: Array<number>,
  /** CPU in use on the server's host, of all its CPUs. */
  cpu_percent: Array<number | null>,
  /** Clients without a connection. */
  clients_out: Array<number>,
  /** The seconds before this are warm-up. */
  warm_up_until_s: number,
  /** The instants of checkpoints. */
  checkpoints_s: Array<number>,
  /** The reason why it was not steady; absent if it was. */
  steady: string | null,
  /** The time budget of its mean transaction; absent if the sessions were not sampled or no transaction was
   * completed. */
  budget: Array<PartData> | null,
  /** The readings of the probes, by second; empty without probes. */
  readings?: Array<ReadingData>,
  /** Its caveats in words. */
  caveats: Array<string>,
};

/** A rule without enough data. */
export type UnansweredData = {
  /** The rule's name. */
  rule: string,
  /** What the rule detects. */
  finds: string,
  /** The number of cells without enough data. */
  cells: number,
  /** The missing data in the first of these cells. */
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

/** A fact that differs between the two sides. */
export type UnlikeFactData = {
  /** Its name, such as that of a setting. */
  name: string,
  /** The baseline's value. */
  baseline: string,
  /** The candidate's. */
  candidate: string,
};

/** The verdict on a comparison or a metric. The last two values are verdicts on comparisons only. */
export type VerdictData = "improved" | "regressed" | "equivalent" | "not worse" | "not better" | "not enough data" | "so far" | "broken" | "does not work";
