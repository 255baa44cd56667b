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
  const shown = data.comparisons.filter((comparison) => comparison.blocks.length > 1);
  if (shown.length === 0) {
    const why = data.paired
      ? "No comparison has two blocks that are complete on both sides."
      : "Separate runs have no blocks in common.";
    return section("blocks", "Changes by block", nothing(why));
  }
  const several = data.candidates.length > 1;
  return section(
    "blocks",
    "Changes by block",
    h(
      "p",
      { class: "prose" },
      `The upper panel shows the change (%) of each block in the metric that decides: throughput in a closed loop, mean ` +
        `latency in an open loop, or the capacity. The grey band is ±${share(data.practical_threshold)}. The tinted band ` +
        "is the 95 % interval over all blocks, and its line is the change. The lower panel shows the metric on both sides. " +
        "Circles are the baseline, and the axis does not begin at zero. Lines within a block connect the pairs of slices. " +
        "Where both lines move together, the machine changed. An outlying block is ringed and stays in the result.",
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
