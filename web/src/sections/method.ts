/**
 * How the numbers were made, and the plan they were made by.
 */
import type { ReportData } from "../data";
import { h, section } from "../dom";
import { integer, share } from "../format";
import { NOT_ON_PAPER } from "../print";

/** The section of the method, with the constants it was run with. */
export function method(data: ReportData): HTMLElement {
  const used: [string, string][] = [
    ["run", data.run.id],
    ["practical threshold", share(data.practical_threshold)],
    ["blocks", `${integer(data.run.blocks)} (at most ${integer(data.run.blocks_at_most)})`],
    ["pairing", data.paired ? "paired by block" : "none (separate runs)"],
    ["seed of the order", data.run.seed],
    ["load generator", data.run.generator],
  ];
  return section(
    "method",
    "Method",
    ...data.method.map((paragraph) => h("p", { class: "prose" }, paragraph)),
    h("dl", { class: "used" }, ...used.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
  );
}

/** The section of the plan, folded on a screen and on paper. */
export function plan(data: ReportData): HTMLElement {
  return section(
    "plan",
    "Plan",
    h(
      "details",
      { class: NOT_ON_PAPER },
      h("summary", {}, "The plan as it was run, with all defaults"),
      h("pre", {}, data.plan_yaml),
    ),
  );
}
