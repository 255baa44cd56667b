/**
 * The contract with the binary: what `report-data` holds, field by field.
 *
 * The Rust side serialises exactly these names. Units are part of the names; a value that was not measured is
 * `null`, never zero. Everything here is already judged: the viewer draws and words it, it concludes nothing.
 */

/** A whole report: one run, judged. */
export interface ReportData {
  /** Version of this contract; the viewer refuses any other. */
  format: 2;
  /** Version of the pgdyno that wrote the report. */
  pgdyno_version: string;
  run: Run;
  /** Name of the target every candidate is compared with. */
  baseline: string;
  /** Names of the targets compared with the baseline, in the plan's order. */
  candidates: string[];
  /** Whether the two sides were interleaved block by block; false for two runs made separately. */
  paired: boolean;
  /** Smallest change worth acting on, as a fraction (0.03 is 3 %). */
  practical_threshold: number;
  /** The answer in one sentence. */
  headline: string;
  /** What the headline rests on: blocks, duration, correction for many comparisons. */
  headline_detail: string;
  /** Differences between the sides that the plan did not allow. */
  confounders: Confounder[];
  /** One per candidate, workload and number of clients. */
  comparisons: Comparison[];
  /** The baseline against itself (A/A); empty when the plan did not ask for it. */
  noise_floor: Comparison[];
  /** Throughput and latency of each target over its numbers of clients. */
  ladders: Ladder[];
  /** What can be said of the peaks, per workload and candidate. */
  peaks: Peak[];
  /** What became of transactions besides being completed: a line for each cell that has anything to say. */
  service: string[];
  /** Why it is so. */
  diagnosis: Diagnosis;
  /** Where the time went, for each pair that tells. */
  layers: Layers[];
  budgets: Budget[];
  /** What the statements did, where pg_stat_statements was there. */
  statements?: CellStatements[];
  /** What fio saw of the disks, where it was asked. */
  disks?: Disks;
  /** p99 against the offered rate, where a capacity was searched. */
  curves: Curve[];
  /** What must hold, or the comparison is not one; absent for two runs made separately. */
  audit?: Audit;
  caveats: Caveat[];
  /** What each target turned out to be, as read back from it. */
  facts: Fact[];
  /** Names of all targets, the baseline first; `Fact.values` is aligned with it. */
  targets: string[];
  /** The per-second series of every trial of the run. */
  trials: TrialSeries[];
  /** The resolved plan, as YAML. */
  plan_yaml: string;
  /** How the numbers were made, in paragraphs. */
  method: string[];
}

/** Identity and extent of the run. */
export interface Run {
  id: string;
  name: string;
  /** RFC 3339, UTC. */
  started_at: string;
  /** Seed of the schedule's random order; a string because it may exceed 2⁵³. */
  seed: string;
  state: "complete" | "interrupted" | "unfinished";
  /** Blocks finished, and the most the plan allowed. */
  blocks: number;
  blocks_at_most: number;
  /** Trials finished, in all cells. */
  trials: number;
  /** Time spent in measurement phases, in seconds. */
  measured_s: number;
  /** What generated the load, with its version. */
  generator: string;
}

/** A point with its 95 % interval over `n` observations. */
export interface Estimate {
  point: number;
  low: number;
  high: number;
  n: number;
}

/** The statements that took most time in one cell. */
export interface CellStatements {
  target: string;
  workload: string;
  clients: number;
  trials: number;
  statements: StatementRow[];
}

/** One statement; rows, blocks and WAL are per execution. */
export interface StatementRow {
  query_id: string;
  /** Null where the role may not see it. */
  text: string | null;
  /** Share of the execution time of all statements. */
  share: number;
  calls_per_s: number;
  mean_ms: number;
  rows: number;
  blocks_hit: number;
  blocks_read: number;
  temp_blocks: number;
  wal_bytes: number;
}

