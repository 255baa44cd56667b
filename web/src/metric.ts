/**
 * The metric that the verdict table and the forest plot show: which there are, and which is chosen.
 */
import type { ComparisonData, MetricData, MetricName } from "./data";
import { h } from "./dom";
import { metricLabel } from "./format";

const ORDER: MetricName[] = [
  "capacity",
  "throughput",
  "write_gap",
  "read_gap",
  "statement_time",
  "latency_mean",
  "latency_p50",
  "latency_p95",
  "latency_p99",
  "latency_p999",
];

/** One metric of a comparison; undefined when it was not measured. */
export function metricOf(comparison: ComparisonData, metric: MetricName): MetricData | undefined {
  return comparison.metrics.find((candidate) => candidate.metric === metric);
}

/** The metric that decides about a comparison. */
export function deciding(comparison: ComparisonData): MetricName {
  return comparison.metrics[0]?.metric ?? "throughput";
}

/** Whether a metric counts what is done, rather than how long it takes. */
export function isRate(metric: MetricName): boolean {
  return metric === "throughput" || metric === "capacity";
}

/** The metrics that at least one comparison has, in the report's order. */
export function metricsOf(comparisons: ComparisonData[]): MetricName[] {
  const found = new Set(comparisons.flatMap((comparison) => comparison.metrics.map(({ metric }) => metric)));
  return ORDER.filter((metric) => found.has(metric));
}

/** A row of buttons of which one is chosen; calls back with the metric, and at once with that which decides first. */
export function metricChoice(
  metrics: MetricName[],
  decides: MetricName | undefined,
  choose: (metric: MetricName) => void,
): HTMLElement {
  const first = decides ?? metrics[0];
  if (first !== undefined) choose(first);
  return h(
    "fieldset",
    { class: "choice" },
    h("legend", {}, "metric"),
    ...metrics.map((metric) => {
      const radio = h("input", { type: "radio", name: "metric", value: metric, checked: metric === first });
      radio.addEventListener("change", () => choose(metric));
      return h("label", {}, radio, metricLabel(metric));
    }),
  );
}
