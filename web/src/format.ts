/**
 * Numbers as a person reads them: grouped, signed with a true minus, three significant digits, units outside.
 *
 * Pure text in and out. Missing values become an en dash here and nowhere else.
 */
import type { EstimateData, MetricName } from "./data";

/** What stands where nothing was measured. */
export const MISSING = "–";

const MINUS = "\u2212";
const THIN = "\u202f";
const FIGURE_SPACE = "\u2007";
const PUNCTUATION_SPACE = "\u2008";

/** Shows −0.0 as 0.0, and the hyphen as a minus sign. */
function minus(text: string): string {
  return /^-[0.]*$/.test(text) ? text.slice(1) : text.replace("-", MINUS);
}

/** An integer with its thousands apart: 61 312. */
export function integer(value: number): string {
  return minus(Math.round(value).toString()).replace(/\B(?=(\d{3})+$)/g, THIN);
}

/** Three significant digits, never in exponent form: 0.672, 1.04, 15.2, 1 250. */
export function significant(value: number): string {
  if (value === 0) return "0";
  const rounded = Number(value.toPrecision(3));
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(rounded))));
  return decimals === 0 ? integer(rounded) : minus(rounded.toFixed(decimals));
}

/** Transactions per second: whole from 100 up, three significant digits below. */
export function tps(value: number): string {
  return Math.abs(value) >= 100 ? integer(value) : significant(value);
}

/** A figure in the unit of its column, which the heading states. */
export function figure(value: number | null | undefined, unit: string): string {
  if (value === null || value === undefined) return MISSING;
  return unit === "tps" ? tps(value) : significant(value);
}

/** A fraction as a percentage without its sign of unit: −10.9, +0.2. */
export function signedPercent(fraction: number, decimals = 1): string {
  const text = minus((fraction * 100).toFixed(decimals));
  return fraction > 0 && !/^0(\.0*)?$/.test(text) ? `+${text}` : text;
}

/** Digits behind the point at most. */
const DECIMALS_MAX = 4;

/** The end of an interval of a change, with as many digits as show on which side of these lines it lies: +3.04 beside 3 %. */
function signedEnd(fraction: number, lines: number[]): string {
  const side = (value: number, line: number) => Math.sign(value - line);
  for (let decimals = 1; decimals < DECIMALS_MAX; decimals++) {
    const shown = Number((fraction * 100).toFixed(decimals));
    if (lines.every((line) => side(shown, Number((line * 100).toFixed(DECIMALS_MAX))) === side(fraction, line))) {
      return signedPercent(fraction, decimals);
    }
  }
  return signedPercent(fraction, DECIMALS_MAX);
}

/** The label of an axis of changes: −10, +2.5. */
export function percentTick(fraction: number): string {
  return signedPercent(fraction).replace(/\.0$/, "");
}

/** A change as it stands in a sentence: −10.9 %. */
export function change(fraction: number | null | undefined): string {
  return fraction === null || fraction === undefined ? MISSING : `${signedPercent(fraction)}${THIN}%`;
}

/** The interval between two ends in words. */
export function bracketed(low: string, high: string): string {
  return `[${low}, ${high}]`;
}

/** A name with its unit, which may be none. */
export function withUnit(name: string, unit: string): string {
  return unit === "" ? name : `${name} (${unit})`;
}

/** An interval of a change, beside a practical threshold where there is one: [−12.8, −9.0] %. */
export function changeInterval(estimate: EstimateData | null, threshold = 0): string {
  if (estimate === null) return MISSING;
  const lines = [-threshold, 0, threshold];
  return `${bracketed(signedEnd(estimate.low, lines), signedEnd(estimate.high, lines))}${THIN}%`;
}

/** Milliseconds to the microsecond, under each other in a column: 0.210. */
export function milliseconds(ms: number): string {
  return minus(ms.toFixed(3));
}

/** A change in milliseconds: +0.080. */
export function signedMilliseconds(ms: number): string {
  const text = milliseconds(ms);
  return ms > 0 && text !== "0.000" ? `+${text}` : text;
}

