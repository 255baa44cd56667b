/**
 * The readings of probes that a person can choose to see beside a trial's figures: pure look-ups.
 *
 * Series that are parts of one whole are one choice, and lie on top of each other.
 */
import type { ReadingData, TrialData } from "./data";

/** Something that can be chosen. */
export interface ReadingChoice {
  /** What it is about: choices with the same words belong together. */
  about: string;
  /** Its name; parts of a whole have none of their own. */
  name: string | null;
  unit: string;
  /** The names of the parts of a whole in all trials shown, so that each has one colour in all of them. */
  parts: string[];
}

/** A line of a chosen reading; of parts of a whole each is the sum of itself and those below it. */
export interface ReadingLine {
  name: string;
  /** Its number among the parts of the whole in all trials, which is its colour. */
  part: number;
  values: (number | null)[];
}

/** Everything that these trials have, in the order of the first that has it. */
export function readingChoices(trials: TrialData[]): ReadingChoice[] {
  const found = new Map<string, ReadingChoice>();
  for (const reading of trials.flatMap(({ readings }) => readings ?? [])) {
    const { about, stacked, unit } = reading;
    const choice: ReadingChoice = { about, name: stacked ? null : reading.name, unit, parts: [] };
    const known = found.get(keyOf(choice)) ?? choice;
    if (stacked && !known.parts.includes(reading.name)) known.parts.push(reading.name);
    found.set(keyOf(choice), known);
  }
  return [...found.values()];
}

/** What tells a choice from every other. */
export function keyOf({ about, name }: Pick<ReadingChoice, "about" | "name">): string {
  return name === null ? about : `${about}: ${name}`;
}

/** The lines of a trial for a choice, the topmost first; none where it was not read. */
export function readingLines({ readings }: TrialData, choice: ReadingChoice): ReadingLine[] {
  const those = (readings ?? []).filter((reading) => reading.about === choice.about);
  if (choice.name !== null) return those.filter(({ name }) => name === choice.name).map(asItIs);
  let below: (number | null)[] = [];
  const lines = those.map(({ name, values }) => {
    below = values.map((value, second) => (value === null ? null : value + (below[second] ?? 0)));
    return { name, part: choice.parts.indexOf(name), values: below };
  });
  return lines.reverse();
}

function asItIs({ name, values }: ReadingData): ReadingLine {
  return { name, part: 0, values };
}
