/**
 * The contract with the binary: what `report-data` holds, field by field.
 *
 * The Rust side serialises exactly these names. Units are part of the names; a value that was not measured is
 * `null`, never zero. Everything here is already judged: the viewer draws and words it, it concludes nothing.
 */

/** A whole report: one run, judged. */
export interface ReportData {
  /** Version of this contract; the viewer refuses any other. */
  format: 1;
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
export type MetricName = "throughput" | "latency_mean" | "latency_p50" | "latency_p95" | "latency_p99" | "latency_p999";

/** One candidate against the baseline, in one workload at one number of clients. */
export interface Comparison {
  candidate: string;
  workload: string;
  clients: number;
  loop: "closed";
  /** The verdict on throughput. */
  verdict: Verdict;
  /** Why, how many more blocks would settle it, the smallest change that could have been detected. */
  verdict_text: string;
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
  baseline_tps: number;
  candidate_tps: number;
  /** candidate_tps ÷ baseline_tps − 1, as a fraction. */
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

/** What can be said of the peak throughputs of the two sides. */
export interface Peak {
  workload: string;
  candidate: string;
  text: string;
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

/** One trial, second by second. All arrays have the length of `t_s`. */
export interface TrialSeries {
  number: number;
  block: number;
  target: string;
  workload: string;
  clients: number;
  role: "main" | "noise-floor";
  /** "finished", or how it ended otherwise. */
  outcome: string;
  /** RFC 3339, UTC. */
  started_at: string;
  /** End of each second, counted from the first operation of the warm-up. */
  t_s: number[];
  throughput_per_s: number[];
  p50_ms: (number | null)[];
  p95_ms: (number | null)[];
  p99_ms: (number | null)[];
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
  caveats: string[];
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
  if (format !== 1) {
    throw new UnreadableReport(`this viewer reads report format 1, the file holds ${JSON.stringify(format)}`);
  }
  return data as ReportData;
}
