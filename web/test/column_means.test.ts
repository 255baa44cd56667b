import { describe, expect, test } from "vitest";
import { columnMeans } from "../src/charts/column_means";

describe("the means of columns of pixels", () => {
  test("are of all values that share one", () => {
    expect(columnMeans([0, 0, 1, 1, 1], [1, 3, 6, 7, 8])).toEqual([
      [
        { x: 0, mean: 2 },
        { x: 1, mean: 7 },
      ],
    ]);
  });

  test("are the values themselves where none is shared", () => {
    expect(columnMeans([0, 5], [1, 2])).toEqual([
      [
        { x: 0, mean: 1 },
        { x: 5, mean: 2 },
      ],
    ]);
  });

  test("leave out what is missing within a column; a column without a value is a gap", () => {
    expect(columnMeans([0, 0, 1, 1, 2], [4, null, null, undefined, 5])).toEqual([
      [{ x: 0, mean: 4 }],
      [{ x: 2, mean: 5 }],
    ]);
  });

  test("are none of nothing", () => {
    expect(columnMeans([], [])).toEqual([]);
    expect(columnMeans([0, 1], [null, null])).toEqual([]);
  });
});
