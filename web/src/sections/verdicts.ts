/**
 * The verdict table: both sides, the change, its interval and the verdict, for one metric at a time.
 *
 * What is got done and the mean latency always stand there, because neither can be read without the other.
 */
import type { ComparisonData, MetricName, ReportData } from "../data";
import { h, nothing, scrollable, section } from "../dom";
import { MISSING, alignDecimals, change, changeInterval, figure, metricLabel, share } from "../format";
import { deciding, isRate, metricChoice, metricOf, metricsOf } from "../metric";
import { verdictWords } from "../verdict";
import { forestPlot } from "../charts/forest";
import { Bars } from "./bars";

/** The bars of many workloads, the verdict table and the forest plot, with the choice of their metric. */
export function verdicts(data: ReportData): HTMLElement {
  if (data.comparisons.length === 0) {
    return section("verdicts", "Verdicts", nothing("No comparison has been measured yet: no block is finished."));
  }
  const place = h("div");
  const bars = new Bars(data);
  const [first] = data.comparisons;
  const choice = metricChoice(metricsOf(data.comparisons), first && deciding(first), (metric) => {
    place.replaceChildren(
      ...data.candidates.map((candidate) => verdictTable(data, candidate, metric)),
      forestPlot(data.comparisons, metric, data.practical_threshold),
    );
    bars.show(metric);
  });
  return section(
    "verdicts",
    "Verdicts",
    h(
      "p",
      { class: "prose" },
      `A change is equivalent if its whole 95 % interval lies within ±${share(data.practical_threshold)}. It is improved or ` +
        "regressed if the interval excludes zero and reaches beyond that. Otherwise there is not enough data. " +
        `The verdicts on metrics that do not decide are those of the costs, with their own threshold. ${loops(data)}`,
    ),
    choice,
    bars.element,
    place,
  );
}

/** How latency is to be read in the loops that the run has. */
function loops(data: ReportData): string {
  const has = (loop: string) => data.comparisons.some((comparison) => comparison.loop === loop);
  return [
    has("closed") && "Closed loop: each client waits for its answer, so latency rises with clients by construction.",
    (has("open") || has("capacity")) &&
      "Open loop: latency counts from the scheduled start of a transaction, whether or not the server kept up.",
  ]
    .filter(Boolean)
    .join(" ");
}

/** The metrics whose figures stand in the table beside the chosen one. */
function shownFigures(metric: MetricName): MetricName[] {
  const always: MetricName[] = ["throughput", "latency_mean"];
  return always.includes(metric) ? always : [...always, metric];
}

function verdictTable(data: ReportData, candidate: string, metric: MetricName): HTMLElement {
  const rows = data.comparisons.filter((comparison) => comparison.candidate === candidate);
  const shown = shownFigures(metric);
  const columns = shown.flatMap((name) => [column(rows, name, "baseline"), column(rows, name, "candidate")]);
  const sides = [data.baseline, candidate] as const;
  const figures = (side: 0 | 1, index: number) =>
    shown.map((name, position) =>
      h(
        "td",
        { class: "number", "data-label": `${sides[side]} ${shortLabel(name)}`, "data-unit": unitOf(name) },
        columns[position * 2 + side]?.[index] ?? "",
      ),
    );
  const table = h(
    "table",
    { class: "verdicts" },
    h("caption", {}, `${candidate} against ${data.baseline}: change in ${metricLabel(metric)}`),
    head(data.baseline, candidate, shown, metric),
    h(
      "tbody",
      {},
      ...rows.map((row, index) => {
        const chosen = metricOf(row, metric);
        return h(
          "tr",
          { class: row.workload === rows[index - 1]?.workload ? null : "group" },
          h("th", { scope: "row" }, row.workload, row.loop !== "closed" && h("span", { class: "because" }, row.load)),
          h("td", { class: "number", "data-unit": "clients" }, row.clients === null ? MISSING : String(row.clients)),
          ...figures(0, index),
          ...figures(1, index),
          h("td", { class: "number strong", "data-label": "change" }, change(chosen?.change?.point)),
          h(
            "td",
            { class: "number", "data-label": "95 % interval" },
            changeInterval(chosen?.change ?? null, data.practical_threshold),
          ),
          h("td", { class: "words" }, verdictOn(row, metric), because(data, row, metric)),
        );
      }),
    ),
  );
  return scrollable(`verdicts for ${candidate}`, table);
}

/** The verdict on the comparison stands beside the metric that decides, which failures may overrule. */
function verdictOn(row: ComparisonData, metric: MetricName): HTMLElement | string {
  const verdict = metric === deciding(row) ? row.verdict : metricOf(row, metric)?.verdict;
  return verdict ? verdictWords(verdict) : "not judged";
}

/** The reason stands only beside the metric it speaks of; of other metrics only what they are equivalent within. */
function because(data: ReportData, row: ComparisonData, metric: MetricName): HTMLElement | null {
  const isEquivalent = metricOf(row, metric)?.verdict === "equivalent" && data.costs_threshold !== null;
  const within = isEquivalent ? `within ±${share(data.costs_threshold ?? 0)}` : "";
  const text = metric === deciding(row) ? row.verdict_text : within;
  return text !== "" ? h("span", { class: "because" }, text) : null;
}

function column(rows: ComparisonData[], metric: MetricName, side: "baseline" | "candidate"): string[] {
  return alignDecimals(rows.map((row) => figure(metricOf(row, metric)?.[side]?.point, unitOf(metric))));
}

function head(baseline: string, candidate: string, shown: MetricName[], metric: MetricName): HTMLElement {
  const side = (name: string) => h("th", { scope: "colgroup", colspan: shown.length, class: "side" }, name);
  const figures = shown.map((name) =>
    h("th", { scope: "col", class: "number" }, shortLabel(name), h("span", { class: "unit" }, unitOf(name))),
  );
  return h(
    "thead",
    {},
    h(
      "tr",
      {},
      h("td", { colspan: 2 }),
      side(`${baseline} (baseline)`),
      side(candidate),
      h("th", { scope: "colgroup", colspan: 3, class: "side" }, `change in ${metricLabel(metric)}`),
    ),
    h(
      "tr",
      {},
      h("th", { scope: "col" }, "workload"),
      h("th", { scope: "col", class: "number" }, "clients"),
      ...figures,
      ...figures.map((cell) => cell.cloneNode(true)),
      h("th", { scope: "col", class: "number" }, "change"),
      h("th", { scope: "col", class: "number" }, "95 % interval"),
      h("th", { scope: "col" }, "verdict"),
    ),
  );
}

function unitOf(metric: MetricName): "tps" | "ms" {
  return isRate(metric) ? "tps" : "ms";
}

function shortLabel(metric: MetricName): string {
  return isRate(metric) ? metric : metricLabel(metric).replace("latency ", "");
}
