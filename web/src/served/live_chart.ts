/**
 * A small chart of the strip: lines or a stacked band over the clock, drawn again with every second.
 */
import uPlot from "uplot";
import { axisLook } from "../charts/timeline";
import { tickLabels } from "../format";
import { fromZero, largest, ticks } from "../scale";
import { colour } from "../theme";
import type { Column } from "./live_series";

/** One line, or the upper edge of one layer of a band. */
export interface LiveLine {
  /** The colour of the moment. */
  stroke: () => string;
  width: number;
  dash?: number[];
  /** Filled down to the next one. */
  filled?: boolean;
}

/** What a chart is like. */
export interface LiveLook {
  height_px: number;
  /** The upper end of its values; without one, a round value above them all. */
  most?: number;
}

/** A chart in its place. */
export class LiveChart {
  readonly host: HTMLElement;
  readonly #look: LiveLook;
  #plot: uPlot | null = null;
  #lines = 0;

  constructor(host: HTMLElement, look: LiveLook) {
    this.host = host;
    this.#look = look;
  }

  /** Draws lines with as many columns; the first are drawn first. */
  draw(instants: number[], lines: LiveLine[], columns: Column[]): void {
    if (this.#plot === null || this.#lines !== lines.length) this.#make(lines);
    this.#plot?.setData([instants, ...columns]);
  }

  /** Draws again what is there, as after a change of colours. */
  redraw(): void {
    this.#plot?.redraw();
  }

  /** Takes the width of its place. */
  fit(): void {
    const width = Math.floor(this.host.clientWidth);
    if (this.#plot && width > 0 && width !== this.#plot.width) {
      this.#plot.setSize({ width, height: this.#look.height_px });
    }
  }

  #make(lines: LiveLine[]): void {
    this.#plot?.destroy();
    this.#lines = lines.length;
    const { height_px, most } = this.#look;
    const range = (plot: uPlot): uPlot.Range.MinMax => {
      if (most !== undefined) return [0, most];
      const [, ...columns] = plot.data as [number[], ...Column[]];
      return [...fromZero(columns.map(largest), 3)] as uPlot.Range.MinMax;
    };
    this.#plot = new uPlot(
      {
        width: Math.max(120, Math.floor(this.host.clientWidth)),
        height: height_px,
        // On the right, half a label of the clock.
        padding: [6, 26, 0, 0],
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: false }, y: { range } },
        axes: [
          {
            ...axisLook(),
            size: 22,
            splits: (_plot, _axis, min, max) => ticks([min, max], 3),
            values: (_plot, splits) => splits.map(clock),
            grid: { show: false },
          },
          {
            ...axisLook(),
            size: 40,
            splits: (_plot, _axis, min, max) => ticks([min, max], 3),
            values: (_plot, splits) => tickLabels(splits),
            grid: { stroke: () => colour("rule"), width: 1 },
          },
        ],
        series: [
          {},
          ...lines.map(({ stroke, width, dash, filled }): uPlot.Series => ({
            stroke,
            width,
            points: { show: false },
            ...(dash ? { dash } : {}),
            ...(filled ? { fill: stroke } : {}),
          })),
        ],
      },
      [[], ...lines.map(() => [])],
      this.host,
    );
  }
}

/** An instant as the clock of UTC shows it, as everywhere in the report. */
function clock(at_s: number): string {
  return new Date(at_s * 1000).toISOString().slice(11, 19);
}
