/**
 * The head of the report: what was run, when and how much of it; and the way to the sections.
 */
import type { ReportData, RunData } from "../data";
import { h, section } from "../dom";
import { count, duration, instant, integer } from "../format";
import { themeSwitch } from "../theme";

/** A section that the contents lead to. */
export interface Entry {
  id: string;
  title: string;
}

/** The head of the report: what the answer is about, in few lines; how it was made stands in the method. */
export function header(data: ReportData): HTMLElement {
  const { run } = data;
  const facts: [string, string][] = [
    ["started", instant(run.started_at)],
    ["state", stateInWords(run)],
    ["measured", `${duration(run.measured_s)} in ${count(run.trials, "trial")}`],
  ];
  return h(
    "header",
    {},
    h(
      "p",
      { class: "masthead" },
      h("span", {}, `pgdyno ${data.pgdyno_version} report`),
      h("a", { href: "#contents" }, "contents"),
      themeSwitch(),
    ),
    h("h1", {}, run.name),
    h(
      "p",
      { class: "identity" },
      h("span", { class: "sides" }, ...sides(data)),
      ...facts.map(([name, value]) => h("span", {}, h("span", { class: "of" }, `${name} `), value)),
    ),
  );
}

/** The way to the sections below the answer. */
export function contents(entries: Entry[]): HTMLElement {
  return section(
    "contents",
    "Contents",
    h("nav", { "aria-label": "contents" }, ...entries.map(({ id, title }) => h("a", { href: `#${id}` }, title))),
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
