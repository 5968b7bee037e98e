import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { versioned } from "@colloquy/schemas/payload.ts";
import fc from "fast-check";
import { startProgram } from "../../journeys/program.ts";
import { observedEnvironment, watchProcesses } from "../harness/process-usage.ts";
import { type FuzzActor, signInActors } from "./actors.ts";
import { type Canaries, plantCanaries } from "./canaries.ts";
import { type Case, casesOf, fuzzedRoutes } from "./cases.ts";
import { endOf, judge } from "./judge.ts";
import { memoryByProcess, memoryLeaks } from "./memory.ts";
import { type Answered, send } from "./send.ts";
import { neverAccepted, validRequest } from "./valid-requests.ts";

export interface FuzzOptions {
  /** How many requests in all, shared by the routes alike. */
  cases: number;
  seed: number;
  /** Only routes whose `METHOD path` holds this. */
  only?: string;
  tell?: (line: string) => void;
}

export interface FuzzReport {
  sent: number;
  /** Requests by the hundreds of the status they got; `left` counts those that hung up first. */
  answers: Record<string, number>;
  slowest: { route: string; ms: number };
  /** MiB held by each process once garbage was collected, at the beginning and after each tenth. */
  memory: Record<string, number>[];
  failures: string[];
}

/** Concurrent requests. */
const abreast = 8;
/** Rounds of requests to a route that takes none of them. */
const mostRounds = 10;

