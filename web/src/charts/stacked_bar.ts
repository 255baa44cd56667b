/**
 * The time budget of one trial as a stacked bar, in per cent of the column's width; its list of parts is its legend and its text.
 */
import type { PartData } from "../data";
import { h, s } from "../dom";
import { milliseconds } from "../format";
import { partClass, stacked, wholeOf } from "../parts";
import { linear, type Range } from "../scale";

const HEIGHT_PX = 14;

/** The mark that a part has in bars, legends and tables; null for a row that is no part. */
export function partMark(part: string): SVGElement | null {
  const kind = partClass(part);
  if (kind === null) return null;
  const square = s("rect", { width: 10, height: 10 });
  return s("svg", { class: `swatch part ${kind}`, width: 10, height: 10, "aria-hidden": "true" }, square);
}

/** A trial's bar with its list of parts; `range` is that of all bars shown together, in milliseconds. */
export function stackedBar(parts: PartData[], range: Range): HTMLElement {
  const whole = wholeOf(parts);
  const x = linear(range, 0, 100);
  const at = (percent: number) => `${percent.toFixed(3)}%`;
  const title = `time budget: mean latency of ${milliseconds(whole)} ms`;
  const segments = stacked(parts).map(({ part, from_ms, to_ms }) =>
    s(
      "rect",
      {
        class: `part ${partClass(part) ?? ""}`,
        x: at(x(from_ms)),
        width: at(x(to_ms) - x(from_ms)),
        y: 0,
        height: HEIGHT_PX,
      },
      s("title", {}, `${part}: ${milliseconds(to_ms - from_ms)} ms`),
    ),
  );
  const zero =
    range[0] < 0 ? [s("line", { class: "zero", x1: at(x(0)), x2: at(x(0)), y1: -2, y2: HEIGHT_PX + 2 })] : [];
  return h(
    "figure",
    { class: "time-budget" },
    h("figcaption", {}, title, h("span", { class: "unit" }, "per transaction, in its parts")),
    // The list below says all that the bar shows.
    s("svg", { width: "100%", height: HEIGHT_PX, "aria-hidden": "true" }, ...segments, ...zero),
    h("ul", { class: "parts", "aria-label": `parts of the ${title}` }, ...parts.map(listed)),
  );
}

function listed({ part, ms }: PartData): HTMLElement {
  return h("li", {}, partMark(part), `${part} `, h("span", { class: "number" }, `${milliseconds(ms)} ms`));
}
