/**
 * What becomes of throughput as clients are added: each target's as a share of its own maximum, and what a candidate
 * loses against the baseline. Pure look-ups; the intervals are those that the report has.
 */
import type { ComparisonData, EstimateData, LadderData } from "./data";
import { metricOf } from "./metric";

/** With fewer numbers of clients there is no curve. */
const RUNGS_LEAST = 3;

/** A candidate's loss at one number of clients, in per cent of the baseline's throughput; a gain is negative. */
export interface Loss {
  clients: number;
  percent: EstimateData;
}

/** The losses of one candidate in one workload, by clients, ascending. */
export interface LossLine {
  candidate: string;
  losses: Loss[];
}

/** Whether a workload was measured with so many numbers of clients that they make a curve. */
export function hasCurve(ladders: LadderData[]): boolean {
  const measured = ladders.flatMap(({ points }) => points.filter(({ throughput_per_s }) => throughput_per_s !== null));
  return new Set(measured.map(({ clients }) => clients)).size >= RUNGS_LEAST;
}

/**
 * A ladder whose throughput is per cent of its own maximum, the maximum counting as known: at its peak the interval
 * says how well the peak itself is known.
 */
export function ofOwnMaximum(ladder: LadderData): LadderData {
  const highest = Math.max(0, ...ladder.points.map(({ throughput_per_s }) => throughput_per_s?.point ?? 0));
  const percent = (value: number) => (value / highest) * 100;
  const points = ladder.points.map((point) => {
    const found = highest > 0 ? point.throughput_per_s : null;
    const share = found && {
      ...found,
      point: percent(found.point),
      low: percent(found.low),
      high: percent(found.high),
    };
    return { ...point, throughput_per_s: share };
  });
  return { ...ladder, points };
}

/** What each candidate loses in a workload of a closed loop, candidates in the report's order. */
export function lossLines(comparisons: ComparisonData[], workload: string): LossLine[] {
  const own = comparisons.filter((one) => one.workload === workload && one.loop === "closed");
  return [...new Set(own.map(({ candidate }) => candidate))].flatMap((candidate) => {
    const losses = own.filter((one) => one.candidate === candidate).flatMap(lossOf);
    losses.sort((a, b) => a.clients - b.clients);
    return losses.length > 0 ? [{ candidate, losses }] : [];
  });
}

function lossOf(comparison: ComparisonData): Loss[] {
  const change = metricOf(comparison, "throughput")?.change;
  if (!change || comparison.clients === null) return [];
  const percent = { point: -change.point * 100, low: -change.high * 100, high: -change.low * 100, n: change.n };
  return [{ clients: comparison.clients, percent }];
}
