/**
 * The answer in one sentence for each candidate and workload, and how much is said against it.
 */
import type { ReportData } from "../data";
import { h } from "../dom";
import { count } from "../format";

/** Lines that are shown; more would push the table out of sight, which has them all. */
const LINES_MAX = 8;

/** The headline with what it rests on. */
export function headline(data: ReportData): HTMLElement {
  const lines = data.headline.split("\n");
  const shown = lines.length > LINES_MAX ? lines.slice(0, LINES_MAX - 1) : lines;
  const more = lines.slice(shown.length);
  const unpaired =
    !data.paired &&
    h(
      "p",
      { class: "notice" },
      "The two sides were measured in separate runs. Drift of the machine between the runs is part of the change. " +
        "The intervals below are wider than those of paired blocks.",
    );
  return h(
    "section",
    { id: "answer", "aria-label": "headline" },
    h("p", { class: "headline" }, ...shown.map(line)),
    more.length > 0 &&
      h(
        "details",
        { class: "headline" },
        h("summary", {}, `${count(more.length, "more line")}`),
        h("p", { class: "headline" }, ...more.map(line)),
      ),
    h("p", { class: "detail" }, data.headline_detail, " ", against(data)),
    unpaired,
  );
}

/** A line; those of one candidate stand below its name. */
function line(text: string): HTMLElement {
  return h("span", { class: text.startsWith(" ") ? "line of-candidate" : "line" }, text.trim());
}

/** How many issues speak against the figures, with the way to them. */
function against({ issues }: ReportData): HTMLElement | null {
  const codes = (effect: string) => new Set(issues.filter((one) => one.effect === effect).map(({ code }) => code)).size;
  const [invalidate, weaken] = [codes("invalidates"), codes("weakens")];
  const parts = [
    invalidate > 0 && `${count(invalidate, "issue")} ${invalidate === 1 ? "invalidates" : "invalidate"} figures`,
    weaken > 0 && `${count(weaken, "issue")} ${weaken === 1 ? "weakens" : "weaken"} figures`,
  ].filter((part) => part !== false);
  if (parts.length === 0) return null;
  return h("a", { href: "#issues", class: "against" }, `${parts.join(", ")}.`);
}
