/**
 * What holds of every page of pgdyno in a real Chromium, and how a check of one begins and ends.
 *
 * A page starts without an error or a warning, requests nothing but itself, and does not scroll sideways.
 */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

/** @import { Browser, Page } from "playwright-core" */

/** @type {string[]} */
export const faults = [];

/** @param {boolean} holds @param {string} fault */
export function expect(holds, fault) {
  if (!holds) faults.push(fault);
}

/** The address of a file. @param {string} file */
export function addressOf(file) {
  return pathToFileURL(resolve(file)).href;
}

/** @param {Page} page @param {string} address */
export function watch(page, address) {
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`uncaught: ${error.message}`));
  page.on("request", (request) => {
    const url = request.url();
    expect(url === address || url.startsWith("data:"), `something was requested: ${url}`);
  });
}

/** @param {Page} page @param {string} when */
export async function expectNoSidewaysScroll(page, when) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(over <= 0, `${when}: the page is ${over} px too wide`);
}

/**
 * Runs the checks in a browser, which is $CHROMIUM or /usr/bin/chromium; prints what failed and exits with 1 if anything did.
 * @param {(browser: Browser) => Promise<void>} checks
 */
export async function inBrowser(checks) {
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    await checks(browser);
  } catch (error) {
    faults.push(`the check itself stopped: ${error instanceof Error ? error.message : error}`);
  } finally {
    await browser.close();
  }
  for (const fault of faults) console.error(`fault: ${fault}`);
  process.exit(faults.length === 0 ? 0 : 1);
}
