/**
 * What fio saw of the disks: figures of every job, latency against what was in flight, the series with their falls, and what
 * that means for the workloads.
 */
import type { DiskData, CeilingData, MeaningData, StageData, DisksData } from "../data";
import { h, scrollable, section, type Child } from "../dom";
import { figure, integer, MISSING, significant } from "../format";
import { diskLadderPanel } from "../charts/disk_ladder";
import { diskSeriesPanel } from "../charts/disk_series";

/** The section of the disks. */
export function disks(data: DisksData): HTMLElement {
  return section(
    "disks",
    "Disks",
    h(
      "p",
      { class: "prose" },
      "Measured by fio. The rate is that of the steady state, after any burst. Its 95 % interval is within this stage only. " +
        "It does not include the variation between days.",
    ),
    ...data.differences.map((what) => h("p", { class: "notice" }, `Not comparable: ${what}.`)),
    data.meanings.length > 0 && meanings(data.meanings),
    ...data.disks.map((disk, index) => one(disk, index)),
  );
}

function one(disk: DiskData, index: number): HTMLElement {
  const withSeries = disk.stages.filter((stage) => stage.t_s.length > 1);
  return h(
    "div",
    {},
    h("h3", {}, disk.target, disk.place !== null && h("span", { class: "of" }, ` ${disk.place}`)),
    h("ul", {}, ...disk.remarks.map((remark) => h("li", {}, remark))),
    stages(disk),
    h(
      "div",
      { class: "panels three" },
      ...disk.ladders.map((ladder) =>
        h(
          "figure",
          {},
          h(
            "figcaption",
            {},
            h("strong", {}, disk.target),
            h("span", { class: "of" }, ` ${ladder.what}: latency against rate`),
          ),
          diskLadderPanel(disk.target, ladder, index),
        ),
      ),
      ...withSeries.map((stage) =>
        h(
          "figure",
          {},
          h("figcaption", {}, h("strong", {}, stage.name), h("span", { class: "of" }, ` ${stage.what}`)),
          diskSeriesPanel(disk.target, stage, index),
        ),
      ),
    ),
  );
}

function table(label: string, titles: string[], rows: Child[][]): HTMLElement {
  return scrollable(
    label,
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ...titles.map((title) => h("th", { scope: "col" }, title)))),
      h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map((cell) => h("td", {}, cell))))),
    ),
  );
}

function stages(disk: DiskData): HTMLElement {
  const titles = ["job", "IOPS", "95 %", "MB/s", "mean ms", "p99 ms", "sync ms", "busy %", ""];
  const row = (stage: StageData): Child[] => [
    stage.name,
    integer(stage.steady_iops?.point ?? stage.iops),
    stage.steady_iops ? `${integer(stage.steady_iops.low)} … ${integer(stage.steady_iops.high)}` : MISSING,
    significant((stage.steady_bytes_per_s?.point ?? stage.bytes_per_s) / 1e6),
    figure(stage.mean_ms, "ms"),
    figure(stage.percentiles_ms.find(([percent]) => percent === 99)?.[1], "ms"),
    figure(stage.sync_ms, "ms"),
    stage.utilisation === null ? MISSING : (stage.utilisation * 100).toFixed(0),
    stage.failed === null ? stage.what : `does not count: ${stage.failed}`,
  ];
  return table(`Jobs on the disk of ${disk.target}`, titles, disk.stages.map(row));
}

function meanings(all: MeaningData[]): HTMLElement {
  const titles = [
    "target",
    "workload",
    "clients",
    "reached",
    "ceiling",
    "95 %",
    "of",
    "iowait",
    "is the disk the bottleneck?",
  ];
  const row = (meaning: MeaningData, ceiling: CeilingData | null): Child[] => [
    meaning.target,
    meaning.workload,
    ceiling === null ? MISSING : String(ceiling.clients),
    figure(ceiling?.reached_per_s, "tps"),
    figure(ceiling?.limit_per_s.point, "tps"),
    ceiling === null
      ? MISSING
      : `${figure(ceiling.limit_per_s.low, "tps")} … ${figure(ceiling.limit_per_s.high, "tps")}`,
    ceiling?.resource ?? MISSING,
    ceiling === null || ceiling.iowait === null ? MISSING : `${(ceiling.iowait * 100).toFixed(0)} %`,
    meaning.bottleneck,
  ];
  const rows = all.flatMap((meaning) =>
    meaning.ceilings.length === 0 ? [row(meaning, null)] : meaning.ceilings.map((ceiling) => row(meaning, ceiling)),
  );
  const machines = all.filter(({ machine }) => machine !== null);
  return h(
    "div",
    {},
    h("h3", {}, "Throughput ceilings set by the disks"),
    h(
      "p",
      { class: "prose" },
      "The ceiling is the throughput at which the disk is saturated. It assumes that a transaction keeps using as much of " +
        "the disk as it did here.",
    ),
    table("Ceilings set by the disks", titles, rows),
    h(
      "ul",
      {},
      ...machines.map((meaning) => h("li", {}, `${meaning.target}, ${meaning.workload}: ${meaning.machine}`)),
    ),
  );
}
