/**
 * The drawings of a disk that fio measured: latency against what was in flight, and the series with their falls.
 */
import type { ReportData } from "../data";
import { h } from "../dom";
import { diskLadderPanel } from "../charts/disk_ladder";
import { diskSeriesPanel } from "../charts/disk_series";

/** The disk of this index. */
export function diskFigures(data: ReportData, index: number): HTMLElement | null {
  const disk = data.disks?.[index];
  if (!disk) return null;
  const { target } = disk;
  const caption = (name: string, what: string) =>
    h("figcaption", {}, h("strong", {}, name), h("span", { class: "of" }, ` ${what}`));
  return h(
    "div",
    { class: "panels three" },
    ...disk.ladders
      .filter(({ in_flight }) => in_flight.length > 1)
      .map((ladder) =>
        h(
          "figure",
          {},
          caption(target, `${ladder.what}: latency against rate`),
          diskLadderPanel(target, ladder, index),
        ),
      ),
    ...disk.stages
      .filter((stage) => stage.t_s.length > 1)
      .map((stage) => h("figure", {}, caption(stage.name, stage.what), diskSeriesPanel(target, stage, index))),
  );
}
