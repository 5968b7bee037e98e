import { randomUUID } from "node:crypto";
import { Agent } from "node:http";
import { versioned } from "@colloquy/schemas/payload.ts";
import fc from "fast-check";
import { startProgram } from "../../journeys/program.ts";
import { type Canaries, plantCanaries } from "./canaries.ts";
import { type Case, casesOf, fuzzedRoutes } from "./cases.ts";
import { judge } from "./judge.ts";
import { memoryOf } from "./memory.ts";
import { gatherPeople, type Person } from "./people.ts";
import { type Answered, send } from "./send.ts";

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
  /** MiB of each service, at the beginning and after each tenth. */
  memory: Record<string, number>[];
  failures: string[];
}

/** Requests that are on their way at once. */
const abreast = 8;

/** Sends odd requests to every route of the whole program, and says what was wrong with the answers. */
export async function fuzz({ cases, seed, only = "", tell = () => undefined }: FuzzOptions): Promise<FuzzReport> {
  const canaries = await plantCanaries();
  const program = await startProgram({ DEMO_MODEL: "on", DEMO_MODEL_WORD_MS: "0", ...canaries.environment });
  const base = new URL(program.url);
  const agent = new Agent({ keepAlive: true, maxSockets: abreast });
  const report: FuzzReport = { sent: 0, answers: {}, slowest: { route: "", ms: 0 }, memory: [], failures: [] };
  try {
    const { SESSION_SECRET = "", RENDER_WORKER_TOKEN = "" } = canaries.environment;
    const people = await gatherPeople(program.url, SESSION_SECRET, RENDER_WORKER_TOKEN);
    const chosen = fuzzedRoutes.filter(({ route }) => route.includes(only));
    const each = Math.ceil(cases / chosen.length);
    for (const [index, described] of chosen.entries()) {
      if (index % Math.ceil(chosen.length / 10) === 0) report.memory.push(memoryOf(program));
      const before = report.failures.length;
      const made = fc.sample(casesOf(described, people), { numRuns: each, seed: seed + index });
      await inParallel(made, abreast, (one) => attempt(one));
      tell(`${described.route}: ${each} sent${report.failures.length > before ? `, ${report.failures.length - before} WRONG` : ""}`);
    }
    report.memory.push(memoryOf(program));
    await attempt(providerAsked(people, canaries));
    if (canaries.asked() === 0) report.failures.push("the provider that tells its credential was never asked");
    const wrong = await afterwards(program.url, people);
    if (wrong) report.failures.push(wrong);
    for (const found of await canaries.inFiles(program.dataDir)) report.failures.push(`a credential is kept: ${found}`);
    for (const found of canaries.in(program.output())) report.failures.push(`a credential is in the log: ${found}`);
    const logged = program
      .output()
      .split("\n")
      .filter((line) => /request failed|unhandled|uncaught|heap out of memory/i.test(line));
    report.failures.push(...logged.slice(0, 10).map((line) => `the log says: ${line.slice(0, 800)}`));
  } finally {
    agent.destroy();
    await program.stop();
    canaries.close();
  }
  return report;

  async function attempt(one: Case): Promise<void> {
    const answered = await send(base, agent, one.sent).catch((error: Error) => error);
    report.sent += 1;
    const kind = answered === null ? "left" : answered instanceof Error ? "none" : `${Math.floor(answered.status / 100)}xx`;
    report.answers[kind] = (report.answers[kind] ?? 0) + 1;
    const wrong = wrongWith(one, answered, canaries);
    if (wrong) report.failures.push(`${told(one)}\n    ${wrong}`);
    if (answered && !(answered instanceof Error) && answered.ms > report.slowest.ms)
      report.slowest = { route: one.route, ms: Math.round(answered.ms) };
  }
}

function wrongWith(one: Case, answered: Answered | Error | null, canaries: Canaries): string | null {
  if (answered === null) return null;
  if (!(answered instanceof Error)) {
    const told = canaries.in(answered.body);
    if (told.length > 0) return `tells a credential: ${told.join(", ")}`;
  }
  return answered instanceof Error ? answered.message : judge(one, answered);
}

/** A question to the provider that repeats its credential. */
function providerAsked(people: readonly Person[], { model }: Canaries): Case {
  const [person] = people;
  const body = { requestId: randomUUID(), conversationId: randomUUID(), message: "What is a map?", history: [], references: [], model };
  const headers = { "content-type": "application/json", accept: "application/json", ...person?.headers };
  return {
    ...{ route: "POST /api/ai/ask", who: person?.name ?? "", how: "a provider that refuses" },
    sent: { method: "POST", path: "/api/ai/ask", headers, bytes: Buffer.from(JSON.stringify(versioned(body))), transport: "whole" },
  };
}

/** A failed case, as it can be sent again. */
function told({ route, who, how, sent }: Case): string {
  const { cookie: _, authorization: __, ...headers } = sent.headers;
  const body = sent.bytes?.toString().slice(0, 400);
  return `${route} by ${who} (${how || "plain"}): ${sent.method} ${sent.path.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)}${body ? ` ${body}` : ""}`;
}

/** Whether the program still does what it is for. */
async function afterwards(url: string, people: readonly Person[]): Promise<string | null> {
  const ready = await fetch(`${url}/readyz`);
  if (!ready.ok) return `afterwards it is not ready: ${await ready.text()}`;
  const course = await fetch(`${url}/api/courses`, { headers: people[0]?.headers ?? {} });
  return course.ok ? null : `afterwards its courses answer ${course.status}`;
}

async function inParallel<Item>(items: readonly Item[], at: number, work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values();
  await Promise.all(
    Array.from({ length: at }, async () => {
      for (const item of waiting) await work(item);
    }),
  );
}
