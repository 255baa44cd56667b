/**
 * Lines as steps: each value is drawn flat over the interval that it is of, since nothing is known of what it was within.
 *
 * Intervals that touch are joined; a gap between two, or one without a value, stays a gap.
 */
import type uPlot from "uplot";

/** Builds the path of a series whose intervals end at the chart's instants and have these lengths. */
export function stepsOver(span_s: number[]): uPlot.Series.PathBuilder {
  return (plot, series) => {
    const stroke = new Path2D();
    const [ends] = plot.data;
    const values = plot.data[series] ?? [];
    const x = (t_s: number) => plot.valToPos(t_s, "x", true);
    let reached = NaN;
    ends.forEach((end, index) => {
      const value = values[index];
      if (value === null || value === undefined) return;
      const start = end - (span_s[index] ?? 0);
      const y = plot.valToPos(value, "y", true);
      // Instants are sums of lengths, and a millisecond is no gap.
      if (Math.abs(start - reached) < 1e-3) stroke.lineTo(x(start), y);
      else stroke.moveTo(x(start), y);
      stroke.lineTo(x(end), y);
      reached = end;
    });
    return { stroke };
  };
}
