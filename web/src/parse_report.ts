/** From the text of a report to its data, or the reason why there are none. */
import { FORMAT, type ReportData } from "./data";

/** Why the data could not be read, for the person who opened the file. */
export class UnreadableReport extends Error {}

/** Parses the text of the `report-data` element; throws `UnreadableReport` on a template or a foreign format. */
export function parseReport(text: string): ReportData {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw new UnreadableReport("this file holds no readable data: it is the empty template, or it is truncated");
  }
  const format = typeof data === "object" && data !== null && "format" in data ? data.format : undefined;
  if (format !== FORMAT) {
    throw new UnreadableReport(`this viewer reads report format ${FORMAT}, the file holds ${JSON.stringify(format)}`);
  }
  return data as ReportData;
}
