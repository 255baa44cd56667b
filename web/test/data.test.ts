import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fill } from "../build/fill.js";
import type { TrialData } from "../src/data";
import { parseReport, UnreadableReport } from "../src/parse_report";
import { latencyLines, latencyTitle } from "../src/latency_lines";
import { chosenMetric, metricChoices, metricOf, metricsOf } from "../src/metric";
import { readoutOf, trialSummary } from "../src/sections/trial_words";
import { intervalAt, nearestSecond, outages, Trials } from "../src/trials";

const data = parseReport(readFileSync("fixtures/report.json", "utf8"));
const unfinished = parseReport(readFileSync("fixtures/unfinished.json", "utf8"));

/** The invented run's trial that lost its connections. */
function failing(): TrialData {
  const found = data.trials.find((trial) => trial.caveats.length > 0);
  if (!found) throw new Error("no trial has a caveat");
  return found;
}

describe("the invented run", () => {
  test("has something to show in every part of a report", () => {
    const empty = (value: unknown) => value === null || value === "" || (Array.isArray(value) && value.length === 0);
    const { diagnosis, disks, ignored, ...parts } = data;
    // Its plan leaves no code out.
    expect(ignored).toEqual([]);
    // The roles of this run may read everything.
    const { missing_rights, lacked, ...diagnosed } = diagnosis;
    expect(missing_rights).toBeNull();
    // Some rules could be evaluated.
    expect(lacked).toBeNull();
    for (const part of [parts, diagnosed, ...(disks ?? [])]) {
      expect(Object.entries(part).filter(([, value]) => empty(value))).toEqual([]);
    }
    expect([disks, data.audit]).not.toContain(undefined);
    expect(diagnosis.findings.some(({ chart }) => chart !== null)).toBe(true);
    expect(new Set(data.comparisons.map(({ verdict }) => verdict)).size).toBe(4);
    expect(new Set(data.audit?.checks.map(({ verdict }) => verdict)).size).toBe(3);
    expect(data.trials.some(({ steady }) => steady !== null)).toBe(true);
    expect(data.trials.some(({ cpu_percent }) => cpu_percent.includes(null))).toBe(true);
    expect(data.trials.some(({ checkpoints_s }) => checkpoints_s.length > 0)).toBe(true);
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
      "capacity",
      "throughput",
      "latency_mean",
      "latency_p50",
      "latency_p95",
      "latency_p99",
      "latency_p999",
    ]);
    expect(metricsOf(unfinished.comparisons)).toEqual([]);
  });

  test("the first choice is what decides: one metric, or of each comparison its own", () => {
    expect(metricChoices(data.comparisons)[0]).toBe("deciding");
    const own = data.comparisons.map((comparison) => chosenMetric(comparison, "deciding"));
    expect(new Set(own)).toEqual(new Set(["capacity", "throughput"]));
    const closed = data.comparisons.filter(({ loop }) => loop === "closed");
    expect(metricChoices(closed)[0]).toBe("throughput");
    expect(metricChoices(closed).filter((choice) => choice === "throughput")).toHaveLength(1);
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
      const sides = [`${data.baseline} main`, `${choice.comparison?.candidate} main`];
      for (const block of choice.blocks) {
        const shown = trials.inBlock(choice, block).map(({ target, role }) => `${target} ${role}`);
        // Of a search every step is shown.
        expect(choice.comparison?.loop === "capacity" ? [...new Set(shown)] : shown).toEqual(sides);
      }
    }
  });

  test("a block of the noise floor shows the baseline twice", () => {
    const choice = trials.choices.find(({ kind, workload }) => kind === "noise-floor" && workload === "read");
    expect(choice && trials.inBlock(choice, 1).map(({ target, role }) => [target, role])).toEqual([
      ["vm", "main"],
      ["vm", "noise-floor"],
    ]);
  });

  test("a trial that made it into no block pair can still be looked at", () => {
    const unpaired = { ...data, comparisons: data.comparisons.map((comparison) => ({ ...comparison, blocks: [] })) };
    expect(new Trials(unpaired).find(1)).not.toBeNull();
  });

  test("those that are compared with nothing, as of the only target of an import, can be looked at by their cell", () => {
    const alone = new Trials({ ...data, comparisons: [], noise_floor: [] });
    const cells = new Set(data.trials.map(({ workload, clients }) => `${workload} ${clients}`));
    expect(alone.choices.map(({ kind, workload, clients }) => `${kind} ${workload} ${clients}`)).toEqual(
      [...cells].map((cell) => `alone ${cell}`),
    );
    for (const trial of data.trials) expect(alone.find(trial.number)?.choice.trials).toContain(trial);
    expect(alone.first()).toBe(alone.choices[0]);
    const without = data.trials.map((trial) => ({ ...trial, t_s: [] }));
    expect(new Trials({ ...data, trials: without, comparisons: [], noise_floor: [] }).first()).toBeNull();
    expect(trials.choices.map(({ kind }) => kind)).not.toContain("alone");
  });

  test("a regression is shown first, at its outlying or eventful block", () => {
    expect(trials.first()?.comparison?.verdict).toBe("regressed");
    const blockOf = (clients: number) => {
      const choice = trials.choices.find(
        ({ workload, clients: n, comparison }) =>
          workload === "write" && n === clients && comparison?.candidate === "cnpg",
      );
      return choice && trials.firstBlock(choice);
    };
    expect([blockOf(8), blockOf(32)]).toEqual([2, 3]);
  });

  test("an unknown trial, and a run without trials, lead nowhere", () => {
    expect(trials.find(9999)).toBeNull();
    expect(new Trials(unfinished).first()).toBeNull();
  });
});

