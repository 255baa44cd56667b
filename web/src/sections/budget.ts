/**
 * Where the time went: the mean latency of both sides split into its parts, and what each part adds to the change.
 */
import type { BudgetData, ReportData } from "../data";
import { h, nothing, scrollable, section } from "../dom";
import { changeInterval, count, milliseconds, signedInterval, signedMilliseconds, signedPercent } from "../format";
import { partMark } from "../charts/stacked_bar";
import { waterfall } from "../charts/waterfall";

/** One table for each pair that tells; the one with the most clients of each workload is open. */
export function budget(data: ReportData): HTMLElement {
  const title = "Where the time went";
  if (data.budgets.length === 0) {
    return section("budget", title, nothing("Not known: the sessions were not sampled in two blocks of any pair."));
  }
  return section(
    "budget",
    title,
    h(
      "p",
      { class: "prose" },
      "Milliseconds per transaction. What each session of the load was doing was sampled on the server; its share of the " +
        "samples is its share of the mean latency, and the parts sum to it. What they leave is unexplained, not spread " +
        "over the rest.",
    ),
    ...data.budgets.map((one) =>
      h(
        "details",
        { open: isForemost(one, data.budgets) },
        h("summary", {}, `${one.workload}, ${count(one.clients, "client")}: ${one.candidate} against ${data.baseline}`),
        scrollable(`time budget of ${one.workload} at ${one.clients} clients`, table(one, data.baseline)),
      ),
    ),
  );
}

function isForemost(one: BudgetData, all: BudgetData[]): boolean {
  const same = all.filter((other) => other.candidate === one.candidate && other.workload === one.workload);
  return same.every((other) => other.clients <= one.clients);
}

function table(one: BudgetData, baseline: string): HTMLElement {
  const bars = waterfall(one.rows);
  const number = (text: string) => h("th", { scope: "col", class: "number" }, text);
  return h(
    "table",
    { class: "waterfall" },
    h("caption", {}, `${one.candidate} against ${baseline}, ${blocks(one)}; bars: what each part adds`),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, "part"),
        number(baseline),
        number(one.candidate),
        h("th", { scope: "col" }, "from one to the other"),
        number("change"),
        number("95 % interval"),
      ),
    ),
    h(
      "tbody",
      {},
      ...one.rows.map((row, index) =>
        h(
          "tr",
          { class: index === one.rows.length - 1 ? "total" : null },
          h("th", { scope: "row" }, partMark(row.part), row.part),
          h("td", { class: "number" }, milliseconds(row.baseline_ms.point)),
          h("td", { class: "number" }, milliseconds(row.candidate_ms.point)),
          h("td", { class: "plot" }, bars[index] ?? null),
          h("td", { class: "number strong" }, signedMilliseconds(row.change_ms.point)),
          h("td", { class: "number" }, signedInterval(row.change_ms)),
        ),
      ),
    ),
    taken(one),
  );
}

/** Of how many blocks the parts are, and why of no more. */
function blocks(one: BudgetData): string {
  return one.without ?? count(one.blocks, "block");
}

/** What a transaction takes besides time; null when nothing is known of it. */
function taken(one: BudgetData): HTMLElement | null {
  if (one.taken.length === 0) return null;
  const shown = (figure: number, unit: string) =>
    unit === "ms" ? milliseconds(figure) : `${figure.toFixed(0)} ${unit}`;
  return h(
    "tfoot",
    {},
    ...one.taken.map((row) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, `${row.resource} per transaction`),
        h("td", { class: "number" }, shown(row.baseline.point, row.unit)),
        h("td", { class: "number" }, shown(row.candidate.point, row.unit)),
        h("td", {}),
        h("td", { class: "number strong" }, signedPercent(row.change.point)),
        h("td", { class: "number" }, changeInterval(row.change)),
      ),
    ),
  );
}
