/**
 * What each candidate loses of the baseline's throughput against the number of clients: a line with the band of its
 * 95 % intervals.
 */
import { s } from "../dom";
import type { LossLine } from "../degradation";
import { signedPercent, tickLabels } from "../format";
import { aroundBand, linear, logarithmic, ticks, type Range, type Scale } from "../scale";
import { targetClass } from "../theme";
import { areaBeside, lineName, namePlaces } from "./ladder";
import { marker, panel, polyline, positionAxis, valueAxis } from "./panel";

const WIDTH = 340;
const HEIGHT = 210;

/** The panel of the losses; null when no candidate has one. */
export function lossPanel(
  lines: LossLine[],
  targets: string[],
  baseline: string,
  threshold: number,
): SVGElement | null {
  const all = lines.flatMap(({ losses }) => losses);
  if (all.length === 0) return null;
  const clients = [...new Set(all.map((loss) => loss.clients))].sort((a, b) => a - b);
  const area = areaBeside(lines.map(({ candidate }) => candidate));
  const reach = all.flatMap(({ percent }) => [percent.low, percent.high]);
  const range: Range = aroundBand(reach, threshold * 100);
  const y = linear(range, area.bottom, area.top);
  const x = logarithmic([clients[0] ?? 1, clients.at(-1) ?? 1], area.left + 14, area.right - 14);
  const places = namePlaces(lines.map(({ losses }) => y(losses.at(-1)?.percent.point ?? 0)));
  const positions = ticks(range, 5);
  const [top, bottom] = [y(threshold * 100), y(-threshold * 100)];
  return panel(
    WIDTH,
    HEIGHT,
    "img",
    inWords(lines, baseline),
    s("rect", { class: "band", x: area.left, y: top, width: area.right - area.left, height: bottom - top }),
    valueAxis(area, y, positions, tickLabels(positions)),
    positionAxis(area, x, clients, "clients"),
    s("line", { class: "zero", x1: area.left, x2: area.right, y1: y(0), y2: y(0) }),
    ...lines.map((line, index) =>
      lossLine(line, targets.indexOf(line.candidate), x, y, area.right + 2, places[index] ?? 0),
    ),
  );
}

function lossLine(
  { candidate, losses }: LossLine,
  target: number,
  x: Scale,
  y: Scale,
  nameX: number,
  nameY: number,
): SVGElement {
  const points = losses.map(({ clients, percent }): [number, number] => [x(clients), y(percent.point)]);
  const upper = losses.map(({ clients, percent }): [number, number] => [x(clients), y(percent.high)]);
  const lower = losses.map(({ clients, percent }): [number, number] => [x(clients), y(percent.low)]);
  const outline = [...upper, ...lower.reverse()].map(([px, py]) => `${px.toFixed(2)},${py.toFixed(2)}`).join(" ");
  return s(
    "g",
    { class: `series ${targetClass(target)}` },
    s("polygon", { class: "interval-band", points: outline }),
    polyline(points),
    ...points.map(([px, py]) => marker(target, px, py)),
    lineName(candidate, nameX, nameY),
  );
}

function inWords(lines: LossLine[], baseline: string): string {
  const told = lines.map(({ candidate, losses }) => {
    const values = losses.map(({ clients, percent }) => {
      const [point, low, high] = [percent.point, percent.low, percent.high].map((value) => signedPercent(value / 100));
      return `${point} [${low}, ${high}] at ${clients}`;
    });
    return `${candidate}: ${values.join("; ")}`;
  });
  return `loss of throughput against ${baseline} in % by number of clients. ${told.join(". ")}`;
}
