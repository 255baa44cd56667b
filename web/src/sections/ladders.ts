/**
 * Throughput and latency against the number of clients, one row of small panels per workload.
 */
import type { ReportData } from "../data";
import { h, nothing, section } from "../dom";
import { maxima } from "./maxima";
import { ladderPanel, MEASURES } from "../charts/ladder";

/** The section of the ladders, with the maxima and what must be said about peaks. */
export function ladders(data: ReportData): HTMLElement {
  const workloads = [...new Set(data.ladders.map((ladder) => ladder.workload))];
  if (workloads.length === 0) {
    return section("clients", "Against the number of clients", nothing("No cell has a finished trial yet."));
  }
  return section(
    "clients",
    "Against the number of clients",
    h(
      "p",
      { class: "prose" },
      "Points are means over blocks, bars their 95 % intervals. All axes of values begin at zero.",
    ),
    data.maxima.length > 0 && maxima(data.maxima),
    ...workloads.map((workload) => workloadRow(data, workload)),
  );
}

function workloadRow(data: ReportData, workload: string): HTMLElement {
  const own = data.ladders.filter((ladder) => ladder.workload === workload);
  const notes = [
    ...own.flatMap((ladder) => (ladder.note === null ? [] : [`${ladder.target}: ${ladder.note}`])),
    ...data.maxima.flatMap((maximum) => (maximum.workload === workload && maximum.text ? [maximum.text] : [])),
  ];
  return h(
    "section",
    { class: "workload", "aria-label": workload },
    h("h3", {}, workload),
    h(
      "div",
      { class: "panels three" },
      ...MEASURES.map((measure) =>
        h(
          "figure",
          {},
          h("figcaption", {}, measure.title, h("span", { class: "unit" }, measure.unit)),
          ladderPanel(own, data.targets, measure) ?? nothing("not measured"),
        ),
      ),
    ),
    notes.length > 0 && h("ul", { class: "notes" }, ...notes.map((note) => h("li", {}, note))),
  );
}
