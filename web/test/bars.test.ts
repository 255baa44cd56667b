import { describe, expect, test } from "vitest";
import { areFarApart, barGroups, clientsWithBars } from "../src/bars";
import type { ComparisonData, EstimateData } from "../src/data";

const around = (point: number): EstimateData => ({ point, low: point * 0.9, high: point * 1.1, n: 5 });

function comparison(
  workload: string,
  clients: number | null,
  baseline: number | null,
  candidate = "new",
): ComparisonData {
  return {
    baseline: "old",
    candidate,
    workload,
    clients,
    loop: "closed",
    load: "closed loop",
    verdict: "improved",
    verdict_text: "",
    metrics: [
      {
        metric: "throughput",
        unit: "tps",
        better: "higher",
        baseline: baseline === null ? null : around(baseline),
        candidate: around(200),
        baseline_alone: null,
        candidate_alone: null,
        change_alone: null,
        change: null,
        verdict: "improved",
      },
    ],
    failures: null,
    blocks: [],
    left_out: [],
  };
}

const study = (comparisons: ComparisonData[], candidates = ["new"]) => ({ baseline: "old", candidates, comparisons });
const three = [comparison("a", 8, 100), comparison("b", 8, 400), comparison("c", 8, 50)];

describe("bars of many workloads", () => {
  test("are offered at the numbers of clients that three workloads have, ascending", () => {
    const more = ["a", "b", "c", "d"].map((workload) => comparison(workload, 2, 100));
    const few = ["a", "b"].map((workload) => comparison(workload, 64, 100));
    expect(clientsWithBars(study([...three, ...more, ...few]), "throughput")).toEqual([2, 8]);
    expect(clientsWithBars(study(few), "throughput")).toEqual([]);
    expect(clientsWithBars(study(three), "latency_p99")).toEqual([]);
  });

  test("are offered where nobody says the number of clients", () => {
    const unknown = ["a", "b", "c"].map((workload) => comparison(workload, null, 100));
    expect(clientsWithBars(study([...three, ...unknown]), "throughput")).toEqual([8, null]);
    expect(barGroups(study(unknown), "throughput", null)).toHaveLength(3);
  });

  test("stand in the order of the report, the baseline first and once for all candidates", () => {
    const data = study([...three, ...three.map((one) => ({ ...one, candidate: "newer" }))], ["new", "newer"]);
    const groups = barGroups(data, "throughput", 8);
    expect(groups.map(({ workload }) => workload)).toEqual(["a", "b", "c"]);
    expect(groups[0]?.bars.map(({ target }) => target)).toEqual(["old", "new", "newer"]);
    expect(groups[0]?.bars.map(({ comparison: of }) => of?.candidate ?? null)).toEqual([null, "new", "newer"]);
  });

  test("are shares of the baseline's point with their own intervals, and none without a baseline", () => {
    const share = (baseline: number | null) =>
      barGroups(study([comparison("a", 8, baseline)]), "throughput", 8)[0]?.bars.map((bar) => bar.share);
    expect(share(100)).toEqual([
      { point: 1, low: 0.9, high: expect.closeTo(1.1), n: 5 },
      { point: 2, low: 1.8, high: expect.closeTo(2.2), n: 5 },
    ]);
    expect(share(null)).toEqual([null, null]);
  });

  test("are shares at first where one axis would hide the smallest", () => {
    const groups = (smallest: number) =>
      barGroups(study([comparison("a", 8, 100), comparison("b", 8, 200 * smallest)]), "throughput", 8);
    expect(areFarApart(groups(11))).toBe(false);
    expect(areFarApart(groups(12))).toBe(true);
    expect(areFarApart([])).toBe(false);
  });
});
