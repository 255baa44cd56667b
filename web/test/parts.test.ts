import { describe, expect, test } from "vitest";
import { extentOf, partClass, stacked, wholeOf } from "../src/parts";

const part = (name: string, ms: number) => ({ part: name, ms });

describe("the parts of a time budget", () => {
  test.each([
    ["before its start (schedule lag)", "part-lag"],
    ["outside the server", "part-outside"],
    ["outside the server: load engine", "part-engine"],
    ["outside the server: network", "part-network"],
    ["outside the server: route, not observed", "part-unexplained"],
    ["on CPU", "part-cpu"],
    ["on CPU or waiting for one", "part-cpu"],
    ["waiting for a CPU", "part-ready"],
    ["IO: WALSync", "part-io"],
    ["Lock: transactionid", "part-lock"],
    ["LWLock: WALWrite", "part-lwlock"],
    ["IPC: SafeSnapshot", "part-wait"],
    ["unexplained", "part-unexplained"],
    ["mean latency", null],
  ])("%s is coloured as what it is", (name, kind) => {
    expect(partClass(name)).toBe(kind);
  });

  test("stand side by side in their order and make the whole", () => {
    const parts = [part("outside the server", 2), part("on CPU", 3), part("IO: WALSync", 0.5)];
    expect(stacked(parts).map(({ from_ms, to_ms }) => [from_ms, to_ms])).toEqual([
      [0, 2],
      [2, 5],
      [5, 5.5],
    ]);
    expect(wholeOf(parts)).toBe(5.5);
  });

  test("of less than nothing go to the left of zero, and those of nothing have no place", () => {
    const parts = [part("outside the server: route, not observed", -1), part("on CPU", 4), part("unexplained", 0)];
    expect(stacked(parts)).toEqual([
      { part: "outside the server: route, not observed", from_ms: -1, to_ms: 0 },
      { part: "on CPU", from_ms: 0, to_ms: 4 },
    ]);
    expect(wholeOf(parts)).toBe(3);
  });

  test("of several trials share a scale that holds them all, and zero", () => {
    expect(extentOf([[part("on CPU", 4)], [part("on CPU", 2), part("unexplained", -1)]])).toEqual([-1, 4]);
    expect(extentOf([])).toEqual([0, 0]);
  });
});
