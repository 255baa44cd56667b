/**
 * Parts of a whole over time where seconds are many: of those that share a column of pixels the mean is drawn, since
 * the edges of areas that lie on each other say nothing once they swing within a pixel. Means of parts sum to the mean
 * of the whole.
 */
import type uPlot from "uplot";

/** One column of pixels, and the mean of its values. */
export interface Column {
  x: number;
  mean: number;
}

/** The columns with their means, in runs: a column without a value ends one. `xs` ascend. */
export function columnMeans(xs: number[], values: (number | null | undefined)[]): Column[][] {
  const runs: Column[][] = [];
  let [sum, count, isOpen] = [0, 0, false];
  xs.forEach((x, index) => {
    const value = values[index];
    if (value !== null && value !== undefined) [sum, count] = [sum + value, count + 1];
    if (xs[index + 1] === x) return;
    if (count > 0) {
      if (!isOpen) runs.push([]);
      runs.at(-1)?.push({ x, mean: sum / count });
    }
    [sum, count, isOpen] = [0, 0, count > 0];
  });
  return runs;
}

/** Builds the path of such a part and the area below it. */
export function areaOfMeans(): uPlot.Series.PathBuilder {
  return (plot, series) => {
    const [stroke, fill] = [new Path2D(), new Path2D()];
    const xs = Array.from(plot.data[0], (t_s) => Math.round(plot.valToPos(t_s, "x", true)));
    const bottom = plot.bbox.top + plot.bbox.height;
    for (const run of columnMeans(xs, [...(plot.data[series] ?? [])])) {
      const points = run.map(({ x, mean }): [number, number] => [x, plot.valToPos(mean, "y", true)]);
      fill.moveTo(points[0]?.[0] ?? 0, bottom);
      points.forEach(([x, y], index) => {
        if (index === 0) stroke.moveTo(x, y);
        else stroke.lineTo(x, y);
        fill.lineTo(x, y);
      });
      fill.lineTo(points.at(-1)?.[0] ?? 0, bottom);
      fill.closePath();
    }
    return { stroke, fill };
  };
}
