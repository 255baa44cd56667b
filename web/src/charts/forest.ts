/**
 * The forest plot: every change with its interval on one axis, against the band that does not matter.
 *
 * A real table whose plot cells are drawn in per cent of their width, so that it needs no measuring, follows any
 * screen, and prints as lines.
 */
import type { ComparisonData, EstimateData, MetricName } from "../data";
import { h, s, scrollable } from "../dom";
import { change, changeInterval, clientsOf, metricLabel, percentTick, share } from "../format";
import { isRate, metricOf } from "../metric";
import { aroundBand, linear, ticks, type Range, type Scale } from "../scale";
import { verdictClass } from "../verdict";

const ROW_PX = 26;
const AXIS_PX = 30;

interface Row {
  comparison: ComparisonData;
  change: EstimateData | null;
  verdict: string;
}

/** The forest plot of one metric over all comparisons. */
export function forestPlot(comparisons: ComparisonData[], metric: MetricName, threshold: number): HTMLElement {
  const rows = comparisons.map((comparison): Row => {
    const found = metricOf(comparison, metric);
    return { comparison, change: found?.change ?? null, verdict: found?.verdict ?? "not judged" };
  });
  const reach = rows.flatMap((row) => (row.change ? [row.change.low, row.change.high] : []));
  const range = aroundBand(reach, threshold);
  const x = linear(range, 0, 100);
  const better = isRate(metric) ? "higher" : "lower";
  const several = new Set(comparisons.map((comparison) => comparison.candidate)).size > 1;
  const table = h(
    "table",
    { class: "forest" },
    h(
      "caption",
      {},
      `Change in ${metricLabel(metric)} with its 95 % interval; shaded: the practical threshold, ±${share(threshold)}`,
    ),
    h("tbody", {}, ...rows.map((row) => forestRow(row, several, x, threshold))),
    h(
      "tfoot",
      {},
      h("tr", {}, h("td", {}), h("td", { class: "plot" }, axis(x, range, better)), h("td", { class: "number" })),
    ),
  );
  return scrollable("forest plot", table);
}

function forestRow(row: Row, several: boolean, x: Scale, threshold: number): HTMLElement {
  const { workload, clients, candidate } = row.comparison;
  return h(
    "tr",
    {},
    h(
      "th",
      { scope: "row" },
      several ? `${candidate} · ` : "",
      workload,
      h("span", { class: "of" }, ` ${clientsOf(clients)}`),
    ),
    h("td", { class: "plot" }, drawnInterval(row, x, threshold)),
    h(
      "td",
      { class: "number" },
      row.change ? `${change(row.change.point)}  ${changeInterval(row.change)}` : "not measured",
    ),
  );
}

const at = (percent: number): string => `${percent.toFixed(3)}%`;

function drawnInterval(row: Row, x: Scale, threshold: number): SVGElement {
  const middle = ROW_PX / 2;
  const band = s("rect", {
    class: "band",
    x: at(x(-threshold)),
    width: at(x(threshold) - x(-threshold)),
    y: 0,
    height: ROW_PX,
  });
  const zero = s("line", { class: "zero", x1: at(x(0)), x2: at(x(0)), y1: 0, y2: ROW_PX });
  const marks = row.change
    ? [
        s("line", { class: "interval", x1: at(x(row.change.low)), x2: at(x(row.change.high)), y1: middle, y2: middle }),
        ...[row.change.low, row.change.high].map((end) =>
          s("line", { class: "interval end", x1: at(x(end)), x2: at(x(end)), y1: middle - 4, y2: middle + 4 }),
        ),
        s("circle", { class: "point", cx: at(x(row.change.point)), cy: middle, r: 4 }),
      ]
    : [];
  const words = row.change
    ? `${change(row.change.point)}, interval ${changeInterval(row.change)}: ${row.verdict}`
    : "not measured";
  return s(
    "svg",
    { class: verdictClass(row.verdict), width: "100%", height: ROW_PX, role: "img", "aria-label": words },
    band,
    zero,
    ...marks,
  );
}

function axis(x: Scale, range: Range, better: "higher" | "lower"): SVGElement {
  const positions = ticks(range, 8);
  const [left, right] = better === "higher" ? ["◂ worse", "better ▸"] : ["◂ better", "worse ▸"];
  return s(
    "svg",
    { class: "axis", width: "100%", height: AXIS_PX, "aria-hidden": "true" },
    ...positions.flatMap((value) => [
      s("line", { class: "tick", x1: at(x(value)), x2: at(x(value)), y1: 0, y2: 4 }),
      s("text", { x: at(x(value)), y: 15, "text-anchor": "middle" }, percentTick(value)),
    ]),
    s("text", { class: "direction", x: "0%", y: 27 }, left ?? ""),
    s("text", { class: "direction", x: "50%", y: 27, "text-anchor": "middle" }, "change, %"),
    s("text", { class: "direction", x: "100%", y: 27, "text-anchor": "end" }, right ?? ""),
  );
}