/** What fio saw of the disks, and what that means for the workloads. */
export interface Disks {
  disks: Disk[];
  /** Why the same job cannot be compared from disk to disk. */
  unlike: string[];
  meanings: DiskMeaning[];
}

/** One disk. */
export interface Disk {
  target: string;
  /** Directory, file system and device. */
  place: string | null;
  stages: DiskStage[];
  ladders: DiskLadder[];
  remarks: string[];
}

/** One job of fio; `rate` has the length of `t_s`. */
export interface DiskStage {
  name: string;
  what: string;
  /** Why it does not count. */
  failed: string | null;
  iops: number;
  steady_iops: Estimate | null;
  bytes_per_s: number;
  steady_bytes_per_s: Estimate | null;
  mean_ms: number | null;
  /** Percent and milliseconds. */
  percentiles_ms: [number, number][];
  sync_ms: number | null;
  /** Share of the time that the device was busy, 0 to 1. */
  utilisation: number | null;
  series_unit: "iops" | "bytes_per_s";
  /** End of each entry, from the job's start. */
  t_s: number[];
  rate: (number | null)[];
  /** When the rate fell for good. */
  fell_at_s: number | null;
}

/** One kind of request with several numbers in flight. All arrays have the same length. */
export interface DiskLadder {
  what: string;
  in_flight: number[];
  iops: number[];
  mean_ms: (number | null)[];
  p99_ms: (number | null)[];
}

/** What a disk means for one workload of its target. */
export interface DiskMeaning {
  target: string;
  workload: string;
  bottleneck: string;
  /** The smallest machine beyond which the disk is the limit. */
  machine: string | null;
  ceilings: DiskCeiling[];
}

/** The throughput at which a disk has no more to give, at one number of clients. */
export interface DiskCeiling {
  clients: number;
  reached_per_s: number;
  limit_per_s: Estimate;
  resource: string;
  per_transaction: number;
  /** 0 to 1. */
  iowait: number | null;
}

/** A difference between baseline and candidate that is not in the plan's `may_differ`. */
export interface Confounder {
  candidate: string;
  what: string;
  baseline: string;
  value: string;
  hint: string;
}

/** The four verdicts; nothing else may be said of a comparison. */
export type Verdict = "improved" | "regressed" | "equivalent" | "not enough data";

/** A figure that the two sides are compared by. */
export type MetricName =
  "capacity" | "throughput" | "latency_mean" | "latency_p50" | "latency_p95" | "latency_p99" | "latency_p999";

/** One candidate against the baseline, in one workload at one number of clients. */
export interface Comparison {
  candidate: string;
  workload: string;
  clients: number;
  loop: "closed" | "open" | "capacity";
  /** The loop in words, with what was offered. */
  load: string;
  /** The verdict on the metric that decides. */
  verdict: Verdict;
  /** Why, how many more blocks would settle it, the smallest change that could have been detected. */
  verdict_text: string;
  /** The first one decides. */
  metrics: MetricChange[];
  blocks: BlockPair[];
}

/** One metric on both sides of a comparison. */
export interface MetricChange {
  metric: MetricName;
  unit: "tps" | "ms";
  better: "higher" | "lower";
  baseline: Estimate | null;
  candidate: Estimate | null;
  /** candidate ÷ baseline − 1, as a fraction, from the paired blocks. */
  change: Estimate | null;
  /** The verdict on this metric, in words. */
  verdict: string;
}

/** The two trials of one block that are compared with each other. */
export interface BlockPair {
  block: number;
  baseline_trial: number;
  candidate_trial: number;
  /** The metric that decides, in its unit. */
  baseline: number;
  candidate: number;
  /** candidate ÷ baseline − 1, as a fraction. */
  change: number;
  /** Flagged and shown; never removed from the interval. */
  outlying: boolean;
  /** The comparison's change without this block: its influence. */
  change_without: number | null;
}

