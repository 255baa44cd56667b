/**
 * One comparison, block by block: the paired change above, each side's figure below.
 *
 * A change that wanders from block to block, or sides that move together, is drift made visible. Sides that took
 * turns are drawn within their blocks, too, round by round: what moves both of them is the machine's. Outlying blocks
 * are ringed and kept. Every mark leads to the timelines of its trial.
 */
import type { BlockData, ComparisonData, EstimateData } from "../data";
import { s } from "../dom";
import { change, changeInterval, figure, metricLabel, percentTick } from "../format";
import { deciding, isRate, metricOf } from "../metric";
import { aroundBand, linear, ticks, type Range, type Scale } from "../scale";
import { targetClass } from "../theme";
import { marker, panel, polyline, positionAxis, valueAxis, type Area } from "./panel";

const WIDTH = 340;
const HEIGHT = 262;
const CHANGES: Area = { left: 46, right: 332, top: 8, bottom: 108 };
/** The part of a block's width that its rounds take. */
const WITHIN = 0.8;
const SIDES: Area = { left: 46, right: 332, top: 132, bottom: 226 };

/** The panel of one comparison; `candidate` is the target's index, for its mark. */
export function blockPanel(comparison: ComparisonData, candidate: number, threshold: number): SVGElement {
  const { blocks } = comparison;
  const overall = metricOf(comparison, deciding(comparison))?.change ?? null;
  const numbers = blocks.map((pair) => pair.block);
  const span: Range = [Math.min(...numbers) - 0.6, Math.max(...numbers) + 0.6];
  const x = linear(span, SIDES.left, SIDES.right);
  return panel(
    WIDTH,
    HEIGHT,
    "group",
    inWords(comparison, overall),
    changes(blocks, overall, x, threshold),
    sides(comparison, candidate, x),
    positionAxis(SIDES, x, numbers, "block"),
  );
}

function changes(blocks: BlockData[], overall: EstimateData | null, x: Scale, threshold: number): SVGElement {
  const reach = [...blocks.map((pair) => pair.change), overall?.low ?? null, overall?.high ?? null];
  const range = aroundBand(reach, threshold);
  const y = linear(range, CHANGES.bottom, CHANGES.top);
  const positions = ticks(range, 5);
  const across = { x: CHANGES.left, width: CHANGES.right - CHANGES.left };
  return s(
    "g",
    {},
    s("rect", { class: "band", ...across, y: y(threshold), height: y(-threshold) - y(threshold) }),
    valueAxis(CHANGES, y, positions, positions.map(percentTick)),
    s("line", { class: "zero", x1: CHANGES.left, x2: CHANGES.right, y1: y(0), y2: y(0) }),
    overall &&
      s("rect", {
        class: "overall",
        ...across,
        y: y(overall.high),
        height: Math.max(1, y(overall.low) - y(overall.high)),
      }),
    overall &&
      s("line", { class: "overall", x1: CHANGES.left, x2: CHANGES.right, y1: y(overall.point), y2: y(overall.point) }),
    ...blocks.map((pair) => {
      const place = { cx: x(pair.block), cy: y(pair.change) };
      const words = `block ${pair.block}: ${change(pair.change)}${pair.outlying ? ", outlying" : ""}`;
      return trialLink(
        pair.candidate_trial,
        words,
        s("circle", { class: "point", ...place, r: 3.6 }),
        pair.outlying && s("circle", { class: "outlying", ...place, r: 8 }),
      );
    }),
  );
}

function sides(comparison: ComparisonData, candidate: number, x: Scale): SVGElement {
  const { blocks } = comparison;
  const unit = isRate(deciding(comparison)) ? "tps" : "ms";
  const values = blocks.flatMap((pair) => [pair.baseline, pair.candidate, ...pair.slices.flat()]);
  const low = Math.min(...values);
  const high = Math.max(...values);
  const margin = Math.max(high - low, high * 0.02) * 0.15;
  const range: Range = [low - margin, high + margin];
  const y = linear(range, SIDES.bottom, SIDES.top);
  const taken = blocks.some((pair) => pair.slices.length > 1);
  const rounds = (pair: BlockData, index: 0 | 1) =>
    pair.slices.map((round, at): [number, number] => {
      const within = pair.slices.length > 1 ? at / (pair.slices.length - 1) - 0.5 : 0;
      return [x(pair.block + WITHIN * within), y(round[index])];
    });
  const side = (index: 0 | 1, target: number, trial: (pair: BlockData) => number, value: (pair: BlockData) => number) =>
    s(
      "g",
      { class: `series ${targetClass(target)}` },
      ...blocks.filter((pair) => pair.slices.length > 1).map((pair) => polyline(rounds(pair, index), "turns")),
      taken ? null : polyline(blocks.map((pair) => [x(pair.block), y(value(pair))])),
      ...blocks.map((pair) =>
        trialLink(
          trial(pair),
          `block ${pair.block}, trial ${trial(pair)}: ${figure(value(pair), unit)} ${unit}`,
          marker(target, x(pair.block), y(value(pair))),
        ),
      ),
    );
  return s(
    "g",
    {},
    valueAxis(SIDES, y, ticks(range, 4)),
    side(
      0,
      0,
      (pair) => pair.baseline_trial,
      (pair) => pair.baseline,
    ),
    side(
      1,
      candidate,
      (pair) => pair.candidate_trial,
      (pair) => pair.candidate,
    ),
  );
}

function trialLink(trial: number, words: string, ...marks: (SVGElement | false)[]): SVGElement {
  return s("a", { href: `#trial-${trial}`, "aria-label": words }, s("title", {}, words), ...marks);
}

function inWords(comparison: ComparisonData, overall: EstimateData | null): string {
  const blocks = comparison.blocks.map(
    (pair) => `block ${pair.block} ${change(pair.change)}${pair.outlying ? " (outlying)" : ""}`,
  );
  const whole = overall ? `overall ${change(overall.point)}, interval ${changeInterval(overall)}` : "no overall change";
  return `change in ${metricLabel(deciding(comparison))} by block: ${blocks.join(", ")}; ${whole}`;
}
