/**
 * What the strip draws of a second. Pure.
 */
import type { LiveSecondData, SessionsData } from "../data";
import type { Figure } from "./live_series";

/** The states of sessions from the bottom of the band to its top; the class that colours each, and its name. */
export const STATES: { state: keyof SessionsData; kind: string; name: string }[] = [
  { state: "cpu", kind: "cpu", name: "on CPU" },
  { state: "io", kind: "io", name: "IO" },
  { state: "lwlock", kind: "lwlock", name: "LWLock" },
  { state: "lock", kind: "lock", name: "Lock" },
  { state: "other", kind: "wait", name: "other waits" },
  { state: "client", kind: "outside", name: "client" },
];

type Of = (second: LiveSecondData) => number | null;

/** A figure of one target. */
export function ofTarget(name: string, figure: Of): Figure {
  return (told) => {
    const second = told.find(({ target }) => target === name);
    return second ? figure(second) : null;
  };
}

/** A figure of the host: the largest that any target tells, since several may share it. */
export function ofHost(figure: Of): Figure {
  return (told) => {
    const known = told.map(figure).filter((value) => value !== null);
    return known.length > 0 ? Math.max(...known) : null;
  };
}

/** The sessions of all targets in the states of `STATES` up to one, as its layer of the band reaches. */
export function sessionsUpTo(index: number): Figure {
  const states = STATES.slice(0, index + 1);
  return (told) => {
    const seen = told.flatMap(({ sessions }) => (sessions ? [sessions] : []));
    return seen.length > 0
      ? seen.reduce((sum, sessions) => states.reduce((of, { state }) => of + sessions[state], sum), 0)
      : null;
  };
}

/** The same in megabytes. */
export function megabytes(figure: Of): Of {
  return (second) => {
    const bytes = figure(second);
    return bytes === null ? null : bytes / 1e6;
  };
}
