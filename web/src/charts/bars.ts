/**
 * Bars of every target in every workload, from zero, with their 95 % intervals: a study of many tests at a glance.
 *
 * A real table whose plot cells are drawn in per cent of their width, as the forest plot is.
 */
import type { EstimateData, MetricName, ReportData } from "../data";
import type { Bar, BarGroup } from "../bars";
import { h, s, scrollable } from "../dom";
import { alignDecimals, bracketed, change, clientsOf, figure, metricLabel, tickLabels } from "../format";
import { isRate, metricOf } from "../metric";
import { fromZero, linear, reaches, ticks, type Range, type Scale } from "../scale";
import { targetClass } from "../theme";
import { verdictClass } from "../verdict";

const ROW_PX = 18;
const BAR_PX = 11;
const AXIS_PX = 20;
const TICKS = 6;

/** What the length of a bar is. */
export type BarLength = "figure" | "share";

/** What is drawn. */
export interface Shown {
  metric: MetricName;
  clients: number | null;
  length: BarLength;
}

/** The bars of these workloads. */
export function barChart(
  data: Pick<ReportData, "baseline" | "targets">,
  groups: BarGroup[],
  shown: Shown,
): HTMLElement {
  const { metric, length } = shown;
  const unit = isRate(metric) ? "tps" : "ms";
  const all = groups.flatMap(({ bars }) => bars);
  const lengths = all.map((bar) => lengthOf(bar, length)).filter((estimate) => estimate !== null);
  const range = fromZero(reaches(lengths), TICKS);
  const x = linear(range, 0, 100);
  const texts = alignDecimals(all.map((bar) => figure(bar.figure?.point, unit)));
  const row = (bar: Bar, group: BarGroup, index: number) => {
    const colour = targetClass(data.targets.indexOf(bar.target));
    const drawn = drawnBar(lengthOf(bar, length), x, range[1], inWords(bar, unit));
    return h(
      "tr",
      {},
      index === 0 && h("th", { scope: "rowgroup", rowspan: group.bars.length, class: "workload" }, group.workload),
      h("th", { scope: "row", class: `target ${colour}` }, bar.target),
      h("td", { class: `plot ${colour}` }, drawn),
      h("td", { class: "number" }, texts[all.indexOf(bar)] ?? ""),
      changeOf(bar, metric),
    );
  };
  const of = length === "share" ? `in percent of ${data.baseline}` : `in ${unit}`;
  const caption = `${metricLabel(metric)} by workload at ${clientsOf(shown.clients)}, ${of}, with 95 % intervals`;
  const drawnAxis = h("td", { class: "plot" }, axis(x, range, length));
  const table = h(
    "table",
    { class: "bars" },
    h("caption", {}, caption),
    head(unit),
    ...groups.map((group) => h("tbody", {}, ...group.bars.map((bar, index) => row(bar, group, index)))),
    h("tfoot", {}, h("tr", {}, h("td", { colspan: 2 }), drawnAxis, h("td", { colspan: 2 }))),
  );
  return scrollable("bars of all workloads", table);
}

function lengthOf(bar: Bar, length: BarLength): EstimateData | null {
  return length === "share" ? bar.share : bar.figure;
}

function head(unit: string): HTMLElement {
  const column = (text: string, kind: string | null = null) => h("th", { scope: "col", class: kind }, text);
  return h(
    "thead",
    {},
    h("tr", {}, column("workload"), column("target"), h("td", {}), column(unit, "number"), column("change", "number")),
  );
}

function changeOf({ comparison }: Bar, metric: MetricName): HTMLElement {
  const found = comparison && metricOf(comparison, metric);
  if (!found) return h("td", { class: "number" });
  return h("td", { class: `number ${verdictClass(found.verdict ?? "not judged")}` }, change(found.change?.point));
}

const at = (percent: number): string => `${percent.toFixed(3)}%`;

function drawnBar(length: EstimateData | null, x: Scale, highest: number, words: string): SVGElement {
  const middle = ROW_PX / 2;
  const [low, high] = [Math.max(0, length?.low ?? 0), Math.min(length?.high ?? 0, highest)];
  const marks =
    length !== null
      ? [
          s("rect", {
            class: "bar",
            x: 0,
            y: middle - BAR_PX / 2,
            width: at(Math.max(0, x(length.point))),
            height: BAR_PX,
          }),
          s("line", { class: "interval", x1: at(x(low)), x2: at(x(high)), y1: middle, y2: middle }),
          ...[low, high].map((end) =>
            s("line", { class: "interval end", x1: at(x(end)), x2: at(x(end)), y1: middle - 3.5, y2: middle + 3.5 }),
          ),
        ]
      : [];
  const zero = s("line", { class: "zero", x1: 0, x2: 0, y1: 0, y2: ROW_PX });
  return s("svg", { width: "100%", height: ROW_PX, role: "img", "aria-label": words }, ...marks, zero);
}

function inWords({ figure: measured, share }: Bar, unit: "tps" | "ms"): string {
  if (measured === null) return "not measured";
  const told = (value: number) => figure(value, unit);
  const ofBaseline = share === null ? "" : `, ${figure(share.point * 100, "%")} % of the baseline`;
  return `${told(measured.point)} ${unit}, interval ${bracketed(told(measured.low), told(measured.high))}${ofBaseline}`;
}

function axis(x: Scale, range: Range, length: BarLength): SVGElement {
  const positions = ticks(range, TICKS);
  const texts = tickLabels(length === "share" ? positions.map((value) => value * 100) : positions);
  return s(
    "svg",
    { class: "axis", width: "100%", height: AXIS_PX, "aria-hidden": "true" },
    ...positions.flatMap((value, index) => [
      s("line", { class: "tick", x1: at(x(value)), x2: at(x(value)), y1: 0, y2: 4 }),
      s("text", { x: at(x(value)), y: 15, "text-anchor": "middle" }, texts[index] ?? ""),
    ]),
  );
}
