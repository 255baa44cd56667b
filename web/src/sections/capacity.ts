/**
 * p99 against the offered rate, every step of every search, with the limit and the capacity that was found.
 */
import type { CurveData, ReportData } from "../data";
import { h, section } from "../dom";
import { figure } from "../format";
import { curvePanel } from "../charts/curve";

/** The section of the searches for a capacity. */
export function capacity(data: ReportData): HTMLElement {
  const places = [...new Set(data.curves.map(placeOf))];
  return section(
    "capacity",
    "Capacity under a limit",
    h(
      "p",
      { class: "prose" },
      "Each point is a trial at an offered rate. It is filled if 99 % of all arrivals were served within the limit (the " +
        "horizontal line), else hollow. The tinted band is the 95 % interval of the capacity over the blocks. Both axes " +
        "are logarithmic.",
    ),
    h(
      "div",
      { class: "panels three" },
      ...places.flatMap((place) =>
        data.curves.filter((curve) => placeOf(curve) === place).map((curve) => panel(data, curve)),
      ),
    ),
  );
}

function placeOf({ workload, clients }: CurveData): string {
  return `${workload} ${clients}`;
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
    curvePanel(curve, data.targets.indexOf(curve.target)),
  );
}
