import { describe, expect, test } from "vitest";
import { compareCells, figureOf } from "../src/sort_key";

describe("the figure of a cell", () => {
  test.each([
    ["5\u202f224", 5224],
    ["\u22122.3\u202f%", -2.3],
    ["+12.3 %", 12.3],
    ["1.5 ms", 0.0015],
    ["40 µs", 0.00004],
    ["2 min", 120],
    ["12.1k IOPS", 12_100],
    ["3 MiB", 3_145_728],
    ["200 kB/s", 200_000],
    ["[\u22120.7, +5.4] %", -0.7],
    ["–", null],
    ["", null],
    ["on", null],
  ])("%j is %j", (text, figure) => {
    const found = figureOf(text);
    if (figure === null) expect(found).toBeNull();
    else expect(found).toBeCloseTo(figure, 9);
  });
});

describe("the order of cells", () => {
  test("is that of the figures across units, and what is missing stands last in both directions", () => {
    const cells = ["1.5 ms", "–", "40 µs", "2 s"];
    const sorted = (direction: 1 | -1) => [...cells].sort((a, b) => compareCells(a, b, true, direction));
    expect(sorted(1)).toEqual(["40 µs", "1.5 ms", "2 s", "–"]);
    expect(sorted(-1)).toEqual(["2 s", "1.5 ms", "40 µs", "–"]);
  });

  test("of words has numbers in them in their order", () => {
    expect(["t10", "t9", "s"].sort((a, b) => compareCells(a, b, false, 1))).toEqual(["s", "t9", "t10"]);
  });
});
