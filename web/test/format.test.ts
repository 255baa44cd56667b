import { describe, expect, test } from "vitest";
import {
  alignDecimals,
  change,
  changeInterval,
  count,
  duration,
  figure,
  instant,
  integer,
  MISSING,
  percentTick,
  share,
  signedPercent,
  significant,
  tickLabels,
  timeLabels,
} from "../src/format";

/** Writes the special spaces as plain ones, so that the tables below can be read. */
const plain = (text: string) => text.replace(/[\u202f\u2007\u2008]/g, " ");

describe("numbers", () => {
  test.each([
    [0, "0"],
    [999, "999"],
    [1000, "1 000"],
    [61_312.4, "61 312"],
    [1_234_567, "1 234 567"],
    [-4200, "−4 200"],
    [-0.2, "0"],
  ])("the integer %d reads %s", (value, text) => expect(plain(integer(value))).toBe(text));

  test.each([
    [0, "0"],
    [0.6718, "0.672"],
    [1.04, "1.04"],
    [9.996, "10.0"],
    [15.23, "15.2"],
    [0.000123, "0.000123"],
    [999.6, "1 000"],
    [1254, "1 250"],
    [-2.5, "−2.50"],
  ])("%d to three significant digits reads %s", (value, text) => expect(plain(significant(value))).toBe(text));

  test("throughput is whole from 100 up and keeps its digits below", () => {
    expect([61_312.4, 100.4, 12.34, 0.5].map((value) => plain(figure(value, "tps")))).toEqual([
      "61 312",
      "100",
      "12.3",
      "0.500",
    ]);
  });

  test("a missing figure is a dash, never zero", () => {
    expect(figure(null, "ms")).toBe(MISSING);
    expect(figure(undefined, "tps")).toBe(MISSING);
    expect(change(null)).toBe(MISSING);
    expect(changeInterval(null)).toBe(MISSING);
  });
});

describe("changes", () => {
  test.each([
    [-0.109, "−10.9"],
    [0.002, "+0.2"],
    [0, "0.0"],
    [-0.0004, "0.0"],
    [0.0004, "0.0"],
    [1.5, "+150.0"],
  ])("the fraction %d reads %s per cent", (value, text) => expect(signedPercent(value)).toBe(text));

  test("an interval carries one unit for both ends", () => {
    expect(plain(changeInterval({ point: -0.1, low: -0.128, high: 0.09, n: 4 }))).toBe("[−12.8, +9.0] %");
  });

  test.each([
    [-0.008, 0.0304, 0.03, "[−0.8, +3.04] %"],
    [-0.0296, 0.04, 0.03, "[−2.96, +4.0] %"],
    [0.0003, 0.01, 0.03, "[+0.03, +1.0] %"],
    [-0.03, 0.03, 0.03, "[−3.0, +3.0] %"],
    [-0.0004, 0.01, 0, "[−0.04, +1.0] %"],
  ])("the ends %d and %d beside %d show on which side they lie: %s", (low, high, threshold, text) => {
    expect(plain(changeInterval({ point: 0, low, high, n: 4 }, threshold))).toBe(text);
  });

  test("a share drops the decimals it does not need", () => {
    expect([0.03, 0.005, 0.1].map((value) => plain(share(value)))).toEqual(["3 %", "0.5 %", "10 %"]);
  });

  test("an axis of changes shows whole per cents whole", () => {
    expect([-0.1, 0, 0.025].map(percentTick)).toEqual(["−10", "0", "+2.5"]);
  });
});

describe("axis labels", () => {
  test.each([
    [
      [0, 20_000, 40_000],
      ["0", "20k", "40k"],
    ],
    [
      [61_200, 61_250, 61_300],
      ["61.20k", "61.25k", "61.30k"],
    ],
    [
      [0, 0.5, 1],
      ["0", "0.5", "1.0"],
    ],
    [
      [0, 1_500_000],
      ["0", "1.5M"],
    ],
    [
      [-2, 2],
      ["−2", "2"],
    ],
    [[], []],
  ])("%j are told apart as %j", (values, texts) => expect(tickLabels(values)).toEqual(texts));
});

test("decimal points stand under each other", () => {
  const aligned = alignDecimals(["0.672", "15.2", "120", MISSING]);
  expect(aligned).toEqual([
    "0.672",
    "15.2\u2007\u2007",
    "120\u2008\u2007\u2007\u2007",
    `${MISSING}\u2008\u2007\u2007\u2007`,
  ]);
  expect(alignDecimals(["1", "20"])).toEqual(["1", "20"]);
});

test.each([
  [45.2, "45 s"],
  [59.7, "1 min"],
  [3480, "58 min"],
  [3600, "1 h"],
  [3720, "1 h 2 min"],
])("%d seconds read %s", (seconds, text) => expect(plain(duration(seconds))).toBe(text));

test("an instant is shown to the minute in UTC, and text that is none is passed on", () => {
  expect(instant("2026-11-20T09:12:00Z")).toBe("2026-11-20 09:12 UTC");
  expect(instant("2026-11-20T09:12:00.123456789Z")).toBe("2026-11-20 09:12 UTC");
  expect(instant("yesterday")).toBe("yesterday");
});

test("a count agrees with its noun", () => {
  expect([count(0, "block"), count(1, "block"), count(2, "block")]).toEqual(["0 blocks", "1 block", "2 blocks"]);
});

describe("the labels of an axis of time", () => {
  test.each([
    [
      [0, 5, 10],
      ["0", "5", "10"],
    ],
    [
      [0, 60, 120],
      ["0", "60", "120"],
    ],
    [
      [0, 600, 1200],
      ["0", "10 min", "20 min"],
    ],
    [
      [1740, 1770, 1800],
      ["1 740", "1 770", "1 800"],
    ],
    [
      [0, 3600, 7200],
      ["0", "1 h", "2 h"],
    ],
    [
      [1700, 1700.5],
      ["1 700", "1700.5"],
    ],
  ])("of %j: %j", (instants, expected) => {
    expect(timeLabels(instants).map(plain)).toEqual(expected);
  });
});
