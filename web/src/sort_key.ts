/**
 * What a cell of a table is sorted by: the figure that its text begins with, in the base unit of its unit, or the text.
 */

/** Units that occur beside each other in one column, each as a multiple of the smallest quantity's base. */
const UNITS: Record<string, number> = {
  ns: 1e-9,
  µs: 1e-6,
  ms: 1e-3,
  s: 1,
  min: 60,
  h: 3600,
  d: 86_400,
  B: 1,
  kB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
};

/** Letters that stand directly behind a number. */
const SUFFIXES: Record<string, number> = { k: 1e3, M: 1e6, G: 1e9 };

const FIGURE = /^[[(±]*([+\u2212-]?)(\d[\d\s]*(?:\.\d+)?)([kMG](?![A-Za-z]))?\s*([A-Za-zµ]+)?/;

/** The figure at the begin of a text, in the base unit; null where there is none, as of a missing one. */
export function figureOf(text: string): number | null {
  const found = FIGURE.exec(text.trim());
  if (!found) return null;
  const [, sign, digits, suffix, unit] = found;
  const size = Number((digits ?? "").replace(/\s/g, "")) * (SUFFIXES[suffix ?? ""] ?? 1) * (UNITS[unit ?? ""] ?? 1);
  return sign === "" || sign === "+" ? size : -size;
}

/** The order of two cells of a column of figures or of words, ascending; what has no figure stands last in both directions. */
export function compareCells(one: string, other: string, isFigures: boolean, direction: 1 | -1): number {
  if (!isFigures) return direction * one.localeCompare(other, "en", { numeric: true });
  const [a, b] = [figureOf(one), figureOf(other)];
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return direction * (a - b);
}
