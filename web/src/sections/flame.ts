/**
 * The drawing of a CPU profile: the functions of both sides in one flame graph.
 */
import type { ReportData } from "../data";
import { h } from "../dom";
import { flameGraph } from "../charts/flame_graph";
import { clientsOf } from "../format";

/** The profile of this index. */
export function flameFigure(data: ReportData, index: number): HTMLElement | null {
  const profile = data.profiles?.[index];
  if (!profile) return null;
  const { workload, clients, candidate, flame } = profile;
  const what = `${workload}, ${clientsOf(clients)}: functions of ${candidate} against ${data.baseline}`;
  const graph = flameGraph(flame, [data.baseline, candidate], what);
  return h("details", { open: index === 0 }, h("summary", {}, what), graph);
}
