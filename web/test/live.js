/**
 * Opens the page of a run that is being measured in a real Chromium and stays until the run has ended.
 *
 * usage: npm run test:live -- <pgdyno> <run directory> [screenshot.png]
 *
 * Checks: the strip appears above the report and follows the run; the page connects again after its server was killed
 * and started anew on the same port, and goes on; when the run has ended the strip goes and the report says so; nothing
 * but that server is asked. Exits 1 and names what failed. The browser is $CHROMIUM,
 * or /usr/bin/chromium. How long anything takes is not tested.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

/** @import { ChildProcess } from "node:child_process" */

const [, , pgdyno, run, screenshot] = process.argv;
if (pgdyno === undefined || run === undefined) {
  console.error("usage: npm run test:live -- <pgdyno> <run directory> [screenshot.png]");
  process.exit(2);
}
/** Far beyond what anything takes. */
const DEADLINE_MS = 120_000;
/** @type {string[]} */
const faults = [];
/** @type {ChildProcess | null} */
let server = null;

/** Starts a server and returns the address that it prints. @param {number} port */
async function serve(port) {
  server = spawn(String(pgdyno), ["serve", String(run), "--port", String(port)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (server.stdout === null) throw new Error("a pipe was asked for");
  const [line] = await once(createInterface(server.stdout), "line");
  return new URL(String(line));
}

async function kill() {
  if (server === null || server.exitCode !== null || server.signalCode !== null) return;
  const gone = once(server, "exit");
  server.kill("SIGKILL");
  await gone;
}

const address = await serve(0);
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(DEADLINE_MS);
  page.on("pageerror", (error) => faults.push(`uncaught: ${error.message}`));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(address.origin) && !url.startsWith("data:")) faults.push(`something was requested: ${url}`);
  });
  await page.goto(address.href);
  const strip = page.locator("#live");
  const what = strip.locator(".what");
  const state = strip.locator(".state");
  await strip.waitFor();

  /** Waits until the strip tells of another second than it does now. */
  const follows = async () => {
    const before = await what.textContent();
    await page.waitForFunction((told) => {
      const now = document.querySelector("#live .what")?.textContent ?? "";
      return now !== told && / \d+\/\d+ s$/.test(now);
    }, before);
  };
  await follows();
  await follows();
  const drawn = await strip.locator("canvas").count();
  if (drawn !== 5) faults.push(`the strip has ${drawn} charts in the place of 5`);
  const told = page.locator("header .identity");
  if (!(await told.innerText()).includes("no verdict before")) faults.push("nothing says that there is no verdict yet");
  if (screenshot !== undefined) await page.screenshot({ path: screenshot });

  await kill();
  await page.waitForFunction(() => document.querySelector("#live .state.away") !== null);
  await serve(Number(address.port));
  await page.waitForFunction(() => document.querySelector("#live .state:not(.away)") !== null);
  if ((await state.innerText()) !== "live") faults.push("after a restart of the server the page does not say so");
  await follows();

  await strip.waitFor({ state: "detached" });
  await told.filter({ hasText: "complete" }).waitFor();
  if ((await page.locator(".headline").innerText()).includes("no verdict yet"))
    faults.push("there is no verdict at the end");
  if (await page.locator("[role=alert]:visible").count()) faults.push("there is a notice at the end");
  console.log(`${run}: ${faults.length} faults`);
} catch (error) {
  faults.push(`the check itself stopped: ${error instanceof Error ? error.message : error}`);
} finally {
  await browser.close();
  await kill();
}
for (const fault of faults) console.error(`fault: ${fault}`);
process.exit(faults.length === 0 ? 0 : 1);
