/**
 * What checks of a server's pages start: programs that say where they are, and a browser.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

/** Far beyond what anything takes. */
const DEADLINE_MS = 120_000;

/** Starts a program and waits for the first line that it prints. @param {string} program @param {string[]} args */
export async function start(program, args) {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  const [line] = await once(createInterface(child.stdout), "line");
  return { child, line: String(line) };
}

/** A browser with one page, which writes down what goes wrong in it: $CHROMIUM, or /usr/bin/chromium. @param {string[]} faults */
export async function browse(faults) {
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(DEADLINE_MS);
  page.on("pageerror", (error) => faults.push(`uncaught: ${error.message}`));
  return { browser, page };
}
