/**
 * Throughput and latency against the number of clients, one row of small panels per workload; with three numbers of
 * clients and more another row, of what becomes of throughput as clients are added.
 */
import type { LadderData, ReportData, RungData } from "../data";
import { hasCurve, lossLines, ofOwnMaximum } from "../degradation";
import { h, nothing, section } from "../dom";
import { share } from "../format";
import { ladderPanel, MEASURES, OF_OWN_MAXIMUM, type Measure } from "../charts/ladder";
import { lossPanel } from "../charts/loss";

/** The section of the ladders, with what must be said about peaks; null where no workload has two numbers of clients. */
export function ladders(data: ReportData): HTMLElement | null {
  const all = [...new Set(data.ladders.map((ladder) => ladder.workload))];
  const workloads = all.filter((workload) => hasSeveralRungs(ladderOf(data, workload)));
  if (workloads.length === 0) return null;
  return section(
    "clients",
    "Figures by number of clients",
    h("p", { class: "prose" }, howToRead(data, workloads)),
    ...workloads.map((workload) => workloadRow(data, workload)),
  );
}

/** One point is no line: its figures stand in the tables. */
function hasSeveralRungs(ladders: LadderData[]): boolean {
  const measured = ladders.flatMap(({ points }) => points).filter((point) => isMeasured(point));
  return new Set(measured.map(({ clients }) => clients)).size > 1;
}

function isMeasured(point: RungData): boolean {
  return point.throughput_per_s !== null || point.of_only_trial.throughput_per_s !== null;
}

function howToRead(data: ReportData, workloads: string[]): string {
  const rungs = data.ladders.flatMap((ladder) => ladder.points);
  const single = rungs.some(
    ({ of_only_trial, throughput_per_s }) => throughput_per_s === null && of_only_trial.throughput_per_s !== null,
  );
  const points =
    "Points are geometric means over blocks, bars are their 95 % intervals. " +
    (single ? "A point without a bar is a single trial. " : "") +
    "All value axes begin at zero";
  const curves = workloads.filter((workload) => hasCurve(ladderOf(data, workload)));
  if (curves.length === 0) return `${points}.`;
  const shares = "Shares of the own maximum ignore the uncertainty of the maximum.";
  if (curves.every((workload) => lossLines(data.comparisons, workload).length === 0)) return `${points}. ${shares}`;
  return (
    `${points}, except that of the losses. ${shares} A loss is the negated change of the verdicts, so a gain is below zero. ` +
    "Its band connects 95 % intervals, each of which holds pointwise. The grey band is the practical threshold, " +
    `±${share(data.practical_threshold)}.`
  );
}

function ladderOf(data: ReportData, workload: string): LadderData[] {
  return data.ladders.filter((ladder) => ladder.workload === workload);
}

function workloadRow(data: ReportData, workload: string): HTMLElement {
  const own = ladderOf(data, workload);
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
      ...MEASURES.map((measure) => figure(measure, ladderPanel(own, data.targets, measure))),
      ...(hasCurve(own) ? degradation(data, workload, own) : []),
    ),
    notes.length > 0 && h("ul", { class: "notes" }, ...notes.map((note) => h("li", {}, note))),
  );
}

function figure({ title, unit }: Pick<Measure, "title" | "unit">, drawn: SVGElement | null): HTMLElement {
  const caption = h("figcaption", {}, title, h("span", { class: "unit" }, unit));
  return h("figure", {}, caption, drawn ?? nothing("not measured"));
}

/** The panels of what becomes of throughput as clients are added; a run without candidates has no losses. */
function degradation(data: ReportData, workload: string, own: LadderData[]): HTMLElement[] {
  const shares = ladderPanel(own.map(ofOwnMaximum), data.targets, OF_OWN_MAXIMUM);
  const lines = lossLines(data.comparisons, workload);
  const losses = lossPanel(lines, data.targets, data.baseline, data.practical_threshold);
  const title = `loss of throughput against ${data.baseline}`;
  return [figure(OF_OWN_MAXIMUM, shares), ...(losses ? [figure({ title, unit: "%" }, losses)] : [])];
}
