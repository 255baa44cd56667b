/**
 * The report, from top to bottom: each section in its order.
 */
import type { ReportData } from "./data";
import type { UnreadableReport } from "./parse_report";
import { h } from "./dom";
import { blocks } from "./sections/blocks";
import { built } from "./sections/built";
import { findings } from "./sections/findings";
import { header } from "./sections/header";
import { headline } from "./sections/headline";
import { isBesideFindings, issues } from "./sections/issues";
import { ladders } from "./sections/ladders";
import { method, plan } from "./sections/method";
import { timelines } from "./sections/timelines";
import { verdicts } from "./sections/verdicts";
import { beforePrint } from "./theme";

/** Sections of the document that stand elsewhere than the others. */
const PLACED = ["failures", "service", "costs", "events", "capacity", "facts", "noise-floor", "audit"];

/** The whole report: its head, the answer, and the sections. */
export function report(data: ReportData): Node[] {
  document.title = `${data.run.name} (pgdyno)`;
  // As on the first screen of a terminal: the verdicts, what is said against them, and why; what holds is looked up.
  const isBroken = (data.audit?.broken ?? 0) > 0;
  const hasIssues = data.issues.some(isBesideFindings);
  const against = hasIssues ? [issues(data.issues, data.ignored)] : [];
  const inDocument = (data.sections ?? []).map((one) => built(data, one));
  const named = (...ids: string[]) => inDocument.filter(({ id }) => ids.includes(id));
  const audited = named("audit");
  const measured = [
    // What fails is no figure that is faster or slower.
    ...named("failures"),
    verdicts(data),
    ...against,
    ...(isBroken ? audited : []),
    findings(data.diagnosis),
    ...named("service", "costs", "events"),
    ...(data.ladders.length > 0 || data.curves.length === 0 ? [ladders(data)] : []),
    ...named("capacity"),
    ...inDocument.filter(({ id }) => !PLACED.includes(id)),
    blocks(data),
    timelines(data),
    ...named("facts"),
    ...(isBroken ? [] : audited),
    ...(hasIssues ? [] : [issues(data.issues, data.ignored)]),
    ...named("noise-floor"),
    method(data),
    plan(data),
  ];
  const sections = data.disks && isOfDisksAlone(data) ? [...against, ...named("disks"), ...audited] : measured;
  beforePrint(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
  const contents = sections.map(({ id, firstElementChild }) => ({ id, title: firstElementChild?.textContent ?? id }));
  return [header(data, contents), headline(data), ...sections];
}

/** Disks were measured and nothing else: what has nothing to show is left out. */
function isOfDisksAlone(data: ReportData): boolean {
  return data.trials.length === 0 && data.comparisons.length === 0 && data.run.trials === 0;
}

/** What stands where there is no report to be shown. */
export function unreadable(error: UnreadableReport): HTMLElement {
  return h("p", { class: "notice", role: "alert" }, `This report cannot be shown: ${error.message}.`);
}
