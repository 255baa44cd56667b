/**
 * The report, from top to bottom: the answer (sentence, verdicts, why, what is said against it), then the contents and all else.
 */
import type { ReportData, SectionData } from "./data";
import type { UnreadableReport } from "./parse_report";
import { h } from "./dom";
import { layOutForPrint } from "./print";
import { blocks } from "./sections/blocks";
import { built } from "./sections/built";
import { findings } from "./sections/findings";
import { contents, header } from "./sections/header";
import { headline } from "./sections/headline";
import { issues } from "./sections/issues";
import { ladders } from "./sections/ladders";
import { method, plan } from "./sections/method";
import { timelines } from "./sections/timelines";
import { verdicts } from "./sections/verdicts";
import { aroundPrint } from "./theme";

/** Sections of the document that stand elsewhere than the others. */
const PLACED = ["failures", "service", "costs", "events", "capacity", "facts", "noise-floor", "audit"];

/** The figures of a run that compares nothing, which stand in the place of its verdicts. */
const FIGURES = ["target-figures", "disks"];

/** The whole report: its head, the answer, and the sections. */
export function report(data: ReportData): Node[] {
  document.title = `${data.run.name} (pgdyno)`;
  const answer = answerOf(data);
  const details = detailsOf(data).filter(({ id }) => answer.every((one) => one.id !== id));
  details[0]?.classList.add("first-detail");
  const inFull = h("div", { class: "in-full" });
  aroundPrint(() => layOutForPrint(document, inFull));
  const entries = details.map(({ id, firstElementChild }) => ({ id, title: firstElementChild?.textContent ?? id }));
  return [header(data), headline(data), ...answer, contents(entries), ...details, inFull];
}

/** What a reader wants to know first: the verdicts, why, and how far they can be trusted. */
function answerOf(data: ReportData): HTMLElement[] {
  const figures = sectionsOf(data).filter(({ id }) => FIGURES.includes(id));
  if (isOfDisksAlone(data)) return [...figures.map((one) => built(data, one)), issues(data)];
  const isComparison = data.comparisons.length > 0 || data.candidates.length > 0 || figures.length === 0;
  return [...(isComparison ? [verdicts(data)] : figures.map((one) => built(data, one))), findings(data), issues(data)];
}

/** Everything else, in an order in which questions come up. */
function detailsOf(data: ReportData): HTMLElement[] {
  const named = (...ids: string[]) =>
    sectionsOf(data)
      .filter(({ id }) => ids.includes(id))
      .map((one) => built(data, one));
  if (isOfDisksAlone(data)) return named("audit");
  const others = sectionsOf(data).filter(({ id }) => !PLACED.includes(id));
  const isBroken = (data.audit?.broken ?? 0) > 0;
  const byClients = ladders(data);
  return [
    ...(isBroken ? named("audit") : []),
    ...named("failures", "service", "costs", "events"),
    ...(byClients ? [byClients] : []),
    ...named("capacity"),
    ...others.map((one) => built(data, one)),
    blocks(data),
    timelines(data),
    ...named("facts"),
    ...(isBroken ? [] : named("audit")),
    ...named("noise-floor"),
    method(data),
    plan(data),
  ];
}

function sectionsOf(data: ReportData): SectionData[] {
  return data.sections ?? [];
}

/** Disks were measured and nothing else: what has nothing to show is left out. */
function isOfDisksAlone(data: ReportData): boolean {
  const hasDisks = (data.disks ?? []).length > 0;
  return hasDisks && data.trials.length === 0 && data.comparisons.length === 0 && data.run.trials === 0;
}

/** What stands where there is no report to be shown. */
export function unreadable(error: UnreadableReport): HTMLElement {
  return h("p", { class: "notice", role: "alert" }, `This report cannot be shown: ${error.message}.`);
}