/** One target in one workload, over the numbers of clients measured. */
export interface Ladder {
  target: string;
  workload: string;
  points: LadderPoint[];
  /** What must be known to read it, such as a peak that was not reached. */
  note: string | null;
}

/** One rung of a ladder. */
export interface LadderPoint {
  clients: number;
  throughput_per_s: Estimate | null;
  latency_mean_ms: Estimate | null;
  latency_p99_ms: Estimate | null;
}

/** The searches of one target for its capacity in one workload. */
export interface Curve {
  target: string;
  workload: string;
  clients: number;
  /** The limit of p99. */
  limit_ms: number;
  capacity_per_s: Estimate | null;
  /** Every step of every block, by rate. */
  points: CurvePoint[];
}

/** One step of a search. */
export interface CurvePoint {
  trial: number;
  block: number;
  rate_per_s: number;
  p99_ms: number | null;
  held: boolean;
}

/** What each layer of a ladder adds to the one before it, at one place. */
export interface Layers {
  workload: string;
  clients: number;
  /** Blocks in which every rung was measured. */
  blocks: number;
  /** The steps from the baseline up; the last row is the whole. */
  rows: LayerRow[];
}

/** One layer, or all of them. */
export interface LayerRow {
  from: string;
  to: string;
  baseline_ms: Estimate;
  candidate_ms: Estimate;
  change_ms: Estimate;
  /** What `change` is of. */
  metric: string;
  change: Estimate | null;
  verdict: string;
}

/** The mean latency of both sides, split into the parts in which it was spent. */
export interface Budget {
  candidate: string;
  workload: string;
  clients: number;
  blocks: number;
  /** The parts, in the order of a transaction's way; the last row is the whole that they sum to. */
  rows: BudgetRow[];
}

/** One part, in milliseconds per transaction. */
export interface BudgetRow {
  part: string;
  baseline_ms: Estimate;
  candidate_ms: Estimate;
  /** Candidate less baseline. */
  change_ms: Estimate;
}

/** One part of a trial's mean transaction, in milliseconds. */
export interface BudgetPart {
  part: string;
  ms: number;
}

/** What can be said of the peak throughputs of the two sides. */
export interface Peak {
  workload: string;
  candidate: string;
  text: string;
}

/** What all checks of the audit say. */
export interface Audit {
  /** The counts in words. */
  summary: string;
  holds: number;
  broken: number;
  cannot_tell: number;
  /** Broken rules first, the gravest at the top, then what cannot be told, then what holds. */
  checks: AuditCheck[];
}

/** One rule. */
export interface AuditCheck {
  id: string;
  verdict: "broken" | "cannot tell" | "holds";
  /** What a broken rule undermines; null unless broken. */
  undermines: string | null;
  rule: string;
  figures: AuditFigure[];
  /** What follows from a broken rule. */
  follows: string | null;
  /** What would be needed to tell. */
  needs: string | null;
}

/** One figure that a verdict rests on. */
export interface AuditFigure {
  of: string;
  text: string;
  /** Whether it breaks the rule. */
  breaks: boolean;
}

/** A reason to trust trials less, with what to do about it. */
export interface Caveat {
  text: string;
  hint: string;
  /** Numbers of the trials concerned; empty when it concerns the whole run. */
  trials: number[];
}

/** One fact read back from the targets. */
export interface Fact {
  group: string;
  name: string;
  /** Aligned with `ReportData.targets`; null where it could not be read. */
  values: (string | null)[];
  differs: boolean;
  /** Whether the plan's `may_differ` covers it. */
  allowed: boolean;
}

