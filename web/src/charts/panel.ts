/**
 * The frame of a small drawn panel: its size, its axes and the marks that all panels share.
 *
 * Panels have a fixed view box and scale with their column, so a row of them keeps one scale of type.
 */
import { s } from "../dom";
import { tickLabels } from "../format";
import type { Scale } from "../scale";

/** A rectangle in the panel's own units, in which the data are drawn. */
export interface Area {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** An empty panel; `label` says in words what it shows. Links inside make it a group instead of one image. */
export function panel(
  width: number,
  height: number,
  role: "img" | "group",
  label: string,
  ...children: (SVGElement | null)[]
): SVGSVGElement {
  return s("svg", { class: "panel", viewBox: `0 0 ${width} ${height}`, role, "aria-label": label }, ...children);
}

/** Horizontal rules with their values at the left. */
export function valueAxis(area: Area, y: Scale, values: number[], texts: string[] = tickLabels(values)): SVGElement {
  return s(
    "g",
    { class: "axis" },
    ...values.flatMap((value, index) => [
      s("line", { class: "rule", x1: area.left, x2: area.right, y1: y(value), y2: y(value) }),
      s("text", { x: area.left - 5, y: y(value) + 3.5, "text-anchor": "end" }, texts[index] ?? ""),
    ]),
  );
}

/** Values under the panel, each with a short tick; labels that would touch the one before are left out. */
export function positionAxis(area: Area, x: Scale, values: number[], name: string): SVGElement {
  let free = -Infinity;
  return s(
    "g",
    { class: "axis" },
    s("line", { class: "base", x1: area.left, x2: area.right, y1: area.bottom, y2: area.bottom }),
    ...values.flatMap((value) => {
      const text = String(value);
      const half = text.length * 3.2 + 2;
      const place = x(value);
      const label =
        place - half >= free ? s("text", { x: place, y: area.bottom + 14, "text-anchor": "middle" }, text) : null;
      if (label) free = place + half;
      return [
        s("line", { class: "tick", x1: place, x2: place, y1: area.bottom, y2: area.bottom + 3 }),
        ...(label ? [label] : []),
      ];
    }),
    s("text", { class: "name", x: (area.left + area.right) / 2, y: area.bottom + 27, "text-anchor": "middle" }, name),
  );
}

/** The mark of a target: its shape tells targets apart where colour does not. */
export function marker(target: number, x: number, y: number): SVGElement {
  const size = 3.6;
  switch (target % 4) {
    case 0:
      return s("circle", { class: "point", cx: x, cy: y, r: size });
    case 1:
      return s("rect", { class: "point", x: x - size, y: y - size, width: 2 * size, height: 2 * size });
    case 2:
      return s("path", { class: "point", d: `M${x} ${y - size - 1}L${x + size + 1} ${y + size}H${x - size - 1}Z` });
    default:
      return s("path", {
        class: "point",
        d: `M${x} ${y - size - 1}L${x + size + 1} ${y}L${x} ${y + size + 1}L${x - size - 1} ${y}Z`,
      });
  }
}

/** A vertical interval; an end that lies beyond the plot is cut at its edge and has no cross line. */
export function verticalInterval(
  x: number,
  low: number,
  high: number,
  isWhole: [boolean, boolean] = [true, true],
): SVGElement {
  const ends = [low, high].filter((_, index) => isWhole[index]).map((y) => `M${x - 3} ${y}h6`);
  return s("path", { class: "interval", d: `M${x} ${low}V${high}${ends.join("")}` });
}

/** A line through points, in order. */
export function polyline(points: [number, number][], kind = "line"): SVGElement {
  return s("polyline", { class: kind, points: points.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join(" ") });
}

/** Moves labels apart so that each keeps `gap` to the next, changing them as little as one pass can. */
export function spread(positions: number[], gap: number): number[] {
  const order = positions.map((position, index) => ({ position, index })).sort((a, b) => a.position - b.position);
  const moved = [...positions];
  let last = -Infinity;
  for (const { position, index } of order) {
    const place = Math.max(position, last + gap);
    moved[index] = place;
    last = place;
  }
  const overshoot = order.reduce((sum, { position, index }) => sum + (moved[index] ?? position) - position, 0);
  const shift = overshoot / Math.max(1, positions.length);
  return moved.map((place) => place - shift);
}
