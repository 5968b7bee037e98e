import type { ProjectionProgress, RebuildUnderWay } from "./checkpoints/queries.ts";
import type { Progress, Verdict } from "./rebuild/rebuild.ts";

/** What the command-line tool says, as text. */

const count = (number: number): string => number.toLocaleString("en");

/** `conversations, sync: 120,000 events, 21,400/s, 63 %`. The share is of positions: what there is to read, not what is one's own. */
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
      // What is stored is what the last runner left.
      state === "running" && runners === 0 ? "no live runner" : state,
      position ?? "–",
      lagMs === 0 ? "no" : `${(lagMs / 1_000).toFixed(1)} s`,
      `${generation}×`,
      failure ? (state === "ahead" ? failure : `at ${failure}`) : "",
    ]);
  for (const { name, purpose, events, startedAt } of rebuilds)
    lines.push([name, `${purpose} under way`, "", "", "", `${count(events)} events since ${startedAt}`]);
  return aligned(lines);
}

/** One line for all of them. */
export function verdictSummary(verdicts: readonly Verdict[]): string {
  const wrong = verdicts.filter(({ differences }) => differences.length > 0).map(({ name }) => name);
  const right = verdicts.length - wrong.length;
  if (wrong.length === 0)
    return `${right === 1 ? "The read model is" : `All ${right} read models are`} as the events make ${right === 1 ? "it" : "them"}`;
  return `${wrong.join(", ")} ${wrong.length === 1 ? "DIFFERS" : "DIFFER"} from what the events make${right > 0 ? `; ${right} ${right === 1 ? "is" : "are"} as they make them` : ""}`;
}

/** The outcome and what to do first, then each read model with its rows. */
export function verdictsText(verdicts: readonly Verdict[]): string {
  const wrong = verdicts.filter(({ differences }) => differences.length > 0);
  const mend = wrong.some(({ behind }) => !behind)
    ? [`To mend: npm run projections -- rebuild ${wrong.length === 1 ? wrong[0]?.name : "all"}`]
    : [];
  return [`${verdictSummary(verdicts)}.`, ...mend, "", ...verdicts.map(verdictText)].join("\n");
}

function verdictText({ name, position, rows, behind, differences }: Verdict): string {
  const where = `position ${position ?? "–"}, ${count(rows)} rows${behind ? ", behind its events" : ""}`;
  if (differences.length === 0) return `${name}: as its events make it (${where})`;
  const lines = differences.flatMap(({ table, count: number, described }) => [
    `  ${table}: ${count(number)} ${number === 1 ? "row differs" : "rows differ"}`,
    ...described.map(({ kind, key, columns }) => `    ${words[kind]} ${key}${columns ? `: ${columns.map(columnText).join("; ")}` : ""}`),
    ...(number > described.length ? [`    and ${count(number - described.length)} more`] : []),
  ]);
  const reason = behind ? ["  It was behind: what has been deleted since shows as a difference. Verify again once it has caught up."] : [];
  return [`${name}: DIFFERS from its events (${where})`, ...reason, ...lines].join("\n");
}

const words = { missing: "missing", extra: "no event makes", different: "differs" };
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
