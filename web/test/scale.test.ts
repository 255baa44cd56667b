import { describe, expect, test } from "vitest";
import {
  aroundBand,
  fromZero,
  keptApart,
  linear,
  logarithmic,
  logTicks,
  positiveRange,
  reaches,
  ticks,
  timeTicks,
} from "../src/scale";
import { spread } from "../src/charts/panel";

describe("scales", () => {
  test("a linear scale maps its ends to the ends, also downwards", () => {
    const y = linear([0, 10], 100, 0);
    expect([y(0), y(5), y(10)]).toEqual([100, 50, 0]);
  });

  test("on a logarithmic scale equal ratios are equally far apart", () => {
    const x = logarithmic([8, 128], 0, 80);
    expect([8, 16, 32, 64, 128].map((value) => Math.round(x(value)))).toEqual([0, 20, 40, 60, 80]);
  });

  test("a ladder of one rung stands in the middle", () => {
    expect(logarithmic([8, 8], 0, 80)(8)).toBe(40);
  });
});

describe("ticks", () => {
  test.each([
    [[0, 24], 8, [0, 5, 10, 15, 20]],
    [[0, 3610], 8, [0, 600, 1200, 1800, 2400, 3000, 3600]],
    [[0, 3610], 4.5, [0, 900, 1800, 2700, 3600]],
    [[1700, 1900], 8, [1710, 1740, 1770, 1800, 1830, 1860, 1890]],
    [[1700, 1701], 8, [1700, 1700.2, 1700.4, 1700.6, 1700.8, 1701]],
    [[0, 1_000_000], 4, [0, 500_000, 1_000_000]],
  ] as const)("of time in %j at most about %d: %j", (range, most, expected) => {
    expect(timeTicks(range, most)).toEqual(expected);
  });

  test.each([
    [[0, 60_000], 5, [0, 20_000, 40_000, 60_000]],
    [[-0.13, 0.05], 4, [-0.1, -0.05, 0, 0.05]],
    [[0, 0.3], 3, [0, 0.1, 0.2, 0.3]],
    [[61_180, 61_320], 4, [61_200, 61_250, 61_300]],
    [[5, 5], 4, [5]],
  ] as const)("between %j at most about %d: %j", (range, most, expected) => {
    expect(ticks(range, most)).toEqual(expected);
  });

  test.each([
    [[0.4, 30], 6, [0.5, 1, 2, 5, 10, 20]],
    [[0.4, 3000], 8, [1, 3, 10, 30, 100, 300, 1000, 3000]],
    [[0.001, 100_000], 5, [0.001, 0.01, 0.1, 1, 10, 100, 1000, 10_000, 100_000]],
  ] as const)("logarithmic between %j at most about %d: %j", (range, most, expected) => {
    expect(logTicks(range, most)).toEqual(expected);
  });
});

describe("ranges", () => {
  test("a rate begins at zero and ends on a tick at or above its largest value", () => {
    expect(fromZero([10, null, 52_000], 5)).toEqual([0, 60_000]);
    expect(fromZero([0.3], 3)).toEqual([0, 0.3]);
  });

  test("a rate without a value, or of nothing but zeros, still has a range", () => {
    expect(fromZero([], 4)).toEqual([0, 1]);
    expect(fromZero([0, null], 4)).toEqual([0, 1]);
  });

  test("an axis of figures does not follow the end of a wild interval", () => {
    const estimates = [
      { point: 10, high: 12 },
      { point: 20, high: 900 },
    ];
    expect(reaches(estimates)).toEqual([12, 60]);
    expect(reaches([])).toEqual([]);
  });

  test("a range of changes holds zero, the band and every interval", () => {
    const [low, high] = aroundBand([-0.128, -0.09, null], 0.03);
    expect(low).toBeLessThan(-0.128);
    expect(high).toBeGreaterThan(0.03);
  });

  test("the range of a logarithmic axis ignores what it cannot show", () => {
    expect(positiveRange([0, null, 0.2, 7])).toEqual([0.2, 7]);
    expect(positiveRange([null, 0])).toBeNull();
  });
});

test("labels that would touch are moved apart, evenly and in order", () => {
  expect(spread([10, 50], 12)).toEqual([10, 50]);
  const [a = NaN, b = NaN] = spread([31, 30], 12);
  expect(a - b).toBe(12);
  expect((a + b) / 2).toBeCloseTo(30.5);
});

test("of positions, those that keep apart from the one before are kept", () => {
  expect(keptApart([0, 1, 5, 6, 10, 11, 20], 5)).toEqual([0, 5, 10, 20]);
  expect(keptApart([], 5)).toEqual([]);
});
