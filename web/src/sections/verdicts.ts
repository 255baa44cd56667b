/**
 * The verdict table: both sides, the change, its interval as figures and drawn, and the verdict, for one metric at a time.
 *
 * A rate and a latency always stand there, because neither can be read without the other.
 */
import type { ComparisonData, MetricData, MetricName, ReportData } from "../data";
import { h, nothing, scrollable, section } from "../dom";
import { MISSING, alignDecimals, change, changeInterval, figure, metricLabel, share } from "../format";
import { choiceLabel, chosenMetric, deciding, isRate, metricChoice, metricChoices, metricOf } from "../metric";
import type { MetricChoice } from "../metric";
import { verdictWords } from "../verdict";
import { forestAxis, forestInterval, forestTicks, type ForestAxis } from "../charts/forest";
import { NOT_ON_PAPER } from "../print";
import { tableSearch } from "../table_search";
import { Bars } from "./bars";

/** The verdict tables, and below them the choice of their metric, how they are read, and the bars of many workloads. */
export function verdicts(data: ReportData): HTMLElement {
  if (data.comparisons.length === 0) {
    return section("verdicts", "Verdicts", nothing("No comparison has been measured yet: no block is finished."));
  }
  const place = h("div");
  const bars = new Bars(data);
  const choice = metricChoice(metricChoices(data.comparisons), (shown) => {
    const changes = data.comparisons.map((row) => metricOf(row, chosenMetric(row, shown))?.change ?? null);
    const axis = forestAxis(changes, data.practical_threshold);
    place.replaceChildren(...data.candidates.flatMap((candidate) => verdictTable(data, candidate, shown, axis)));
    bars.show(shown === "deciding" ? "throughput" : shown);
  });
  return section(
    "verdicts",
    "Verdicts",
    place,
    choice,
    h("details", {}, h("summary", {}, "How a verdict is reached"), h("p", { class: "prose" }, howToRead(data))),
    bars.element,
  );
}

