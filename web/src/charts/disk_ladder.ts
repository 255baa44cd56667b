/**
 * Latency against the rate of one kind of request, a point for each number of requests in flight, on logarithmic axes. A
 * disk at its cap shows as a line that turns upwards.
 */
import type { DiskLadderData } from "../data";
import { s } from "../dom";
import { figure, integer } from "../format";
import { logarithmic, logTicks, positiveRange, type Range } from "../scale";
import { targetClass } from "../theme";
import { marker, panel, polyline, positionAxis, valueAxis, type Area } from "./panel";

const WIDTH = 340;
const HEIGHT = 220;
const AREA: Area = { left: 46, right: 330, top: 10, bottom: 178 };

interface Rung {
  in_flight: number;
  iops: number;
  mean_ms: number;
}

/** The panel of one ladder; `target` is the target's index, for its colour and mark. */
export function diskLadderPanel(name: string, ladder: DiskLadderData, target: number): SVGElement {
  const rungs = ladder.in_flight.flatMap((in_flight, index): Rung[] => {
    const [iops, mean_ms] = [ladder.iops[index], ladder.mean_ms[index]];
    return iops && mean_ms ? [{ in_flight, iops, mean_ms }] : [];
  });
  const rates = widened(positiveRange(rungs.map((rung) => rung.iops)));
  const latencies = widened(positiveRange(rungs.map((rung) => rung.mean_ms)));
  const x = logarithmic(rates, AREA.left, AREA.right);
  const y = logarithmic(latencies, AREA.bottom, AREA.top);
  const words = (rung: Rung) =>
    `${rung.in_flight} in flight: ${integer(rung.iops)} IOPS, ${figure(rung.mean_ms, "ms")} ms`;
  return panel(
    WIDTH,
    HEIGHT,
    "img",
    `Mean latency of ${name} against its rate: ${rungs.map(words).join("; ")}`,
    valueAxis(AREA, y, logTicks(latencies, 5)),
    positionAxis(AREA, x, logTicks(rates, 4), "requests per second; mean latency in ms"),
    s(
      "g",
      { class: `series ${targetClass(target)}` },
      polyline(rungs.map((rung) => [x(rung.iops), y(rung.mean_ms)])),
      ...rungs.map((rung) => s("g", {}, s("title", {}, words(rung)), marker(target, x(rung.iops), y(rung.mean_ms)))),
    ),
  );
}

function widened(range: Range | null): Range {
  return range === null ? [1, 10] : [range[0] / 1.1, range[1] * 1.1];
}
