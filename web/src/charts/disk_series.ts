/**
 * The rate of one job of fio over time, with the instant at which it fell for good.
 */
import type { StageData } from "../data";
import { s } from "../dom";
import { significant } from "../format";
import { linear, ticks } from "../scale";
import { targetClass } from "../theme";
import { panel, polyline, positionAxis, valueAxis, type Area } from "./panel";

const WIDTH = 340;
const HEIGHT = 160;
const AREA: Area = { left: 46, right: 330, top: 10, bottom: 118 };

/** The panel of one stage; `target` is the target's index, for its colour. */
export function diskSeriesPanel(name: string, stage: StageData, target: number): SVGElement {
  const scaled = stage.series_unit === "iops" ? 1 : 1e-6;
  const unit = stage.series_unit === "iops" ? "IOPS" : "MB/s";
  const points = stage.t_s.flatMap((t, index): [number, number][] => {
    const rate = stage.rate[index];
    return rate === null || rate === undefined ? [] : [[t, rate * scaled]];
  });
  const last = Math.max(1, ...stage.t_s);
  const most = Math.max(1, ...points.map(([, rate]) => rate));
  const x = linear([0, last], AREA.left, AREA.right);
  const y = linear([0, most], AREA.bottom, AREA.top);
  const fell = stage.fell_at_s;
  const words = fell === null ? "" : `; the rate fell at ${significant(fell)} s and did not recover`;
  return panel(
    WIDTH,
    HEIGHT,
    "img",
    `${stage.name} on ${name} over ${significant(last)} s, at most ${significant(most)} ${unit}${words}`,
    valueAxis(AREA, y, ticks([0, most], 4)),
    positionAxis(AREA, x, ticks([0, last], 6), `seconds; ${unit}`),
    s("g", { class: `series ${targetClass(target)}` }, polyline(points.map(([t, rate]) => [x(t), y(rate)]))),
    fell === null ? null : s("line", { class: "zero", x1: x(fell), x2: x(fell), y1: AREA.top, y2: AREA.bottom }),
  );
}