/** Sends random requests to every route of the whole program and reports wrong answers. */
export async function fuzz({ cases, seed, only = "", tell = () => undefined }: FuzzOptions): Promise<FuzzReport> {
  const canaries = await plantCanaries();
  const inside = mkdtempSync(join(tmpdir(), "colloquy-fuzz-"));
  const program = await startProgram({
    DEMO_MODEL: "on",
    DEMO_MODEL_WORD_MS: "0",
    ...canaries.environment,
    ...observedEnvironment(inside, true),
  });
  const base = new URL(program.url);
  const agent = new Agent({ keepAlive: true, maxSockets: abreast });
  /** How many requests of each route were answered by what they ask for. */
  const taken = new Map<string, number>();
  const report: FuzzReport = { sent: 0, answers: {}, slowest: { route: "", ms: 0 }, memory: [], failures: [] };
  try {
    const { SESSION_SECRET = "", RENDER_WORKER_TOKEN = "" } = canaries.environment;
    const people = await signInActors(program.url, SESSION_SECRET, RENDER_WORKER_TOKEN);
    for (const model of canaries.models) {
      // Before all else: a provider that failed often is not asked any more.
      const answered = await attempt(questionTo(model, people));
      const end = answered && endOf(answered.body);
      if (end !== "ai_unavailable") report.failures.push(`a question to ${model.id}, which refuses, ended in ${end}`);
      if (!canaries.asked.has(model.id.split("/", 1)[0] ?? "")) report.failures.push(`${model.id} was never asked`);
    }
    const look = await watchProcesses(inside);
    const chosen = fuzzedRoutes.filter(({ route }) => route.includes(only));
    const each = Math.ceil(cases / chosen.length);
    for (const [index, described] of chosen.entries()) {
      if (index % Math.ceil(chosen.length / 10) === 0) report.memory.push(memoryByProcess((await look()).processes));
      const before = report.failures.length;
      const plain = validRequest(described.route, people);
      if (plain) await attempt(plain);
      const isTaken = (): boolean => taken.has(described.route) || described.route in neverAccepted;
      // Few requests may all be invalid by chance: more are made until one is taken.
      for (let round = 0; round === 0 || (round < mostRounds && !isTaken()); round += 1) {
        const made = fc.sample(casesOf(described, people), { numRuns: each, seed: seed + index + round * chosen.length });
        await inParallel(made, abreast, (one) => attempt(one));
      }
      const took = taken.get(described.route) ?? 0;
      if (!isTaken()) report.failures.push(`${described.route} took none of its requests`);
      tell(
        `${described.route}: ${each} sent, ${took} taken${report.failures.length > before ? `, ${report.failures.length - before} WRONG` : ""}`,
      );
    }
    report.memory.push(memoryByProcess((await look()).processes));
    report.failures.push(...memoryLeaks(report.memory));
    if (!canaries.traced()) report.failures.push("the receiver of traces that tells its credential was never sent any");
    const wrong = await afterwards(program.url, people);
    if (wrong) report.failures.push(wrong);
    for (const found of await canaries.inFiles(program.dataDir)) report.failures.push(`a credential is kept: ${found}`);
    for (const found of canaries.in(program.output())) report.failures.push(`a credential is in the log: ${found}`);
    const logged = program
      .output()
      .split("\n")
      .filter((line) => /request failed|unhandled|uncaught|heap out of memory|: ended \(|keeps failing/i.test(line));
    report.failures.push(...logged.slice(0, 10).map((line) => `the log says: ${line.slice(0, 800)}`));
  } finally {
    agent.destroy();
    await program.stop();
    canaries.close();
    rmSync(inside, { recursive: true, force: true });
  }
  return report;

  async function attempt(one: Case): Promise<Answered | null> {
    const answered = await send(base, agent, one.sent).catch((error: Error) => error);
    report.sent += 1;
    const kind = answered === null ? "left" : answered instanceof Error ? "none" : `${Math.floor(answered.status / 100)}xx`;
    if (kind === "2xx" || kind === "3xx") taken.set(one.route, (taken.get(one.route) ?? 0) + 1);
    report.answers[kind] = (report.answers[kind] ?? 0) + 1;
    const wrong = wrongWith(one, answered, canaries, program.dataDir);
    if (wrong) report.failures.push(`${told(one)}\n    ${wrong}`);
    if (!answered || answered instanceof Error) return null;
    if (answered.ms > report.slowest.ms) report.slowest = { route: one.route, ms: Math.round(answered.ms) };
    return answered;
  }
}

function wrongWith(one: Case, answered: Answered | Error | null, canaries: Canaries, dataDir: string): string | null {
  if (answered === null) return null;
  if (answered instanceof Error) return answered.message;
  const told = canaries.in(`${answered.headers}\n${answered.body}`);
  return told.length > 0 ? `tells a credential: ${told.join(", ")}` : judge(one, answered, dataDir);
}

/** A question to a provider that repeats its caller's credential. */
function questionTo(model: Canaries["models"][number], people: readonly FuzzActor[]): Case {
  const [person] = people;
  const body = { requestId: randomUUID(), conversationId: randomUUID(), message: "What is a map?", history: [], references: [], model };
  const headers = { "content-type": "application/json", accept: "application/x-ndjson", ...person?.headers };
  return {
    route: "POST /api/ai/ask",
    who: person?.name ?? "",
    how: "a provider that refuses",
    sent: { method: "POST", path: "/api/ai/ask", headers, bytes: Buffer.from(JSON.stringify(versioned(body))), transport: "whole" },
  };
}

/** A failed case, as it can be sent again. */
function told({ route, who, how, sent }: Case): string {
  const { cookie: _, authorization: __, ...headers } = sent.headers;
  const body = sent.bytes?.subarray(0, 1_600).toString().slice(0, 400);
  return `${route} by ${who} (${how || "plain"}): ${sent.method} ${sent.path.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)}${body ? ` ${body}` : ""}`;
}

/** Whether the program still does what it is for. */
async function afterwards(url: string, people: readonly FuzzActor[]): Promise<string | null> {
  const ready = await fetch(`${url}/readyz`);
  if (!ready.ok) return `afterwards it is not ready: ${await ready.text()}`;
  const course = await fetch(`${url}/api/courses`, { headers: people[0]?.headers ?? {} });
  return course.ok ? null : `afterwards its courses answer ${course.status}`;
}

async function inParallel<Item>(items: readonly Item[], at: number, work: (item: Item) => Promise<unknown>): Promise<void> {
  const waiting = items.values();
  await Promise.all(
    Array.from({ length: at }, async () => {
      for (const item of waiting) await work(item);
    }),
  );
}
