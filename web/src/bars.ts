/**
 * Which figures stand beside each other as bars: those of every target in every workload, at one number of clients.
 *
 * Pure look-ups.
 */
import type { ComparisonData, EstimateData, MetricName, ReportData } from "./data";
import { metricOf } from "./metric";

/** With fewer workloads the table of the verdicts is seen at a glance itself. */
const WORKLOADS_LEAST = 3;
/** Once the largest workload is this many times the smallest, the smallest's bars cannot be told apart on one axis. */
const APART_FROM_RATIO = 12;

/** One target in one workload. */
export interface Bar {
  target: string;
  /** Null where it was not measured. */
  figure: EstimateData | null;
  /** What it is as a share of the baseline's point; null where either is missing. */
  share: EstimateData | null;
  /** The comparison with the baseline; null of the baseline itself. */
  comparison: ComparisonData | null;
}

/** The bars of one workload, the baseline first. */
export interface BarGroup {
  workload: string;
  bars: Bar[];
}

type Compared = Pick<ReportData, "baseline" | "candidates" | "comparisons">;

/** The numbers of clients, ascending, at which enough workloads have the metric; null is a number that nobody says. */
export function clientsWithBars({ comparisons }: Compared, metric: MetricName): (number | null)[] {
  const workloads = new Map<number | null, Set<string>>();
  for (const comparison of comparisons.filter((one) => hasFigure(one, metric))) {
    const { clients, workload } = comparison;
    workloads.set(clients, (workloads.get(clients) ?? new Set()).add(workload));
  }
  const enough = [...workloads].filter(([, names]) => names.size >= WORKLOADS_LEAST).map(([clients]) => clients);
  return enough.sort((a, b) => (a ?? Infinity) - (b ?? Infinity));
}

/** The bars of every workload that has the metric at this number of clients, in the report's order. */
export function barGroups(data: Compared, metric: MetricName, clients: number | null): BarGroup[] {
  const here = data.comparisons.filter((one) => one.clients === clients && hasFigure(one, metric));
  return [...new Set(here.map(({ workload }) => workload))].map((workload) => {
    const own = here.filter((one) => one.workload === workload);
    const figures = own.map((comparison) => ({ comparison, measured: metricOf(comparison, metric) }));
    const baseline =
      figures.map(({ measured }) => measured?.baseline ?? null).find((figure) => figure !== null) ?? null;
    const bar = (target: string, figure: EstimateData | null, comparison: ComparisonData | null): Bar => ({
      target,
      figure,
      share: shareOf(figure, baseline),
      comparison,
    });
    const ofCandidate = (candidate: string): Bar[] => {
      const found = figures.find(({ comparison }) => comparison.candidate === candidate);
      return found ? [bar(candidate, found.measured?.candidate ?? null, found.comparison)] : [];
    };
    return { workload, bars: [bar(data.baseline, baseline, null), ...data.candidates.flatMap(ofCandidate)] };
  });
}

/** Whether the workloads lie so far apart that only shares of the baseline can be compared by eye. */
export function areFarApart(groups: BarGroup[]): boolean {
  const highest = groups.map(({ bars }) => Math.max(0, ...bars.map(({ figure }) => figure?.point ?? 0)));
  const positive = highest.filter((value) => value > 0);
  return positive.length > 1 && Math.max(...positive) >= APART_FROM_RATIO * Math.min(...positive);
}

function hasFigure(comparison: ComparisonData, metric: MetricName): boolean {
  const found = metricOf(comparison, metric);
  return found !== undefined && (found.baseline !== null || found.candidate !== null);
}

/** The interval is the figure's own: the baseline's point counts as known, and has its own interval in its own bar. */
function shareOf(figure: EstimateData | null, baseline: EstimateData | null): EstimateData | null {
  if (figure === null || baseline === null || !(baseline.point > 0)) return null;
  const share = (value: number) => value / baseline.point;
  return { point: share(figure.point), low: share(figure.low), high: share(figure.high), n: figure.n };
}
