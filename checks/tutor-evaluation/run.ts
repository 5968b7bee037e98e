import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { exportLines } from "@colloquy/infra/ledger/export.ts";
import { openLedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import { learnerKinds, seeded } from "./learners.ts";
import { through } from "./population.ts";
import { report, reportOfProgram } from "./report.ts";
import { simulateSession } from "./simulate.ts";

/**
 * `npm run eval:tutor [-- rules|program] [--sessions <of each kind>] [--course <id>=<folder>]… [--seed <n>] [--at-once <n>]`: simulated
 * learners and what it comes to. `rules` runs the real deciders with made-up questions; `program` starts the whole program and runs
 * sessions over HTTP, with the demonstration model, on the demonstration courses and those named. Exits with 1 when a bar is missed.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sessions: { type: "string", default: "100" },
    course: { type: "string", multiple: true, default: [] },
    seed: { type: "string", default: "20261121" },
    "at-once": { type: "string", default: "8" },
  },
});
const [how = "rules"] = positionals;
const [count, seed] = [Number(values.sessions), Number(values.seed)];
if ((how !== "rules" && how !== "program") || !(count > 0) || Number.isNaN(seed)) {
  process.stderr.write("npm run eval:tutor -- rules|program [--sessions 100] [--course <id>=<folder>] [--seed 20261121] [--at-once 8]\n");
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), "eval-tutor-"));
const signer = openLedgerSigner({ DATA_DIR: folder });
try {
  if (how === "program") {
    const folders = Object.fromEntries(values.course.map((one) => one.split("=") as [string, string]));
    const outcome = await through(folders, { count, seed, atOnce: Number(values["at-once"]) });
    process.exitCode = reportOfProgram(outcome, { forger: signer, random: seeded(seed) }) ? 0 : 1;
  } else {
    const random = seeded(seed);
    const sessions = learnerKinds.flatMap((kind) =>
      Array.from({ length: count }, (_, index) =>
        simulateSession(kind, { sessionId: `${kind.name.replaceAll(" ", "-")}-${index}`, objectives: 3, random, signer }),
      ),
    );
    const exports = sessions.map(({ state, records }) => exportLines(state.sessionId, records, signer, "2026-01-02T00:00:00Z"));
    process.exitCode = report(sessions, exports, signer.keys()) ? 0 : 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
