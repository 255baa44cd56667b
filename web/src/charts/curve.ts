/**
 * One target's p99 against the offered rate, step by step, on logarithmic axes.
 *
 * Steps that kept the limit are filled, the others hollow, so that they differ without colour too; every step leads to
 * the timelines of its trial.
 */
import type { CurveData, CurvePointData } from "../data";
import { s } from "../dom";
import { figure } from "../format";
import { logarithmic, logTicks, positiveRange, type Range, type Scale } from "../scale";
import { targetClass } from "../theme";
import { panel, positionAxis, valueAxis, type Area } from "./panel";

const WIDTH = 340;
const HEIGHT = 220;
const AREA: Area = { left: 46, right: 330, top: 10, bottom: 178 };

/** A step that completed something. */
interface Step extends CurvePointData {
  p99_ms: number;
}

/** The panel of one curve; `target` is the target's index, for its colour. */
export function curvePanel(curve: CurveData, target: number): SVGElement {
  const steps = curve.points.filter((point): point is Step => point.p99_ms !== null && point.p99_ms > 0);
  const rates = widened(positiveRange(steps.map((step) => step.rate_per_s)));
  const latencies = widened(positiveRange([curve.limit_ms, ...steps.map((step) => step.p99_ms)]));
  const x = logarithmic(rates, AREA.left, AREA.right);
  const y = logarithmic(latencies, AREA.bottom, AREA.top);
  return panel(
    WIDTH,
    HEIGHT,
    "group",
    inWords(curve, steps),
    capacity(curve, rates, x),
    valueAxis(AREA, y, logTicks(latencies, 5)),
    positionAxis(AREA, x, logTicks(rates, 4), "transactions offered per second"),
    s("line", { class: "zero", x1: AREA.left, x2: AREA.right, y1: y(curve.limit_ms), y2: y(curve.limit_ms) }),
    s("g", { class: `series ${targetClass(target)}` }, ...steps.map((step) => mark(step, x, y))),
  );
}

/** A tenth of room at both ends; some range even when there is nothing. */
function widened(range: Range | null): Range {
  return range === null ? [1, 10] : [range[0] / 1.1, range[1] * 1.1];
}

function capacity(curve: CurveData, [low, high]: Range, x: Scale): SVGElement | null {
  const found = curve.capacity_per_s;
  if (found === null) return null;
  const inside = (rate: number) => x(Math.min(Math.max(rate, low), high));
  const [from, to] = [inside(found.low), inside(found.high)];
  return s("rect", {
    class: "band",
    x: from,
    y: AREA.top,
    width: Math.max(1, to - from),
    height: AREA.bottom - AREA.top,
  });
}

function mark(step: Step, x: Scale, y: Scale): SVGElement {
  const words = `${inNumbers(step)}, block ${step.block}, trial ${step.trial}`;
  return s(
    "a",
    { href: `#trial-${step.trial}`, "aria-label": words },
    s("title", {}, words),
    s("circle", { class: step.held ? "point held" : "point", cx: x(step.rate_per_s), cy: y(step.p99_ms), r: 3.6 }),
  );
}

function inNumbers(step: Step): string {
  return `${figure(step.p99_ms, "ms")} ms at ${figure(step.rate_per_s, "tps")}/s${step.held ? "" : " (beyond the limit)"}`;
}

function inWords(curve: CurveData, steps: Step[]): string {
  return `p99 of ${curve.target} against the offered rate, limit ${figure(curve.limit_ms, "ms")} ms: ${steps.map(inNumbers).join("; ")}`;
}
