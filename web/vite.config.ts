/** Builds the viewer to one file, dist/report.html; `npm run dev` serves it filled with the fixture. */
import { defineConfig } from "vitest/config";
import { fixtureInPlace } from "./build/fixture.ts";
import { singleFile } from "./build/single_file.ts";

export default defineConfig({
  plugins: [singleFile({ fileName: "report.html", atMostBytes: 300_000 }), fixtureInPlace("fixtures/report.json")],
  build: { target: "es2022", modulePreload: false, assetsInlineLimit: Infinity, cssCodeSplit: false },
  test: { include: ["test/**/*.test.ts"] },
});
