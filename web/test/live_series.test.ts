import { describe, expect, test } from "vitest";
import type { LiveSecondData } from "../src/data";
import { megabytes, ofHost, ofTarget, sessionsUpTo } from "../src/served/live_figures";
import { KEPT_S, LiveSeries, type Figure } from "../src/served/live_series";

const second = (target: string, at_s: number, more: Partial<LiveSecondData> = {}): LiveSecondData => ({
  trial: 1,
  target,
  warm_up: false,
  index: 0,
  at_s,
  throughput_per_s: at_s,
  p50_ms: null,
  p95_ms: null,
  p99_ms: null,
  failed: 0,
  cpu_percent: null,
  disk_read_per_s: null,
  disk_written_per_s: null,
  sessions: null,
  ...more,
});
const rate = (target: string) => ofTarget(target, ({ throughput_per_s }) => throughput_per_s);

describe("the seconds of a run", () => {
  test("stand at their instants, and where nothing is told there is a gap", () => {
    const series = new LiveSeries([rate("old"), rate("new")]);
    series.add([second("old", 100.2), second("new", 100.4), second("old", 103.1)]);
    expect(series.last(10)).toEqual({
      instants: [100, 101, 102, 103],
      columns: [
        [100.2, null, null, 103.1],
        [100.4, null, null, null],
      ],
    });
    expect(series.last(2).instants).toEqual([102, 103]);
  });

  test("that are told twice are there once, and those that come late find their place", () => {
    const series = new LiveSeries([rate("old")]);
    series.add([second("old", 102), second("old", 102, { throughput_per_s: 7 })]);
    series.add([second("old", 100)]);
    expect(series.last(10)).toEqual({ instants: [100, 101, 102], columns: [[100, null, 7]] });
  });

  test("are let go when they are too old to be shown, also after a long pause", () => {
    const series = new LiveSeries([rate("old")]);
    for (let at = 1; at <= 2 * KEPT_S; at++) series.add([second("old", at)]);
    const { instants, columns } = series.last(KEPT_S);
    expect([instants[0], instants.at(-1), columns[0]?.at(-1)]).toEqual([KEPT_S + 1, 2 * KEPT_S, 2 * KEPT_S]);
    series.add([second("old", 1)]);
    expect(series.last(KEPT_S)).toEqual({ instants, columns });
    series.add([second("old", 1e6)]);
    expect(series.last(KEPT_S)).toEqual({ instants: [1e6], columns: [[1e6]] });
  });

  test("are worked out once each: a second more is the same work after an hour", () => {
    let asked = 0;
    const counting: Figure = (told) => {
      asked += 1;
      return told.length;
    };
    const series = new LiveSeries([counting]);
    series.add(Array.from({ length: KEPT_S }, (_, at) => second("old", at)));
    expect(asked).toBe(KEPT_S);
    series.add([second("old", KEPT_S), second("new", KEPT_S)]);
    series.last(KEPT_S);
    expect(asked).toBe(KEPT_S + 1);
  });
});

test("sessions are stacked over all targets, and the host is what the busiest target tells", () => {
  const sessions = { cpu: 1, io: 2, lwlock: 3, lock: 4, other: 5, client: 6 };
  const told = [
    second("old", 1, { sessions, cpu_percent: 20 }),
    second("new", 1, { sessions, cpu_percent: 30, disk_read_per_s: 2e6 }),
  ];
  expect([0, 1, 5].map((index) => sessionsUpTo(index)(told))).toEqual([2, 6, 42]);
  expect(sessionsUpTo(0)([second("old", 1)])).toBe(null);
  expect(ofHost(({ cpu_percent }) => cpu_percent)(told)).toBe(30);
  expect(ofHost(megabytes(({ disk_read_per_s }) => disk_read_per_s))(told)).toBe(2);
  expect(ofHost(({ disk_written_per_s }) => disk_written_per_s)(told)).toBe(null);
});
