/**
 * What must hold, or the comparison is not one: each check with its verdict, the figures, and what follows.
 */
import type { AuditData, CheckData } from "../data";
import { h, section } from "../dom";

/** Broken rules are open, what cannot be told is closed, what holds is one line each. */
export function audit(data: AuditData): HTMLElement {
  const of = (verdict: CheckData["verdict"]) => data.checks.filter((check) => check.verdict === verdict);
  const holding = of("holds");
  return section(
    "audit",
    "Audit",
    h("p", {}, h("strong", {}, data.summary), ". Each rule of the method is checked against the figures of the run."),
    ...of("broken").map((check) => item(check, true)),
    ...of("cannot tell").map((check) => item(check, false)),
    holding.length > 0 &&
      h(
        "details",
        { class: "check holds" },
        h("summary", {}, mark("holds"), `${holding.length} rules hold`),
        h(
          "ul",
          {},
          ...holding.map((check) =>
            h(
              "li",
              {},
              h("strong", {}, check.id),
              `: ${check.rule}`,
              h("span", { class: "of" }, ` (${check.figures.map(({ of, text }) => `${of}: ${text}`).join("; ")})`),
            ),
          ),
        ),
      ),
  );
}

function item(check: CheckData, open: boolean): HTMLElement {
  return h(
    "details",
    { class: `check ${check.verdict.replace(" ", "-")}`, open, id: `audit-${check.id}` },
    h(
      "summary",
      {},
      mark(check.verdict),
      h("strong", {}, check.id),
      check.undermines === null ? null : h("span", { class: "of" }, ` undermines ${check.undermines}`),
    ),
    h("p", { class: "rule" }, check.rule),
    check.figures.length > 0 && figures(check),
    check.follows !== null && h("p", {}, h("strong", {}, "Consequence: "), check.follows, "."),
    check.needs !== null && h("p", {}, h("strong", {}, "Needed to decide: "), check.needs, "."),
  );
}

function figures(check: CheckData): HTMLElement {
  return h(
    "ul",
    { class: "figures" },
    ...check.figures.map((figure) =>
      h("li", { class: figure.breaks ? "breaks" : null }, h("span", { class: "of" }, `${figure.of}: `), figure.text),
    ),
  );
}

function mark(verdict: CheckData["verdict"]): HTMLElement {
  return h("span", { class: "mark" }, verdict);
}
