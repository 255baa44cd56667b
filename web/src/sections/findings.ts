/**
 * The findings: why it is so. Each with what it costs, its evidence drawn, what would disprove it, and the plan that would
 * confirm it.
 */
import type {
  ExplainedData,
  FindingData,
  FindingWindowData,
  IssueData,
  PlansData,
  ReportData,
  UnansweredData,
} from "../data";
import { h, nothing, scrollable, section } from "../dom";
import { change, count, integer, sentence } from "../format";
import { findingChart, shadingInWords } from "../charts/finding";
import { ANSWER_ITEM, NOT_ON_PAPER } from "../print";

/** The section of the findings, a line each; the first is open. Those against the figures stand among the issues. */
export function findings({ diagnosis, issues }: ReportData): HTMLElement {
  const against = issues.filter(isAgainstFigures).map(({ finding }) => finding);
  const groups = equalOnes(diagnosis.findings.filter((_, index) => !against.includes(index + 1)));
  const none =
    diagnosis.lacked !== null
      ? `No rule was evaluated: ${diagnosis.lacked}.`
      : diagnosis.findings.length > 0
        ? "None beside the issues."
        : diagnosis.unanswered.length > 0
          ? `None: no rule found a problem or a bottleneck, and ${integer(diagnosis.unanswered.length)} rules lacked observations (below).`
          : "None: no rule found a problem or a bottleneck.";
  return section(
    "findings",
    "Findings",
    groups.length === 0
      ? nothing(none)
      : h("ul", { class: "items" }, ...groups.map((group, index) => item(diagnosis.findings, group, index))),
    explained(diagnosis.explained),
    diagnosis.missing_rights !== null && h("p", { class: "prose" }, sentence(diagnosis.missing_rights)),
    unanswered(diagnosis.unanswered),
  );
}

/** Whether an issue makes the figures less than they look. */
export function isAgainstFigures({ effect }: IssueData): boolean {
  return effect === "invalidates" || effect === "weakens";
}

/** Findings of one rule that say the same are one. */
function equalOnes(all: FindingData[]): FindingData[][] {
  const groups = new Map<string, FindingData[]>();
  for (const finding of all) {
    const key = `${finding.rule} ${finding.title}`;
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()];
}

/** How much of each change the findings account for, a line each with the whole sentence below it. */
function explained(all: ExplainedData[]): HTMLElement | null {
  if (all.length === 0) return null;
  const lines = all.map((one) =>
    h(
      "li",
      {},
      h(
        "details",
        { class: `explained ${ANSWER_ITEM}` },
        h(
          "summary",
          {},
          `${one.place}: ${one.slower} takes ${change(one.change.point)} longer; findings explain ` +
            `${integer(100 * one.share.point)} % of it`,
        ),
        h("p", { class: "prose" }, sentence(one.text)),
      ),
    ),
  );
  return h("ul", { class: "items" }, ...lines);
}

function item(all: FindingData[], group: FindingData[], index: number): HTMLElement | null {
  const [first] = group;
  if (!first) return null;
  const limit = first.kind === "limit" ? "Bottleneck: " : "";
  const more = group.length > 1 ? `, and ${integer(group.length - 1)} more like it` : "";
  return h(
    "li",
    {},
    h(
      "details",
      { class: ANSWER_ITEM, open: index === 0 },
      h("summary", {}, h("strong", {}, `${limit}${first.title}`), h("span", { class: "of" }, ` ${first.cost}${more}`)),
      ...group.flatMap((finding) => findingBody(finding, all.indexOf(finding) + 1)),
    ),
  );
}

