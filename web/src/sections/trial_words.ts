/**
 * A trial in words: its heading, what must be known of it, its figures at one second, and what its charts show.
 */
import type { TrialData } from "../data";
import { h } from "../dom";
import { count, figure, integer, MISSING } from "../format";
import type { TimelineMeasure } from "../charts/timeline";
import { latencyLines, latencyTitle } from "../latency_lines";
import { keyOf, readingLines } from "../readings";
import { intervalAt, outages } from "../trials";

/** Which trial this is. */
export function trialHeading(trial: TrialData, baseline: string): (HTMLElement | string)[] {
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
export function trialNotes(trial: TrialData): HTMLElement | null {
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

/** The figures of the second nearest to an instant, or of the longer interval that it lies in. */
export function readoutOf(trial: TrialData, t_s: number): string {
  const index = intervalAt(trial, t_s);
  if (index === null) return "";
  const end = trial.t_s[index] ?? 0;
  const span = trial.span_s?.[index];
  const latency = latencyLines(trial).map(({ name, values }) => `${name} ${figure(values[index], "ms")}`);
  const cpu = trial.cpu_percent[index];
  const failed = trial.failed[index] ?? 0;
  const out = trial.clients_out[index] ?? 0;
  return [
    span === undefined ? `at ${end} s` : `from ${seconds(end - span)} s to ${seconds(end)} s`,
    `${figure(trial.throughput_per_s[index], "tps")} tps`,
    latency.length === 0 ? "" : `${latency.join(", ")} ms`,
    `CPU ${cpu === null || cpu === undefined ? MISSING : integer(cpu)} %`,
    failed > 0 ? `${integer(failed)} failed` : "",
    out > 0 ? `${count(out, "client")} out` : "",
  ]
    .filter((part) => part !== "")
    .join(" · ");
}

/** What a chart shows, for those who do not see it. */
export function trialSummary(trial: TrialData, measure: TimelineMeasure): string {
  const where = `of trial ${trial.number}, ${trial.target}, block ${trial.block}`;
  if (typeof measure === "object") {
    const lines = readingLines(trial, measure).map(
      ({ name, values }) => `${name} ${extent(measured(trial, values), measure.unit)}`,
    );
    return `${keyOf(measure)} ${where}: ${lines.join("; ")}`;
  }
  switch (measure) {
    case "throughput":
      return `throughput ${where}: ${extent(measured(trial, trial.throughput_per_s), "tps")}`;
    case "latency":
      return `${latencyTitle(trial)} ${where}: ${latencyLines(trial)
        .map(({ title, values }) => `${title} ${extent(measured(trial, values), "ms")}`)
        .join("; ")}`;
    case "cpu":
      return `host CPU ${where}: ${extent(measured(trial, trial.cpu_percent), "%")}`;
  }
}

/** An instant to the millisecond, without what subtracting floating-point numbers adds. */
function seconds(t_s: number): string {
  return String(Number(t_s.toFixed(3)));
}

/** The values of the measurement phase. */
function measured(trial: TrialData, values: (number | null)[]): number[] {
  return values.filter(
    (value, index): value is number => value !== null && (trial.t_s[index] ?? 0) > trial.warm_up_until_s,
  );
}

function extent(values: number[], unit: string): string {
  if (values.length === 0) return "nothing measured";
  const sorted = [...values].sort((a, b) => a - b);
  const [low, middle, high] = [sorted[0], sorted[sorted.length >> 1], sorted.at(-1)].map((value) =>
    figure(value, unit),
  );
  return `median ${middle} ${unit}, from ${low} to ${high} ${unit}`;
}
