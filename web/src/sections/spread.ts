/**
 * How far the latencies of each target lie apart, and how long its clients took to connect: figures that are told and
 * not compared.
 */
import type { OverTrialsData, SpreadData } from "../data";
import { h, scrollable, section } from "../dom";
import { MISSING, alignDecimals, figure } from "../format";

/** A row for each target at each place. */
export function spread(all: SpreadData[]): HTMLElement {
  const head = (text: string) => h("th", { scope: "col" }, text);
  const columns: [title: string, texts: string[]][] = [
    ["mean latency", means(all.map((one) => one.latency_mean_ms))],
    ["standard deviation", means(all.map((one) => one.latency_stddev_ms))],
    ["95 % interval", all.map((one) => intervalOf(one.latency_stddev_ms))],
  ];
  if (all.some((one) => one.connected_ms !== null)) {
    columns.push(["connected after", means(all.map((one) => one.connected_ms))]);
    columns.push(["95 % interval", all.map((one) => intervalOf(one.connected_ms))]);
  }
  const row = (one: SpreadData, index: number) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, one.workload),
      h("td", { class: "number" }, one.clients === null ? MISSING : String(one.clients)),
      h("td", {}, one.target),
      ...columns.map(([, texts]) => h("td", { class: "number" }, texts[index] ?? MISSING)),
    );
  return section(
    "spread",
    "Spread of latency, and the time to connect",
    h(
      "p",
      { class: "prose" },
      "The standard deviation is of the transactions of a trial, the time to connect is until all clients of a trial were " +
        "connected; both are means over the trials. Neither has a verdict.",
    ),
    scrollable(
      "spread of latency and the time to connect",
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
            h("th", { scope: "col", class: "number" }, "clients"),
            head("target"),
            ...columns.map(([title]) =>
              h("th", { scope: "col", class: "number" }, title, h("span", { class: "unit" }, "ms")),
            ),
          ),
        ),
        h("tbody", {}, ...all.map(row)),
      ),
    ),
  );
}

function means(all: (OverTrialsData | null)[]): string[] {
  return alignDecimals(all.map((of) => figure(of?.mean, "ms")));
}

/** Both ends; of a time none is below nothing. */
export function intervalOf(of: OverTrialsData | null): string {
  const estimate = of?.estimate ?? null;
  if (estimate === null) return MISSING;
  return `${figure(estimate.low, "ms")} … ${figure(estimate.high, "ms")}`;
}
