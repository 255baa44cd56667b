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
  "database_time",
  "statement_time",
  "latency_mean",
  "latency_p50",
  "latency_p95",
  "latency_p99",
  "latency_p999",
];

/** What can be chosen: a metric, or of each comparison the one that decides. */
export type MetricChoice = MetricName | "deciding";

/** One metric of a comparison; undefined when it was not measured. */
export function metricOf(comparison: ComparisonData, metric: MetricName): MetricData | undefined {
  return comparison.metrics.find((candidate) => candidate.metric === metric);
}

/** The metric that decides about a comparison. */
export function deciding(comparison: ComparisonData): MetricName {
  return comparison.metrics[0]?.metric ?? "throughput";
}

/** The metric of a comparison that a choice shows. */
export function chosenMetric(comparison: ComparisonData, choice: MetricChoice): MetricName {
  return choice === "deciding" ? deciding(comparison) : choice;
}

/** What the tables call a choice. */
export function choiceLabel(choice: MetricChoice): string {
  return choice === "deciding" ? "the metric that decides" : metricLabel(choice);
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

/** What can be chosen, that which is shown first in front: what decides, as one choice where comparisons differ in it. */
export function metricChoices(comparisons: ComparisonData[]): MetricChoice[] {
  const decide = [...new Set(comparisons.map(deciding))];
  const [only, ...others] = decide;
  const first: MetricChoice = others.length > 0 || only === undefined ? "deciding" : only;
  return [first, ...metricsOf(comparisons).filter((metric) => metric !== first)];
}

/** A row of buttons of which one is chosen; calls back with the choice, and at once with the first. */
export function metricChoice(choices: MetricChoice[], choose: (choice: MetricChoice) => void): HTMLElement {
  const [first] = choices;
  if (first !== undefined) choose(first);
  return h(
    "fieldset",
    { class: "choice" },
    h("legend", {}, "table of"),
    ...choices.map((choice) => {
      const radio = h("input", { type: "radio", name: "metric", value: choice, checked: choice === first });
      radio.addEventListener("change", () => choose(choice));
      return h("label", {}, radio, choiceLabel(choice));
    }),
  );
}
