/**
 * What is said against the figures, and what else is worth knowing: each issue with what it rests on, what to do about
 * it and the trials it concerns. What explains the figures stands among the findings.
 */
import type { IssueData } from "../data";
import { h, nothing, section } from "../dom";

/** The section of the issues. */
export function issues(rows: IssueData[], ignored: string[]): HTMLElement {
  const told = rows.filter(isBesideFindings);
  const left = ignored.length > 0 && h("p", { class: "of" }, `Ignored: ${ignored.join(", ")}`);
  if (told.length === 0) {
    return section("issues", "Issues", left, nothing("None: no issue weakens these figures."));
  }
  return section("issues", "Issues", left, h("ol", { class: "caveats" }, ...told.map(item)));
}

/** Whether an issue does not stand among the findings. */
export function isBesideFindings(issue: IssueData): boolean {
  return issue.effect === "invalidates" || issue.effect === "weakens" || issue.finding === null;
}

function item(issue: IssueData): HTMLElement {
  return h(
    "li",
    {},
    h("p", {}, h("strong", {}, issue.text), ` ${issue.code}, ${issue.effect}`),
    issue.evidence.length > 0 && h("p", {}, issue.evidence.join("; ")),
    issue.fix !== "" && h("p", {}, issue.fix),
    issue.trials.length > 0 &&
      h(
        "p",
        { class: "of" },
        issue.trials.length === 1 ? "trial " : "trials ",
        ...issue.trials.flatMap((number, index) => [
          index > 0 ? ", " : "",
          h("a", { href: `#trial-${number}` }, String(number)),
        ]),
      ),
  );
}
