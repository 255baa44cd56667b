/**
 * What stretch of a trial a zoom shows: pure functions, in seconds.
 */
import type { Range } from "./scale";

/** A stretch of one second has the points of both its ends. */
const STRETCH_LEAST_S = 1;

/** Whether there is a stretch to zoom into that is not the whole. */
export function isZoomable([from, to]: Range): boolean {
  return to - from >= 2 * STRETCH_LEAST_S;
}

/** The stretch from whole second to whole second that was asked for, at least one second of it; null shows the whole. */
export function zoomedTo(asked: Range | null, whole: Range): Range | null {
  if (asked === null || !isZoomable(whole) || !asked.every(Number.isFinite)) return null;
  const [first, last] = asked[0] <= asked[1] ? asked : [asked[1], asked[0]];
  const middle = Math.floor((first + last) / 2);
  const isShort = Math.round(last) - Math.round(first) < STRETCH_LEAST_S;
  const [low, high] = isShort ? [middle, middle + STRETCH_LEAST_S] : [Math.round(first), Math.round(last)];
  const from = Math.min(Math.max(low, whole[0]), whole[1] - STRETCH_LEAST_S);
  const to = Math.max(Math.min(high, whole[1]), from + STRETCH_LEAST_S);
  return from <= whole[0] && to >= whole[1] ? null : [from, to];
}
