/**
 * The bars of a waterfall, one to a table row: each begins where the one before it ended, so that they lead from the baseline's
 * whole to the candidate's. Drawn in per cent of the cell's width, as the forest plot is.
 */
import type { BarData } from "../data";
import { s } from "../dom";
import { signedInterval, signedMilliseconds } from "../format";
import { linear, type Scale } from "../scale";

const ROW_PX = 26;
const BAR_PX = 10;

/** A row's bar with its name. */
export interface Step {
  name: string;
  bar: BarData;
}

interface Span {
  from: number;
  to: number;
}

/** Where each row's bar begins and ends, in milliseconds; the last row is the whole, from the baseline to the candidate. */
function bars(rows: Step[]): Span[] {
  const whole = rows[rows.length - 1];
  if (!whole) return [];
  let reached = whole.bar.baseline;
  return rows.map((row) => {
    if (row === whole) return { from: whole.bar.baseline, to: whole.bar.candidate };
    const from = reached;
    reached += row.bar.change;
    return { from, to: reached };
  });
}

const at = (percent: number): string => `${percent.toFixed(3)}%`;

/** The bars of all rows, in their order, on one scale that holds every bar and every interval. */
export function waterfall(rows: Step[]): SVGElement[] {
  const spans = bars(rows);
  const ends = rows.flatMap((row, index) => {
    const { from, to } = spans[index] ?? { from: 0, to: 0 };
    return [from, to, from + row.bar.low, from + row.bar.high];
  });
  const low = Math.min(...ends);
  const high = Math.max(...ends);
  const air = (high - low) * 0.04 || 1;
  const x = linear([low - air, high + air], 0, 100);
  return rows.map((row, index) => drawn(row, spans[index] ?? { from: 0, to: 0 }, x));
}

/** One row's bar with the interval of its change. */
function drawn({ name, bar }: Step, { from, to }: Span, x: Scale): SVGElement {
  const middle = ROW_PX / 2;
  const [left, right] = from < to ? [from, to] : [to, from];
  const settled = bar.low > 0 || bar.high < 0;
  const tone = !settled ? "verdict-unsettled" : to > from ? "verdict-regressed" : "verdict-improved";
  const words = `${name}: ${signedMilliseconds(bar.change)} ms, interval ${signedInterval(bar)}`;
  const [low, high] = [from + bar.low, from + bar.high];
  return s(
    "svg",
    { class: tone, width: "100%", height: ROW_PX, role: "img", "aria-label": words },
    s("rect", {
      class: "bar",
      x: at(x(left)),
      width: at(Math.max(0.3, x(right) - x(left))),
      y: middle - BAR_PX / 2,
      height: BAR_PX,
    }),
    s("line", { class: "interval", x1: at(x(low)), x2: at(x(high)), y1: middle, y2: middle }),
    s("line", { class: "zero", x1: at(x(from)), x2: at(x(from)), y1: 0, y2: ROW_PX }),
  );
}