function howToRead(data: ReportData): string {
  return (
    `A change is equivalent if its whole 95 % interval lies within ±${share(data.practical_threshold)}, which is shaded. It is ` +
    "improved or regressed if the interval excludes zero and reaches beyond that. Otherwise there is not enough data. " +
    `The verdicts on metrics that do not decide are those of the costs, with their own threshold. ${loops(data)}`
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

/** A figure of both sides that stands beside the change. */
interface ShownFigure {
  label: string;
  unit: "tps" | "ms";
  metricIn: (row: ComparisonData) => MetricName;
}

/** The rate and the latency that belong to a choice: of the chosen metric, else those by which it is read. */
function shownFigures(shown: MetricChoice): ShownFigure[] {
  const rateIn = (row: ComparisonData): MetricName => {
    const metric = chosenMetric(row, shown);
    return isRate(metric) ? metric : "throughput";
  };
  const latencyIn = (row: ComparisonData): MetricName => {
    const metric = chosenMetric(row, shown);
    return isRate(metric) ? "latency_mean" : metric;
  };
  const isLatency = shown !== "deciding" && !isRate(shown);
  return [
    { label: shown === "capacity" ? "capacity" : "throughput", unit: "tps", metricIn: rateIn },
    { label: isLatency ? metricLabel(shown) : "mean latency", unit: "ms", metricIn: latencyIn },
  ];
}

function verdictTable(
  data: ReportData,
  candidate: string,
  shown: MetricChoice,
  axis: ForestAxis,
): (HTMLElement | string)[] {
  const rows = data.comparisons.filter((comparison) => comparison.candidate === candidate);
  const figures = shownFigures(shown);
  const columns = figures.flatMap((one) => [column(rows, one, "baseline"), column(rows, one, "candidate")]);
  const sides = [data.baseline, candidate] as const;
  const cells = (side: 0 | 1, index: number) =>
    figures.map(({ label, unit }, position) =>
      figureCell(columns[position * 2 + side]?.[index] ?? "", unit === "tps" ? sides[side] : label, unit),
    );
  const common = commonReason(data, rows, shown);
  const caption = `${candidate} against ${data.baseline}: change in ${choiceLabel(shown)}`;
  const body = rows.map((row, index) => {
    const isGroup = row.workload !== rows[index - 1]?.workload;
    return h(
      "tr",
      { class: isGroup ? "group" : null },
      h("th", { scope: "row" }, row.workload, ofWhat(row, shown)),
      h("td", { class: "number", "data-unit": "clients" }, row.clients === null ? MISSING : String(row.clients)),
      ...cells(0, index),
      ...cells(1, index),
      ...changeCells(data, row, shown, axis, common === null),
    );
  });
  const table = h(
    "table",
    { class: "verdicts" },
    h("caption", {}, common === null ? caption : `${caption}. In every row: ${common}`),
    head(data, candidate, figures, shown),
    h("tbody", {}, ...body),
    h(
      "tfoot",
      {},
      h("tr", {}, h("td", { colspan: 8 }), h("td", { class: "plot" }, ticksOf(rows, shown, axis)), h("td")),
    ),
  );
  const search = tableSearch(table);
  return [...(search ? [search] : []), scrollable(`verdicts for ${candidate}`, table)];
}

/** A figure, padded to stand below others, with what it is called where it stands in a line. */
function figureCell(text: string, label: string, unit: string): HTMLElement {
  const shown = text.trimEnd();
  const pad = h("span", { class: "pad" }, text.slice(shown.length));
  return h("td", { class: "number", "data-label": label, "data-unit": unit }, shown, pad);
}

/** What the figures of a workload are of, where that is not the throughput of a closed loop. */
function ofWhat(row: ComparisonData, shown: MetricChoice): HTMLElement | null {
  const metric = deciding(row);
  const isNamed = shown === "deciding" && !isRate(metric);
  const words = [row.loop !== "closed" && row.load, isNamed && metricLabel(metric)].filter(Boolean);
  return words.length > 0 ? h("span", { class: "because" }, words.join(", ")) : null;
}

function changeCells(
  data: ReportData,
  row: ComparisonData,
  shown: MetricChoice,
  axis: ForestAxis,
  hasReason: boolean,
): HTMLElement[] {
  const metric = chosenMetric(row, shown);
  const judged = metricOf(row, metric);
  const estimate = judged?.change ?? null;
  const reason = hasReason ? reasonFor(data, row, metric) : "";
  return [
    h("td", { class: "number strong", "data-label": "change" }, change(estimate?.point ?? judged?.change_alone)),
    h(
      "td",
      { class: "number interval-words", "data-label": "95 % interval" },
      isOfOnlyTrial(judged) ? "none: a single trial" : changeInterval(estimate, data.practical_threshold),
    ),
    h("td", { class: "plot" }, forestInterval(estimate, judged?.verdict ?? "not judged", axis)),
    h("td", { class: "words" }, verdictOn(row, metric), reason !== "" && reasons(reason)),
  ];
}

/** The ticks of a table's axis. The better direction is named where all of its rows agree in it. */
function ticksOf(rows: ComparisonData[], shown: MetricChoice, axis: ForestAxis): SVGElement {
  const rates = new Set(rows.map((row) => isRate(chosenMetric(row, shown))));
  return forestTicks(axis, rates.size > 1 ? null : rates.has(true) ? "higher" : "lower");
}

/** The verdict on the comparison stands beside the metric that decides, which failures may overrule. */
function verdictOn(row: ComparisonData, metric: MetricName): HTMLElement {
  const verdict = metric === deciding(row) ? row.verdict : metricOf(row, metric)?.verdict;
  return verdict ? verdictWords(verdict) : h("span", { class: "verdict verdict-plain" }, "not judged");
}

/** The reason stands only beside the metric it speaks of; of other metrics only what they are equivalent within. */
function reasonFor(data: ReportData, row: ComparisonData, metric: MetricName): string {
  const isEquivalent = metricOf(row, metric)?.verdict === "equivalent" && data.costs_threshold !== null;
  const within = isEquivalent ? `within ±${share(data.costs_threshold ?? 0)}` : "";
  return metric === deciding(row) ? row.verdict_text : within;
}

/** Rows from which on a reason that all of them have is said once. */
const COMMON_FROM = 3;

/** The reason that every row has; null where they differ, or have none. */
function commonReason(data: ReportData, rows: ComparisonData[], shown: MetricChoice): string | null {
  const all = new Set(rows.map((row) => reasonFor(data, row, chosenMetric(row, shown))));
  const [only] = all;
  return rows.length >= COMMON_FROM && all.size === 1 && only !== undefined && only !== "" ? only : null;
}

/** So many characters of a reason stand in a row; more would push the other rows out of sight. */
const REASON_MAX = 90;

/** The clauses of a reason, the first of them shown. */
function reasons(text: string): HTMLElement {
  const shown: string[] = [];
  const folded: string[] = [];
  for (const clause of text.split("; ")) {
    const isShort = [...shown, clause].join("; ").length <= REASON_MAX;
    if (folded.length === 0 && (isShort || shown.length === 0)) shown.push(clause);
    else folded.push(clause);
  }
  if (folded.length === 0) return h("span", { class: "because" }, text);
  return h(
    "div",
    { class: "because" },
    shown.join("; "),
    h("details", { class: NOT_ON_PAPER }, h("summary", {}, "more"), folded.join("; ")),
  );
}

function column(rows: ComparisonData[], { metricIn, unit }: ShownFigure, side: "baseline" | "candidate"): string[] {
  const level = (judged: MetricData | undefined) => judged?.[side]?.point ?? judged?.[`${side}_alone`];
  return alignDecimals(rows.map((row) => figure(level(metricOf(row, metricIn(row))), unit)));
}

/** Whether there is a change and, since a side was measured once, no interval. */
function isOfOnlyTrial(judged: MetricData | undefined): boolean {
  return judged !== undefined && judged.change === null && judged.change_alone !== null;
}

function head(data: ReportData, candidate: string, shown: ShownFigure[], choice: MetricChoice): HTMLElement {
  const side = (name: string) => h("th", { scope: "colgroup", colspan: shown.length, class: "side" }, name);
  const figures = shown.map(({ label, unit }) =>
    h("th", { scope: "col", class: "number" }, label, h("span", { class: "unit" }, unit)),
  );
  return h(
    "thead",
    {},
    h(
      "tr",
      {},
      h("td", { colspan: 2 }),
      side(`${data.baseline} (baseline)`),
      side(candidate),
      h("th", { scope: "colgroup", colspan: 4, class: "side" }, `change in ${choiceLabel(choice)}`),
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
      h("td", { class: "plot of" }, `%, shaded: ±${share(data.practical_threshold)}`),
      h("th", { scope: "col" }, "verdict"),
    ),
  );
}
