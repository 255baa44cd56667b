/**
 * One measure of every target against the number of clients, with 95 % intervals.
 *
 * Clients stand on a logarithmic axis, since ladders double; targets at one rung are set apart by a few units so
 * that their intervals do not cover each other.
 */
import type { EstimateData, LadderData, RungData } from "../data";
import { s } from "../dom";
import { figure } from "../format";
import { fromZero, linear, logarithmic, reaches, ticks, type Range, type Scale } from "../scale";
import { targetClass } from "../theme";
import { marker, panel, polyline, positionAxis, spread, valueAxis, verticalInterval, type Area } from "./panel";

const WIDTH = 340;
const HEIGHT = 210;
/** How far apart the targets stand at one rung, and on a ladder whose rungs stand close. */
const APART = 5;
const APART_CROWDED = 2;
const CROWDED_FROM = 8;
/** Room for a target's name at the right of its line: at most this many characters, each about this wide. */
const NAME_AT_MOST = 18;
const CHARACTER = 6.4;

/** What a ladder panel shows. */
export interface Measure {
  title: string;
  unit: "tps" | "ms" | "%";
  of: (point: RungData) => EstimateData | null;
  /** The figure of the only trial, which has no interval. */
  alone: (point: RungData) => number | null;
}

/** The measures of a ladder, in the report's order. */
export const MEASURES: Measure[] = [
  {
    title: "throughput",
    unit: "tps",
    of: (point) => point.throughput_per_s,
    alone: (point) => point.of_only_trial.throughput_per_s,
  },
  {
    title: "mean latency",
    unit: "ms",
    of: (point) => point.latency_mean_ms,
    alone: (point) => point.of_only_trial.latency_mean_ms,
  },
  {
    title: "latency p99",
    unit: "ms",
    of: (point) => point.latency_p99_ms,
    alone: (point) => point.of_only_trial.latency_p99_ms,
  },
];

/** Of ladders that are shares of their own maximum. */
export const OF_OWN_MAXIMUM: Measure = {
  title: "throughput as a share of its own maximum",
  unit: "%",
  of: (point) => point.throughput_per_s,
  alone: () => null,
};

interface Rung {
  clients: number;
  estimate: EstimateData;
}

/** Where a panel of lines is drawn that has their names at its right. */
export function areaBeside(names: string[]): Area {
  const longest = Math.max(...names.map((name) => shortened(name).length));
  return { left: 40, right: WIDTH - 10 - longest * CHARACTER, top: 8, bottom: 172 };
}

/** The heights of the names beside lines that end at these heights. */
export function namePlaces(ends: number[]): number[] {
  return spread(ends, 12).map((place) => place + 4);
}

/** A target's name at the right of its line. */
export function lineName(text: string, x: number, y: number): SVGElement {
  return s("text", { class: "name", x, y }, s("title", {}, text), shortened(text));
}

function shortened(name: string): string {
  return name.length <= NAME_AT_MOST ? name : `${name.slice(0, NAME_AT_MOST - 1)}…`;
}

function rungsOf(ladder: LadderData, measure: Measure): Rung[] {
  return ladder.points.flatMap((point): Rung[] => {
    const estimate = measure.of(point) ?? withoutInterval(measure.alone(point));
    return estimate === null ? [] : [{ clients: point.clients, estimate }];
  });
}

/** A figure as a point without an interval. */
function withoutInterval(point: number | null): EstimateData | null {
  return point === null ? null : { point, low: point, high: point, n: 1 };
}

/** The panel of one measure; null when no target has a value. */
export function ladderPanel(ladders: LadderData[], targets: string[], measure: Measure): SVGElement | null {
  const lines = ladders
    .map((ladder) => ({ ladder, target: targets.indexOf(ladder.target), rungs: rungsOf(ladder, measure) }))
    .filter((line) => line.rungs.length > 0);
  const rungs = lines.flatMap((line) => line.rungs);
  if (rungs.length === 0) return null;
  const clients = [...new Set(rungs.map((rung) => rung.clients))].sort((a, b) => a - b);
  const area = areaBeside(lines.map(({ ladder }) => ladder.target));
  const range = rangeOf(measure, reaches(rungs.map(({ estimate }) => estimate)));
  const y = linear(range, area.bottom, area.top);
  const x = logarithmic([clients[0] ?? 1, clients.at(-1) ?? 1], area.left + 14, area.right - 14);
  const apart = clients.length < CROWDED_FROM ? APART : APART_CROWDED;
  const places = namePlaces(lines.map(({ rungs: own }) => y(own.at(-1)?.estimate.point ?? 0)));
  return panel(
    WIDTH,
    HEIGHT,
    "img",
    inWords(measure, lines),
    valueAxis(area, y, ticks(range, 5)),
    positionAxis(area, x, clients, "clients"),
    ...lines.map(({ ladder, target, rungs: own }, index) =>
      ladderLine(own, target, (rung) => x(rung) + (index - (lines.length - 1) / 2) * apart, y, range, {
        text: ladder.target,
        x: area.right + 2,
        y: places[index] ?? 0,
      }),
    ),
  );
}

/** From zero; of a share of the maximum to the maximum, or as far beyond it as its interval reaches. */
function rangeOf(measure: Measure, highs: number[]): Range {
  return measure.unit === "%" ? [0, Math.max(100, ...highs)] : fromZero(highs, 5);
}

function ladderLine(
  rungs: Rung[],
  target: number,
  x: Scale,
  y: Scale,
  [lowest, highest]: Range,
  name: { text: string; x: number; y: number },
): SVGElement {
  const points = rungs.map(({ clients, estimate }): [number, number] => [x(clients), y(estimate.point)]);
  return s(
    "g",
    { class: `series ${targetClass(target)}` },
    polyline(points),
    ...rungs
      .filter(hasInterval)
      .map(({ clients, estimate: { low, high } }) =>
        verticalInterval(x(clients), y(Math.max(low, lowest)), y(Math.min(high, highest)), [
          low >= lowest,
          high <= highest,
        ]),
      ),
    ...points.map(([px, py]) => marker(target, px, py)),
    lineName(name.text, name.x, name.y),
  );
}

function hasInterval({ estimate: { low, high } }: Rung): boolean {
  return low < high;
}

function inWords(measure: Measure, lines: { ladder: LadderData; rungs: Rung[] }[]): string {
  const targets = lines.map(({ ladder, rungs }) => {
    const values = rungs.map((rung) => {
      const [point, low, high] = [rung.estimate.point, rung.estimate.low, rung.estimate.high].map((value) =>
        figure(value, measure.unit),
      );
      return `${point}${hasInterval(rung) ? ` [${low}, ${high}]` : ""} at ${rung.clients}`;
    });
    return `${ladder.target}: ${values.join("; ")}`;
  });
  return `${measure.title} in ${measure.unit} by number of clients. ${targets.join(". ")}`;
}
