import { expect, test } from "vitest";
import type { OverTrialsData } from "../src/data";
import { intervalOf } from "../src/sections/spread";

test.each<[OverTrialsData | null, string]>([
  [null, "–"],
  [{ mean: 2, estimate: null, trials: 1 }, "–"],
  [{ mean: 2, estimate: { point: 2, low: 1.5, high: 2.5, n: 3 }, trials: 3 }, "1.50 … 2.50"],
  [{ mean: 2, estimate: { point: 2, low: 0, high: 5, n: 2 }, trials: 2 }, "0 … 5.00"],
])("the interval of the time %j is %s", (of, expected) => {
  expect(intervalOf(of)).toBe(expected);
});
