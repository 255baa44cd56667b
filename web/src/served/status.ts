/**
 * Where a run is, in one line of words. Pure.
 */
import type { LiveSecondData, NowData } from "../data";
import { clientsOf, count, duration, integer } from "../format";

/** What is being measured, by the last second of it that was told. */
export function whatIsMeasured(now: NowData, last: LiveSecondData | null): string {
  const [first] = now.under_way;
  if (first === undefined) return now.trials_done === 0 ? "preparing the servers" : "between two trials";
  const sides = now.under_way.map(({ target }) => target).join(" ⇄ ");
  const numbers = now.under_way.map(({ trial }) => integer(trial)).join(", ");
  const block = now.blocks_at_most === null ? [] : [`block ${first.block} of at most ${now.blocks_at_most}`];
  const trial = `${now.under_way.length === 1 ? "trial" : "trials"} ${numbers}`;
  const cell = [sides, first.workload, clientsOf(first.clients)];
  const isOfThese = last !== null && now.under_way.some(({ trial }) => trial === last.trial);
  return [...block, trial, ...cell, ...(isOfThese ? [phase(now, last)] : [])].join(" · ");
}

/** Sides that take turns have so much time each. */
function phase(now: NowData, last: LiveSecondData): string {
  const [first] = now.under_way;
  const planned_s = (last.warm_up ? first?.warm_up_s : first?.measure_s) ?? 0;
  const of_s = Math.round(planned_s * now.under_way.length);
  return `${last.warm_up ? "warm-up" : "measuring"} ${Math.min(last.index + 1, of_s)}/${of_s} s`;
}

/** How much is left at most. */
export function whatIsLeft(now: NowData): string {
  const trials = count(now.trials_left, "trial");
  return now.left_s === null ? `at most ${trials} left` : `at most ${trials}, ${duration(now.left_s)} left`;
}
