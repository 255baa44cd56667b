/**
 * The seconds of a run as they come, in the columns that charts are drawn from. Pure.
 *
 * A second is known by the target and the instant of its end, to the second: what is told twice is there once. A column
 * is a figure of each second, worked out when something is told of that second and not again, so that a second more is
 * the same work after an hour as after a minute.
 */
import type { LiveSecondData } from "../data";

/** So many seconds can be shown. */
export const KEPT_S = 3600;
/** So many more are kept, so that old ones are let go seldom. */
const SLACK_S = 300;

/** A column of a chart; null where nothing is known. */
export type Column = (number | null)[];

/** A figure of one second, from what the targets tell of it. */
export type Figure = (told: LiveSecondData[]) => number | null;

/** A stretch of the run: the instants, in seconds since 1970, and a column for each figure. */
export interface Stretch {
  instants: number[];
  columns: Column[];
}

/** The seconds of a run, every one since the first that is kept, those without anything too, so that gaps are gaps. */
export class LiveSeries {
  readonly #figures: Figure[];
  #instants: number[] = [];
  #told: LiveSecondData[][] = [];
  #columns: Column[];

  constructor(figures: Figure[]) {
    this.#figures = figures;
    this.#columns = figures.map(() => []);
  }

  /** Takes in what has come, and lets go what is too old to be shown. */
  add(seconds: LiveSecondData[]): void {
    const changed = new Set<number>();
    for (const second of seconds) {
      const at = Math.round(second.at_s);
      if (!this.#reach(at)) continue;
      const told = this.#told[at - this.#first] ?? [];
      const there = told.findIndex(({ target }) => target === second.target);
      told.splice(there < 0 ? told.length : there, 1, second);
      changed.add(at);
    }
    for (const at of changed) {
      const index = at - this.#first;
      const told = this.#told[index] ?? [];
      this.#columns.forEach((column, number) => (column[index] = this.#figures[number]?.(told) ?? null));
    }
    if (this.#instants.length > KEPT_S + SLACK_S) this.#keepFrom(this.#instants.length - KEPT_S);
  }

  /** The last `span_s` seconds. */
  last(span_s: number): Stretch {
    return {
      instants: this.#instants.slice(-span_s),
      columns: this.#columns.map((column) => column.slice(-span_s)),
    };
  }

  get #first(): number {
    return this.#instants[0] ?? 0;
  }

  /** Makes room for an instant; false where it is too long ago. */
  #reach(at: number): boolean {
    const latest = this.#instants.at(-1) ?? at - 1;
    if (at <= latest - KEPT_S) return false;
    if (at > latest + KEPT_S) this.#keepFrom(this.#instants.length);
    const first = this.#instants[0] ?? at;
    for (let gap = first - 1; gap >= at; gap--) {
      this.#instants.unshift(gap);
      this.#told.unshift([]);
      this.#columns.forEach((column) => column.unshift(null));
    }
    for (let gap = (this.#instants.at(-1) ?? at - 1) + 1; gap <= at; gap++) {
      this.#instants.push(gap);
      this.#told.push([]);
      this.#columns.forEach((column) => column.push(null));
    }
    return true;
  }

  #keepFrom(index: number): void {
    this.#instants = this.#instants.slice(index);
    this.#told = this.#told.slice(index);
    this.#columns = this.#columns.map((column) => column.slice(index));
  }
}