/** One trial, second by second, or interval by interval as another tool told it. All arrays have the length of `t_s`. */
export interface TrialSeries {
  number: number;
  block: number;
  target: string;
  workload: string;
  clients: number;
  /** The rate of a step of a search. */
  rate_per_s: number | null;
  role: "main" | "noise-floor";
  /** "finished", or how it ended otherwise. */
  outcome: string;
  /** RFC 3339, UTC. */
  started_at: string;
  /** End of each second, counted from the first operation of the warm-up. */
  t_s: number[];
  /** Length of each interval; absent where none is longer than a second. */
  span_s?: number[];
  throughput_per_s: number[];
  /** What an open loop offered; null in a closed one. */
  offered_per_s: (number | null)[];
  /** Arrivals that were skipped. */
  skipped: number[];
  p50_ms: (number | null)[];
  p95_ms: (number | null)[];
  p99_ms: (number | null)[];
  /** What another tool told of latency beyond these percentiles; absent where pgdyno measured. */
  told_latency?: ToldLatency[];
  /** Transactions that failed in the second. */
  failed: number[];
  /** CPU of the target's host, all cores together being 100 %. */
  cpu_percent: (number | null)[];
  /** Clients without a connection during the second. */
  clients_out: number[];
  /** Seconds before this instant are warm-up. */
  warm_up_until_s: number;
  /** Instants at which a checkpoint started. */
  checkpoints_s: number[];
  /** What the steady-state test objected to; null when the trial was steady. */
  steady: string | null;
  /** Where the time of its mean transaction went; null where the sessions were not sampled. */
  budget: BudgetPart[] | null;
  caveats: string[];
}

/** A figure of latency that another tool told of each interval, aligned with `TrialSeries.t_s`. */
export interface ToldLatency {
  /** `mean`, `stddev`, `max`, or a percentile such as `p90`. */
  figure: string;
  ms: (number | null)[];
}

/** What the rules say of the run. */
export interface Diagnosis {
  /** What explains the difference first, then by what it costs. */
  findings: Finding[];
  unanswered: Unanswered[];
}

/** One rule's conclusion. */
export interface Finding {
  rule: string;
  title: string;
  kind: "problem" | "limit";
  confidence: "high" | "medium" | "low";
  bearing: "difference" | "other side unknown" | "every side" | "no comparison";
  bearing_text: string;
  /** Where; the first is where it costs most and what the rest is about. */
  cells: string[];
  /** What it costs, in words. */
  cost: string;
  /** Of the mean latency or the throughput. */
  cost_share: number | null;
  cost_ms: Estimate | null;
  change_ms: Estimate | null;
  figures: { name: string; text: string }[];
  windows: FindingWindow[];
  chart: FindingChart | null;
  why: string;
  would_disprove: string;
  /** What to do to confirm it, and what to expect then. */
  confirm: string;
  /** The plan that does it; null for figures of another tool. */
  confirm_plan_yaml: string | null;
}

/** A stretch of a trial in which a finding was so, in seconds since the load's start. */
export interface FindingWindow {
  trial: number;
  from_s: number;
  to_s: number;
}

/** The series of one trial that a finding rests on. */
export interface FindingChart {
  trial: number;
  /** End of each second, since the load's start. */
  t_s: number[];
  lines: FindingLine[];
}

/** One series, aligned with `FindingChart.t_s`; null in a gap. */
export interface FindingLine {
  name: string;
  unit: string;
  values: (number | null)[];
}

/** A rule that could not tell, with what it lacked first. */
export interface Unanswered {
  rule: string;
  /** What it would have found. */
  finds: string;
  cells: number;
  lacks: string;
}

/** Why the data could not be read, for the person who opened the file. */
export class UnreadableReport extends Error {}

/** Parses the text of the `report-data` element; throws `UnreadableReport` on a template or a foreign format. */
export function parseReport(text: string): ReportData {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw new UnreadableReport("this file holds no readable data; it may be the empty template, or cut short");
  }
  const format = typeof data === "object" && data !== null && "format" in data ? data.format : undefined;
  if (format !== 2) {
    throw new UnreadableReport(`this viewer reads report format 2, the file holds ${JSON.stringify(format)}`);
  }
  return data as ReportData;
}
