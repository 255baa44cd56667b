/**
 * p99 against the offered rate, every step of every search, with the limit and the capacity that was found.
 */
import type { CurveData, ReportData } from "../data";
import { h, nothing } from "../dom";
import { figure } from "../format";
import { curvePanel } from "../charts/curve";

/** All targets at the place of the search of this index. */
export function capacityFigures(data: ReportData, index: number): HTMLElement | null {
  const first = data.curves[index];
  if (!first) return null;
  const curves = data.curves.filter(
    ({ workload, clients }) => workload === first.workload && clients === first.clients,
  );
  return h("div", { class: "panels three" }, ...curves.map((curve) => panel(data, curve)));
}

function panel(data: ReportData, curve: CurveData): HTMLElement {
  const found = curve.capacity_per_s;
  return h(
    "figure",
    {},
    h(
      "figcaption",
      {},
      h("strong", {}, curve.target),
      h("span", { class: "of" }, ` ${curve.workload}, ${curve.clients} clients: `),
      found === null
        ? "no capacity over two blocks"
        : `${figure(found.point, "tps")} tps at p99 ≤ ${figure(curve.limit_ms, "ms")} ms`,
    ),
    curve.points.length > 1 ? curvePanel(curve, data.targets.indexOf(curve.target)) : nothing("One trial: no curve."),
  );
}
