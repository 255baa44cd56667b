/**
 * The chart of a finding: the series that it rests on, one above the other on one time axis, with the windows in which it was so
 * shaded across all of them.
 */
import type { FindingChartData, FindingLineData, FindingWindowData } from "../data";
import { s } from "../dom";
import { withUnit } from "../format";
import { linear, ticks, type Range, type Scale } from "../scale";
import { panel, polyline, positionAxis, valueAxis, type Area } from "./panel";

const WIDTH = 680;
const LEFT = 62;
const RIGHT = 670;
const HEADING = 18;
const PLOT = 62;
const FOOT = 32;

/** Values that make a chart: fewer are read sooner as figures, and the evidence has them. */
const VALUES_MIN = 4;

/** The chart; `title` says in words what it shows. Null where no series has the values that make one. */
export function findingChart(chart: FindingChartData, windows: FindingWindowData[], title: string): SVGElement | null {
  const lines = chart.lines.filter(({ values }) => values.filter((value) => value !== null).length >= VALUES_MIN);
  if (lines.length === 0) return null;
  const end = chart.t_s.at(-1) ?? 1;
  const start = Math.max(0, (chart.t_s[0] ?? 0) - 1);
  const x = linear([start, end], LEFT, RIGHT);
  const areas = lines.map((_, index): Area => {
    const top = index * (HEADING + PLOT) + HEADING;
    return { left: LEFT, right: RIGHT, top, bottom: top + PLOT };
  });
  const last = areas.at(-1) ?? { left: LEFT, right: RIGHT, top: HEADING, bottom: HEADING };
  const shaded = windows
    .filter((window) => window.trial === chart.trial)
    .map(({ from_s, to_s }) =>
      s("rect", {
        class: "evidence",
        x: x(from_s),
        width: Math.max(1, x(Math.min(to_s, end)) - x(from_s)),
        y: 0,
        height: last.bottom,
      }),
    );
  return panel(
    WIDTH,
    last.bottom + FOOT,
    "img",
    title,
    ...shaded,
    ...lines.map((line, index) => series(line, chart.t_s, x, areas[index] ?? last)),
    positionAxis(last, x, ticks([start, end], 10), `seconds of trial ${chart.trial}`),
  );
}

/** What the shading of the chart means; empty where there is none. */
export function shadingInWords(chart: FindingChartData, windows: FindingWindowData[]): string {
  const ofTrial = windows.filter((window) => window.trial === chart.trial);
  if (ofTrial.length === 0) return "";
  const observed = ofTrial.reduce((sum, { from_s, to_s }) => sum + (to_s - from_s), 0);
  const whole = (chart.t_s.at(-1) ?? 0) - Math.max(0, (chart.t_s[0] ?? 0) - 1);
  return observed >= 0.99 * whole
    ? "It was observed in the whole trial."
    : "The windows in which it was observed are shaded.";
}

function series(line: FindingLineData, t_s: number[], x: Scale, area: Area): SVGElement {
  const known = line.values.filter((value): value is number => value !== null);
  const highest = Math.max(0, ...known);
  const range: Range = [0, highest > 0 ? highest * 1.05 : 1];
  const y = linear(range, area.bottom, area.top);
  return s(
    "g",
    { class: "target-0" },
    s("text", { class: "series-name", x: area.left, y: area.top - 5 }, withUnit(line.name, line.unit)),
    known.length > 0 && valueAxis(area, y, ticks(range, 3)),
    ...stretches(line.values, t_s).map((points) => polyline(points.map(([t, value]) => [x(t), y(value)]))),
    known.length === 0 && s("text", { x: (area.left + area.right) / 2, y: area.bottom - 8 }, "not observed"),
  );
}

/** The runs of seconds without a gap. A lone second becomes a short line, so that it is seen. */
function stretches(values: (number | null)[], t_s: number[]): [number, number][][] {
  const all: [number, number][][] = [];
  let current: [number, number][] = [];
  const close = () => {
    const [only] = current;
    if (current.length === 1 && only) current.push([only[0] + 0.2, only[1]]);
    if (current.length > 0) all.push(current);
    current = [];
  };
  values.forEach((value, index) => {
    const t = t_s[index];
    if (value === null || t === undefined) close();
    else current.push([t, value]);
  });
  close();
  return all;
}
