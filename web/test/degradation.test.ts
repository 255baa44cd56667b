import { describe, expect, test } from "vitest";
import type { ComparisonData, EstimateData, LadderData } from "../src/data";
import { hasCurve, lossLines, ofOwnMaximum } from "../src/degradation";

const around = (point: number): EstimateData => ({ point, low: point - 10, high: point + 10, n: 5 });

function ladder(...throughputs: (number | null)[]): LadderData {
  const points = throughputs.map((point, index) => ({
    clients: 2 ** index,
    throughput_per_s: point === null ? null : around(point),
    latency_mean_ms: null,
    latency_p99_ms: null,
    of_only_trial: { throughput_per_s: null, latency_mean_ms: null, latency_p99_ms: null },
  }));
  return { target: "old", workload: "read", points, note: null };
}

function comparison(
  clients: number,
  change: EstimateData | null,
  loop: ComparisonData["loop"] = "closed",
): ComparisonData {
  const alone = { baseline_alone: null, candidate_alone: null, change_alone: null };
  const sides = { baseline: null, candidate: null, ...alone, verdict: "regressed" } as const;
  return {
    baseline: "old",
    candidate: "new",
    workload: "read",
    clients,
    loop,
    load: "",
    verdict: "regressed",
    verdict_text: "",
    metrics: [{ metric: "throughput", unit: "tps", better: "higher", change, ...sides }],
    failures: null,
    blocks: [],
    left_out: [],
  };
}

describe("what becomes of throughput as clients are added", () => {
  test("is a curve from three measured numbers of clients on, whichever target has them", () => {
    expect(hasCurve([ladder(100, 200)])).toBe(false);
    expect(hasCurve([ladder(100, null, 200)])).toBe(false);
    expect(hasCurve([ladder(100, 200, 300)])).toBe(true);
    expect(hasCurve([ladder(100, null, 300), ladder(null, 200, null)])).toBe(true);
  });

  test("is a share of the own maximum in per cent, and a gap stays one", () => {
    const points = ofOwnMaximum(ladder(100, 400, null, 300)).points.map(({ throughput_per_s }) => throughput_per_s);
    expect(points).toEqual([
      { point: 25, low: 22.5, high: 27.500000000000004, n: 5 },
      { point: 100, low: 97.5, high: 102.49999999999999, n: 5 },
      null,
      { point: 75, low: 72.5, high: 77.5, n: 5 },
    ]);
  });

  test("is nothing of a target that got nothing done", () => {
    expect(ofOwnMaximum(ladder(0, 0, 0)).points.map(({ throughput_per_s }) => throughput_per_s)).toEqual([
      null,
      null,
      null,
    ]);
  });
});

describe("the loss against the baseline", () => {
  const change = { point: -0.1, low: -0.15, high: 0.05, n: 5 };

  test("is the change with its sign turned, so that the ends change places, by clients", () => {
    const [line] = lossLines([comparison(8, change), comparison(2, { ...change, point: 0.02 })], "read");
    expect(line?.candidate).toBe("new");
    expect(line?.losses).toEqual([
      { clients: 2, percent: { point: -2, low: -5, high: 15, n: 5 } },
      { clients: 8, percent: { point: 10, low: -5, high: 15, n: 5 } },
    ]);
  });

  test("is none without an interval, of another workload, and where the rate decides what is done", () => {
    expect(lossLines([comparison(8, null)], "read")).toEqual([]);
    expect(lossLines([comparison(8, change)], "write")).toEqual([]);
    expect(lossLines([comparison(8, change, "open")], "read")).toEqual([]);
  });
});
