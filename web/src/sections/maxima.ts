/**
 * The highest throughput of each target in each workload, and what it is beside the baseline's.
 */
import type { MaximumData } from "../data";
import { h, scrollable } from "../dom";
import { MISSING, change, changeInterval, tps } from "../format";

/** A row for each target in each workload. */
export function maxima(all: MaximumData[]): HTMLElement {
  const head = (text: string) => h("th", { scope: "col" }, text);
  const number = (text: string) => h("th", { scope: "col", class: "number" }, text);
  return scrollable(
    "maximum throughput",
    h(
      "table",
      {},
      h("caption", {}, "Maximum throughput over the numbers of clients"),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          head("workload"),
          head("target"),
          number("maximum, tps"),
          number("95 % interval"),
          number("clients"),
          number("change"),
          number("95 % interval"),
        ),
      ),
      h("tbody", {}, ...all.map(row)),
    ),
  );
}

function row(one: MaximumData): HTMLElement {
  const { point, low, high } = one.throughput_per_s;
  const number = (text: string) => h("td", { class: "number" }, text);
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, one.workload),
    h("td", {}, one.target),
    number(tps(point)),
    number(`${tps(Math.max(0, low))} … ${tps(high)}`),
    number(String(one.clients)),
    number(one.change ? change(one.change.point) : MISSING),
    number(one.change ? changeInterval(one.change) : MISSING),
  );
}
