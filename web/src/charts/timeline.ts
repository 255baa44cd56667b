/**
 * One measure of one trial over time, as a uPlot chart that belongs to a cursor group.
 *
 * The range of values is given, the same for every trial shown together, so that heights can be compared.
 */
import uPlot from "uplot";
import type { TrialData } from "../data";
import { tickLabels, timeLabels } from "../format";
import { latencyLines } from "../latency_lines";
import { readingLines, type ReadingChoice } from "../readings";
import { fromZero, logTicks, positiveRange, ticks, timeTicks, type Range } from "../scale";
import { colour, targetClass } from "../theme";
import { areaOfMeans } from "./column_means";
import type { CursorGroup } from "./cursor_group";
import { stepsOver } from "./steps";
import { drawAbove, drawBehind, drawNames } from "./timeline_marks";

const HEIGHT_PX = 132;
const NAMES_PX = 34;
/** Room for a label of the axis of time, such as `10 min`. */
const LABEL_PX = 46;
/** Latency is drawn on a logarithmic axis once its largest value is this many times the smallest. */
const LOG_FROM_RATIO = 12;
/** With fewer pixels from second to second, dashes are drawn as strokes: they would hide which peaks there are. */
const DASHES_FROM_PX = 2;

/** What a timeline can show: a figure that every trial has, or a reading that was chosen. */
export type TimelineMeasure = "throughput" | "latency" | "cpu" | ReadingChoice;

/** The range of values of one measure over all trials shown together. */
export interface ValueAxis {
  range: Range;
  logarithmic: boolean;
}

/** How the figures of latency are told apart, beside the name at the end of each line. */
const LOOKS: Record<string, Pick<Line, "width" | "dash">> = {
  p50: { width: 1.8 },
  mean: { width: 1.8 },
  p99: { width: 1.1, dash: [4, 2] },
  max: { width: 1.1, dash: [4, 2] },
  sd: { width: 1.1, dash: [1.5, 2] },
};

interface Line {
  name: string;
  values: (number | null)[];
  /** Width in CSS pixels and dash, which tell the lines of one target apart. */
  width: number;
  dash?: number[];
  /** The index of the colour below the line, of a part of a whole. */
  fill?: number;
}

function linesOf(trial: TrialData, measure: TimelineMeasure): Line[] {
  if (typeof measure === "object") {
    const lines = readingLines(trial, measure);
    if (measure.name !== null) return lines.map(({ values }) => ({ name: "", values, width: 1.5 }));
    return lines.map(({ values, part }) => ({ name: "", values, width: 0.5, fill: part }));
  }
  switch (measure) {
    case "throughput":
      return [{ name: "", values: trial.throughput_per_s, width: 1.5 }];
    case "latency":
      return latencyLines(trial).map(({ name, values }) => ({ name, values, ...(LOOKS[name] ?? { width: 1.1 }) }));
    case "cpu":
      return [{ name: "", values: trial.cpu_percent, width: 1.5 }];
  }
}

/** Whether a trial has anything to draw for a measure. */
export function hasMeasure(trial: TrialData, measure: TimelineMeasure): boolean {
  return linesOf(trial, measure).some((line) => line.values.some((value) => value !== null));
}

/** The axis of values that suits all trials shown together. */
export function valueAxisOf(trials: TrialData[], measure: TimelineMeasure): ValueAxis {
  const values = trials.flatMap((trial) => linesOf(trial, measure).flatMap((line) => line.values));
  const isWhole = typeof measure === "object" && measure.name === null;
  if (measure === "cpu" || isWhole) return { range: [0, 100], logarithmic: false };
  const positive = measure === "latency" ? positiveRange(values) : null;
  if (positive && positive[1] / positive[0] >= LOG_FROM_RATIO) {
    return { range: [positive[0] / 1.15, positive[1] * 1.15], logarithmic: true };
  }
  return { range: fromZero(values, 4), logarithmic: false };
}

