/**
 * A trial in words: its heading, what must be known of it, its figures at one second, and what its charts show.
 */
import type { TrialSeries } from "../data";
import { h } from "../dom";
import { count, figure, integer, MISSING } from "../format";
import type { TimelineMeasure } from "../charts/timeline";
import { nearestSecond, outages } from "../trials";

/** Which trial this is. */
export function trialHeading(trial: TrialSeries, baseline: string): (HTMLElement | string)[] {
  const side =
    trial.role === "noise-floor" ? "baseline again (A/A)" : trial.target === baseline ? "baseline" : "candidate";
  const clock = /T(\d{2}:\d{2}:\d{2})/.exec(trial.started_at)?.[1];
  const rest = [`trial ${trial.number}`, `block ${trial.block}`, clock && `${clock} UTC`, trial.outcome];
  return [
    h("strong", {}, trial.target),
    ` ${side}`,
    h("span", { class: "of" }, rest.filter((part) => part !== undefined && part !== "").join(" · ")),
  ];
}

/** Failures, outages, an unsteady state and caveats; null when there are none. */
export function trialNotes(trial: TrialSeries): HTMLElement | null {
  const failed = trial.failed.reduce((sum, n) => sum + n, 0);
  const notes = [
    failed > 0 && `${count(failed, "failed transaction")}`,
    ...outages(trial).map(
      ({ from_s, to_s, clients }) =>
        `outage from ${from_s} s to ${to_s} s, up to ${count(clients, "client")} without a connection`,
    ),
    trial.steady !== null && `not steady: ${trial.steady}`,
    ...trial.caveats,
  ].filter((note) => note !== false);
  return notes.length === 0 ? null : h("ul", { class: "trial-notes" }, ...notes.map((note) => h("li", {}, note)));
}

/** The figures of the second nearest to an instant. */
export function readoutOf(trial: TrialSeries, t_s: number): string {
  const index = nearestSecond(trial.t_s, t_s);
  if (index === null) return "";
  const ms = (values: (number | null)[]) => figure(values[index], "ms");
  const cpu = trial.cpu_percent[index];
  const failed = trial.failed[index] ?? 0;
  const out = trial.clients_out[index] ?? 0;
  return [
    `at ${trial.t_s[index]} s`,
    `${figure(trial.throughput_per_s[index], "tps")} tps`,
    `p50 ${ms(trial.p50_ms)}, p95 ${ms(trial.p95_ms)}, p99 ${ms(trial.p99_ms)} ms`,
    `CPU ${cpu === null || cpu === undefined ? MISSING : integer(cpu)} %`,
    failed > 0 ? `${integer(failed)} failed` : "",
    out > 0 ? `${count(out, "client")} out` : "",
  ]
    .filter((part) => part !== "")
    .join(" · ");
}

/** What a chart shows, for those who do not see it. */
export function trialSummary(trial: TrialSeries, measure: TimelineMeasure): string {
  const where = `of trial ${trial.number}, ${trial.target}, block ${trial.block}`;
  switch (measure) {
    case "throughput":
      return `throughput ${where}: ${extent(measured(trial, trial.throughput_per_s), "tps")}`;
    case "latency":
      return `latency ${where}: p50 ${extent(measured(trial, trial.p50_ms), "ms")}, p99 ${extent(measured(trial, trial.p99_ms), "ms")}`;
    case "cpu":
      return `host CPU ${where}: ${extent(measured(trial, trial.cpu_percent), "%")}`;
  }
}

/** The values of the measurement phase. */
function measured(trial: TrialSeries, values: (number | null)[]): number[] {
  return values.filter(
    (value, index): value is number => value !== null && (trial.t_s[index] ?? 0) > trial.warm_up_until_s,
  );
}

function extent(values: number[], unit: "tps" | "ms" | "%"): string {
  if (values.length === 0) return "nothing measured";
  const sorted = [...values].sort((a, b) => a - b);
  const [low, middle, high] = [sorted[0], sorted[sorted.length >> 1], sorted.at(-1)].map((value) =>
    figure(value, unit === "tps" ? "tps" : "ms"),
  );
  return `median ${middle} ${unit}, from ${low} to ${high} ${unit}`;
}
