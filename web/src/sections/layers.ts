/**
 * The ladder: what each layer between the load and the server adds, step by step, in milliseconds and as a ratio.
 */
import type { LayerRowData, LayersData, ReportData } from "../data";
import { h, scrollable, section } from "../dom";
import { change, changeInterval, count, milliseconds, signedInterval, signedMilliseconds } from "../format";
import { waterfall } from "../charts/waterfall";

/** One table for each workload and number of clients, all of them open. */
export function layers(data: ReportData): HTMLElement {
  return section(
    "layers",
    "What each layer adds",
    h(
      "p",
      { class: "prose" },
      "Each row has one layer more than the one above it. All steps are judged over the same blocks, so that their " +
        "milliseconds add up to the last row, and their ratios multiply to it.",
    ),
    ...data.layers.map((one) =>
      h(
        "details",
        { open: true },
        h("summary", {}, `${one.workload}, ${count(one.clients, "client")}`),
        scrollable(`layers of ${one.workload} at ${one.clients} clients`, table(one)),
      ),
    ),
  );
}

function table(one: LayersData): HTMLElement {
  const name = (row: LayerRowData, index: number) =>
    index === one.rows.length - 1 ? `${row.from} → ${row.to}` : `+ ${row.to}`;
  const bars = waterfall(one.rows.map((row, index) => ({ ...row, part: name(row, index) })));
  const number = (text: string) => h("th", { scope: "col", class: "number" }, text);
  return h(
    "table",
    { class: "waterfall" },
    h("caption", {}, `Mean latency in milliseconds, ${count(one.blocks, "block")}; bars: what each layer adds`),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, "layer"),
        number("without"),
        number("with"),
        h("th", { scope: "col" }, "from one to the other"),
        number("adds"),
        number("95 % interval"),
        number(one.rows[0]?.metric ?? ""),
        number("95 % interval"),
      ),
    ),
    h(
      "tbody",
      {},
      ...one.rows.map((row, index) =>
        h(
          "tr",
          { class: index === one.rows.length - 1 ? "total" : null },
          h("th", { scope: "row" }, name(row, index)),
          h("td", { class: "number" }, milliseconds(row.baseline_ms.point)),
          h("td", { class: "number" }, milliseconds(row.candidate_ms.point)),
          h("td", { class: "plot" }, bars[index] ?? null),
          h("td", { class: "number strong" }, signedMilliseconds(row.change_ms.point)),
          h("td", { class: "number" }, signedInterval(row.change_ms)),
          h("td", { class: "number" }, change(row.change?.point)),
          h("td", { class: "number" }, changeInterval(row.change)),
        ),
      ),
    ),
  );
}
