/**
 * The report of the run that this page is of, as its server has it now.
 */
import type { ReportData } from "../data";
import { parseReport, UnreadableReport } from "../parse_report";

/** Asks for the report; throws `UnreadableReport` with the server's reason when there is none. */
export async function fetchReport(): Promise<ReportData> {
  const answer = await fetch("report.json").catch(() => {
    throw new UnreadableReport("its server does not answer");
  });
  const text = await answer.text();
  if (!answer.ok) throw new UnreadableReport(reasonIn(text) ?? `its server answers with status ${answer.status}`);
  return parseReport(text);
}

function reasonIn(text: string): string | null {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return typeof error === "string" ? error : null;
  } catch {
    return null;
  }
}