/** Draws one measure of a trial into `host`, as wide as the host is; `target` is its index, for the colour. */
export function timeline(
  host: HTMLElement,
  trial: TrialData,
  target: number,
  measure: TimelineMeasure,
  axis: ValueAxis,
  group: CursorGroup,
): uPlot {
  const lines = linesOf(trial, measure);
  const names = lines.flatMap((line, index) => (line.name === "" ? [] : [{ series: index + 1, text: line.name }]));
  const steps = trial.span_s && stepsOver(trial.span_s);
  const stroke = () => colour(targetClass(target));
  const plot = new uPlot(
    {
      width: Math.max(160, host.clientWidth),
      height: HEIGHT_PX,
      padding: [6, names.length > 0 ? NAMES_PX : LABEL_PX / 2, 0, 0],
      legend: { show: false },
      cursor: cursorOptions(group),
      scales: {
        x: { time: false, range: () => [...group.shown] as uPlot.Range.MinMax },
        y: { range: () => [...axis.range] as uPlot.Range.MinMax, distr: axis.logarithmic ? 3 : 1 },
      },
      axes: [timeAxis(), valuesAxis(axis)],
      series: [
        {},
        ...lines.map((line): uPlot.Series => ({
          stroke,
          width: line.width,
          points: { show: false },
          ...(line.dash ? { dash: line.dash } : {}),
          ...(line.fill === undefined
            ? {}
            : { fill: filled(line.fill), stroke: filled(line.fill), paths: areaOfMeans() }),
          ...(steps ? { paths: steps } : {}),
        })),
      ],
      hooks: {
        drawClear: [
          (drawn) => {
            drawBehind(drawn, trial);
            dashWhereLegible(drawn, lines);
          },
        ],
        draw: [
          (drawn) => {
            drawAbove(drawn, trial);
            drawNames(drawn, names);
          },
        ],
        setCursor: [(drawn) => tellCursor(drawn, group)],
        setSelect: [(drawn) => zoomToSelection(drawn, group)],
      },
    },
    [trial.t_s, ...lines.map((line) => line.values)],
    host,
  );
  group.add(plot);
  return plot;
}

/** uPlot draws every peak of many seconds, with a stroke from the lowest to the highest in a column of pixels. */
function dashWhereLegible(plot: uPlot, lines: Line[]): void {
  const [first, last] = plot.series[0]?.idxs ?? [0, 0];
  const isLegible = plot.bbox.width / uPlot.pxRatio >= (last - first) * DASHES_FROM_PX;
  lines.forEach(({ dash }, index) => {
    const series = plot.series[index + 1];
    if (series && dash) series.dash = isLegible ? dash : [];
  });
}

/** The colour of a part of a whole. */
function filled(part: number): () => string {
  return () => colour(targetClass(part));
}

function cursorOptions(group: CursorGroup): uPlot.Cursor {
  return {
    y: false,
    drag: { x: group.isZoomable, y: false, setScale: false },
    points: { size: 5 },
    bind: {
      dblclick: () => () => {
        group.zoom(null);
        return null;
      },
    },
    // Only the cursor is shared by uPlot; a selection becomes a zoom of the whole group in zoomToSelection.
    sync: {
      key: group.key,
      setSeries: false,
      scales: ["x", null],
      filters: { pub: (type) => type === "mousemove" || type === "mouseleave" },
    },
  };
}

function timeAxis(): uPlot.Axis {
  return {
    ...axisLook(),
    size: 24,
    splits: (plot, _axis, min, max) => timeTicks([min, max], plot.bbox.width / uPlot.pxRatio / LABEL_PX),
    values: (_plot, splits) => timeLabels(splits),
    grid: { show: false },
  };
}

function valuesAxis(axis: ValueAxis): uPlot.Axis {
  const positions = axis.logarithmic ? logTicks(axis.range, 6) : ticks(axis.range, 4);
  return {
    ...axisLook(),
    size: 42,
    splits: () => positions,
    filter: (_plot, splits) => splits,
    values: (_plot, splits) =>
      axis.logarithmic ? splits.map((value) => tickLabels([value])[0] ?? "") : tickLabels(splits),
    grid: { stroke: () => colour("rule"), width: 1 },
  };
}

/** How every axis looks. */
export function axisLook(): uPlot.Axis {
  return {
    stroke: () => colour("muted"),
    font: "11px system-ui, sans-serif",
    ticks: { stroke: () => colour("rule"), width: 1, size: 4 },
    gap: 3,
  };
}

/** Only the chart under the mouse speaks for the group; the others follow it and stay silent. */
function tellCursor(plot: uPlot, group: CursorGroup): void {
  const { left, event } = plot.cursor;
  if (!event) return;
  group.moved(left === undefined || left < 0 ? null : plot.posToVal(left, "x"));
}

function zoomToSelection(plot: uPlot, group: CursorGroup): void {
  const { left, width } = plot.select;
  if (width < 4) return;
  const range: Range = [plot.posToVal(left, "x"), plot.posToVal(left + width, "x")];
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  group.zoom(range);
}
