/**
 * The forest plot: every change with its interval on one axis, against the band that does not matter.
 *
 * It is a column of the verdict table, each interval in the row of its figures. Drawn in per cent of the cell's width and height, so
 * that it needs no measuring, follows any screen, and prints as lines.
 */
import type { EstimateData } from "../data";
import { s } from "../dom";
import { change, changeInterval, percentTick } from "../format";
import { aroundBand, linear, ticks, type Range, type Scale } from "../scale";
import { verdictClass } from "../verdict";

/** Where the interval stands in its row: at the height of the first line of text. */
const MIDDLE_PX = 14;
const AXIS_PX = 30;
/** Ticks at most; a column has room for few. */
const TICKS = 4;

/** The axis that all rows share. */
export interface ForestAxis {
  range: Range;
  x: Scale;
  /** The practical threshold, as a share. */
  threshold: number;
}

/** An axis that holds every interval, zero and the band. */
export function forestAxis(changes: (EstimateData | null)[], threshold: number): ForestAxis {
  const reach = changes.flatMap((estimate) => (estimate ? [estimate.low, estimate.high] : []));
  const range = aroundBand(reach, threshold);
  return { range, x: linear(range, 0, 100), threshold };
}

const at = (percent: number): string => `${percent.toFixed(3)}%`;

/** The interval of one row. */
export function forestInterval(estimate: EstimateData | null, verdict: string, axis: ForestAxis): SVGElement {
  const { x, threshold } = axis;
  const band = s("rect", {
    class: "band",
    x: at(x(-threshold)),
    width: at(x(threshold) - x(-threshold)),
    y: 0,
    height: "100%",
  });
  const zero = s("line", { class: "zero", x1: at(x(0)), x2: at(x(0)), y1: 0, y2: "100%" });
  const words = estimate
    ? `${change(estimate.point)}, interval ${changeInterval(estimate)}: ${verdict}`
    : "not measured";
  return s(
    "svg",
    { class: verdictClass(verdict), role: "img", "aria-label": words },
    band,
    zero,
    ...(estimate ? marks(estimate, x) : []),
  );
}

function marks({ point, low, high }: EstimateData, x: Scale): SVGElement[] {
  const [top, bottom] = [MIDDLE_PX - 4, MIDDLE_PX + 4];
  const ends = [low, high].map((end) =>
    s("line", { class: "interval end", x1: at(x(end)), x2: at(x(end)), y1: top, y2: bottom }),
  );
  const whole = { x1: at(x(low)), x2: at(x(high)), y1: MIDDLE_PX, y2: MIDDLE_PX };
  return [
    s("line", { class: "interval", ...whole }),
    ...ends,
    s("circle", { class: "point", cx: at(x(point)), cy: MIDDLE_PX, r: 3.4 }),
  ];
}

/** The ticks below the last row, and which direction is the better one; null where the rows differ in it. */
export function forestTicks(axis: ForestAxis, better: "higher" | "lower" | null): SVGElement {
  const { range, x } = axis;
  const sides: Record<"higher" | "lower", [string, string]> = {
    higher: ["◂ worse", "better ▸"],
    lower: ["◂ better", "worse ▸"],
  };
  const [left, right] = better === null ? ["", ""] : sides[better];
  return s(
    "svg",
    { class: "axis", width: "100%", height: AXIS_PX, "aria-hidden": "true" },
    ...ticks(range, TICKS).flatMap((value) => [
      s("line", { class: "tick", x1: at(x(value)), x2: at(x(value)), y1: 0, y2: 4 }),
      s("text", { x: at(x(value)), y: 15, "text-anchor": "middle" }, percentTick(value)),
    ]),
    s("text", { class: "direction", x: "0%", y: 27 }, left),
    s("text", { class: "direction", x: "100%", y: 27, "text-anchor": "end" }, right),
  );
}
