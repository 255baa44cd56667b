/**
 * The report, from top to bottom: read the data once, then each section in its order.
 */
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { parseReport, UnreadableReport, type ReportData } from "./data";
import { h } from "./dom";
import { blocks } from "./sections/blocks";
import { caveats } from "./sections/caveats";
import { facts } from "./sections/facts";
import { header } from "./sections/header";
import { confounders, headline } from "./sections/headline";
import { ladders } from "./sections/ladders";
import { method, plan } from "./sections/method";
import { noiseFloor } from "./sections/noise_floor";
import { timelines } from "./sections/timelines";
import { verdicts } from "./sections/verdicts";
import { beforePrint } from "./theme";

function report(data: ReportData): Node[] {
  document.title = `${data.run.name} (pgdyno)`;
  const sections = [
    verdicts(data),
    ladders(data),
    blocks(data),
    timelines(data),
    facts(data),
    caveats(data.caveats),
    noiseFloor(data),
    method(data),
    plan(data),
  ];
  const contents = sections.map(({ id, firstElementChild }) => ({ id, title: firstElementChild?.textContent ?? id }));
  const differences = confounders(data.confounders, data.baseline);
  return [header(data, contents), headline(data), ...(differences ? [differences] : []), ...sections];
}

function unreadable(error: UnreadableReport): Node {
  return h("p", { class: "notice", role: "alert" }, `This report cannot be shown: ${error.message}.`);
}

function show(place: HTMLElement, text: string): void {
  try {
    place.replaceChildren(...report(parseReport(text)));
  } catch (error) {
    if (!(error instanceof UnreadableReport)) throw error;
    place.replaceChildren(unreadable(error));
  }
}

const place = document.getElementById("report");
if (place) show(place, document.getElementById("report-data")?.textContent ?? "");
beforePrint(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
