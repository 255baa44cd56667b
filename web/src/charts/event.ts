/**
 * The throughput around an event, every trial a line of its own, aligned on the instant at which it was asked for.
 *
 * Gaps stand below the lines, a bar for each trial in the order of the blocks, so that they can be told apart where lines
 * cover each other; every bar leads to the timelines of its trial.
 */
import type { AroundData, EventData } from "../data";
import { s } from "../dom";
import { significant } from "../format";
import { fromZero, linear, ticks, type Range, type Scale } from "../scale";
import { targetClass } from "../theme";
import { panel, polyline, positionAxis, valueAxis, type Area } from "./panel";

const WIDTH = 700;
const AREA: Area = { left: 56, right: 690, top: 18, bottom: 200 };
const BAR = 6;

/** Another event of the same trials, in seconds since this one. */
export interface Neighbour {
  name: string;
  at_s: number;
}

/** The panel of one event in one cell; `target` is the target's index, for its colour. */
export function eventPanel(event: EventData, neighbours: Neighbour[], target: number): SVGElement {
  const { around, step_s: step } = event;
  const range = rangeOf(around, step);
  const bars = AREA.bottom + 8;
  const floor: Area = { ...AREA, bottom: bars + around.length * BAR + 2 };
  const x = linear(range, AREA.left, AREA.right);
  const most = fromZero(
    around.flatMap(({ per_s }) => per_s),
    4,
  );
  const y = linear(most, AREA.bottom, AREA.top);
  const marks = [{ name: event.event, at_s: 0 }, ...neighbours].filter(
    ({ at_s }) => at_s >= range[0] && at_s <= range[1],
  );
  return panel(
    WIDTH,
    floor.bottom + 34,
    "group",
    inWords(event),
    valueAxis(AREA, y, ticks(most, 4)),
    positionAxis(floor, x, ticks(range, 12), `seconds since the request for ${event.event}; transactions per second`),
    ...marks.map((mark) => markOf(mark, x, floor)),
    s(
      "g",
      { class: `series event ${targetClass(target)}` },
      ...around.map(({ from_s, per_s }) =>
        polyline(
          per_s.flatMap((value, index): [number, number][] => {
            const at = from_s + (index + 0.5) * step;
            return at >= range[0] && at <= range[1] ? [[x(at), y(value)]] : [];
          }),
        ),
      ),
      ...around.flatMap((trial, index) => bar(trial, bars + index * BAR, x, range)),
    ),
  );
}

/** From a little before the event to a little after the last gap; all of it where one did not end. */
function rangeOf(around: AroundData[], step: number): Range {
  const from = Math.max(-5, Math.min(-1, ...around.map(({ from_s }) => from_s)));
  const end = Math.max(1, ...around.map(({ from_s, per_s }) => from_s + per_s.length * step));
  const ends = around.map(({ gap_s: gap }) => (gap === null ? 0 : (gap[1] ?? end)));
  return [from, Math.min(end, Math.max(10, 3 * Math.max(0, ...ends)))];
}

function markOf({ name, at_s }: Neighbour, x: Scale, area: Area): SVGElement {
  return s(
    "g",
    {},
    s("line", { class: "zero", x1: x(at_s), x2: x(at_s), y1: AREA.top, y2: area.bottom }),
    s("text", { class: "name", x: x(at_s) + 4, y: AREA.top - 6 }, name),
  );
}

function bar(trial: AroundData, top: number, x: Scale, [low, high]: Range): SVGElement[] {
  if (trial.gap_s === null) return [];
  const [begin, end] = trial.gap_s;
  const inside = (value: number) => x(Math.min(Math.max(value, low), high));
  const words = `block ${trial.block}, trial ${trial.trial}: gap ${lengthInWords(trial)}`;
  return [
    s(
      "a",
      { href: `#trial-${trial.trial}`, "aria-label": words },
      s("title", {}, words),
      s("rect", {
        class: end === null ? "gap open" : "gap",
        x: inside(begin),
        y: top,
        width: Math.max(1.5, inside(end ?? high) - inside(begin)),
        height: BAR - 2,
      }),
    ),
  ];
}

function lengthInWords({ gap_s }: AroundData): string {
  if (gap_s === null) return "too short to measure";
  const [begin, end] = gap_s;
  return end === null ? "not ended" : lengthOf(end - begin);
}

function lengthOf(seconds: number): string {
  return seconds < 1 ? `${significant(seconds * 1e3)} ms` : `${significant(seconds)} s`;
}

function inWords(event: EventData): string {
  const gaps = event.around.map((trial) => `block ${trial.block} ${lengthInWords(trial)}`);
  return `Throughput of ${event.target} around ${event.event}; gaps: ${gaps.join(", ")}`;
}
