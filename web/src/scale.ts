/**
 * Axes as pure functions: from a range of values to positions and to the ticks a person would choose.
 *
 * Knows no pixels but the two ends it is given, and no drawing.
 */

/** Maps a value to a position. */
export type Scale = (value: number) => number;

/** Both ends of a range of values. */
export type Range = readonly [low: number, high: number];

/** A scale on which equal differences are equally far apart. */
export function linear([low, high]: Range, from: number, to: number): Scale {
  const span = high - low || 1;
  return (value) => from + ((value - low) / span) * (to - from);
}

/** An interval reaches so many times the highest point on an axis at most; what is beyond is cut at its end. */
const REACH = 3;

/** The values up to which an axis of estimates goes: the ends of their intervals, but for those that would leave the points no room. */
export function reaches(estimates: readonly { point: number; high: number }[]): number[] {
  const highest = Math.max(0, ...estimates.map(({ point }) => point));
  return estimates.map(({ high }) => Math.min(high, REACH * highest));
}

/** A scale on which equal ratios are equally far apart; both ends must be positive. A single value stands in the middle. */
export function logarithmic([low, high]: Range, from: number, to: number): Scale {
  if (low === high) return () => (from + to) / 2;
  const span = Math.log(high / low);
  return (value) => from + (Math.log(value / low) / span) * (to - from);
}

/** The step out of 1, 2, 5 × 10ⁿ that cuts `span` into at most `most` parts. */
function stepFor(span: number, most: number): number {
  const raw = span / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(raw));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= raw * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** Round values inside the range, at most `most` + 1 of them. */
export function ticks([low, high]: Range, most: number): number[] {
  if (!(high > low)) return [low];
  const step = stepFor(high - low, most);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  const decimals = Math.max(0, -Math.floor(Math.log10(step)));
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toFixed(decimals)));
}

/** What a person divides time by, in seconds. */
const TIME_STEPS_S = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400];

/** Round instants inside a range of seconds: of seconds, minutes or hours. */
export function timeTicks([low, high]: Range, most: number): number[] {
  const step = TIME_STEPS_S.find((candidate) => (high - low) / candidate <= most);
  if (step === undefined || high - low < most) return ticks([low, high], most);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

/** Those of ascending positions that keep `gap` to the one before. */
export function keptApart(positions: number[], gap: number): number[] {
  let last = -Infinity;
  return positions.filter((position) => {
    const isKept = position >= last + gap;
    if (isKept) last = position;
    return isKept;
  });
}

/** Powers of ten inside the range, with 2 and 5 between them while that leaves at most `most` ticks. */
export function logTicks([low, high]: Range, most: number): number[] {
  for (const factors of [[1, 2, 5], [1, 3], [1]]) {
    const found: number[] = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
      for (const factor of factors) {
        const value = Number(`${factor}e${power}`);
        if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) found.push(value);
      }
    }
    if (found.length <= most || factors.length === 1) return found;
  }
  return [];
}

/** From zero to a round value at or above every value: the honest range of a rate. */
export function fromZero(values: Iterable<number | null>, mostTicks: number): Range {
  const high = largest(values);
  if (high === null || high <= 0) return [0, 1];
  const step = stepFor(high, mostTicks);
  return [0, Number((Math.ceil(high / step - 1e-9) * step).toPrecision(12))];
}

/** A range that holds every value, zero, and the band ±`band` with some air around it. */
export function aroundBand(values: Iterable<number | null>, band: number): Range {
  let low = -band * 1.5;
  let high = band * 1.5;
  for (const value of values) {
    if (value === null || !Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const air = (high - low) * 0.04;
  return [low - air, high + air];
}

/** Smallest and largest positive value; null when there is none. */
export function positiveRange(values: Iterable<number | null>): Range | null {
  let low = Infinity;
  let high = 0;
  for (const value of values) {
    if (value !== null && value > 0 && Number.isFinite(value)) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  return high > 0 ? [low, high] : null;
}

/** The largest of the values; null when there is none. */
export function largest(values: Iterable<number | null>): number | null {
  let high: number | null = null;
  for (const value of values) {
    if (value !== null && Number.isFinite(value) && (high === null || value > high)) high = value;
  }
  return high;
}
