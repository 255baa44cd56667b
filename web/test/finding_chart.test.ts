import { expect, test } from "vitest";

import { findingChart, shadingInWords } from "../src/charts/finding";
import type { FindingChartData } from "../src/data";

const chart = (values: (number | null)[]): FindingChartData => ({
  trial: 3,
  t_s: values.map((_, index) => index + 1),
  lines: [{ name: "throughput", unit: "tps", values }],
});

test("what is shaded is said only where something is", () => {
  const whole = chart([1, 2, 3, 4]);
  expect(shadingInWords(whole, [])).toBe("");
  expect(shadingInWords(whole, [{ trial: 2, from_s: 0, to_s: 4 }])).toBe("");
  expect(shadingInWords(whole, [{ trial: 3, from_s: 1, to_s: 2 }])).toContain("are shaded");
  expect(shadingInWords(whole, [{ trial: 3, from_s: 0, to_s: 4 }])).toContain("in the whole trial");
});

test("a few values are no chart", () => {
  for (const values of [[], [1], [1, 2, 3], [1, null, 2, null, 3]]) {
    expect(findingChart(chart(values), [], "few")).toBeNull();
  }
});
