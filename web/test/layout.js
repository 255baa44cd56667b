/**
 * Where things stand on a page, at the widths of a phone, a tablet and a screen, and on paper.
 *
 * usage: npm run test:layout -- <report.html>
 *
 * Checks: the verdict table begins, and its first row ends, on the first screen; nothing is wider than what it stands in, but for what
 * scrolls and shows that; no text overlaps another; a chart has more than one point, and whiskers lie within their plot; on paper the
 * answer takes two pages at most. Exits 1 and names what failed. The browser is $CHROMIUM, or /usr/bin/chromium.
 */
import { addressOf, expect, expectNoSidewaysScroll, faults, inBrowser, watch } from "./page.js";

/** @import { Page } from "playwright-core" */

const [, , file] = process.argv;
if (file === undefined) {
  console.error("usage: npm run test:layout -- <report.html>");
  process.exit(2);
}
const address = addressOf(file);

/** Widths and heights of screens, and how far down the verdicts may begin, in pixels. */
const SCREENS = [
  { width: 390, height: 844, verdicts_px: 650 },
  { width: 768, height: 1024, verdicts_px: 650 },
  { width: 1280, height: 800, verdicts_px: 500 },
];

/** The room for text on a page of A4 with the margins of the style, in pixels of 1/96 inch. */
const PAPER = { width: 695, height: 1016 };

/** @param {Page} page @param {string} when @param {{ height: number, verdicts_px: number }} screen */
async function expectVerdictsFirst(page, when, { height, verdicts_px }) {
  const place = await page.evaluate(() => {
    const table = document.querySelector("table.verdicts");
    const row = table?.querySelector("tbody tr");
    if (!table || !row) return null;
    return { top: table.getBoundingClientRect().top + scrollY, end: row.getBoundingClientRect().bottom + scrollY };
  });
  // A page without a comparison has other figures there.
  if (place === null) return;
  expect(place.top <= verdicts_px, `${when}: the verdicts begin at ${Math.round(place.top)} px, beyond ${verdicts_px}`);
  expect(
    place.end <= height,
    `${when}: the first row of the verdicts ends at ${Math.round(place.end)} px of ${height}`,
  );
}

/** Elements that are wider than their parent, or cut off, unless something around them scrolls and shows it. @param {Page} page */
function tooWide(page) {
  return page.evaluate(() => {
    const name = (/** @type {Element} */ element) =>
      `${element.closest("section")?.id ?? ""} ${element.tagName.toLowerCase()}.${element.className} "${element.textContent?.slice(0, 30)}"`;
    return [...document.querySelectorAll("main *")].flatMap((element) => {
      if (!(element instanceof HTMLElement) || !element.checkVisibility() || !element.parentElement) return [];
      const style = getComputedStyle(element);
      if (style.position === "absolute" || element.closest(".uplot")) return [];
      if (element.classList.contains("scrollable")) {
        const isHiding = element.scrollWidth > element.clientWidth + 1;
        const mark = getComputedStyle(element.parentElement, "::after").content;
        return isHiding && (mark === "none" || mark === "") ? [`${name(element)} scrolls and does not show it`] : [];
      }
      const isCut = style.overflowX !== "visible" && element.scrollWidth > element.clientWidth + 1;
      if (isCut && element.tagName !== "PRE") return [`${name(element)} is cut off`];
      if (element.parentElement.closest(".scrollable")) return [];
      const [own, parent] = [element.getBoundingClientRect(), element.parentElement.getBoundingClientRect()];
      if (own.width === 0 || parent.width === 0 || style.display === "contents") return [];
      const isWider = own.right > parent.right + 1.5 || own.left < parent.left - 1.5;
      return isWider && getComputedStyle(element.parentElement).display !== "contents"
        ? [`${name(element)} is wider than what it stands in`]
        : [];
    });
  });
}

