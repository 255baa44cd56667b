/**
 * A series over its runs: figures with their intervals, the levels between changes, and where and why it is not one series.
 *
 * Runs are equally far apart, whatever the time between them: a change lies between two runs. Figures in another unit have a panel of
 * their own.
 */
import type { LevelChangeData, PointData, SegmentData, SeriesData } from "../data";
import { s } from "../dom";
import { change, figure, instant } from "../format";
import { linear, ticks, type Range, type Scale } from "../scale";
import { marker, panel, valueAxis, verticalInterval, type Area } from "../charts/panel";
import { verdictClass } from "../verdict";

const WIDTH = 1100;
const HEIGHT = 262;
const AREA: Area = { left: 56, right: 1090, top: 22, bottom: 234 };
/** What a date takes of the width. */
const DATE_PX = 90;

/** A panel for each run of segments with the same unit. */
export function levelPanels(series: SeriesData): SVGElement[] {
  return withOneUnit(series.segments).map((segments) => levelPanel(series, segments));
}

function withOneUnit(segments: SegmentData[]): SegmentData[][] {
  const groups: SegmentData[][] = [];
  for (const segment of segments) {
    const last = groups.at(-1);
    if (last?.[0]?.unit === segment.unit) last.push(segment);
    else groups.push([segment]);
  }
  return groups;
}

function levelPanel(series: SeriesData, segments: SegmentData[]): SVGElement {
  const points = segments.flatMap((segment) => segment.points);
  const range = rangeOf(points);
  const x = linear([-0.6, points.length - 0.4], AREA.left, AREA.right);
  const y = linear(range, AREA.bottom, AREA.top);
  const inside = (value: number) => y(Math.min(Math.max(value, range[0]), range[1]));
  let first = 0;
  const drawn = segments.map((segment, index) => {
    const group = segmentOf(segment, (at) => x(first + at), y, inside, index > 0);
    first += segment.points.length;
    return group;
  });
  return panel(
    WIDTH,
    HEIGHT,
    "img",
    inWords(series, segments),
    valueAxis(AREA, y, ticks(range, 5)),
    dates(points, x),
    s("text", { class: "name", x: AREA.left, y: AREA.top - 10 }, segments[0]?.unit ?? ""),
    ...drawn,
  );
}

/** All figures, and of their intervals at most as much again on either side: one wide interval does not flatten the rest. */
function rangeOf(points: PointData[]): Range {
  const figures = points.map(({ point }) => point);
  const [low, high] = [Math.min(...figures), Math.max(...figures)];
  const reach = Math.max(high - low, 0.05 * high);
  const ends = points.flatMap(({ interval }) => interval ?? []);
  const from = Math.max(Math.min(low, ...ends), low - reach);
  const to = Math.min(Math.max(high, ...ends), high + reach);
  const margin = Math.max(to - from, 0.02 * high) * 0.06;
  return [from - margin, to + margin];
}

function segmentOf(segment: SegmentData, x: Scale, y: Scale, inside: Scale, isLater: boolean): SVGElement {
  const { points, levels, changes, unit } = segment;
  const reason = segment.accepted === null ? "other conditions" : "accepted";
  return s(
    "g",
    {},
    isLater && upright("segment", x(-0.5), reason, segment.begins ?? ""),
    ...changes.map((one) => changeMark(one, x)),
    ...levels.map(({ from, to, mean }) =>
      s("line", { class: "level", x1: x(from - 0.4), x2: x(to - 0.6), y1: y(mean), y2: y(mean) }),
    ),
    s(
      "g",
      { class: "series target-1" },
      ...points.map(({ run, at, point, interval }, index) =>
        s(
          "g",
          {},
          s("title", {}, `${run}, ${instant(at)}: ${figure(point, unit)} ${unit}`),
          interval && verticalInterval(x(index), inside(interval[1]), inside(interval[0])),
          marker(0, x(index), y(point)),
        ),
      ),
    ),
  );
}

function changeMark(one: LevelChangeData, x: Scale): SVGElement {
  return s(
    "g",
    { class: verdictClass(one.verdict) },
    upright("change", x(one.at - 0.5), change(one.change.point), one.text),
  );
}

function upright(kind: string, x: number, name: string, words: string): SVGElement {
  const isRight = x > AREA.right - 120;
  return s(
    "g",
    { class: kind },
    s("title", {}, words),
    s("line", { x1: x, x2: x, y1: AREA.top - 4, y2: AREA.bottom }),
    s("text", { x: isRight ? x - 4 : x + 4, y: AREA.top - 6, "text-anchor": isRight ? "end" : "start" }, name),
  );
}

/** The days of some runs, as many as there is room for. */
function dates(points: PointData[], x: Scale): SVGElement {
  const each = Math.max(1, Math.ceil((points.length * DATE_PX) / (AREA.right - AREA.left)));
  return s(
    "g",
    { class: "axis" },
    s("line", { class: "base", x1: AREA.left, x2: AREA.right, y1: AREA.bottom, y2: AREA.bottom }),
    ...points.flatMap(({ at }, index) =>
      index % each === 0
        ? [
            s("line", { class: "tick", x1: x(index), x2: x(index), y1: AREA.bottom, y2: AREA.bottom + 3 }),
            s("text", { x: x(index), y: AREA.bottom + 15, "text-anchor": "middle" }, at.slice(0, 10)),
          ]
        : [],
    ),
  );
}

function inWords({ cell, metric }: SeriesData, segments: SegmentData[]): string {
  const levels = segments.flatMap(({ levels, unit }) => levels.map(({ mean }) => `${figure(mean, unit)} ${unit}`));
  return `${metric} of ${cell} over time; levels: ${levels.join(", ")}`;
}
