/** Fills the page of the development server with a fixture. */
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { fill } from "./fill.js";

/** A Vite plugin that serves the template filled with the report at `path`. */
export function fixtureInPlace(path: string): Plugin {
  return {
    name: "pgdyno:fixture",
    apply: "serve",
    transformIndexHtml: (html) => fill(html, readFileSync(path, "utf8")),
  };
}
