/**
 * What is said against the figures, and what else is worth knowing, a line for each code: below it what it rests on, what to do about
 * it and the trials it concerns. What explains the figures stands among the findings.
 */
import type { FindingData, IssueData, ReportData } from "../data";
import { h, nothing, section } from "../dom";
import { integer, sentence } from "../format";
import { ANSWER_ITEM } from "../print";
import { findingBody, isAgainstFigures } from "./findings";

/** The section of the issues; the first is open. */
export function issues({ issues: all, ignored, unread, diagnosis }: ReportData): HTMLElement {
  const groups = byCode(all.filter(isBesideFindings));
  const left = ignored.length > 0 && h("p", { class: "of" }, `Ignored: ${ignored.join(", ")}`);
  const gaps = unread.length > 0 && h("ul", { class: "notes" }, ...unread.map((text) => h("li", {}, sentence(text))));
  if (groups.length === 0) {
    return section("issues", "Issues", left, gaps, nothing("None: no issue weakens these figures."));
  }
  return section(
    "issues",
    "Issues",
    h("ul", { class: "items" }, ...groups.map((group, index) => item(group, diagnosis.findings, index))),
    left,
    gaps,
  );
}

/** Whether an issue does not stand among the findings. */
export function isBesideFindings(issue: IssueData): boolean {
  return isAgainstFigures(issue) || issue.finding === null;
}

/** Those of one code and effect beside each other, in the order of the first. */
function byCode(all: IssueData[]): IssueData[][] {
  const groups = new Map<string, IssueData[]>();
  for (const issue of all) {
    const key = `${issue.code} ${issue.effect}`;
    groups.set(key, [...(groups.get(key) ?? []), issue]);
  }
  return [...groups.values()];
}

function item(group: IssueData[], findings: FindingData[], index: number): HTMLElement | null {
  const [first] = group;
  if (!first) return null;
  const texts = [...new Set(group.map(({ text }) => text))];
  const fixes = [...new Set(group.map(({ fix }) => fix))].filter((fix) => fix !== "");
  const more = texts.length > 1 ? ` (and ${integer(texts.length - 1)} more)` : "";
  return h(
    "li",
    {},
    h(
      "details",
      { class: ANSWER_ITEM, open: index === 0 },
      h(
        "summary",
        {},
        h("strong", {}, `${first.text}${more}`),
        h("span", { class: "of" }, ` ${first.effect} `, h("code", {}, first.code)),
      ),
      texts.length > 1 && h("ul", { class: "notes" }, ...texts.slice(1).map((text) => h("li", {}, text))),
      ...group.flatMap((issue) => restsOn(issue, findings)),
      ...fixes.map((fix) =>
        h("p", { class: "prose" }, h("strong", {}, "What to do: "), sentence(fix.replace(/\.$/, ""))),
      ),
      trials([...new Set(group.flatMap(({ trials }) => trials))]),
    ),
  );
}

/** All that is said of the finding, where a rule found it; else the evidence. */
function restsOn({ evidence, finding }: IssueData, findings: FindingData[]): (HTMLElement | null)[] {
  const found = finding === null ? undefined : findings[finding - 1];
  if (found && finding !== null) return findingBody(found, finding);
  if (evidence.length === 0) return [];
  return [h("ul", { class: "notes" }, ...evidence.map((text) => h("li", {}, text)))];
}

function trials(numbers: number[]): HTMLElement | null {
  if (numbers.length === 0) return null;
  const links = numbers.flatMap((number, index) => [
    index > 0 ? ", " : "",
    h("a", { href: `#trial-${number}` }, String(number)),
  ]);
  return h("p", { class: "of" }, numbers.length === 1 ? "trial " : "trials ", ...links);
}
