/**
 * Follows a run that has been measured for an hour in a real Chromium, second by second, all of the hour shown.
 *
 * usage: npm run test:smooth -- <pgdyno> <hour>
 *
 * `hour` is the example of that name of crates/serve, which makes the run and measures a second when it is told to.
 * Checks how much work a second is, which does not depend on the machine: how many points are drawn, and how many
 * elements change. Prints how long frames took and what CPU time the page's thread, and does not test it: frames are
 * those of a machine that has time for them. Exits 1 and names what failed.
 */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { browse, start } from "./started.js";

const [, , pgdyno, hour] = process.argv;
if (pgdyno === undefined || hour === undefined) {
  console.error("usage: npm run test:smooth -- <pgdyno> <hour>");
  process.exit(2);
}
/** Seconds that are followed. */
const FOLLOWED = 30;
/** Lines of the strip: throughput and three percentiles of two sides, six states of sessions, the CPU, the disk. */
const LINES = 2 + 2 * 3 + 6 + 1 + 2;
/** What a line takes at most in a column of pixels: to its first, lowest, highest and last point in it. */
const POINTS_OF_PIXEL = 4;
/** What is told in words: what is being measured, how much is left, that the server is there. */
const WORDS = 6;
/** @type {string[]} */
const faults = [];

const directory = mkdtempSync(join(tmpdir(), "pgdyno-hour-"));
const measuring = await start(hour, [directory]);
const serving = await start(pgdyno, ["serve", measuring.line]);
const { browser, page } = await browse(faults);

/** Counts the points of all lines that are drawn, and how long frames take. */
function count() {
  const work = { points: 0, mutations: 0, frames: /** @type {number[]} */ ([]), tasks: /** @type {number[]} */ ([]) };
  Object.assign(window, { work });
  for (const of of [Path2D.prototype, CanvasRenderingContext2D.prototype]) {
    const lineTo = of.lineTo;
    of.lineTo = function (x, y) {
      work.points += 1;
      lineTo.call(this, x, y);
    };
  }
  let last = 0;
  const frame = (/** @type {number} */ now) => {
    if (last > 0) work.frames.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  new PerformanceObserver((list) => work.tasks.push(...list.getEntries().map((task) => task.duration))).observe({
    type: "longtask",
    buffered: true,
  });
  const changes = new MutationObserver((records) => (work.mutations += records.length));
  changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
}

try {
  await page.addInitScript(count);
  await page.goto(serving.line);
  const what = page.locator("#live .what");
  await what
    .filter({ hasText: "300/" })
    .or(what.filter({ hasText: "299/" }))
    .waitFor();
  await page.waitForSelector("#timelines");

  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  let before_ms = 0;
  /** What was done since the last time, and how much CPU time the page's thread took for it. */
  const done = async () => {
    const { metrics } = await devtools.send("Performance.getMetrics");
    const now_ms = 1e3 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0);
    const cpu_ms = Math.round(now_ms - before_ms);
    before_ms = now_ms;
    const of = await page.evaluate(() => {
      const { work } = /** @type {any} */ (window);
      const max = (/** @type {number[]} */ all) => Math.round(Math.max(0, ...all));
      const { points, mutations } = work;
      const told = { points, mutations, frame_ms: max(work.frames), task_ms: max(work.tasks) };
      Object.assign(work, { points: 0, mutations: 0, frames: [], tasks: [] });
      return told;
    });
    return { ...of, cpu_ms };
  };
  /** Measures a second and waits until the page tells of it. @param {string} order */
  const second = async (order) => {
    const before = await what.textContent();
    measuring.child.stdin.write(`${order}\n`);
    await page.waitForFunction((told) => document.querySelector("#live .what")?.textContent !== told, before);
  };

  console.log("opened", await done());
  await page.locator("#live label", { hasText: "1 h" }).click();
  console.log("all of the hour", await done());
  const pixels = await page.$$eval("#live canvas", (all) => Math.max(...all.map(({ clientWidth }) => clientWidth)));
  /** @type {Awaited<ReturnType<typeof done>>[]} */
  const seconds = [];
  for (let index = 0; index < FOLLOWED; index += 1) {
    await second("");
    seconds.push(await done());
  }
  // On average: the two sides of a second may come one after the other.
  const mean = (/** @type {"points" | "mutations"} */ what) =>
    seconds.reduce((sum, of) => sum + of[what], 0) / FOLLOWED;
  const most = LINES * POINTS_OF_PIXEL * pixels;
  const [points, mutations] = [mean("points"), mean("mutations")];
  if (points === 0 || points > most) faults.push(`a second draws ${points} points in the place of 1 to ${most}`);
  if (mutations > WORDS) faults.push(`a second changes ${mutations} elements in the place of ${WORDS}`);
  const sorted = (/** @type {"frame_ms" | "cpu_ms"} */ what) => seconds.map((of) => of[what]).sort((a, b) => a - b);
  const [frames, cpu] = [sorted("frame_ms"), sorted("cpu_ms")];
  const half = FOLLOWED / 2;
  console.log(`${FOLLOWED} seconds: longest frame of each, median ${frames[half]} ms, all ${frames.at(-1)} ms; `);
  console.log(`CPU time of each, median ${cpu[half]} ms, all ${cpu.at(-1)} ms; ${Math.round(points)} points`);
  const trials = await page.locator("#report header").textContent();
  await second("next");
  await page.waitForFunction((told) => document.querySelector("#report header")?.textContent !== told, trials);
  console.log("a trial has ended", await done());
} catch (error) {
  faults.push(`the check itself stopped: ${error instanceof Error ? error.message : error}`);
} finally {
  await browser.close();
  serving.child.kill("SIGKILL");
  measuring.child.stdin.end();
  await once(measuring.child, "exit");
  rmSync(directory, { recursive: true });
}
for (const fault of faults) console.error(`fault: ${fault}`);
process.exit(faults.length === 0 ? 0 : 1);
