/**
 * The table of a captured load with a thousand statements: it can be searched and sorted without waiting.
 *
 * usage: npm run test:own-load -- <report.html>, such as target/tmp/own-load.html of the report's tests
 *
 * Exits 1 and names what failed. The browser is $CHROMIUM, or /usr/bin/chromium.
 */
import { addressOf, expect, expectNoSidewaysScroll, faults, inBrowser, watch } from "./page.js";

const [, , file] = process.argv;
if (file === undefined) {
  console.error("usage: npm run test:own-load -- <report.html>");
  process.exit(2);
}
const address = addressOf(file);

await inBrowser(async (browser) => {
  for (const width of [390, 1280]) {
    const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme: "light" });
    watch(page, address);
    const began = Date.now();
    await page.goto(address);
    await page.waitForSelector("#own-load");
    // How long things take is printed, and no fault: a machine has other work.
    console.log(`${width} px: the page took ${Date.now() - began} ms`);
    await page.$$eval("#own-load details", (all) => all.forEach((details) => details.setAttribute("open", "")));
    const all = page.locator("#own-load details").filter({ has: page.locator("input[type=search]") });
    const shown = () => all.locator("tbody tr:visible").count();
    expect((await shown()) === 1000, `${width} px: ${await shown()} of 1000 rows are there`);
    const timed = async (/** @type {string} */ what, /** @type {() => Promise<void>} */ act) => {
      const since = Date.now();
      await act();
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
      console.log(`${width} px: ${what} took ${Date.now() - since} ms`);
    };
    await timed("the search", () => all.locator("input[type=search]").fill("a500, regressed"));
    expect((await shown()) === 1, `${width} px: the search finds ${await shown()} rows, not 1`);
    await timed("the end of the search", () => all.locator("input[type=search]").fill(""));
    await timed("the sort", () => all.locator("thead button", { hasText: "change" }).click());
    await timed("the sort the other way", () => all.locator("thead button", { hasText: "change" }).click());
    const first = (await all.locator("tbody tr").first().textContent()) ?? "";
    expect(first.includes("a500,"), `${width} px: the slowest statement is not first, but ${first.slice(0, 60)}`);
    await timed("the search for what differs", () => all.locator("input[type=search]").fill("differ"));
    expect((await shown()) === 1, `${width} px: ${await shown()} statements return something else, not 1`);
    await expectNoSidewaysScroll(page, `${width} px`);
    await page.close();
  }
  console.log(`${file}: ${faults.length} faults of the table of statements`);
});
