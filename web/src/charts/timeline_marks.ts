/**
 * What is drawn on a timeline besides its lines: warm-up, outages, checkpoints, failures, and the lines' names.
 *
 * Drawn on uPlot's canvas in device pixels; every mark differs from the others in shape, not in colour alone.
 */
import uPlot from "uplot";
import type { TrialData } from "../data";
import { keptApart } from "../scale";
import { colour } from "../theme";
import { outages } from "../trials";

/** The name of a line, to be written where the line ends. */
export interface LineName {
  /** The index of the series in the chart. */
  series: number;
  text: string;
}

/** Behind the lines: the warm-up shaded, outages hatched. */
export function drawBehind(plot: uPlot, trial: TrialData): void {
  const { ctx } = plot;
  clipped(plot, () => {
    const start = plot.bbox.left;
    const end = x(plot, trial.warm_up_until_s);
    ctx.fillStyle = colour("band");
    ctx.fillRect(start, plot.bbox.top, Math.max(0, end - start), plot.bbox.height);
    for (const outage of outages(trial)) hatch(plot, x(plot, outage.from_s), x(plot, outage.to_s));
  });
}

/** Half of a cross's width; crosses that would lie on each other are one. */
const CROSS_PX = 3;

/** Above the lines: checkpoints as dashed lines with a wedge, failures as crosses along the bottom. */
export function drawAbove(plot: uPlot, trial: TrialData): void {
  clipped(plot, () => {
    for (const instant of trial.checkpoints_s) checkpoint(plot, x(plot, instant));
    const failed = trial.t_s.filter((_, index) => (trial.failed[index] ?? 0) > 0);
    crosses(
      plot,
      failed.map((t) => x(plot, t)),
    );
  });
}

/** Writes each line's name at the right, beside its last visible value, kept apart from the others. */
export function drawNames(plot: uPlot, names: LineName[]): void {
  const { ctx, bbox } = plot;
  const px = uPlot.pxRatio;
  const found = names.flatMap(({ series, text }) => {
    const value = lastVisible(plot, series);
    return value === null ? [] : [{ text, y: plot.valToPos(value, "y", true) }];
  });
  found.sort((a, b) => b.y - a.y);
  ctx.save();
  ctx.font = `${10 * px}px system-ui, sans-serif`;
  ctx.fillStyle = colour("muted");
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  let lowest = bbox.top + bbox.height;
  for (const { text, y } of found) {
    const place = Math.min(y, lowest);
    ctx.fillText(text, bbox.left + bbox.width + 4 * px, place);
    lowest = place - 11 * px;
  }
  ctx.restore();
}

function lastVisible(plot: uPlot, series: number): number | null {
  const max = plot.scales["x"]?.max ?? Infinity;
  const [times] = plot.data;
  const values = plot.data[series];
  for (let index = times.length - 1; index >= 0; index--) {
    const value = values?.[index];
    if ((times[index] ?? Infinity) <= max && value !== null && value !== undefined) return value;
  }
  return null;
}

function x(plot: uPlot, t_s: number): number {
  return plot.valToPos(t_s, "x", true);
}

function clipped(plot: uPlot, draw: () => void): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  draw();
  ctx.restore();
}

function hatch(plot: uPlot, from: number, to: number): void {
  const { ctx, bbox } = plot;
  const step = 5 * uPlot.pxRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(from, bbox.top, to - from, bbox.height);
  ctx.clip();
  ctx.strokeStyle = colour("alarm");
  ctx.lineWidth = uPlot.pxRatio;
  ctx.beginPath();
  for (let start = from - bbox.height; start < to; start += step) {
    ctx.moveTo(start, bbox.top + bbox.height);
    ctx.lineTo(start + bbox.height, bbox.top);
  }
  ctx.stroke();
  ctx.restore();
}

function checkpoint(plot: uPlot, at: number): void {
  const { ctx, bbox } = plot;
  const px = uPlot.pxRatio;
  ctx.strokeStyle = colour("muted");
  ctx.fillStyle = colour("muted");
  ctx.lineWidth = px;
  ctx.setLineDash([3 * px, 3 * px]);
  ctx.beginPath();
  ctx.moveTo(at, bbox.top);
  ctx.lineTo(at, bbox.top + bbox.height);
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.beginPath();
  ctx.moveTo(at - 4 * px, bbox.top);
  ctx.lineTo(at + 4 * px, bbox.top);
  ctx.lineTo(at, bbox.top + 6 * px);
  ctx.fill();
}

function crosses(plot: uPlot, positions: number[]): void {
  const { ctx, bbox } = plot;
  const px = uPlot.pxRatio;
  const size = CROSS_PX * px;
  const y = bbox.top + bbox.height - 5 * px;
  ctx.strokeStyle = colour("alarm");
  ctx.lineWidth = 1.5 * px;
  ctx.beginPath();
  for (const at of keptApart(positions, 2 * size)) {
    ctx.moveTo(at - size, y - size);
    ctx.lineTo(at + size, y + size);
    ctx.moveTo(at - size, y + size);
    ctx.lineTo(at + size, y - size);
  }
  ctx.stroke();
}
