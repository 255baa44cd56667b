/**
 * What a million transactions cost on each target, with the day of its price and what that includes.
 */
import type { PriceData } from "../data";
import { h, scrollable, section } from "../dom";
import { MISSING, clientsOf, money, tps } from "../format";

/** A row for each price, and a line for what each target costs. */
export function cost(all: PriceData[]): HTMLElement {
  const head = (text: string) => h("th", { scope: "col" }, text);
  const number = (text: string) => h("th", { scope: "col", class: "number" }, text);
  const told = all.map(
    (one) =>
      `${one.target}: ${one.per_hour} ${one.currency} an hour as of ${one.as_of}, which includes: ${one.includes}`,
  );
  return section(
    "cost",
    "Cost of a million transactions",
    scrollable(
      "cost of a million transactions",
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            head("workload"),
            head("target"),
            number("price"),
            number("95 % interval"),
            number("at, tps"),
            head("which is"),
          ),
        ),
        h("tbody", {}, ...all.map(row)),
      ),
    ),
    h("ul", { class: "notes" }, ...[...new Set(told)].map((line) => h("li", {}, line))),
  );
}

function row(one: PriceData): HTMLElement {
  const price = one.per_million;
  const number = (text: string) => h("td", { class: "number" }, text);
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, one.workload),
    h("td", {}, one.target),
    number(price ? `${money(price.point)} ${one.currency}` : MISSING),
    number(price ? `${money(price.low)} … ${money(price.high)}` : MISSING),
    number(tps(one.throughput_per_s.point)),
    h("td", {}, `${one.basis}, ${clientsOf(one.clients)}`),
  );
}
