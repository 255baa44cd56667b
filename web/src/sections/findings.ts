/**
 * The findings: why it is so. Each with what it costs, its evidence drawn, what would disprove it, and the plan that would
 * confirm it.
 */
import type { DiagnosisData, FindingData, FindingWindowData, PlansData, UnansweredData } from "../data";
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
      ? nothing("None: no rule found a problem or a bottleneck.")
      : h("ol", { class: "findings" }, ...found.map((finding, index) => item(finding, index))),
    ...diagnosis.explained.map((one) => h("p", { class: "prose explained" }, sentence(one.text))),
    diagnosis.missing_rights !== null && h("p", { class: "prose" }, sentence(diagnosis.missing_rights)),
    unanswered(diagnosis.unanswered),
  );
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function item(finding: FindingData, index: number): HTMLElement {
  const limit = finding.kind === "limit" ? "Bottleneck: " : "";
  return h(
    "li",
    {},
    h(
      "details",
      { open: index < 2 },
      h("summary", {}, h("strong", {}, `${limit}${finding.title}`), h("span", { class: "of" }, ` ${finding.cost}`)),
      h("p", { class: "of" }, `${finding.cells.join("; ")}: ${finding.bearing_text}.`),
      when(finding),
      h("p", { class: "prose" }, finding.why),
      evidence(finding),
      finding.chart &&
        h(
          "figure",
          {},
          h("figcaption", {}, "The windows in which it was observed are shaded."),
          scrollable(
            `evidence of: ${finding.title}`,
            findingChart(finding.chart, finding.windows, `${finding.title}: ${words(finding)}`),
          ),
        ),
      h("p", { class: "prose" }, h("strong", {}, "Would disprove it: "), finding.would_disprove),
      finding.fix !== null && h("p", { class: "prose" }, h("strong", {}, "Fix: "), finding.fix),
      h("p", { class: "prose" }, h("strong", {}, "To confirm: "), finding.confirm),
      finding.confirm_plan_yaml !== null && plan(finding.confirm_plan_yaml, index + 1),
    ),
  );
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
    h("summary", {}, `Confirming plan (also printed by pgdyno diagnose RUN --fragment ${number})`),
    h("pre", {}, yaml),
  );
}

function unanswered(rules: UnansweredData[]): HTMLElement | null {
  if (rules.length === 0) return null;
  return h(
    "details",
    {},
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
