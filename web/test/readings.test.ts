import { expect, test } from "vitest";
import type { ReadingData, TrialData } from "../src/data";
import { keyOf, readingChoices, readingLines } from "../src/readings";

function trial(...readings: ReadingData[]): TrialData {
  return { readings } as Partial<TrialData> as TrialData;
}

const wait = (name: string, values: (number | null)[]): ReadingData => ({
  about: "session states",
  name,
  unit: "%",
  stacked: true,
  values,
});
const read: ReadingData = { about: "disk", name: "read", unit: "MiB/s", stacked: false, values: [1, null] };

test("parts of a whole are one choice, other series one each, whichever trial has them", () => {
  const choices = readingChoices([trial(wait("executing", [60])), trial(wait("IO: WALSync", [40]), read)]);
  expect(choices.map(keyOf)).toEqual(["session states", "disk: read"]);
});

test("parts of a whole lie on top of each other, and a gap stays one", () => {
  const [whole] = readingChoices([trial(wait("executing", [60])), trial(wait("IO: WALSync", [9]))]);
  // The colours are those of the first trial that has them, whatever the order here.
  const lines = readingLines(trial(wait("executing", [60, null, 50]), wait("IO: WALSync", [40, null, 25])), whole!);
  expect(lines).toEqual([
    { name: "IO: WALSync", part: 1, values: [100, null, 75] },
    { name: "executing", part: 0, values: [60, null, 50] },
  ]);
});

test("what a trial was not watched for has no line", () => {
  const [choice] = readingChoices([trial(read)]);
  expect(readingLines(trial(), choice!)).toEqual([]);
  expect(readingLines({} as TrialData, choice!)).toEqual([]);
});
