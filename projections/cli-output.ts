import type { ProjectionProgress, RebuildUnderWay } from "./checkpoints/queries.ts";
import type { Progress, Verdict } from "./rebuild/rebuild.ts";

/** The output of the command-line tool, as text. */

const count = (number: number): string => number.toLocaleString("en");

/** `conversations, sync: 120,000 events, 21,400/s, 63 %`. The percentage is of positions in the store, other streams included. */
export function progressLine(parts: readonly Progress[], end: string | null, seconds: number): string {
  const events = Math.max(0, ...parts.map((part) => part.events));
  const reached = parts.reduce((best, { position }) => (BigInt(position ?? "0") > best ? BigInt(position ?? "0") : best), 0n);
  const share = end === null || end === "0" ? null : Math.min(100, Number((reached * 100n) / BigInt(end)));
  const rate = seconds > 0 ? `, ${count(Math.round(events / seconds))}/s` : "";
  return `${parts.map(({ name }) => name).join(", ")}: ${count(events)} events${rate}${share === null ? "" : `, ${share} %`}`;
}

export function statusText(rows: readonly ProjectionProgress[], rebuilds: readonly RebuildUnderWay[], runners: number): string {
  const lines = [["read model", "state", "position", "behind", "rebuilt", ""]];
  for (const { name, state, position, lagMs, generation, failure } of rows)
    lines.push([
      name,
      // The stored state is from the last runner.
      state === "running" && runners === 0 ? "no live runner" : state,
      position ?? "–",
      lagMs === 0 ? "no" : `${(lagMs / 1_000).toFixed(1)} s`,
      `${generation}×`,
      failure ? (state === "ahead" ? failure : `at ${failure}`) : "",
    ]);
  for (const { name, purpose, events, startedAt } of rebuilds)
    lines.push([name, `${purpose} running`, "", "", "", `${count(events)} events since ${startedAt}`]);
  return aligned(lines);
}

/** The outcome of all read models in one line. */
export function verdictSummary(verdicts: readonly Verdict[]): string {
  const wrong = verdicts.filter(({ differences }) => differences.length > 0).map(({ name }) => name);
  const late = verdicts.filter(({ behind, differences }) => behind && differences.length === 0).map(({ name }) => name);
  const right = verdicts.length - wrong.length - late.length;
  // What was not applied yet was not compared.
  if (wrong.length === 0 && late.length > 0)
    return `${late.join(", ")} ${late.length === 1 ? "is" : "are"} behind the events and ${late.length === 1 ? "matches" : "match"} them only so far; verify again after catching up`;
  if (wrong.length === 0) return right === 1 ? "The read model matches its events" : `All ${right} read models match their events`;
  const others = right > 0 ? `; ${right} ${right === 1 ? "matches" : "match"}` : "";
  return `${wrong.join(", ")} ${wrong.length === 1 ? "DIFFERS from its" : "DIFFER from their"} events${others}`;
}

/** First the outcome and what to do, then each read model with its rows. */
export function verdictsText(verdicts: readonly Verdict[]): string {
  const wrong = verdicts.filter(({ differences }) => differences.length > 0);
  const repair = wrong.some(({ behind }) => !behind)
    ? [`To repair: npm run projections -- rebuild ${wrong.length === 1 ? wrong[0]?.name : "all"}`]
    : [];
  return [`${verdictSummary(verdicts)}.`, ...repair, "", ...verdicts.map(verdictText)].join("\n");
}

function verdictText({ name, position, rows, behind, differences }: Verdict): string {
  const where = `position ${position ?? "–"}, ${count(rows)} rows${behind ? ", behind its events" : ""}`;
  if (differences.length === 0) return `${name}: matches its events (${where})`;
  const lines = differences.flatMap(({ table, count: number, described }) => [
    `  ${table}: ${count(number)} ${number === 1 ? "row differs" : "rows differ"}`,
    ...described.map(
      ({ kind, key, columns }) => `    ${kindLabels[kind]} ${key}${columns ? `: ${columns.map(columnText).join("; ")}` : ""}`,
    ),
    ...(number > described.length ? [`    and ${count(number - described.length)} more`] : []),
  ]);
  const reason = behind ? ["  It was behind: deletions since then show as differences. Verify again once it has caught up."] : [];
  return [`${name}: DIFFERS from its events (${where})`, ...reason, ...lines].join("\n");
}

const kindLabels = { missing: "missing", extra: "not from any event", different: "differs" };
const columnText = ({ name, live, rebuilt }: { name: string; live: string; rebuilt: string }): string =>
  `${name} is ${live}, should be ${rebuilt}`;

function aligned(rows: readonly string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
