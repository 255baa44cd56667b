/**
 * Opens the page of a history in a real Chromium from file:// and checks what only a browser can tell.
 *
 * usage: npm run test:history -- <history.html> [screenshot.png]
 *
 * Checks: what holds of every page; every run, level and change of the data is drawn, in its place and told in words; on paper the
 * figures are unfolded. Exits 1 and names what failed.
 */
import { addressOf, expect, expectNoSidewaysScroll, faults, inBrowser, watch } from "./page.js";

/** @import { Page } from "playwright-core" */

const [, , file, screenshot] = process.argv;
if (file === undefined) {
  console.error("usage: npm run test:history -- <history.html> [screenshot.png]");
  process.exit(2);
}
const address = addressOf(file);

/** Of each series, the marks that its data ask for and those that there are. @param {Page} page */
async function expectDrawn(page) {
  const wrong = await page.evaluate(() => {
    /** @type {import("../src/data").HistoryData} */
    const { series } = JSON.parse(document.getElementById("report-data")?.textContent ?? "");
    const count = (/** @type {Element} */ section, /** @type {string} */ marks) =>
      section.querySelectorAll(`svg.panel ${marks}`).length;
    return series.flatMap(({ cell, segments }, index) => {
      const section = document.getElementById(`series-${index}`);
      if (section === null) return [`${cell} has no section`];
      const changes = segments.flatMap(({ changes }) => changes);
      const points = segments.flatMap(({ points }) => points);
      const units = segments.filter(({ unit }, at) => unit !== segments[at - 1]?.unit).length;
      const pairs = {
        "runs are not drawn": [count(section, "circle.point"), points.length],
        "intervals are not drawn": [
          count(section, "path.interval"),
          points.filter(({ interval }) => interval !== null).length,
        ],
        "levels are not drawn": [count(section, "line.level"), segments.flatMap(({ levels }) => levels).length],
        "changes are not drawn": [count(section, "g.change"), changes.length],
        "segments do not end": [count(section, "g.segment"), segments.length - units],
        "units have no panel": [section.querySelectorAll("svg.panel").length, units],
        "changes are not told": [
          section.querySelectorAll(".happened > li").length,
          changes.length + segments.length - 1,
        ],
        "standing changes are not marked": [
          section.querySelectorAll(".happened > li.unresolved").length,
          changes.filter(({ unresolved }) => unresolved !== null).length,
        ],
        "runs are not in the table": [section.querySelectorAll("table.history tbody tr").length, points.length],
      };
      return Object.entries(pairs).flatMap(([what, [is, should]]) =>
        is === should ? [] : [`${cell}: ${what}: ${is} of ${should}`],
      );
    });
  });
  faults.push(...wrong);
}

/** A change lies between the last run before it and the first after it. @param {Page} page */
async function expectChangesInPlace(page) {
  const wrong = await page.$$eval("section svg.panel", (panels) =>
    panels.flatMap((panel) => {
      const across = (/** @type {string} */ marks) =>
        [...panel.querySelectorAll(marks)].map((mark) => mark.getBoundingClientRect());
      const centres = across("circle.point").map(({ left, right }) => (left + right) / 2);
      const breaks = across("g.change line, g.segment line").map(({ left, right }) => (left + right) / 2);
      const ends = across("line.level")
        .slice(1)
        .map(({ left }) => left);
      return breaks.length !== ends.length || breaks.some((at) => centres.some((centre) => Math.abs(centre - at) < 1))
        ? ["a break lies on a run"]
        : [];
    }),
  );
  faults.push(...wrong);
}

await inBrowser(async (browser) => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme: "light" });
  watch(page, address);
  await page.goto(address);
  await page.waitForSelector("#answer");
  await expectDrawn(page);
  await expectChangesInPlace(page);
  await expectNoSidewaysScroll(page, "1280 px");
  if (screenshot !== undefined) await page.screenshot({ path: screenshot, fullPage: true });
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const folded = await page.$$eval("details", (all) => all.filter(({ open }) => !open).length);
  expect(folded === 0, `on paper ${folded} tables are folded`);

  const phone = await browser.newPage({ viewport: { width: 390, height: 844 }, colorScheme: "dark" });
  watch(phone, address);
  await phone.goto(address);
  await phone.waitForSelector("#answer");
  await expectDrawn(phone);
  await expectNoSidewaysScroll(phone, "390 px");
  const hidden = await phone.$$eval(
    ".scrollable:has(svg.panel)",
    (all) => all.filter((region) => region.scrollLeft + region.clientWidth < region.scrollWidth - 1).length,
  );
  expect(hidden === 0, `390 px: the newest runs of ${hidden} series are out of sight`);
  console.log(`${file}: ${faults.length} faults`);
});
