import { describe, expect, test } from "vitest";
import { isZoomable, zoomedTo } from "../src/zoom";

describe("a zoom", () => {
  test.each([
    ["goes from whole second to whole second", [2.2, 5.8], 10, [2, 6]],
    ["may be drawn from right to left", [5.8, 2.2], 10, [2, 6]],
    ["of less than a second shows the second that it is in", [3.1, 3.3], 10, [3, 4]],
    ["works from two seconds on", [0.8, 1.6], 2, [1, 2]],
    ["ends where the trial does", [7, 42], 9.4, [7, 9.4]],
    ["keeps a second at a trial's ragged end", [9.3, 9.4], 9.4, [8.4, 9.4]],
    ["keeps a second before its begin", [-7, -3], 10, [0, 1]],
    ["over everything is the whole", [-1, 11], 10, null],
    ["to an empty field is the whole", [NaN, 4], 10, null],
    ["does not exist below two seconds", [0.3, 1.5], 1.9, null],
  ] as const)("%s", (_, asked, end, shown) => {
    expect(zoomedTo(asked, [0, end])).toEqual(shown);
  });

  test("of nothing shows the whole", () => {
    expect(zoomedTo(null, [0, 10])).toBeNull();
  });

  test("exists from two seconds on", () => {
    expect([1, 1.9, 2, 60].map((end) => isZoomable([0, end]))).toEqual([false, false, true, true]);
  });
});
