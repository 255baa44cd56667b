/**
 * Block by block: is the change the same every time, did the machine drift, does one block carry the result?
 */
import type { BlockData, ComparisonData, ReportData } from "../data";
import { h, nothing, section } from "../dom";
import { change, clientsOf, metricLabel, share } from "../format";
import { deciding } from "../metric";
import { blockPanel } from "../charts/blocks";
import { verdictWords } from "../verdict";

/** The section of the block-by-block panels. */
export function blocks(data: ReportData): HTMLElement {
  const shown = data.comparisons.filter((comparison) => comparison.blocks.length > 0);
  if (shown.length === 0) {
    const why = data.paired
      ? "No block has both of its sides measured yet."
      : "Runs made separately have no blocks in common.";
    return section("blocks", "Block by block", nothing(why));
  }
  const several = data.candidates.length > 1;
  return section(
    "blocks",
    "Block by block",
    h(
      "p",
      { class: "prose" },
      `Above, the change (%) of each block in the metric that decides: throughput in a closed loop, mean latency in an ` +
        `open loop, or the capacity; shaded grey ±${share(data.practical_threshold)}, tinted the 95 % ` +
        "interval over all blocks with the change as its line. Below, the metric on both sides, circles the " +
        "baseline; this axis does not begin at zero. Lines within a block are the rounds in which the sides took " +
        "turns: where both lines move alike, the machine moved. An outlying block is ringed; it stays in the result.",
    ),
    h("div", { class: "panels four" }, ...shown.map((comparison) => figure(data, comparison, several))),
  );
}

function figure(data: ReportData, comparison: ComparisonData, several: boolean): HTMLElement {
  const { workload, clients, candidate, verdict } = comparison;
  const outlying = comparison.blocks.filter((pair) => pair.outlying);
  return h(
    "figure",
    {},
    h(
      "figcaption",
      {},
      h("strong", {}, `${several ? `${candidate} · ` : ""}${workload}`),
      h("span", { class: "of" }, ` ${clientsOf(clients)}, ${metricLabel(deciding(comparison))} `),
      verdictWords(verdict),
    ),
    blockPanel(comparison, data.targets.indexOf(candidate), data.practical_threshold),
    outlying.length > 0 && h("p", { class: "influence" }, outlying.map(influence).join("; ")),
  );
}

function influence(pair: BlockData): string {
  const without = pair.change_without === null ? "" : `; without it the change is ${change(pair.change_without)}`;
  return `block ${pair.block} is outlying (${change(pair.change)})${without}`;
}
