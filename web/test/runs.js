/**
 * Opens the list of a directory of runs in a real Chromium and compares two of them by a click.
 *
 * usage: npm run test:runs -- <pgdyno> <directory of at least two runs of one plan> [screenshot.png]
 *
 * Checks: the newest two that have ended are chosen, and the page that the button leads to is their comparison; another
 * choice leads to another; what cannot be compared is told in words; nothing is shown to somebody without the token.
 * Exits 1 and names what failed.
 */
import { browse, start } from "./started.js";

const [, , pgdyno, runs, screenshot] = process.argv;
if (pgdyno === undefined || runs === undefined) {
  console.error("usage: npm run test:runs -- <pgdyno> <directory of runs> [screenshot.png]");
  process.exit(2);
}
/** @type {string[]} */
const faults = [];

const server = await start(pgdyno, ["serve", runs]);
const address = new URL(server.line);
const { browser, page } = await browse(faults);
try {
  await page.goto(address.href);
  const button = page.getByRole("button", { name: "Compare" });
  await button.waitFor();
  const rows = page.locator("tbody tr");
  const checked = () => page.$$eval("input:checked", (all) => all.map((input) => input.getAttribute("value")));
  const chosen = await checked();
  if (chosen.length !== 2 || chosen[0] === chosen[1]) faults.push(`chosen are ${chosen.join(" and ")}`);
  await page.waitForFunction(() => [...document.querySelectorAll(".says")].every(({ textContent: it }) => it !== "…"));
  if (screenshot !== undefined) await page.screenshot({ path: screenshot });
  await button.click();
  await page.locator("section#verdicts table").first().waitFor();
  const separate = page.locator("section#issues", { hasText: "measured in two runs" });
  if ((await separate.count()) !== 1) faults.push("the comparison does not say that it is of two runs");

  await page.goBack();
  await button.waitFor();
  await rows.nth(0).locator("input[name=baseline]").check();
  await rows.nth(0).locator("input[name=candidate]").check();
  await button.click();
  await page.locator("[role=alert]", { hasText: "a run cannot be compared with itself" }).waitFor();

  const wrong = address.href.replace(/[0-9a-f]{32}/, "0".repeat(32));
  const refused = await page.goto(wrong);
  if (refused?.status() !== 403) faults.push(`a wrong token is answered with ${refused?.status()}`);
  const text = await page.locator("body").innerText();
  if (!text.includes("wrong token")) faults.push(`a wrong token is told: ${text}`);
  console.log(`${runs}: ${faults.length} faults`);
} catch (error) {
  faults.push(`the check itself stopped: ${error instanceof Error ? error.message : error}`);
} finally {
  await browser.close();
  server.child.kill("SIGKILL");
}
for (const fault of faults) console.error(`fault: ${fault}`);
process.exit(faults.length === 0 ? 0 : 1);
