/**
 * The parts of a time budget: which colour each has everywhere in the report, and where it stands in a stacked bar.
 *
 * A colour tells the kind of a part, since waits have as many names as PostgreSQL gives them; the name beside it tells the part.
 */
import type { PartData } from "./data";

const OUTSIDE = "outside the server";

/** What begins a part's name, and the class that colours it; the first that fits. */
const KINDS: [begin: string, kind: string][] = [
  ["before its start", "lag"],
  [`${OUTSIDE}: load engine`, "engine"],
  [`${OUTSIDE}: network`, "network"],
  [`${OUTSIDE}: route, not observed`, "unexplained"],
  [OUTSIDE, "outside"],
  ["on CPU", "cpu"],
  ["waiting for a CPU", "ready"],
  ["unexplained", "unexplained"],
  ["IO: ", "io"],
  ["Lock: ", "lock"],
  ["LWLock: ", "lwlock"],
  ["Buffer: ", "lwlock"],
];

/** The class of a part's marks; a row that is no part, such as the whole, has none. */
export function partClass(part: string): string | null {
  const kind = KINDS.find(([begin]) => part.startsWith(begin))?.[1] ?? (part.includes(": ") ? "wait" : null);
  return kind === null ? null : `part-${kind}`;
}

/** The sum of all parts: the mean latency. */
export function wholeOf(parts: PartData[]): number {
  return parts.reduce((sum, { ms }) => sum + ms, 0);
}

/** One part's place in a stacked bar, in milliseconds. */
export interface Stacked {
  part: string;
  from_ms: number;
  to_ms: number;
}

/**
 * The parts side by side in their order, from zero to the right; what is less than nothing, as an unexplained part may be, from zero to
 * the left, so that both directions together make the whole. A part of no time has no place.
 */
export function stacked(parts: PartData[]): Stacked[] {
  let [left, right] = [0, 0];
  return parts.flatMap(({ part, ms }) => {
    if (ms === 0) return [];
    if (ms < 0) {
      left += ms;
      return [{ part, from_ms: left, to_ms: left - ms }];
    }
    right += ms;
    return [{ part, from_ms: right - ms, to_ms: right }];
  });
}

/** From where to where the bars of these budgets reach, zero included. */
export function extentOf(budgets: PartData[][]): [low: number, high: number] {
  const bars = budgets.flatMap(stacked);
  return [Math.min(0, ...bars.map(({ from_ms }) => from_ms)), Math.max(0, ...bars.map(({ to_ms }) => to_ms))];
}
