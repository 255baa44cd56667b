import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fill } from "../build/fill.js";
import { make, makeEmpty, textOf } from "../fixtures/make.js";
import { parseReport, UnreadableReport, type ReportData, type TrialSeries } from "../src/data";
import { metricOf, metricsOf } from "../src/metric";
import { readoutOf, trialSummary } from "../src/sections/trial_words";
import { nearestSecond, outages, Trials } from "../src/trials";

const size = { seed: 17, blocks: 4, clients: [8, 32], seconds: 20 };
const data: ReportData = make(size);

/** The fixture's trial that lost its connections. */
function failing(): TrialSeries {
  const found = data.trials.find((trial) => trial.caveats.length > 0);
  if (!found) throw new Error("the fixture has no failing trial");
  return found;
}

describe("the fixture", () => {
  test("is what its script makes from its seed", () => {
    expect(readFileSync("fixtures/report.json", "utf8")).toBe(textOf(data));
  });

  test("has series of one length in every trial", () => {
    for (const trial of data.trials) {
      const lengths = [
        trial.throughput_per_s,
        trial.p50_ms,
        trial.p95_ms,
        trial.p99_ms,
        trial.failed,
        trial.cpu_percent,
        trial.clients_out,
      ];
      expect(lengths.map((series) => series.length)).toEqual(lengths.map(() => trial.t_s.length));
    }
  });
});

describe("reading", () => {
  test("the data come out as they went in, markup and dollar signs included", () => {
    const odd = { ...data, headline: "</script><b>$& $' __REPORT_DATA__" };
    const page = fill('<script type="application/json" id="report-data">__REPORT_DATA__</script>', JSON.stringify(odd));
    expect(page.match(/<\/script>/g)).toHaveLength(1);
    const text = page.slice(page.indexOf(">") + 1, page.lastIndexOf("</script>"));
    expect(parseReport(text)).toEqual(odd);
  });

  test.each(["__REPORT" + "_DATA__", "", '{"format":2,', "null", "{}", '{"format":1}', "[1]"])(
    "%j is refused with a reason",
    (text) => {
      expect(() => parseReport(text)).toThrow(UnreadableReport);
    },
  );
});

describe("metrics", () => {
  test("are listed in the report's order, and only where measured", () => {
    expect(metricsOf(data.comparisons)).toEqual([
      "throughput",
      "latency_mean",
      "latency_p50",
      "latency_p95",
      "latency_p99",
      "latency_p999",
    ]);
    expect(metricsOf(makeEmpty().comparisons)).toEqual([]);
  });

  test("one that was not measured is undefined", () => {
    const [first] = data.comparisons;
    if (!first) throw new Error("the fixture has no comparison");
    expect(metricOf({ ...first, metrics: [] }, "throughput")).toBeUndefined();
  });
});

describe("trials", () => {
  const trials = new Trials(data);

  test("every trial of the run can be found, in its own block", () => {
    for (const trial of data.trials) {
      const found = trials.find(trial.number);
      expect(found && trials.inBlock(found.choice, found.block)).toContain(trial);
    }
  });

  test("a block of a comparison shows the baseline first and nothing of the A/A", () => {
    for (const choice of trials.choices.filter(({ kind }) => kind === "main")) {
      for (const block of choice.blocks) {
        expect(trials.inBlock(choice, block).map(({ target, role }) => [target, role])).toEqual([
          ["vm", "main"],
          ["cnpg", "main"],
        ]);
      }
    }
  });

  test("a block of the noise floor shows the baseline twice", () => {
    const choice = trials.choices.find(({ kind }) => kind === "noise-floor");
    expect(choice && trials.inBlock(choice, 1).map(({ target, role }) => [target, role])).toEqual([
      ["vm", "main"],
      ["vm", "noise-floor"],
    ]);
  });

  test("a trial that made it into no block pair can still be looked at", () => {
    const unpaired = { ...data, comparisons: data.comparisons.map((comparison) => ({ ...comparison, blocks: [] })) };
    expect(new Trials(unpaired).find(1)).not.toBeNull();
  });

  test("a regression is shown first, at its outlying or eventful block", () => {
    expect(trials.first()?.comparison.verdict).toBe("regressed");
    const undecided = trials.choices.find(({ comparison }) => comparison.blocks.some((pair) => pair.outlying));
    expect(undecided && trials.firstBlock(undecided)).toBe(2);
  });

  test("an unknown trial, and a run without trials, lead nowhere", () => {
    expect(trials.find(9999)).toBeNull();
    expect(new Trials(makeEmpty()).first()).toBeNull();
  });
});

describe("one trial", () => {
  test("seconds without connections join to one outage", () => {
    expect(outages(failing())).toEqual([{ from_s: 12, to_s: 16, clients: 32 }]);
    const apart = { ...failing(), t_s: [1, 2, 3, 4, 5], clients_out: [1, 0, 2, 3, 0] };
    expect(outages(apart)).toEqual([
      { from_s: 0, to_s: 1, clients: 1 },
      { from_s: 2, to_s: 4, clients: 3 },
    ]);
  });

  test("the second nearest to the cursor is found, also beyond the ends", () => {
    expect([-5, 1.4, 1.6, 99].map((t) => nearestSecond([1, 2, 3], t))).toEqual([0, 0, 1, 2]);
    expect(nearestSecond([], 1)).toBeNull();
  });

  test("the figures of a second without connections say so and show no latency", () => {
    expect(readoutOf(failing(), 13)).toMatch(
      /^at 13 s · 0 tps · p50 –, p95 –, p99 – ms · CPU \d+ % · 32 failed · 32 clients out$/,
    );
  });

  test("the words for a chart leave the warm-up out", () => {
    const trial = { ...failing(), t_s: [1, 2, 3], warm_up_until_s: 1, throughput_per_s: [9999, 200, 300] };
    expect(trialSummary(trial, "throughput")).toContain("from 200 to 300 tps");
    expect(trialSummary({ ...trial, cpu_percent: [null, null, null] }, "cpu")).toContain("nothing measured");
  });
});
