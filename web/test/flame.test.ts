import { describe, expect, test } from "vitest";
import type { FlameData } from "../src/data";
import { flameRects, isSearched, neighbour, searchedMs, tendency } from "../src/flame";

const node = (name: string, ms: [number, number], children: FlameData[] = []): FlameData => ({
  name,
  ms,
  is_certain: true,
  children,
});
const tree = node("on CPU", [1, 3], [node("heap", [1, 1], [node("heap_getnext", [1, 0.6])]), node("encoding", [0, 2])]);

describe("the rectangles of a flame graph", () => {
  test("a function is as wide as both sides' time in it", () => {
    const rects = flameRects(tree, 0);
    expect(rects.map(({ name, left, width }) => [name, left, width])).toEqual([
      ["on CPU", 0, 1],
      ["heap", 0, 0.5],
      ["heap_getnext", 0, 0.4],
      ["encoding", 0.5, 0.5],
    ]);
    expect(rects.map(({ parent }) => parent)).toEqual([null, 0, 1, 0]);
  });

  test("what is too narrow is left out, and nothing is nothing", () => {
    expect(flameRects(tree, 0.45).map(({ name }) => name)).toEqual(["on CPU", "heap", "encoding"]);
    expect(flameRects(node("on CPU", [0, 0]), 0.1)).toEqual([]);
  });

  test("the tendency is that of the side that takes longer", () => {
    expect([tendency([0, 2]), tendency([2, 0]), tendency([1, 1]), tendency([0, 0])]).toEqual([1, -1, 0, 0]);
  });
});

describe("searching and moving", () => {
  const rects = flameRects(tree, 0);

  test("functions are found by a part of their name, and what they call is counted once", () => {
    expect(rects.filter((rect) => isSearched(rect, "HEAP")).map(({ name }) => name)).toEqual(["heap", "heap_getnext"]);
    expect(searchedMs(rects, "heap")).toEqual([1, 1]);
    expect(searchedMs(rects, " ")).toEqual([0, 0]);
  });

  test("arrows lead to callers, called functions and neighbours, and nowhere else", () => {
    expect(neighbour(rects, 0, "ArrowDown")).toBe(1);
    expect(neighbour(rects, 1, "ArrowRight")).toBe(3);
    expect(neighbour(rects, 3, "ArrowLeft")).toBe(1);
    expect(neighbour(rects, 2, "ArrowUp")).toBe(1);
    expect(neighbour(rects, 0, "ArrowUp")).toBe(0);
    expect(neighbour(rects, 2, "Home")).toBe(0);
    expect(neighbour(rects, 2, "a")).toBe(2);
  });
});
