/**
 * What the plan requires of its workloads, and whether it holds.
 */
import type { RequirementData } from "../data";
import { h, scrollable, section } from "../dom";
import { clientsOf } from "../format";

const WORDS = { kept: "kept", broken: "broken", "not-enough-data": "not enough data" } as const;

/** A row for each limit. */
export function required(all: RequirementData[]): HTMLElement {
  const head = (text: string) => h("th", { scope: "col" }, text);
  return section(
    "required",
    "Required by the plan",
    h(
      "p",
      { class: "prose" },
      "A limit is kept if the whole interval over the blocks is within it, broken if none of the interval is, and otherwise there is " +
        "not enough data.",
    ),
    scrollable(
      "what the plan requires",
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, head("server"), head("where"), head("required"), head("measured"), head("it is"))),
        h(
          "tbody",
          {},
          ...all.map((one) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, one.target),
              h("td", {}, `${one.workload}, ${clientsOf(one.clients)}`),
              h("td", {}, one.text),
              h("td", {}, one.measured_text),
              h("td", { class: one.compliance === "broken" ? "strong" : null }, WORDS[one.compliance]),
            ),
          ),
        ),
      ),
    ),
  );
}