/** All that is said of a finding; its number is that of `pgdyno diagnose --fragment`. */
export function findingBody(finding: FindingData, number: number): (HTMLElement | null)[] {
  const title = `${finding.title}: ${words(finding)}`;
  const { chart, windows } = finding;
  const drawn = chart && findingChart(chart, windows, title);
  return [
    h("p", { class: "of" }, `${finding.cells.join("; ")}: ${finding.bearing_text}.`),
    when(finding),
    h("p", { class: "prose" }, finding.why),
    evidence(finding),
    chart &&
      drawn &&
      h(
        "figure",
        {},
        h("figcaption", {}, shadingInWords(chart, windows)),
        scrollable(`evidence of: ${finding.title}`, drawn),
      ),
    h("p", { class: "prose" }, h("strong", {}, "Would disprove it: "), finding.would_disprove),
    finding.fix === null ? null : h("p", { class: "prose" }, h("strong", {}, "Fix: "), finding.fix),
    h("p", { class: "prose" }, h("strong", {}, "To confirm: "), finding.confirm),
    finding.confirm_plan_yaml === null ? null : plan(finding.confirm_plan_yaml, number),
  ];
}

/** When it was so: each of the first windows leads to its seconds in the timelines. */
function when({ windows }: FindingData): HTMLElement | null {
  if (windows.length === 0) return null;
  const link = ({ trial, from_s, to_s }: FindingWindowData, index: number) => [
    index > 0 && "; ",
    h("a", { href: `#trial-${trial}@${from_s}-${to_s}` }, `trial ${trial}, ${at(from_s)} to ${at(to_s)} s`),
  ];
  const more = windows.length - LINKED;
  return h(
    "p",
    { class: "when" },
    "When: ",
    ...windows.slice(0, LINKED).flatMap(link),
    more > 0 && `; ${more} more`,
    ".",
  );
}

/** Windows of a finding that have a link. */
const LINKED = 6;

/** Standstills are known to the tenth of a second. */
function at(s: number): string {
  return s.toFixed(Math.abs(s - Math.round(s)) < 0.05 ? 0 : 1);
}

function evidence(finding: FindingData): HTMLElement {
  const table = h(
    "table",
    { class: "evidence" },
    h("caption", {}, `evidence, ${finding.confidence} confidence (rule ${finding.rule})`),
    h(
      "tbody",
      {},
      ...finding.figures.map((figure) =>
        h("tr", {}, h("th", { scope: "row" }, figure.name), h("td", { class: "number" }, figure.text)),
      ),
    ),
  );
  const plans = finding.figures.map((figure) => figure.plans).filter((plans) => plans !== null);
  return h("div", {}, table, ...plans.map(besideEachOther));
}

/** Both plans, the first line in which they do unlike things marked. */
function besideEachOther(plans: PlansData): HTMLElement {
  const lines = (side: number): HTMLElement[] =>
    (plans.lines[side] ?? []).map((line, number) =>
      number === plans.differs_at ? h("mark", {}, `${line}\n`) : h("span", {}, `${line}\n`),
    );
  return scrollable(
    "both plans",
    h(
      "table",
      { class: "plans" },
      h("caption", {}, "Both plans; the first nodes that differ are marked."),
      h("thead", {}, h("tr", {}, ...plans.targets.map((target) => h("th", { scope: "col" }, target)))),
      h("tbody", {}, h("tr", {}, ...[0, 1].map((side) => h("td", {}, h("pre", {}, ...lines(side)))))),
    ),
  );
}

function words(finding: FindingData): string {
  return finding.figures.map((figure) => `${figure.name} ${figure.text}`).join(", ");
}

function plan(yaml: string, number: number): HTMLElement {
  return h(
    "details",
    { class: NOT_ON_PAPER },
    h("summary", {}, `Confirming plan (also printed by pgdyno diagnose RUN --fragment ${number})`),
    h("pre", {}, yaml),
  );
}

function unanswered(rules: UnansweredData[]): HTMLElement | null {
  if (rules.length === 0) return null;
  return h(
    "details",
    { class: ANSWER_ITEM },
    h("summary", {}, `${count(rules.length, "rule")} without enough data`),
    h(
      "ul",
      {},
      ...rules.map((one) =>
        h("li", {}, h("strong", { title: one.finds }, one.rule), ` (${count(one.cells, "cell")}): ${one.lacks}`),
      ),
    ),
  );
}
