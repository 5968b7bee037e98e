import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AskFrame, askFrame } from "@colloquy/schemas/ask/ask.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import { type Program, startProgram } from "../../journeys/program.ts";
import { type Actor, signInMany } from "../harness/actors.ts";
import { hostileCourse, type Planted, plantedTexts, writeHostileCourse } from "./hostile-course.ts";
import { type ObeyingModel, startObeyingModel } from "./obeying-model.ts";

export type Learner = Actor;
export interface Answered {
  status: number;
  text: string;
  /** The answer as JSON, where it is some. */
  body: Record<string, unknown>;
}

/** The whole program with a hostile course and a model that obeys every instruction. */
export interface Target {
  program: Program;
  model: ObeyingModel;
  planted: Planted[];
  /** What the provider's credential is. */
  credential: string;
  /** A new learner, so that tests do not affect each other or reach the limits of an account. */
  newcomer(): Learner;
  send(person: Learner | null, method: string, path: string, body?: object): Promise<Answered>;
  /** Asks a question; the frames of its answer. */
  ask(person: Learner, message: string, more?: object): Promise<AskFrame[]>;
  close(): Promise<void>;
}

/** Several models of one provider, because a model that answered nonsense is avoided for a while. */
const models = 12;
export const pinned = (number = 0) => ({ choice: "pinned", id: `p1/m${number % models}`, allowFallbackWhenPinned: false });
const newcomers = 300;

export async function startTarget(): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-injections-"));
  const secret = randomUUID().repeat(2);
  const credential = `sk-canary-${randomUUID()}`;
  const model = await startObeyingModel();
  const catalogue = join(folder, "catalogue.json");
  const timeouts = { connectMs: 5_000, firstTokenMs: 20_000, idleMs: 20_000, wholeMs: 60_000 };
  const served = Array.from({ length: models }, (_, number) => ({
    id: `m${number}`,
    serviceId: `m${number}`,
    name: `Obeying ${number}`,
    tutor: true,
    quiz: true,
    default: number === 0,
    structuredOutput: "json_schema",
  }));
  const slots = [{ slot: "p1", label: "Obeying", baseUrl: model.url, credentials: ["P1_API_KEY"], timeouts, models: served }];
  writeFileSync(catalogue, JSON.stringify({ schemaVersion: 1, slots }));
  const program = await startProgram({
    PROVIDER_CATALOG: catalogue,
    P1_API_KEY: credential,
    SESSION_SECRET: secret,
    EXPLAINER_COURSE_IDS: `linear-maps,${hostileCourse}`,
  });
  const planted = plantedTexts();
  writeHostileCourse(join(folder, "course"), planted);
  const imported = program.tool("command-api/publication/import/cli.ts", join(folder, "course"), "--id", hostileCourse);
  await imported.catch(async (error: unknown) => {
    await program.stop();
    await model.close();
    rmSync(folder, { recursive: true, force: true });
    throw error;
  });
  const people = await signInMany({ url: program.url, secret }, newcomers, ["learner"]);
  const reader = people[0] as Learner;
  const target: Target = {
    program,
    model,
    planted,
    credential,
    newcomer() {
      const person = people.pop();
      if (!person) throw new Error("more newcomers are needed");
      return person;
    },
    async send(person, method, path, body) {
      const response = await fetch(program.url + path, {
        method,
        headers: {
          accept: "application/json",
          ...person?.headers,
          ...(body && { "content-type": "application/json" }),
        },
        ...(body && { body: JSON.stringify(versioned(body)) }),
      });
      const text = await response.text();
      const isJson = response.headers.get("content-type")?.includes("json") && !response.headers.get("content-type")?.includes("ndjson");
      return { status: response.status, text, body: isJson ? JSON.parse(text) : {} };
    },
    async ask(person, message, more = {}) {
      const { status, text } = await target.send(person, "POST", "/api/ai/ask", {
        requestId: randomUUID(),
        conversationId: null,
        message,
        history: [],
        references: [],
        model: pinned(),
        ...more,
      });
      if (status !== 200) throw new Error(`asking was answered with ${status}: ${text}`);
      return text
        .trimEnd()
        .split("\n")
        .map((line) => askFrame.parse(JSON.parse(line)));
    },
    async close() {
      await program.stop();
      await model.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  // Published courses are read from the events: the last of the texts is there when all are.
  const last = planted.at(-1)?.word ?? "";
  for (let tries = 0; ; tries += 1) {
    const { text } = await target.send(reader, "GET", `/api/ai/references?q=${last}`);
    if (text.includes(hostileCourse)) return target;
    if (tries > 600) throw new Error("the hostile course cannot be found");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
