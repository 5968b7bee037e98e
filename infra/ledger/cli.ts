import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type LedgerCheckpoint, ledgerKeysResponse } from "@colloquy/schemas/tutor/ledger.ts";
import type { Unproven } from "@colloquy/schemas/tutor/recompute.ts";
import { masteryIn } from "@colloquy/schemas/tutor/replay.ts";
import { readConfig } from "../config.ts";
import { rotateLedgerKey } from "./keys.ts";
import { compareWithHead, type HeadComparison, headIn, type Verified, verifyLedger } from "./verify.ts";

const help = `npm run audit -- <command>

  verify <export> [--keys <file>] [--head <file>]   verifies a ledger's NDJSON export, offline
  replay <export> [--keys <file>] [--head <file>]   verifies it, then shows mastery, path and phase entry by entry
  rotate                                            creates a new signing key, endorsed by the previous one

--keys takes the response of GET /api/tutor/ledger-keys. Without it an export is at most consistent: anybody could have signed it.
--head takes another export of the session, or its last line. It tells whether this export is older, or of another history.
Exit codes: 0 valid, 1 a fault (the first is named), 2 wrong call, 3 consistent but origin not checked, 4 older than the known head.
`;

const exitCodes = { valid: 0, fault: 1, usage: 2, unchecked: 3, older: 4 } as const;

/** Offline work on exported ledgers. */
function main([command, ...words]: string[]): number {
  if (command === "rotate" && words.length === 0) {
    const keyId = rotateLedgerKey(readConfig(), new Date().toISOString());
    process.stdout.write(`Created the signing key ${keyId}.\n`);
    return exitCodes.valid;
  }
  const call = callIn(words);
  if ((command !== "verify" && command !== "replay") || !call) {
    process.stderr.write(help);
    return exitCodes.usage;
  }
  const { file, keys: keysFile, head: headFile } = call;
  const keys = keysFile === undefined ? undefined : ledgerKeysResponse.parse(JSON.parse(readFileSync(keysFile, "utf8"))).keys;
  const head = headFile === undefined ? null : headIn(readFileSync(headFile, "utf8"));
  const verified = verifyLedger(readFileSync(file, "utf8"), keys);
  const stands = head && !verified.fault ? compareWithHead(verified, head) : null;
  if (command === "replay") process.stdout.write(replayed(verified));
  process.stdout.write(
    `${verdictOf(verified)}${unprovenText(verified)}${head && stands ? headText(verified, head.checkpoint, stands) : ""}`,
  );
  if (verified.fault || stands === "forked" || stands === "other_session") return exitCodes.fault;
  if (stands === "older") return exitCodes.older;
  return verified.keysKnown ? exitCodes.valid : exitCodes.unchecked;
}

/** The arguments of a verification; null for a wrong call. */
function callIn(words: readonly string[]): { file: string; keys?: string; head?: string } | null {
  try {
    const options = { keys: { type: "string" }, head: { type: "string" } } as const;
    const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true });
    const [file, ...more] = positionals;
    return file === undefined || more.length > 0 ? null : { file, ...values };
  } catch {
    return null;
  }
}

function verdictOf({ sessionId, entries, checkpoints, keyIds, keysKnown, fault }: Verified): string {
  const read = `${entries.length} entries and ${checkpoints} checkpoints read.\n`;
  const session = sessionId === null ? `Unknown session: ${read}` : `Session ${sessionId}: ${read}`;
  if (fault) {
    const where = fault.index === null ? `line ${fault.line}` : `line ${fault.line}, entry ${fault.index}`;
    return `${session}INVALID at ${where} (${fault.code}): ${fault.message}\n`;
  }
  return keysKnown
    ? `${session}Valid: complete, unaltered, signed by known keys: ${keyIds.join(", ")}.\n`
    : `${session}Consistent, origin not checked: pass --keys to learn who signed. The export names ${keyIds.join(", ")}.\n`;
}

const unprovenWords: Record<Unproven, string> = {
  model_judgement: "a model judged own words",
  own_words: "own words, of which only a commitment is here",
  carried_answer: "taken over from the ledger of another session",
  question_missing: "the question is not in the entry, which an older version wrote",
  question_counts: "a decision by the number of questions and lessons",
  second_look: "that a written question counts, and its guess rate, by a second look at it",
};

/** What the export states and does not prove, with the entries. */
function unprovenText({ unproven, fault }: Verified): string {
  if (fault || unproven.length === 0) return "";
  const lines = Object.entries(Object.groupBy(unproven, ({ what }) => what)).map(
    ([what, own = []]) =>
      `  ${unprovenWords[what as Unproven]}: ${own.length === 1 ? "entry" : "entries"} ${own.map(({ index }) => index).join(", ")}\n`,
  );
  return `Not recomputed:\n${lines.join("")}`;
}

function headText({ entries }: Verified, { size, at }: LedgerCheckpoint, stands: HeadComparison): string {
  const head = `the known head of ${size} entries, signed at ${at}`;
  const words: Record<HeadComparison, string> = {
    same: `Up to date with ${head}.`,
    newer: `Goes on from ${head}.`,
    older: `OLDER: ${entries.length} entries, fewer than ${head}.`,
    forked: `INVALID: another history than ${head}.`,
    other_session: "INVALID: the known head is of another session.",
  };
  return `${words[stands]}\n`;
}

function replayed({ entries, state }: Verified): string {
  const titles = new Map(state.objectives.map(({ objectiveId, title }) => [objectiveId, title]));
  const lines = entries.map((entry) => {
    const moved = entry.objectiveIds.flatMap((id) => {
      const [before, after] = [entry.masteryBefore[id], entry.masteryAfter[id]];
      return before === after ? [] : [`${titles.get(id) ?? id} ${before} → ${after}`];
    });
    const said = [entry.decision, entry.reason, entry.correct === undefined ? undefined : entry.correct ? "correct" : "wrong"];
    const more = [...said, entry.aided ? "aided" : undefined, entry.model, ...moved].filter((one) => one !== undefined);
    return `${String(entry.index).padStart(4)}  ${entry.at}  ${entry.kind.padEnd(11)} ${entry.phase.padEnd(9)} ${more.join(" · ")}\n`;
  });
  const mastery = state.objectives.map(({ objectiveId, title }) => {
    const { probability, standing } = masteryIn(state, objectiveId);
    return `  ${probability.toFixed(6)} ${(standing === "none" ? "" : standing).padEnd(11)}  ${title}\n`;
  });
  const path = state.path.map((step) => `  ${step.state.padEnd(8)}  ${step.title}\n`);
  return `${lines.join("")}\nMastery\n${mastery.join("")}\nPath\n${path.join("")}\nPhase: ${state.phase}${state.paused ? ", paused" : ""}\n\n`;
}

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = exitCodes.usage;
}
