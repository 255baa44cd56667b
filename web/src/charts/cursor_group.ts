/**
 * The charts that share one cursor and one zoom.
 *
 * uPlot moves the cursors of a synced group by itself; what it leaves to us is that a zoom of one is a zoom of all,
 * that a cursor can be set from outside (a slider, a keyboard), and that somebody is told of both.
 */
import type uPlot from "uplot";
import type { Range } from "../scale";
import { isZoomable, zoomedTo } from "../zoom";

/** What the owner of a group is told. */
export interface CursorListener {
  /** The instant under the cursor, in seconds of the trial; null when the cursor left. */
  moved: (t_s: number | null) => void;
  /** The stretch shown; null for the whole trial. */
  zoomed: (range: Range | null) => void;
}

/** A set of charts over the same time axis. */
export class CursorGroup {
  /** The key under which uPlot syncs the cursors. */
  readonly key: string;
  /** The whole time axis, in seconds. */
  readonly whole: Range;
  readonly #plots = new Set<uPlot>();
  readonly #listener: CursorListener;
  #zoom: Range | null = null;

  constructor(key: string, whole: Range, listener: CursorListener) {
    this.key = key;
    this.whole = whole;
    this.#listener = listener;
  }

  /** Whether the trials are long enough to look at a part of them. */
  get isZoomable(): boolean {
    return isZoomable(this.whole);
  }

  /** The stretch that a new chart has to show. */
  get shown(): Range {
    return this.#zoom ?? this.whole;
  }

  /** The stretch that was zoomed to; null while the whole trial is shown. */
  get zoomed(): Range | null {
    return this.#zoom;
  }

  add(plot: uPlot): void {
    this.#plots.add(plot);
  }

  /** Takes a chart out and frees it. */
  remove(plot: uPlot): void {
    this.#plots.delete(plot);
    plot.destroy();
  }

  /** Shows a stretch, from whole second to whole second, in all charts; null shows the whole trial. */
  zoom(range: Range | null): void {
    this.#zoom = zoomedTo(range, this.whole);
    const [min, max] = this.shown;
    for (const plot of this.#plots) plot.setScale("x", { min, max });
    this.#listener.zoomed(this.#zoom);
  }

  /** Puts the cursor of every chart on an instant. */
  point(t_s: number): void {
    for (const plot of this.#plots) plot.setCursor({ left: plot.valToPos(t_s, "x"), top: 0 }, false);
    this.#listener.moved(t_s);
  }

  /** Called by the chart under the mouse. */
  moved(t_s: number | null): void {
    this.#listener.moved(t_s);
  }

  /** Draws all charts again, as after a change of colours. */
  redraw(): void {
    for (const plot of this.#plots) plot.redraw();
  }

  /** Frees all charts. */
  clear(): void {
    for (const plot of [...this.#plots]) this.remove(plot);
  }
}
