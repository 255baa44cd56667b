/**
 * The findings: why it is so. Each with what it costs, its evidence drawn, what would disprove it, and the plan that would
 * confirm it.
 */
import type { DiagnosisData, FindingData, PlansData, UnansweredData } from "../data";
import { h, nothing, scrollable, section } from "../dom";
import { count } from "../format";
import { findingChart } from "../charts/finding";

/** The section of the findings; the first two are open. */
export function findings(diagnosis: DiagnosisData): HTMLElement {
  const found = diagnosis.findings;
  return section(
    "findings",
    "Findings",
    found.length === 0
      ? nothing("None: no rule found anything to mend, nor a limit that was reached.")
      : h("ol", { class: "findings" }, ...found.map((finding, index) => item(finding, index))),
    unanswered(diagnosis.unanswered),
  );
}

function item(finding: FindingData, index: number): HTMLElement {
  const limit = finding.kind === "limit" ? "The limit that was reached: " : "";
  return h(
    "li",
    {},
    h(
      "details",
      { open: index < 2 },
      h("summary", {}, h("strong", {}, `${limit}${finding.title}`), h("span", { class: "of" }, ` ${finding.cost}`)),
      h("p", { class: "of" }, `${finding.cells.join("; ")}: ${finding.bearing_text}.`),
      h("p", { class: "prose" }, finding.why),
      evidence(finding),
      finding.chart &&
        h(
          "figure",
          {},
          h("figcaption", {}, "The windows in which it was so are shaded."),
          scrollable(
            `evidence of: ${finding.title}`,
            findingChart(finding.chart, finding.windows, `${finding.title}: ${words(finding)}`),
          ),
        ),
      h("p", { class: "prose" }, h("strong", {}, "Would disprove it: "), finding.would_disprove),
      finding.mend !== null && h("p", { class: "prose" }, h("strong", {}, "Would mend it: "), finding.mend),
      h("p", { class: "prose" }, h("strong", {}, "To confirm: "), finding.confirm),
      finding.confirm_plan_yaml !== null && plan(finding.confirm_plan_yaml, index + 1),
    ),
  );
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
  return h("div", {}, scrollable(`figures of: ${finding.title}`, table), ...plans.map(besideEachOther));
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
    {},
    h("summary", {}, `The plan, to copy or from pgdyno diagnose RUN --fragment ${number}`),
    h("pre", {}, yaml),
  );
}

function unanswered(rules: UnansweredData[]): HTMLElement | null {
  if (rules.length === 0) return null;
  return h(
    "details",
    {},
    h("summary", {}, `${count(rules.length, "rule")} could not tell, for want of observations`),
    h(
      "ul",
      {},
      ...rules.map((one) =>
        h("li", {}, h("strong", { title: one.finds }, one.rule), ` (${count(one.cells, "cell")}): ${one.lacks}`),
      ),
    ),
  );
}
