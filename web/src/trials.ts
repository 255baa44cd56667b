/**
 * Which trials belong to a comparison, which comparison a trial belongs to, and what is worth showing first.
 *
 * Pure look-ups over the data. Trials are matched by their cell rather than through the block pairs, so that a
 * trial which never made it into a pair (it failed, or its partner did) can still be looked at.
 */
import type { ComparisonData, ReportData, TrialData, VerdictData } from "./data";

/** A comparison that timelines can be chosen for, or the trials of a cell that are compared with nothing. */
export interface Choice {
  kind: "main" | "noise-floor" | "alone";
  workload: string;
  /** Null where nobody says. */
  clients: number | null;
  /** Null for trials that are compared with nothing. */
  comparison: ComparisonData | null;
  trials: TrialData[];
  /** Blocks in which at least one of its trials was run, ascending. */
  blocks: number[];
}

/** Looks trials up by cell and by number. */
export class Trials {
  readonly choices: Choice[];
  readonly #baseline: string;
  readonly #byCell = new Map<string, TrialData[]>();
  readonly #byNumber: Map<number, TrialData>;

  constructor(data: ReportData) {
    this.#baseline = data.baseline;
    for (const trial of data.trials) {
      const cell = this.#byCell.get(cellKey(trial));
      if (cell) cell.push(trial);
      else this.#byCell.set(cellKey(trial), [trial]);
    }
    this.#byNumber = new Map(data.trials.map((trial) => [trial.number, trial]));
    const compared = (kind: "main" | "noise-floor") => (comparison: ComparisonData) =>
      choiceOf(kind, comparison, comparison, this.#compared(kind, comparison));
    const choices = [...data.comparisons.map(compared("main")), ...data.noise_floor.map(compared("noise-floor"))];
    const held = new Set(choices.flatMap(({ trials }) => trials));
    const alone = [...this.#byCell.values()].flatMap((cell) => {
      const trials = cell.filter((trial) => !held.has(trial) && trial.t_s.length > 0);
      const [first] = trials;
      return first ? [choiceOf("alone", first, null, trials)] : [];
    });
    this.choices = [...choices, ...alone];
  }

  /** The trials of one block of a comparison, the baseline first. */
  inBlock({ trials }: Choice, block: number): TrialData[] {
    const rank = (trial: TrialData) => (this.#isBaseline(trial) ? 0 : 1);
    return trials.filter((trial) => trial.block === block).sort((a, b) => rank(a) - rank(b) || a.number - b.number);
  }

  /** Where a trial can be seen; null when it has nothing to show. */
  find(number: number): { choice: Choice; block: number } | null {
    const trial = this.#byNumber.get(number);
    if (!trial) return null;
    const choice = this.choices.find(({ trials }) => trials.includes(trial));
    return choice ? { choice, block: trial.block } : null;
  }

  /** The comparison to show first: a regression before anything else, then the largest change. */
  first(): Choice | null {
    const rank = ({ kind, comparison }: Choice) => RANK[kind] + (comparison ? URGENCY[comparison.verdict] : 0);
    const size = ({ comparison }: Choice) => Math.abs(comparison?.metrics[0]?.change?.point ?? 0);
    const shown = this.choices.filter((choice) => choice.blocks.length > 0);
    return shown.sort((a, b) => rank(a) - rank(b) || size(b) - size(a))[0] ?? null;
  }

  /** The block to show first: an outlying one, else one with something to explain, else the first. */
  firstBlock(choice: Choice): number | null {
    const outlying = choice.comparison?.blocks.find((pair) => pair.outlying)?.block;
    const eventful = choice.blocks.find((block) => this.inBlock(choice, block).some(isEventful));
    return outlying ?? eventful ?? choice.blocks[0] ?? null;
  }

  #isBaseline(trial: TrialData): boolean {
    return trial.role === "main" && trial.target === this.#baseline;
  }

  #compared(kind: "main" | "noise-floor", comparison: ComparisonData): TrialData[] {
    const isCandidate = (trial: TrialData) =>
      kind === "noise-floor"
        ? trial.role === "noise-floor"
        : trial.role === "main" && trial.target === comparison.candidate;
    const cell = this.#byCell.get(cellKey(comparison)) ?? [];
    return cell.filter((trial) => isCandidate(trial) || this.#isBaseline(trial));
  }
}

const URGENCY: Record<VerdictData, number> = {
  broken: 0,
  "does not work": 0,
  regressed: 0,
  improved: 1,
  "so far": 2,
  "not enough data": 2,
  "not better": 2,
  "not worse": 3,
  equivalent: 3,
};

const RANK: Record<Choice["kind"], number> = { main: 0, "noise-floor": 10, alone: 20 };

function choiceOf(
  kind: Choice["kind"],
  { workload, clients }: { workload: string; clients: number | null },
  comparison: ComparisonData | null,
  trials: TrialData[],
): Choice {
  const blocks = [...new Set(trials.map((trial) => trial.block))].sort((a, b) => a - b);
  return { kind, workload, clients, comparison, trials, blocks };
}

function cellKey({ workload, clients }: { workload: string; clients: number | null }): string {
  return `${clients} ${workload}`;
}

/** Whether a trial saw failures, outages, caveats or no steady state. */
export function isEventful(trial: TrialData): boolean {
  return (
    trial.caveats.length > 0 ||
    trial.steady !== null ||
    trial.failed.some((n) => n > 0) ||
    trial.clients_out.some((n) => n > 0)
  );
}

/** A stretch of seconds in which clients were without a connection, and the most at once. */
export interface Outage {
  from_s: number;
  to_s: number;
  clients: number;
}

/** The outages of a trial, as stretches; second i lasts from t_s[i] − 1 to t_s[i]. */
export function outages(trial: TrialData): Outage[] {
  const found: Outage[] = [];
  trial.clients_out.forEach((clients, index) => {
    const end = trial.t_s[index];
    if (clients === 0 || end === undefined) return;
    const last = found.at(-1);
    if (last && last.to_s >= end - 1) {
      last.to_s = end;
      last.clients = Math.max(last.clients, clients);
    } else {
      found.push({ from_s: end - 1, to_s: end, clients });
    }
  });
  return found;
}

/** Index of the interval that an instant lies in, where intervals are longer than a second; else of the nearest second. */
export function intervalAt({ t_s, span_s }: Pick<TrialData, "t_s" | "span_s">, instant: number): number | null {
  const inside = t_s.findIndex((end, index) => instant >= end - (span_s?.[index] ?? 0) && instant < end);
  return inside >= 0 ? inside : nearestSecond(t_s, instant);
}

/** Index of the second whose end is nearest to an instant; null in an empty series. */
export function nearestSecond(t_s: number[], instant: number): number | null {
  let best: number | null = null;
  t_s.forEach((t, index) => {
    if (best === null || Math.abs(t - instant) < Math.abs((t_s[best] ?? 0) - instant)) best = index;
  });
  return best;
}
