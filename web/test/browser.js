/**
 * Opens a report in a real Chromium from file:// and checks what only a browser can tell.
 *
 * usage: npm run test:browser -- <report.html> [screenshot.png]
 *
 * Checks: it starts without an error or a warning; nothing but the file itself is requested; every chart is drawn,
 * in light, in dark and on paper; the cursor is shared; a zoom applies to all timelines and resets, and is promised where there is
 * one only; time budgets have all their parts, in words too; a narrow screen does not scroll sideways. Exits 1 and names what failed. The browser is $CHROMIUM, or /usr/bin/chromium.
 */
import { addressOf, expect, expectNoSidewaysScroll, faults, inBrowser, watch } from "./page.js";

/** @import { Page } from "playwright-core" */

const [, , file, screenshot] = process.argv;
if (file === undefined) {
  console.error("usage: npm run test:browser -- <report.html> [screenshot.png]");
  process.exit(2);
}
const address = addressOf(file);

/**
 * How many of the canvases hold more than one colour, and how many there are.
 * @param {Page} page
 */
function canvases(page) {
  return page.$$eval("canvas", (all) => {
    const drawn = all.filter((canvas) => {
      // Read from a copy: reading a chart's own canvas would change how the browser keeps it.
      const copy = new OffscreenCanvas(canvas.width, canvas.height);
      const context = copy.getContext("2d", { willReadFrequently: true });
      if (!context || canvas.width === 0 || canvas.height === 0) return false;
      context.drawImage(canvas, 0, 0);
      const pixels = new Uint32Array(context.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
      return new Set(pixels).size > 8;
    });
    return { drawn: drawn.length, all: all.length };
  });
}

/** @param {Page} page @param {string} when */
async function expectChartsDrawn(page, when) {
  const { drawn, all } = await canvases(page);
  expect(drawn === all, `${when}: ${all - drawn} of ${all} timeline charts are blank`);
  const empty = await page.$$eval(
    "svg.panel, .verdicts tbody svg",
    (all) => all.filter((svg) => svg.querySelectorAll("circle, line, path, rect").length === 0).length,
  );
  expect(empty === 0, `${when}: ${empty} drawn figures are empty`);
  return all;
}

/** @param {Page} page */
async function expectSections(page) {
  for (const id of [
    "answer",
    "findings",
    "audit",
    "verdicts",
    "contents",
    "blocks",
    "timelines",
    "facts",
    "issues",
    "method",
    "plan",
  ]) {
    expect((await page.locator(`section#${id}`).count()) === 1, `the section #${id} is missing`);
  }
  const bare = await page.$$eval("main section[id]", (all) =>
    all
      .filter((section) => section.querySelectorAll("p, table, ol, ul, dl, details, svg, nav").length === 0)
      .map(({ id }) => id),
  );
  expect(bare.length === 0, `sections without a word in them: ${bare.join(", ")}`);
}

/** Whatever the data have has a table, a list or a drawing in its section. @param {Page} page */
async function expectDataShown(page) {
  const untold = await page.evaluate(() => {
    /** @type {import("../src/data").ReportData} */
    const data = JSON.parse(document.getElementById("report-data")?.textContent ?? "");
    const isAgainst = (/** @type {string} */ effect) => effect === "invalidates" || effect === "weakens";
    const against = data.issues.filter(({ effect }) => isAgainst(effect)).map(({ finding }) => finding);
    const rungs = data.ladders.map(({ points }) => points.filter((point) => point.throughput_per_s !== null));
    const told = {
      findings: data.diagnosis.findings.filter((_, index) => !against.includes(index + 1)),
      // One point is no chart: it stands in the tables.
      clients: rungs.filter((points) => points.length > 1),
      capacity: data.curves,
      ...Object.fromEntries(
        (data.sections ?? []).map(({ id, blocks }) => [id, blocks.filter(({ kind }) => kind !== "explanation")]),
      ),
      issues: data.issues.filter(
        ({ effect, finding }) => effect === "invalidates" || effect === "weakens" || finding === null,
      ),
    };
    const isShown = (/** @type {string} */ id) => document.querySelector(`section#${id} :is(table, li, svg)`) !== null;
    return Object.entries(told).flatMap(([id, rows]) => (rows.length === 0 || isShown(id) ? [] : [id]));
  });
  expect(untold.length === 0, `the data have what these sections do not show: ${untold.join(", ")}`);
}

/** Of a search, the steps that kept the limit are filled, and no others. @param {Page} page */
async function expectCurvesTold(page) {
  const wrong = await page.evaluate(() => {
    /** @type {import("../src/data").ReportData} */
    const { curves } = JSON.parse(document.getElementById("report-data")?.textContent ?? "");
    const drawnCurves = curves.filter(({ points }) => points.length > 1);
    const steps = drawnCurves.flatMap(({ points }) => points.filter(({ p99_ms }) => p99_ms !== null));
    const drawn = [...document.querySelectorAll("#capacity circle.point")].map((point) => getComputedStyle(point));
    return steps.filter(({ held }, index) => held !== (drawn[index]?.fill === drawn[index]?.stroke)).length;
  });
  expect(wrong === 0, `${wrong} steps of searches are not drawn as what they are`);
}

/** Every trial with an event has its line and its gap, which leads to the trial. @param {Page} page */
async function expectEventsDrawn(page) {
  const wrong = await page.evaluate(() => {
    /** @type {import("../src/data").ReportData} */
    const { events } = JSON.parse(document.getElementById("report-data")?.textContent ?? "");
    const figures = [...document.querySelectorAll("#events figure.event")];
    const drawn = (events ?? []).filter(({ around }) => around.length > 0);
    return drawn.filter(({ around }, index) => {
      const lines = figures[index]?.querySelectorAll("polyline.line").length;
      const gaps = [...(figures[index]?.querySelectorAll("a:has(rect.gap)") ?? [])].map((link) =>
        link.getAttribute("href"),
      );
      const wanted = around.filter(({ gap_s }) => gap_s !== null).map(({ trial }) => `#trial-${trial}`);
      return lines !== around.length || gaps.join() !== wanted.join();
    }).length;
  });
  expect(wrong === 0, `${wrong} events are not drawn with all of their trials`);
}

/** @param {Page} page */
async function expectMetricsChosen(page) {
  if ((await page.locator(".choice input").count()) === 0) return;
  for (const radio of await page.locator(".choice input").all()) {
    const metric = await radio.getAttribute("value");
    await radio.check({ force: true });
    const rows = await page.locator("table.verdicts tbody tr").count();
    const plotted = await page.locator("table.verdicts tbody td.plot svg").count();
    expect(rows > 0 && plotted === rows, `metric ${metric}: ${rows} rows in the table, ${plotted} of them drawn`);
    const workloads = await page.locator("table.bars tbody").count();
    const bars = await page.locator("table.bars tbody rect.bar").count();
    const isEnough = workloads >= 3 && bars > workloads;
    expect(workloads === 0 || isEnough, `metric ${metric}: ${bars} bars of ${workloads} workloads`);
  }
  await page.locator(".choice input").first().check({ force: true });
}

/** @param {Page} page */
function cursors(page) {
  return page.$$eval(".timeline .u-cursor-x", (all) =>
    all.map((line) => /** @type {HTMLElement} */ (line).style.transform),
  );
}

/** @param {Page} page */
async function expectSharedCursor(page) {
  const over = page.locator(".timeline .u-over").first();
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  if (box === null) return void faults.push("the first timeline has no extent");
  const before = await cursors(page);
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2);
  await painted(page);
  const there = await cursors(page);
  await page.mouse.move(box.x + box.width * 0.7, box.y + box.height / 2);
  await painted(page);
  const after = await cursors(page);
  const still = after.filter((place, index) => place === there[index] || there[index] === before[index]).length;
  expect(still === 0, `the cursor of ${still} of ${after.length} timelines did not follow the mouse`);
  const silent = await page.$$eval(".readout", (all) => all.filter((readout) => readout.textContent === "").length);
  expect(silent === 0, `${silent} trials show no figures at the cursor`);
}

