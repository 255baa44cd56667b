/**
 * The rounds of a tuning: what was tried because of which finding, what came of it, and whether it was kept.
 */
import type { TuningData, TuningRoundData } from "../data";
import { h, scrollable, section } from "../dom";
import { change, changeInterval, clientsOf } from "../format";

/** A row for each round and place, then what was not tried. */
export function tuning(data: TuningData): HTMLElement {
  return section(
    "tuning",
    `Tuning rounds of ${data.target}`,
    h(
      "p",
      { class: "prose" },
      "Each round applies the fix for the top finding of the best server so far and compares it with that server in " +
        "separate blocks. If a fix was kept, the comparison above is between the last and the first server, in new " +
        "blocks. The tuning ended because ",
      data.ended,
      ".",
    ),
    data.kept === "" ? h("p", {}, "Nothing was kept.") : h("p", {}, "Kept: ", h("code", {}, data.kept)),
    data.rounds.length > 0 && scrollable("tuning rounds", table(data.rounds)),
    data.left_out.length > 0 &&
      h(
        "ul",
        {},
        ...data.left_out.map((left) =>
          h("li", {}, "Not tried: ", h("code", {}, left.change), ` (${left.found}): ${left.why}`),
        ),
      ),
  );
}

function table(rounds: TuningRoundData[]): HTMLElement {
  const head = (text: string, kind: string | null = null) => h("th", { scope: "col", class: kind }, text);
  return h(
    "table",
    {},
    h("caption", {}, "Changed server against the best server so far"),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        head("round"),
        head("finding"),
        head("change tried"),
        head("cell"),
        head("change", "number"),
        head("interval", "number"),
        head("verdict"),
      ),
    ),
    h("tbody", {}, ...rounds.flatMap((round, index) => rows(round, index + 1))),
  );
}

/** A row for each place; what was changed stands in the first. */
function rows(round: TuningRoundData, number: number): HTMLElement[] {
  const price = round.gives_up === null ? [] : [h("br", {}), `risk: ${round.gives_up}`];
  return round.cells.map((cell, index) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, index === 0 ? String(number) : ""),
      h("td", {}, index === 0 ? round.found : ""),
      h("td", {}, ...(index === 0 ? [h("code", {}, round.change), ...price] : [])),
      h("td", {}, `${cell.workload}, ${clientsOf(cell.clients)}`),
      h("td", { class: "number strong" }, change(cell.change?.point)),
      h("td", { class: "number" }, changeInterval(cell.change)),
      h("td", {}, `${cell.verdict}${index === 0 ? (round.kept ? ", kept" : ", not kept") : ""}`),
    ),
  );
}
