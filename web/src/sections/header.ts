/**
 * The head of the report: what was run, when, by what, how much of it, and the way to the sections.
 */
import type { ReportData, RunData } from "../data";
import { h } from "../dom";
import { count, duration, instant, integer } from "../format";
import { themeSwitch } from "../theme";

/** A section that the contents line leads to. */
export interface Entry {
  id: string;
  title: string;
}

/** The head of the report. */
export function header(data: ReportData, contents: Entry[]): HTMLElement {
  const { run } = data;
  const facts: [string, string][] = [
    ["run", run.id],
    ["started", instant(run.started_at)],
    ["state", stateInWords(run)],
    ["measured", `${duration(run.measured_s)} in ${count(run.trials, "trial")}`],
    ["load generator", run.generator],
    ["seed", run.seed],
  ];
  return h(
    "header",
    {},
    h("p", { class: "masthead" }, h("span", {}, `pgdyno ${data.pgdyno_version} report`), themeSwitch()),
    h("h1", {}, run.name),
    h("p", { class: "sides" }, ...sides(data)),
    h(
      "dl",
      { class: "identity" },
      ...facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
    ),
    h("nav", { "aria-label": "contents" }, ...contents.map(({ id, title }) => h("a", { href: `#${id}` }, title))),
  );
}

function sides(data: ReportData): (HTMLElement | string)[] {
  // Disks that were measured alone have no sides.
  if (data.baseline === "") return [];
  const candidates = data.candidates.flatMap((name, index) => [index > 0 ? ", " : "", h("strong", {}, name)]);
  return [h("strong", {}, data.baseline), " (baseline) against ", ...candidates];
}

function stateInWords(run: RunData): string {
  const blocks = `${integer(run.blocks)} of at most ${count(run.blocks_at_most, "block")}`;
  switch (run.state) {
    case "complete":
      return `complete, ${blocks}`;
    case "interrupted":
      return `INTERRUPTED after ${blocks}; pgdyno resume continues the run`;
    case "running":
      return `being measured, ${blocks} so far; no verdict before the stopping rule ends the run`;
    case "unfinished":
      return `UNFINISHED, ${blocks}; the figures will change`;
  }
}
