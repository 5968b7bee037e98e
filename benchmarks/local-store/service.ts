import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { learners } from "../../journeys/learner.ts";
import { type Benchmark, milliseconds, percentile, times } from "../benchmark.ts";
import { addConversations, eventsPerConversation } from "../support/conversations.ts";
import { startWholeProgram } from "../support/whole-program.ts";

const people = 101;
const streamsEach = 10;
const samples = 120;
const boundMs = 300;
/** Changes of the one account that pulls everything; the others follow. */
const changes = 100_000;
const pageSize = 500;
const pulls = 5;

type Person = Awaited<ReturnType<typeof learners>>[number];

/** What a device waits for: another device's change, and everything there has ever been; and what many that wait cost. */
export async function service(): Promise<Benchmark["rows"]> {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-local-store-"));
  const secret = randomBytes(32).toString("hex");
  addConversations(join(folder, "event-store"), 0, changes / eventsPerConversation, () => "acc_learner0000");
  const program = await startWholeProgram(folder, { SESSION_SECRET: secret });
  try {
    const accounts = await learners(program.address, secret, people);
    // Nothing waits before anything has been read, either: the first change shows that the read models are at work.
    for (const path = "/api/sync/pull?after=0&limit=1"; ; await pause(100)) {
      const { status, body } = (await accounts[0]?.get(path)) ?? { status: 0, body: null };
      if (status === 200 && (body as { changes: unknown[] }).changes.length > 0) break;
    }
    await program.caughtUp();
    // The streams first: what a pull of everything leaves in the process would hide what they take.
    const streams = await streaming(program.address, accounts.slice(1));
    return [...(await pulling(accounts[0] as Person)), ...streams];
  } finally {
    await program.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Pulls everything, several times: of each page the quickest counts, because what else runs on the machine can only add. */
async function pulling(person: Person): Promise<Benchmark["rows"]> {
  const rounds: number[][] = [];
  for (let round = 0; round < pulls; round += 1) rounds.push(await pulledBy(person));
  const pages = (rounds[0] ?? []).map((_, at) => Math.min(...rounds.map((round) => round[at] ?? Number.POSITIVE_INFINITY)));
  const sum = (of: readonly number[]): number => of.reduce((total, one) => total + one, 0);
  const tenth = Math.ceil(pages.length / 10);
  const [first, last, all] = [sum(pages.slice(0, tenth)), sum(pages.slice(-tenth)), sum(pages)];
  const row = (what: string, value: number, baseline: number) => ({
    what,
    value: milliseconds(value),
    baseline: milliseconds(baseline),
    ratio: times(value / baseline),
  });
  return [
    row(
      `pull of ${changes.toLocaleString("en")} changes by pages of ${pageSize}, each page the least of ${pulls} (baseline: ten times its first tenth)`,
      all,
      first * 10,
    ),
    row("the last tenth of it (baseline: the first tenth)", last, first),
    row("a page of it, p95 (baseline: median)", percentile(pages, 0.95), percentile(pages, 0.5)),
  ];
}

/** Milliseconds of each page. */
async function pulledBy(person: Person): Promise<number[]> {
  const pages: number[] = [];
  let taken = 0;
  for (let cursor = "0", more = true; more; ) {
    const began = performance.now();
    const { body } = await person.get(`/api/sync/pull?after=${cursor}&limit=${pageSize}`);
    pages.push(performance.now() - began);
    const page = body as { changes: unknown[]; cursor: string; more: boolean };
    taken += page.changes.length;
    ({ cursor, more } = page);
  }
  if (taken !== changes) throw new Error(`${taken} changes were pulled instead of ${changes}`);
  return pages;
}

/** Opens a thousand live streams, and tells of changes on ten of them at a time. */
async function streaming(address: string, accounts: readonly Person[]): Promise<Benchmark["rows"]> {
  const news = new Map<string, (at: number) => void>();
  const leaving = new AbortController();
  const open = async (person: Person): Promise<void> => {
    const response = await fetch(`${address}/api/sync/stream`, {
      headers: { cookie: person.cookie, accept: "text/event-stream" },
      signal: leaving.signal,
    });
    if (!response.ok || !response.body) throw new Error(`a stream was refused: ${response.status}`);
    const read = async (): Promise<void> => {
      const decoder = new TextDecoder();
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>)
        for (const [, id = ""] of decoder.decode(chunk, { stream: true }).matchAll(/"changeId":"([^"]+)"/g))
          news.get(id)?.(performance.now());
    };
    read().catch(() => undefined);
  };
  const before = await memoryOf(address);
  const some = accounts.slice(0, 10);
  for (const person of some) await open(person);
  const alone = await delays(some, news, 1, "few");
  for (const person of accounts)
    await Promise.all(
      Array.from({ length: person === some.find((one) => one === person) ? streamsEach - 1 : streamsEach }, () => open(person)),
    );
  const streams = accounts.length * streamsEach;
  const after = await memoryOf(address);
  const among = await delays(accounts, news, streamsEach, "many");
  const busy = await memoryOf(address);
  leaving.abort();
  const p95 = percentile(among, 0.95);
  return [
    {
      what: `push to every other device's live stream among ${streams}, p95 (bound ${boundMs} ms: ${p95 <= boundMs ? "holds" : "is broken"}; baseline: among ten)`,
      value: milliseconds(p95),
      baseline: milliseconds(percentile(alone, 0.95)),
      ratio: times(p95 / percentile(alone, 0.95)),
    },
    {
      what: `memory of the one query-api process with ${streams} live streams (baseline: without)`,
      value: megabytes(busy),
      baseline: megabytes(before),
      ratio: times(busy / before),
    },
    { what: "memory for each live stream, at rest", value: `${((after - before) / streams / 1024).toFixed(0)} kB` },
  ];
}

/** From the push until the last of the account's streams has told, one account after the other. */
async function delays(
  accounts: readonly Person[],
  news: Map<string, (at: number) => void>,
  streams: number,
  run: string,
): Promise<number[]> {
  const result: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    const person = accounts[sample % accounts.length] as Person;
    const changeId = `change-${run}-${sample}`;
    let left = streams;
    const told = new Promise<number>((resolve) => {
      news.set(changeId, (at) => {
        left -= 1;
        if (left === 0) resolve(at);
      });
    });
    const began = performance.now();
    await person.push([
      {
        changeId,
        domain: "preferences",
        entityId: "workspace",
        type: "chosen",
        at: new Date().toISOString(),
        data: { theme: sample % 2 ? "dark" : "light" },
      },
    ]);
    result.push((await told) - began);
    news.delete(changeId);
  }
  return result;
}

/** Resident memory of the query API by its own figures, in bytes. */
async function memoryOf(address: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text();
  const line = text.split("\n").find((one) => one.startsWith("process_resident_memory_bytes") && one.includes("query-api"));
  if (!line) throw new Error("the query API does not say how much memory it takes");
  return Number(line.split(" ").at(-1));
}
const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(0)} MB`;
