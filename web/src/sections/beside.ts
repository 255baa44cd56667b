/**
 * What does not decide, judged all the same: costs and statements. Those that changed for sure stand here, the others
 * are folded.
 */
import type { CostVerdictData, ReportData, RulingData, StatementVerdictData } from "../data";
import { h, scrollable } from "../dom";
import { MISSING, change, changeInterval, clientsOf, count, figure, milliseconds } from "../format";
import { verdictWords } from "../verdict";

interface Row {
  where: string;
  what: string;
  unit: string;
  ruling: RulingData;
}

/** A table of the sure ones and a folded one of all; null when nothing was judged. */
export function beside(data: ReportData): HTMLElement | null {
  const place = (one: CostVerdictData | StatementVerdictData) =>
    `${one.candidate}, ${one.workload}, ${clientsOf(one.clients)}`;
  const rows: Row[] = [
    ...(data.cost_verdicts ?? []).map((one) => ({
      where: place(one),
      what: one.cost,
      unit: one.unit,
      ruling: one.ruling,
    })),
    ...(data.statement_verdicts ?? []).map((one) => ({
      where: place(one),
      what: `${one.statement}, one execution`,
      unit: "ms",
      ruling: one.ruling,
    })),
  ];
  if (rows.length === 0) return null;
  const isSure = (row: Row) => row.ruling.verdict === "regressed" || row.ruling.verdict === "improved";
  const sure = rows.filter(isSure).sort((a, b) => rank(a.ruling) - rank(b.ruling));
  const rest = rows.filter((row) => !isSure(row));
  return h(
    "div",
    { id: "beside" },
    h("h3", {}, "Costs and statements"),
    sure.length > 0
      ? scrollable("costs and statements that changed", table(sure))
      : h("p", { class: "prose" }, "No cost and no statement has a significant change."),
    rest.length > 0 &&
      h(
        "details",
        {},
        h("summary", {}, `${count(rest.length, "other")} without a significant change`),
        scrollable("costs and statements without a significant change", table(rest)),
      ),
  );
}

/** Losses that fail the run first, then other losses, then gains. */
function rank(ruling: RulingData): number {
  if (ruling.verdict === "improved") return 2;
  return ruling.beyond_threshold ? 0 : 1;
}

function table(rows: Row[]): HTMLElement {
  const head = (text: string, isNumber = false) => h("th", { scope: "col", class: isNumber ? "number" : null }, text);
  return h(
    "table",
    {},
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        head("cost or statement"),
        head("cell"),
        head("baseline", true),
        head("candidate", true),
        head("change", true),
        head("95 % interval", true),
        head("verdict"),
      ),
    ),
    h(
      "tbody",
      {},
      ...rows.map(({ where, what, unit, ruling }) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, what),
          h("td", {}, where),
          h("td", { class: "number" }, amount(ruling.baseline, unit)),
          h("td", { class: "number" }, amount(ruling.candidate_value, unit)),
          h("td", { class: "number strong" }, ruling.change ? change(ruling.change.point) : MISSING),
          h("td", { class: "number" }, ruling.change ? changeInterval(ruling.change) : MISSING),
          h(
            "td",
            {},
            verdictWords(ruling.verdict),
            ruling.beyond_threshold && h("span", { class: "because" }, "by more than the threshold"),
          ),
        ),
      ),
    ),
  );
}

function amount(value: number, unit: string): string {
  if (unit === "ms") return milliseconds(value);
  if (unit === "tps") return `${figure(value, "tps")} tps`;
  return `${value < 10 ? value.toPrecision(2) : value.toFixed(0)} ${unit}`;
}