describe("one trial", () => {
  test("seconds without connections join to one outage", () => {
    expect(outages(failing())).toEqual([{ from_s: 12, to_s: 16, clients: 8 }]);
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
      /^at 13 s · 0 tps · p50 –, p95 –, p99 – ms · CPU \d+ % · 8 failed · 8 clients out$/,
    );
  });

  test("the words for a chart leave the warm-up out", () => {
    const trial = { ...failing(), t_s: [1, 2, 3], warm_up_until_s: 1, throughput_per_s: [9999, 200, 300] };
    expect(trialSummary(trial, "throughput")).toContain("from 200 to 300 tps");
    expect(trialSummary({ ...trial, cpu_percent: [null, null, null] }, "cpu")).toContain("nothing measured");
  });
});

describe("a trial that another tool measured", () => {
  const nothing = [null, null, null];
  const told = (figures: Record<string, (number | null)[]>, span_s?: number[]): TrialData => ({
    ...failing(),
    t_s: span_s ? [2, 4, 6] : [1, 2, 3],
    throughput_per_s: [100, 200, 300],
    p50_ms: nothing,
    p95_ms: figures["p95"] ?? nothing,
    p99_ms: nothing,
    cpu_percent: nothing,
    failed: [0, 0, 0],
    clients_out: [0, 0, 0],
    warm_up_until_s: 0,
    reported_latency: Object.entries(figures)
      .filter(([figure]) => figure !== "p95")
      .map(([figure, ms]) => ({ figure, ms })),
    ...(span_s ? { span_s } : {}),
  });

  test.each([
    [{ mean: [1, 2, 3] }, ["mean"], "mean latency"],
    [{ mean: [1, 2, 3], max: [9, 9, 9] }, ["mean", "max"], "latency: mean, largest"],
    [{ mean: [1, 2, 3], stddev: [0, 1, 1] }, ["mean", "sd"], "latency: mean, standard deviation"],
    [{ p95: [4, null, 6] }, ["p95"], "latency p95"],
    [{ p90: [4, 5, 6] }, ["p90"], "latency p90"],
    [{}, [], "latency"],
  ])("%j is drawn and named as what it is", (figures, names, title) => {
    const trial = told(figures);
    expect(latencyLines(trial).map(({ name }) => name)).toEqual(names);
    expect(latencyTitle(trial)).toBe(title);
  });

  test("says at the cursor and in words what was told, and nothing of percentiles", () => {
    const trial = told({ mean: [1, 2, 3] });
    expect(readoutOf(trial, 2)).toBe("at 2 s · 200 tps · mean 2.00 ms · CPU – %");
    expect(trialSummary(trial, "latency")).toMatch(
      /^mean latency of trial .*: mean median 2.00 ms, from 1.00 to 3.00 ms$/,
    );
    expect(readoutOf(told({}), 2)).toBe("at 2 s · 200 tps · CPU – %");
  });

  test("has longer intervals, of which the cursor tells the one that it is in", () => {
    const trial = told({ mean: [1, 2, 3] }, [2, 2, 2]);
    expect([0, 1.9, 2, 3.9, 5, 99].map((t_s) => intervalAt(trial, t_s))).toEqual([0, 0, 1, 1, 2, 2]);
    expect(readoutOf(trial, 2.1)).toMatch(/^from 2 s to 4 s · 200 tps · mean 2.00 ms/);
  });

  test("one that pgdyno measured has its percentiles", () => {
    expect(latencyTitle(failing())).toBe("latency p50, p95, p99");
  });
});