/** An interval of a change in milliseconds. */
export function signedInterval(estimate: { low: number; high: number }): string {
  return bracketed(signedMilliseconds(estimate.low), signedMilliseconds(estimate.high));
}

/** A share without a sign: 3 %, 0.5 %. */
export function share(fraction: number): string {
  return `${Number((fraction * 100).toFixed(2))}${THIN}%`;
}

/** The labels of an axis: as short as they can be while each still reads as its value: 60k, 2.5k, 0.5. */
export function tickLabels(values: number[]): string[] {
  const size = Math.max(0, ...values.map(Math.abs));
  const [scale, suffix] = size >= 1e6 ? [1e6, "M"] : size >= 1e3 ? [1e3, "k"] : [1, ""];
  const exact = (decimals: number) =>
    values.every((value) => Math.abs(Number((value / scale).toFixed(decimals)) * scale - value) <= size * 1e-9);
  const decimals = [0, 1, 2, 3, 4, 5].find(exact) ?? 6;
  return values.map((value) => (value === 0 ? "0" : `${minus((value / scale).toFixed(decimals))}${suffix}`));
}

/** The labels of an axis of time in seconds: 30, 600, or minutes and hours once all of them are whole ones: 10 min, 2 h. */
export function timeLabels(instants_s: number[]): string[] {
  const last = Math.max(0, ...instants_s);
  const isWhole = (unit_s: number, atLeast: number) =>
    last >= atLeast * unit_s && instants_s.every((instant_s) => instant_s % unit_s === 0);
  const [unit_s, name] = isWhole(3600, 2) ? [3600, "h"] : isWhole(60, 10) ? [60, "min"] : [1, ""];
  return instants_s.map((instant_s) => {
    if (name === "" || instant_s === 0) return Number.isInteger(instant_s) ? integer(instant_s) : String(instant_s);
    return `${instant_s / unit_s}${THIN}${name}`;
  });
}

/** A duration in the two largest units that matter: 58 min, 1 h 2 min, 45 s. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole}${THIN}s`;
  const minutes = Math.round(whole / 60);
  if (minutes < 60) return `${minutes}${THIN}min`;
  const rest = minutes % 60;
  const hours = `${Math.floor(minutes / 60)}${THIN}h`;
  return rest === 0 ? hours : `${hours} ${rest}${THIN}min`;
}

/** An RFC 3339 instant to the minute, in UTC; text that is none is passed on. */
export function instant(text: string): string {
  const parts = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?Z$/.exec(text);
  return parts ? `${parts[1]} ${parts[2]} UTC` : text;
}

/**
 * Pads numbers on the right with digit-wide spaces so that, set flush right in tabular figures, their decimal
 * points stand under each other.
 */
export function alignDecimals(texts: string[]): string[] {
  const decimals = texts.map((text) => (text === MISSING ? 0 : (/\.(\d+)$/.exec(text)?.[1]?.length ?? 0)));
  const most = Math.max(0, ...decimals);
  return texts.map((text, index) => {
    const own = decimals[index] ?? 0;
    const point = own === 0 && most > 0 ? PUNCTUATION_SPACE : "";
    return text + point + FIGURE_SPACE.repeat(most - own);
  });
}

/** A text that begins like a clause, as a sentence. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** "3 blocks", "1 block". */
export function count(n: number, noun: string): string {
  return `${integer(n)} ${noun}${n === 1 ? "" : "s"}`;
}

/** A number of clients, which published figures do not always tell. */
export function clientsOf(n: number | null): string {
  return n === null ? "an unknown number of clients" : `${n} clients`;
}

/** The metric as the tables call it. */
export function metricLabel(metric: MetricName): string {
  switch (metric) {
    case "capacity":
      return "capacity";
    case "throughput":
      return "throughput";
    case "write_gap":
      return "write gap";
    case "read_gap":
      return "read gap";
    case "database_time":
      return "database time";
    case "statement_time":
      return "time in statements";
    case "latency_mean":
      return "mean latency";
    case "latency_p50":
      return "latency p50";
    case "latency_p95":
      return "latency p95";
    case "latency_p99":
      return "latency p99";
    case "latency_p999":
      return "latency p99.9";
  }
}
