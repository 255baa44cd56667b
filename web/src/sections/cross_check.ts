/**
 * What two generators say of one cell: whether the figures depend on the program that measured them.
 */
import type { CrossCheckData } from "../data";
import { h, scrollable, section } from "../dom";
import { change, changeInterval, clientsOf, figure } from "../format";

const WORDS = { agree: "agree", differ: "differ", "not-enough-data": "not enough data", "so-far": "so far" } as const;

/** A row for each figure of each cell. */
export function crossCheck(all: CrossCheckData[]): HTMLElement {
  const head = (text: string) => h("th", { scope: "col" }, text);
  const number = (text: string) => h("th", { scope: "col", class: "number" }, text);
  return section(
    "cross-check",
    "Cross-check by another generator",
    h(
      "p",
      { class: "prose" },
      "Each cell was measured by two programs in the same blocks. They agree if the whole interval of what they differ by is " +
        "within the practical threshold; otherwise they differ if it excludes zero, and if not there is not enough data.",
    ),
    scrollable(
      "one cell by two generators",
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            head("where"),
            head("what"),
            number("by its generator"),
            number("by the other"),
            number("difference"),
            number("95 % interval"),
            head("they"),
          ),
        ),
        h("tbody", {}, ...all.map(row)),
      ),
    ),
  );
}

function row(one: CrossCheckData): HTMLElement {
  const number = (text: string) => h("td", { class: "number" }, text);
  const unit = one.unit === "tps" ? "tps" : "ms";
  const told = one.figures.map((of, at) => `${figure(of?.point, unit)} (${one.generators[at] ?? ""})`);
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, `${one.target} · ${one.workload}, ${clientsOf(one.clients)}`),
    h("td", {}, `${one.metric}, ${one.unit}`),
    ...told.map(number),
    number(change(one.change?.point)),
    number(changeInterval(one.change)),
    h("td", { class: one.agreement === "differ" ? "strong" : null }, WORDS[one.agreement]),
  );
}
