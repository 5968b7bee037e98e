import { readFileSync } from "node:fs";
import { ledgerKeysResponse } from "@colloquy/schemas/tutor/ledger.ts";
import { masteredIn, probabilityIn } from "@colloquy/schemas/tutor/replay.ts";
import { readConfig } from "../config.ts";
import { rotateLedgerKey } from "./keys.ts";
import { type Verified, verifyLedger } from "./verify.ts";

const help = `npm run audit -- <command>

  verify <export> [--keys <file>]   verifies a ledger's NDJSON export, offline
  replay <export> [--keys <file>]   verifies it, then shows mastery, path and phase entry by entry
  rotate                            creates a new signing key, endorsed by the previous one

--keys takes the response of GET /api/tutor/ledger-keys. Without it each signature is checked with the key that the export itself names,
which detects changes but not who signed. Exit codes: 0 verified, 1 the first fault, which is named, 2 wrong call.
`;

/** Offline work on exported ledgers. */
function main([command, ...rest]: string[]): number {
  if (command === "rotate" && rest.length === 0) {
    const keyId = rotateLedgerKey(readConfig(), new Date().toISOString());
    process.stdout.write(`Created the signing key ${keyId}.\n`);
    return 0;
  }
  const at = rest.indexOf("--keys");
  const keysFile = at < 0 ? undefined : rest[at + 1];
  const [file, ...more] = at < 0 ? rest : rest.toSpliced(at, 2);
  if ((command !== "verify" && command !== "replay") || file === undefined || more.length > 0 || (at >= 0 && keysFile === undefined)) {
    process.stderr.write(help);
    return 2;
  }
  const keys = keysFile === undefined ? undefined : ledgerKeysResponse.parse(JSON.parse(readFileSync(keysFile, "utf8"))).keys;
  const verified = verifyLedger(readFileSync(file, "utf8"), keys);
  if (command === "replay") process.stdout.write(replayed(verified));
  process.stdout.write(verdictOf(verified));
  return verified.fault ? 1 : 0;
}

function verdictOf({ sessionId, entries, checkpoints, keyIds, keysKnown, fault }: Verified): string {
  const read = `${entries.length} entries and ${checkpoints} checkpoints read.\n`;
  const session = sessionId === null ? `Unknown session: ${read}` : `Session ${sessionId}: ${read}`;
  if (fault) {
    const where = fault.index === null ? `line ${fault.line}` : `line ${fault.line}, entry ${fault.index}`;
    return `${session}INVALID at ${where} (${fault.code}): ${fault.message}\n`;
  }
  const signed = keysKnown ? "signed by known keys" : "signed by unknown keys (pass --keys to check them)";
  return `${session}Valid: complete, unaltered, ${signed}: ${keyIds.join(", ")}.\n`;
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
  const mastery = state.objectives.map(
    ({ objectiveId, title }) =>
      `  ${probabilityIn(state, objectiveId).toFixed(6)} ${masteredIn(state, objectiveId) ? "mastered" : "        "}  ${title}\n`,
  );
  const path = state.path.map((step) => `  ${step.state.padEnd(8)}  ${step.title}\n`);
  return `${lines.join("")}\nMastery\n${mastery.join("")}\nPath\n${path.join("")}\nPhase: ${state.phase}${state.paused ? ", paused" : ""}\n\n`;
}

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 2;
}
