/**
 * Which figures of a trial's latency there are, second by second: percentiles where pgdyno measured, and of an imported run what its
 * tool told, be it a mean only. What nobody told has no line.
 */
import type { TrialData } from "./data";

/** One figure of latency over time. */
export interface LatencyLine {
  /** As short as it has to be beside its line: p95, mean, sd, max. */
  name: string;
  /** As a title says it. */
  title: string;
  values: (number | null)[];
}

const NAMES: Record<string, { name: string; title: string }> = {
  mean: { name: "mean", title: "mean" },
  stddev: { name: "sd", title: "standard deviation" },
  max: { name: "max", title: "largest" },
};

/** The figures that at least one second has; a percentile is never made of a mean. */
export function latencyLines(trial: TrialData): LatencyLine[] {
  const told = (trial.reported_latency ?? []).map(({ figure, ms }) => ({
    ...(NAMES[figure] ?? { name: figure, title: figure }),
    values: ms,
  }));
  const lines = [
    { name: "p50", title: "p50", values: trial.p50_ms },
    { name: "p95", title: "p95", values: trial.p95_ms },
    { name: "p99", title: "p99", values: trial.p99_ms },
    ...told,
  ];
  return lines.filter(({ values }) => values.some((value) => value !== null));
}

/** What is drawn, for the title of a chart: "latency p50, p95, p99", "mean latency", "latency: mean, largest". */
export function latencyTitle(trial: TrialData): string {
  const titles = latencyLines(trial).map(({ title }) => title);
  if (titles.length === 0) return "latency";
  if (titles.length === 1 && titles[0] === "mean") return "mean latency";
  const isPercentile = (title: string) => /^p\d/.test(title);
  return `latency${titles.every(isPercentile) ? "" : ":"} ${titles.join(", ")}`;
}
