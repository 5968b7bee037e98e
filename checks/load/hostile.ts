import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { percentile } from "../../benchmarks/benchmark.ts";
import { sendRequest } from "./http.ts";
import { type Measured, ms, table } from "./tables.ts";
import { startWholeProgram } from "./whole-program.ts";

const attack = { connections: 6, members: 95_000 };
/** The p95 of a reading page under attack may be so many times its quiet value. */
export const goalRatio = 5;
const readingPage = "/courses/linear-maps/directions-that-stay/eigenvectors";
const warmup = 40;
/** Time between two pages of the reader. */
const thinkMs = 40;

interface Readings {
  p50: number;
  p95: number;
  count: number;
  failed: number;
}

/**
 * A reader opens a page again and again: first alone, then while six anonymous connections send JSON of 95,000 members to both APIs. Prints
 * both p95 and their ratio.
 */
export async function hostile({ minutes }: { minutes: number }, tell: (line: string) => void): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-load-hostile-"));
  const program = await startWholeProgram(folder, { DEMO_COURSES: "on", RENDER_WORKERS: "off", LOCAL_MODELS: "off" });
  try {
    const page = `${program.address}${readingPage}`;
    while ((await sendRequest(page, { headers: {} })).status !== 200) await pause(200);
    await readFor(page, { requests: warmup });
    const halfMs = minutes * 30_000;
    const quiet = await readFor(page, { ms: halfMs });
    tell(`quiet: p95 ${ms(quiet.p95)} ms`);
    const attacker = fork(fileURLToPath(new URL("attacker.ts", import.meta.url)), [
      program.address,
      String(attack.connections),
      String(attack.members),
    ]);
    const told = once(attacker, "message");
    const attacked = await readFor(page, { ms: halfMs });
    attacker.send("stop");
    const [answers] = (await told) as [Record<string, number>];
    tell(`under attack: p95 ${ms(attacked.p95)} ms`);
    return hostileSection({ quiet, attacked, answers });
  } finally {
    await program.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The section of the page, and whether the goal was kept. */
export function hostileSection({
  quiet,
  attacked,
  answers,
}: {
  quiet: Readings;
  attacked: Readings;
  answers: Record<string, number>;
}): Measured {
  const ratio = attacked.p95 / quiet.p95;
  const row = (what: string, { count, failed, p50, p95 }: Readings): string[] => [what, String(count), String(failed), ms(p50), ms(p95)];
  const sent = Object.entries(answers).map(([answer, count]) => `${count.toLocaleString("en")} × ${answer}`);
  const text = [
    `A reader opens a page every ${thinkMs} ms. Then ${attack.connections} anonymous connections also send JSON of ${attack.members.toLocaleString("en")} members to both APIs, as fast as they are answered (${sent.join(", ")}).`,
    table(["", "pages", "failed", "p50 ms", "p95 ms"], [row("quiet", quiet), row("under attack", attacked)]),
    `The p95 is ${ratio.toFixed(1)} times its quiet value (goal: at most ${goalRatio}).`,
  ].join("\n\n");
  return { text, kept: ratio <= goalRatio && quiet.failed + attacked.failed === 0 };
}

async function readFor(page: string, { ms: lasting, requests }: { ms?: number; requests?: number }): Promise<Readings> {
  const until = performance.now() + (lasting ?? Number.POSITIVE_INFINITY);
  const taken: number[] = [];
  let failed = 0;
  while (performance.now() < until && taken.length + failed < (requests ?? Number.POSITIVE_INFINITY)) {
    const began = performance.now();
    const status = await sendRequest(page, { headers: {} }).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) taken.push(performance.now() - began);
    else failed += 1;
    await pause(thinkMs);
  }
  return { count: taken.length, failed, p50: percentile(taken, 0.5), p95: percentile(taken, 0.95) };
}
