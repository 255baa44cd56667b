/**
 * The reasons to trust numbers less, each with what to do about it and the trials it concerns.
 */
import type { CaveatData } from "../data";
import { h, nothing, section } from "../dom";

/** The section of the caveats. */
export function caveats(rows: CaveatData[]): HTMLElement {
  if (rows.length === 0) {
    return section("caveats", "Caveats", nothing("None: no check found a reason to trust these numbers less."));
  }
  return section("caveats", "Caveats", h("ol", { class: "caveats" }, ...rows.map(item)));
}

function item(caveat: CaveatData): HTMLElement {
  return h(
    "li",
    {},
    h("p", {}, h("strong", {}, caveat.text)),
    caveat.hint !== "" && h("p", {}, caveat.hint),
    caveat.trials.length > 0 &&
      h(
        "p",
        { class: "of" },
        caveat.trials.length === 1 ? "trial " : "trials ",
        ...caveat.trials.flatMap((number, index) => [
          index > 0 ? ", " : "",
          h("a", { href: `#trial-${number}` }, String(number)),
        ]),
      ),
  );
}