/** Texts of different elements that lie on each other. @param {Page} page */
function overlapping(page) {
  return page.evaluate(() => {
    /** @type {{ text: string, left: number, right: number, top: number, bottom: number, of: Element }[]} */
    const boxes = [];
    const walker = document.createTreeWalker(document.querySelector("main") ?? document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    // Names in a flame graph are cut at the edges of their frames; a canvas places its own.
    const apart = "option, title, pre, .uplot, .flame-graph";
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const of = node.parentElement;
      if (!of || node.textContent?.trim() === "" || !of.checkVisibility() || of.closest(apart)) continue;
      // Only read aloud.
      if (getComputedStyle(of).clipPath !== "none") continue;
      const region = of.closest(".scrollable")?.getBoundingClientRect();
      range.selectNodeContents(node);
      for (const { left, right, top, bottom } of range.getClientRects()) {
        if (right - left < 2 || (region && (left >= region.right || right <= region.left))) continue;
        boxes.push({ text: (node.textContent ?? "").trim().slice(0, 30), left, right, top, bottom, of });
      }
    }
    boxes.sort((a, b) => a.top - b.top);
    return boxes.flatMap((one, index) => {
      const found = [];
      for (const other of boxes.slice(index + 1)) {
        if (other.top >= one.bottom) break;
        if (one.of === other.of) continue;
        const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        const down = Math.min(one.bottom, other.bottom) - other.top;
        // Lines of text may touch: the height of a line is more than that of its letters.
        if (across > 2 && down > 0.4 * Math.min(one.bottom - one.top, other.bottom - other.top))
          found.push(`"${one.text}" and "${other.text}"`);
      }
      return found;
    });
  });
}

/** Charts of one point, and whiskers beyond their plot. @param {Page} page */
function wrongCharts(page) {
  return page.evaluate(() =>
    [...document.querySelectorAll("#clients svg.panel, #blocks svg.panel, #capacity svg.panel")].flatMap((panel) => {
      const where = `${panel.closest("section[id]")?.id}: ${panel.getAttribute("aria-label")?.slice(0, 40)}`;
      const lefts = [...panel.querySelectorAll(".point")].map((point) => point.getBoundingClientRect().left);
      // The marks of several targets at one place are set apart by a few pixels.
      const isOnePlace = Math.max(...lefts) - Math.min(...lefts) < 20 && panel.closest("#capacity") === null;
      const box = panel.getBoundingClientRect();
      const beyond = [...panel.querySelectorAll(".interval")].filter((whisker) => {
        const { top, bottom } = whisker.getBoundingClientRect();
        return (
          top < box.top - 1 || bottom > (panel.querySelector(".base")?.getBoundingClientRect().bottom ?? Infinity) + 1
        );
      });
      return [
        ...(lefts.length < 2 || isOnePlace ? [`a chart of one point: ${where}`] : []),
        ...(beyond.length > 0 ? [`${beyond.length} whiskers beyond the plot: ${where}`] : []),
      ];
    }),
  );
}

/** What names the first of many. @param {string} when @param {string} what @param {string[]} all */
function expectNone(when, what, all) {
  expect(all.length === 0, `${when}: ${all.length} ${what}, such as ${all.slice(0, 4).join("; ")}`);
}

/** Scrolls from top to bottom so that everything lazy is drawn. @param {Page} page */
async function readThrough(page) {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  for (let y = 0; y <= height; y += 800) {
    await page.evaluate((to) => new Promise((done) => (scrollTo(0, to), requestAnimationFrame(done))), y);
  }
  await page.evaluate(() => scrollTo(0, 0));
}

/** The answer ends within two pages, and the details begin on a page of their own. @param {Page} page */
async function expectTwoPagesOfAnswer(page) {
  await page.setViewportSize(PAPER);
  await page.emulateMedia({ media: "print" });
  const end = await page.evaluate(() => {
    const last = document.querySelector("#issues") ?? document.querySelector("main");
    return (last?.getBoundingClientRect().bottom ?? 0) + scrollY;
  });
  expect(end <= 2 * PAPER.height, `on paper the answer ends at ${Math.round(end)} px of ${2 * PAPER.height}`);
  const breaks = await page.$$eval(".first-detail", (all) => all.map((one) => getComputedStyle(one).breakBefore));
  expect(breaks.length === 1 && breaks[0] === "page", "on paper the details do not begin on a page of their own");
  expectNone("on paper", "things are too wide", await tooWide(page));
  expectNone("on paper", "texts overlap", await overlapping(page));
}

await inBrowser(async (browser) => {
  for (const screen of SCREENS) {
    const when = `${screen.width} px`;
    const page = await browser.newPage({ viewport: screen, colorScheme: "light" });
    watch(page, address);
    await page.goto(address);
    await page.waitForSelector("#plan, #audit");
    await expectVerdictsFirst(page, when, screen);
    await readThrough(page);
    await page.$$eval("details", (all) => all.forEach((details) => (details.open = true)));
    await readThrough(page);
    await expectNoSidewaysScroll(page, when);
    expectNone(when, "things are too wide", await tooWide(page));
    expectNone(when, "texts overlap", await overlapping(page));
    expectNone(when, "charts are wrong", await wrongCharts(page));
    await page.close();
  }
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: "light" });
  watch(page, address);
  await page.goto(address);
  await page.waitForSelector("#plan, #audit");
  await expectTwoPagesOfAnswer(page);
  console.log(`${file}: ${faults.length} faults of the layout`);
});
