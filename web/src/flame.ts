/**
 * A differential flame graph as rectangles: each function as wide as both sides' time in it together, so that what only
 * one side executes is drawn too, above the functions that called it.
 */
import type { FlameData } from "./data";

/** A function in the graph; places and widths are shares of the whole. */
export interface FlameRect {
  /** Its place in the list of all. */
  index: number;
  /** That of its caller; null for the whole. */
  parent: number | null;
  name: string;
  /** Milliseconds per transaction of baseline and candidate. */
  ms: [number, number];
  /** Whether the difference is beyond chance over the blocks. */
  isCertain: boolean;
  depth: number;
  left: number;
  width: number;
}

/** The rectangles of a tree, callers before those that they call; what is narrower than `least` is left out. */
export function flameRects(root: FlameData, least: number): FlameRect[] {
  const whole = root.ms[0] + root.ms[1];
  const rects: FlameRect[] = [];
  const add = (node: FlameData, parent: number | null, depth: number, left: number): void => {
    const width = whole > 0 ? (node.ms[0] + node.ms[1]) / whole : 0;
    if (width < least) return;
    const index = rects.length;
    rects.push({ index, parent, name: node.name, ms: node.ms, isCertain: node.is_certain, depth, left, width });
    let reached = left;
    for (const child of node.children ?? []) {
      add(child, index, depth + 1, reached);
      reached += (child.ms[0] + child.ms[1]) / whole;
    }
  };
  add(root, null, 0, 0);
  return rects;
}

/** How much of the time is the candidate's more than the baseline's: from -1, only the baseline's, to 1. */
export function tendency([baseline, candidate]: [number, number]): number {
  const both = baseline + candidate;
  return both > 0 ? (candidate - baseline) / both : 0;
}

/** Whether the name of a function has the words that were searched for, whatever their case. */
export function isSearched(rect: FlameRect, words: string): boolean {
  return words.trim() !== "" && rect.name.toLowerCase().includes(words.trim().toLowerCase());
}

/** Milliseconds of both sides in the functions that are searched for, those called by one of them counted once. */
export function searchedMs(rects: FlameRect[], words: string): [number, number] {
  const counted = new Set<number>();
  const sum: [number, number] = [0, 0];
  for (const rect of rects) {
    const isWithin = rect.parent !== null && counted.has(rect.parent);
    if (!isWithin && !isSearched(rect, words)) continue;
    counted.add(rect.index);
    if (isWithin) continue;
    sum[0] += rect.ms[0];
    sum[1] += rect.ms[1];
  }
  return sum;
}

/** Where the arrow keys lead from a function; itself where there is nothing. */
export function neighbour(rects: FlameRect[], from: number, key: string): number {
  const here = rects[from];
  if (!here) return 0;
  const siblings = rects.filter(({ parent, depth }) => parent === here.parent && depth === here.depth);
  const place = siblings.indexOf(here);
  switch (key) {
    case "ArrowUp":
      return here.parent ?? from;
    case "ArrowDown":
      return rects.find(({ parent }) => parent === from)?.index ?? from;
    case "ArrowLeft":
      return siblings[place - 1]?.index ?? from;
    case "ArrowRight":
      return siblings[place + 1]?.index ?? from;
    case "Home":
      return 0;
    default:
      return from;
  }
}
