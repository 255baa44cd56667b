/**
 * The seconds of a run as they come, in the columns that charts are drawn from. Pure.
 *
 * A second is known by the target and the instant of its end, to the second: what is told twice is there once.
 */
import type { LiveSecondData, SessionsData } from "../data";

/** So many seconds are kept. */
export const KEPT_S = 3600;

/** The states of sessions from the bottom of the band to its top; the class that colours each, and its name. */
export const STATES: { state: keyof SessionsData; kind: string; name: string }[] = [
  { state: "cpu", kind: "cpu", name: "on CPU" },
  { state: "io", kind: "io", name: "IO" },
  { state: "lwlock", kind: "lwlock", name: "LWLock" },
  { state: "lock", kind: "lock", name: "Lock" },
  { state: "other", kind: "wait", name: "other waits" },
  { state: "client", kind: "outside", name: "client" },
];

/** A column of a chart; null where nothing is known. */
export type Column = (number | null)[];

/** A stretch of the run in columns: the instants, in seconds since 1970, and what is asked for. */
export class LiveSeries {
  /** By the second, and in it by target. */
  readonly #seconds = new Map<number, Map<string, LiveSecondData>>();
  #latest = -Infinity;

  /** The latest second; minus infinity while there is none. */
  get latest_s(): number {
    return this.#latest;
  }

  /** Takes in what has come, and lets go what is older than `KEPT_S`. */
  add(seconds: LiveSecondData[]): void {
    for (const second of seconds) {
      const at = Math.round(second.at_s);
      const there = this.#seconds.get(at);
      if (there) there.set(second.target, second);
      else this.#seconds.set(at, new Map([[second.target, second]]));
      this.#latest = Math.max(this.#latest, at);
    }
    for (const at of this.#seconds.keys()) if (at <= this.#latest - KEPT_S) this.#seconds.delete(at);
  }

  /** Every second of the last `span_s`, those without anything too, so that gaps are gaps. */
  instants(span_s: number): number[] {
    const first = Math.max(this.#latest - span_s + 1, Math.min(...this.#seconds.keys()));
    return Number.isFinite(first) ? Array.from({ length: this.#latest - first + 1 }, (_, index) => first + index) : [];
  }

  /** One figure of one target. */
  ofTarget(instants: number[], target: string, figure: (second: LiveSecondData) => number | null): Column {
    return instants.map((at) => {
      const second = this.#seconds.get(at)?.get(target);
      return second ? figure(second) : null;
    });
  }

  /** One figure of the host: the largest that any target tells, since several may share it. */
  ofHost(instants: number[], figure: (second: LiveSecondData) => number | null): Column {
    return instants.map((at) => {
      const known = [...(this.#seconds.get(at)?.values() ?? [])].map(figure).filter((value) => value !== null);
      return known.length > 0 ? Math.max(...known) : null;
    });
  }

  /** The sessions of all targets in the order of `STATES`, each column on top of those before it. */
  stackedSessions(instants: number[]): Column[] {
    const bottom: Column = instants.map((at) => (this.#sessions(at).length > 0 ? 0 : null));
    let below = bottom;
    return STATES.map(({ state }) => {
      below = instants.map((at, index) => {
        const from = below[index];
        if (from === null || from === undefined) return null;
        return this.#sessions(at).reduce((sum, sessions) => sum + sessions[state], from);
      });
      return below;
    });
  }

  #sessions(at: number): SessionsData[] {
    return [...(this.#seconds.get(at)?.values() ?? [])].flatMap(({ sessions }) => (sessions ? [sessions] : []));
  }
}
