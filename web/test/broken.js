/**
 * Follows a run whose directory is broken and deleted under the viewer, in a real Chromium.
 *
 * usage: npm run test:broken -- <pgdyno> <hour>
 *
 * `hour` is the example of that name of crates/serve, which makes the run and measures a second when it is told to.
 * Checks: a torn trial is told by its file, and what was shown stays; the page goes on when the run can be read again; a
 * directory that is gone is told, and what there was stays. Exits 1 and names what failed.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { browse, start } from "./started.js";

const [, , pgdyno, hour] = process.argv;
if (pgdyno === undefined || hour === undefined) {
  console.error("usage: npm run test:broken -- <pgdyno> <hour>");
  process.exit(2);
}
/** @type {string[]} */
const faults = [];

const directory = mkdtempSync(join(tmpdir(), "pgdyno-broken-"));
const measuring = await start(hour, [directory]);
const run = measuring.line;
const serving = await start(pgdyno, ["serve", run]);
const { browser, page } = await browse(faults);
try {
  await page.goto(serving.line);
  await page.waitForSelector("#timelines");
  const what = page.locator("#live .what");
  /** Measures a second, or ends the trials, and waits until the page tells of it. @param {string} order */
  const second = async (order) => {
    const before = await what.textContent();
    measuring.child.stdin.write(`${order}\n`);
    await page.waitForFunction((told) => document.querySelector("#live .what")?.textContent !== told, before);
  };
  /** Waits for a notice, beside what was shown before. @param {string} text */
  const notice = async (text) => {
    await page.locator("[role=alert]:visible", { hasText: text }).waitFor();
    if ((await page.locator("#timelines").count()) !== 1) faults.push(`with "${text}" the report is gone`);
  };
  const trial = join(run, "trials", "1", "trial.json");
  const whole = readFileSync(trial);
  writeFileSync(trial, whole.subarray(0, whole.length / 2));
  await notice("trial.json");
  writeFileSync(trial, whole);
  await page.locator("[role=alert]").waitFor({ state: "hidden" });
  await second("");
  rmSync(run, { recursive: true });
  await notice("its directory is gone");
  await page.locator("#live").waitFor({ state: "detached" });
  console.log(`${run}: ${faults.length} faults`);
} catch (error) {
  faults.push(`the check itself stopped: ${error instanceof Error ? error.message : error}`);
} finally {
  await browser.close();
  serving.child.kill("SIGKILL");
  measuring.child.kill("SIGKILL");
  rmSync(directory, { recursive: true });
}
for (const fault of faults) console.error(`fault: ${fault}`);
process.exit(faults.length === 0 ? 0 : 1);