/** @param {Page} page */
function pictures(page) {
  return page.$$eval(".timeline canvas", (all) =>
    all.map((canvas) => /** @type {HTMLCanvasElement} */ (canvas).toDataURL()),
  );
}

/** Waits until the charts have been painted. @param {Page} page */
function painted(page) {
  return page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/**
 * The last second of the trials shown, as the report's data say it.
 * @param {Page} page
 */
async function shownUntil_s(page) {
  const numbers = await page.$$eval("article.trial", (all) => all.map(({ id }) => Number(id.replace("trial-", ""))));
  return page.$eval(
    "#report-data",
    (data, shown) => {
      /** @type {{ number: number, t_s: number[] }[]} */
      const trials = JSON.parse(data.textContent ?? "").trials;
      return Math.max(0, ...trials.filter(({ number }) => shown.includes(number)).map(({ t_s }) => t_s.at(-1) ?? 0));
    },
    numbers,
  );
}

/** From two seconds on a part of a trial can be looked at; below there is none, and none is promised. @param {Page} page */
async function expectZoom(page) {
  const over = page.locator(".timeline .u-over").first();
  const box = await over.boundingBox();
  if (box === null) return;
  const reset = page.locator(".reset-zoom");
  const whole = await pictures(page);
  const drag = async () => {
    await page.mouse.move(box.x + box.width * 0.4, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 20, { steps: 5 });
    await page.mouse.move(box.x + box.width * 0.8, box.y + 20, { steps: 5 });
    await page.mouse.up();
    await painted(page);
  };
  await drag();
  const zoomed = await pictures(page);
  const promised = await page.locator("#timelines > .prose").innerText();
  if ((await shownUntil_s(page)) < 2) {
    expect(same(zoomed, whole), "a trial shorter than two seconds was zoomed");
    expect(!promised.includes("zoom"), "a zoom is promised of trials that have none");
    expect(!(await reset.isVisible()), "trials without a zoom have controls for it");
    return;
  }
  expect(promised.includes("zoom"), "nothing says how to zoom");
  const unmoved = zoomed.filter((picture, index) => picture === whole[index]).length;
  expect(unmoved === 0, `${unmoved} of ${whole.length} timelines did not follow the zoom`);
  expect(await reset.isEnabled(), "after a zoom the button that resets it is disabled");
  await reset.click();
  await painted(page);
  expect(same(await pictures(page), whole), "the button does not reset the zoom of every timeline");
  await drag();
  expect(await reset.isEnabled(), "a second zoom is not one");
  await page.mouse.dblclick(box.x + box.width / 2, box.y + 20);
  await painted(page);
  expect(await reset.isDisabled(), "a double click does not reset the zoom");
}

/** @param {string[]} a @param {string[]} b */
function same(a, b) {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}

/** @param {Page} page */
async function expectTrialLinks(page) {
  const links = page.locator("#issues a[href^='#trial-']");
  if ((await links.count()) === 0) return;
  await page.$$eval("#issues details", (all) => all.forEach((details) => details.setAttribute("open", "")));
  // A link to some seconds of a trial leads to the trial.
  const target = ((await links.first().getAttribute("href")) ?? "").replace(/@.*/, "");
  await links.first().click();
  // The page draws the trial when it hears of the new address, which is after the click.
  const led = page.locator(target).waitFor({ state: "attached", timeout: 10_000 });
  expect(
    await led.then(
      () => true,
      () => false,
    ),
    `the link to ${target} does not lead to its timelines`,
  );
}

/** @param {Page} page */
async function expectTheme(page) {
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await background();
  const pictured = await pictures(page);
  await page.locator("button.theme").click();
  await painted(page);
  expect((await background()) !== light, "the button does not switch between light and dark");
  const changed = await pictures(page);
  const left = changed.filter((picture, index) => picture === pictured[index]).length;
  expect(left === 0, `${left} timelines kept their colours in the other theme`);
  await expectChartsDrawn(page, "switched theme");
  await page.locator("button.theme").click();
}

/** @param {Page} page */
async function expectPrint(page) {
  await page.emulateMedia({ media: "print" });
  await painted(page);
  for (const control of [".controls", ".choice", "button.theme", "nav"]) {
    const visible = await page.$$eval(control, (all) => all.filter((element) => element.checkVisibility()).length);
    expect(visible === 0, `on paper ${control} is visible`);
  }
  expect(!(await page.locator("#plan pre").isVisible()), "on paper the plan is unfolded");
  const folded = await page.$$eval(
    "section details:not([open]):not(.not-on-paper):not(.answer-item)",
    (all) => all.length,
  );
  expect(folded === 0, `on paper ${folded} sections are folded`);
  const inFull = await page.locator("#in-full > ul > li").count();
  const lines = await page.locator("details.answer-item:not([open])").count();
  expect(inFull === lines, `on paper ${inFull} of ${lines} folded lines of the answer stand in full`);
  await expectChartsDrawn(page, "on paper");
  await expectBudgets(page, "on paper");
  const pdf = await page.pdf({ format: "A4", printBackground: true });
  expect(pdf.length > 10_000, "the printed report is empty");
  await page.emulateMedia({ media: "screen" });
  await painted(page);
  expect((await page.locator("#in-full").count()) === 0, "what is on paper only stays on the screen");
}

/** Every trial shown tells all the parts of its time budget, in its bar and in words. @param {Page} page @param {string} when */
async function expectBudgets(page, when) {
  const wrong = await page.evaluate(() => {
    /** @type {{ number: number, budget: { part: string, ms: number }[] | null }[]} */
    const trials = JSON.parse(document.getElementById("report-data")?.textContent ?? "").trials;
    return trials.flatMap(({ number, budget }) => {
      const row = document.getElementById(`trial-${number}`);
      if (row === null) return [];
      const told = [...row.querySelectorAll(".parts li")].filter((item) => item.checkVisibility());
      const bars = [...row.querySelectorAll(".time-budget rect.part:has(title)")];
      const parts = budget ?? [];
      const agree =
        told.length === parts.length &&
        parts.every(({ part }, index) => told[index]?.textContent?.includes(part)) &&
        bars.length === parts.filter(({ ms }) => ms !== 0).length &&
        bars.every((bar) => getComputedStyle(bar).fill !== "none");
      return agree ? [] : [number];
    });
  });
  expect(wrong.length === 0, `${when}: trials whose time budget is not what the data say: ${wrong.join(", ")}`);
}

/** @param {Page} page Scrolls from top to bottom so that everything lazy is drawn. */
async function readThrough(page) {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  for (let y = 0; y <= height; y += 400) {
    await page.evaluate((to) => scrollTo(0, to), y);
    await painted(page);
  }
}

await inBrowser(async (browser) => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme: "light" });
  watch(page, address);
  const begun = performance.now();
  await page.goto(address);
  await page.waitForSelector("#plan");
  const ready_ms = Math.round(performance.now() - begun);
  await expectSections(page);
  await expectDataShown(page);
  await expectCurvesTold(page);
  await expectEventsDrawn(page);
  await expectNoSidewaysScroll(page, "1280 px");
  await readThrough(page);
  const charts = await expectChartsDrawn(page, "light");
  await expectBudgets(page, "light");
  await expectMetricsChosen(page);
  if (charts > 0) {
    await expectSharedCursor(page);
    await expectZoom(page);
    await expectTrialLinks(page);
    await readThrough(page);
    await expectTheme(page);
  }
  await page.evaluate(() => scrollTo(0, 0));
  if (screenshot !== undefined) await page.screenshot({ path: screenshot, fullPage: true });
  await expectPrint(page);

  const phone = await browser.newPage({ viewport: { width: 390, height: 844 }, colorScheme: "dark" });
  watch(phone, address);
  await phone.goto(address);
  await phone.waitForSelector("#plan");
  await readThrough(phone);
  await expectChartsDrawn(phone, "dark, on a phone");
  await expectBudgets(phone, "dark, on a phone");
  await expectNoSidewaysScroll(phone, "390 px");
  console.log(`${file}: ready after ${ready_ms} ms, ${charts} timeline charts, ${faults.length} faults`);
});
