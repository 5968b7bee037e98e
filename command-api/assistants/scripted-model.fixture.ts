import type { sessionRecord } from "@colloquy/schemas/assistants/tools.ts";
import { type Generated, type GenerationName, generationSchemas } from "@colloquy/schemas/generation/index.ts";
import { itemOf } from "@colloquy/schemas/generation/tutor.ts";
import type { z } from "zod";
import type { ModelGateway } from "../model-gateway/gateway.ts";
import type { Connected } from "./assistants.fixture.ts";

export type SessionRecord = z.infer<typeof sessionRecord>;
export interface Told {
  session: SessionRecord;
  receipt: { events: number[]; entries: number[]; position: string };
}

/** An assistant with a model of its own: the demonstration model, told nothing but the briefs that the connector gives. */
export function scriptedAssistant(connected: Connected, gateway: ModelGateway) {
  /** What it put down as right, by question: it wrote the keys, so it knows them, and nobody else tells it. */
  const right = new Map<string, string[]>();
  const rubrics = new Map<string, number>();
  let requests = 0;
  const turnOf = ({ sessionId, version }: { sessionId: string; version: number }) => {
    requests += 1;
    return { requestId: `scripted-${sessionId.slice(0, 8)}-${String(requests).padStart(5, "0")}`, sessionId, expectedVersion: version };
  };

  async function make<Name extends GenerationName>(name: Name, brief: string): Promise<Generated<Name>> {
    const { object } = await gateway.generateObject({
      model: { choice: "automatic" },
      need: "tutor",
      name,
      schema: generationSchemas[name] as never,
      system: brief,
      messages: [{ role: "user", content: "Go on." }],
      maxOutputTokens: 4_000,
      signal: AbortSignal.timeout(20_000),
    });
    return object as Generated<Name>;
  }

  async function write(brief: string): Promise<string> {
    const { text } = await gateway.streamText({
      model: { choice: "automatic" },
      need: "tutor",
      system: brief,
      maxOutputTokens: 1_200,
      signal: AbortSignal.timeout(20_000),
      messages: [{ role: "user", content: "Teach this step." }],
    });
    let whole = "";
    for await (const piece of text) whole += piece;
    return whole;
  }

  /** Does what the session waits for, once; answers are given rightly unless `mistaken` says otherwise. */
  async function step(
    session: SessionRecord,
    mistaken: (session: SessionRecord) => boolean = () => false,
  ): Promise<Told & { did: string }> {
    const { waitsFor, current } = session;
    if (waitsFor === "answer" && current) {
      const { itemId } = current;
      if (current.selection === "text") {
        const criteria = Array.from({ length: rubrics.get(current.prompt) ?? 0 }, (_, index) => ({
          criterion: index + 1,
          met: true,
          reason: "It says so.",
        }));
        return {
          did: "grade",
          ...(await connected.call<Told>("propose_grade", { ...turnOf(session), itemId, answer: "As the course says.", criteria })),
        };
      }
      const wanted = new Set(right.get(current.prompt));
      const isRight = !mistaken(session);
      const choiceIds = current.choices.filter(({ text }) => wanted.has(text) === isRight).map(({ choiceId }) => choiceId);
      const chosen = current.selection === "single" ? choiceIds.slice(0, 1) : choiceIds;
      return { did: "answer", ...(await connected.call<Told>("submit_answer", { ...turnOf(session), itemId, choiceIds: chosen })) };
    }
    const { work, brief } = await connected.call<{ work: string; brief: string }>("next_work", { sessionId: session.sessionId });
    const turn = turnOf(session);
    if (work === "probe") {
      const { items } = await make("probe", brief);
      for (const { prompt, choices } of items) right.set(prompt, rightOf(choices));
      return { did: work, ...(await connected.call<Told>("propose_probe", { ...turn, items })) };
    }
    if (work === "teach") return { did: work, ...(await connected.call<Told>("propose_teaching", { ...turn, text: await write(brief) })) };
    if (work === "check") {
      const check = itemOf(await make("check", brief));
      if (!check) return { did: "leave", ...(await connected.call<Told>("propose_check", { ...turn, check: null })) };
      right.set(check.prompt, rightOf(check.choices));
      rubrics.set(check.prompt, check.rubric.length);
      try {
        return { did: work, ...(await connected.call<Told>("propose_check", { ...turn, check })) };
      } catch (error) {
        if (!String(error).includes("asked just before")) throw error;
        return { did: "leave", ...(await connected.call<Told>("propose_check", { ...turnOf(session), check: null })) };
      }
    }
    if (work !== "plan") throw new Error(`nothing to do: ${waitsFor}`);
    const plan = await make("plan", brief);
    const proposed = await connected.call<Told & { outcome: string; ticket: string | null; brief: string | null }>("propose_plan", {
      ...turn,
      plan,
    });
    if (proposed.outcome !== "to_verify") return { did: `plan ${proposed.outcome}`, ...proposed };
    const found = await make("verification", proposed.brief ?? "");
    const verified = await connected.call<Told & { outcome: string }>("verify_plan", {
      ...turnOf(session),
      plan,
      ticket: proposed.ticket,
      ...found,
    });
    return { did: `verified ${verified.outcome}`, ...verified };
  }

  return { step, turnOf, make, right };
}

/** A model of the installation that looks questions over: it finds right what their author put down as right. */
export function withLooker(gateway: ModelGateway, right: () => ReadonlyMap<string, readonly string[]>): ModelGateway {
  const [known] = gateway.choices();
  if (!known) throw new Error("there is no model");
  const run = { provider: "p2" as const, model: "looker", modelName: "Looker", fallbackDepth: 0 };
  function look(system: string): Generated<"look"> {
    const questions = JSON.parse(/<questions>(.*?)<\/questions>/s.exec(system)?.[1] ?? "[]") as {
      number: number;
      prompt: string;
      choices: { number: number; text: string }[];
      criteria: { number: number }[];
    }[];
    const found = questions.map(({ number, prompt, choices, criteria }) => ({
      question: number,
      testsObjective: true,
      follows: [...choices.filter(({ text }) => right().get(prompt)?.includes(text)), ...criteria].map((one) => one.number),
      givesItselfAway: false,
      repeatsRevealed: false,
      reason: "",
    }));
    return { questions: found };
  }
  return {
    ...gateway,
    choices: () => [...gateway.choices(), { ...known, id: "p2/looker", provider: "p2" }],
    generateObject: async (request) => {
      if (request.name === "look") return { object: request.schema.parse(look(request.system)), run };
      return request.name === "guess" ? { object: request.schema.parse({ answers: [] }), run } : gateway.generateObject(request);
    },
  };
}

const rightOf = (choices: readonly { text: string; correct: boolean }[]): string[] =>
  choices.filter(({ correct }) => correct).map(({ text }) => text);
