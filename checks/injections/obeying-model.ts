import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ShownToLook } from "@colloquy/command-api/tutor/prompts.ts";
import { startDemoModel } from "@colloquy/infra/demo/model/server.ts";
import type { GeneratedGuess, GeneratedLook } from "@colloquy/schemas/generation/second-look.ts";

/** A call that the application made, as the provider sees it. */
export interface ModelCall {
  /** What kind of object is wanted; null for running text. */
  wants: string | null;
  system: string;
  messages: { role: string; content: string }[];
}

/** What is said in place of the model's own answer: a text, or anything a provider may send. */
export type ModelReply = string | ((response: ServerResponse) => void | Promise<void>);

/**
 * A provider that does what hostile texts want of it: what `obey` gives is said, in the stream a model's words come in; to all else the
 * demonstration model answers. It keeps what it was told.
 */
export interface ObeyingModel {
  url: string;
  calls: ModelCall[];
  /** The right choices of the questions it wrote, by `questionOf`: whoever wants to answer wrongly has to know them. */
  keys: Map<string, string[]>;
  /** `own`: what the demonstration model would have said. Undefined leaves it at that. */
  obey: ((call: ModelCall, own: () => Promise<string>) => ModelReply | undefined | Promise<ModelReply | undefined>) | null;
  close(): Promise<void>;
}

interface Asked {
  prompt: string;
  choices: { text: string; correct: boolean }[];
}

/** The same for the same question with the same choices. */
export const questionOf = (prompt: string, choices: readonly { text: string }[]): string =>
  JSON.stringify([prompt, choices.map(({ text }) => text).toSorted()]);

/** One event of a stream of completions. */
export const chunk = (delta: object, finish: string | null = null, more: object = {}): string =>
  `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", created: 0, model: "obeying", choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`;

/** Finds right what the author of each question put down as right. */
function honestLook(system: string, keys: ObeyingModel["keys"]): GeneratedLook {
  const questions = JSON.parse(/<questions>(.*?)<\/questions>/s.exec(system)?.[1] ?? "[]") as ShownToLook[];
  return {
    questions: questions.map(({ number, prompt, choices, criteria }) => {
      const right = keys.get(questionOf(prompt, choices)) ?? [];
      const follows = [...choices.filter(({ text }) => right.includes(text)), ...criteria].map((one) => one.number);
      return { question: number, testsObjective: true, follows, givesItselfAway: false, repeatsRevealed: false, reason: "" };
    }),
  };
}

export async function startObeyingModel(): Promise<ObeyingModel> {
  const demonstration = await startDemoModel({ port: 0, wordMs: 0 });
  const note = ({ items, ...check }: Asked & { items?: Asked[] }): void => {
    for (const { prompt, choices } of items ?? [check])
      model.keys.set(
        questionOf(prompt, choices),
        choices.filter(({ correct }) => correct).map(({ text }) => text),
      );
  };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = JSON.parse(Buffer.concat(parts).toString("utf8")) as {
      messages: ModelCall["messages"];
      response_format?: { json_schema?: { name: string } };
    };
    const { messages } = body;
    const call: ModelCall = { wants: body.response_format?.json_schema?.name ?? null, system: messages[0]?.content ?? "", messages };
    model.calls.push(call);
    const ask = (more: object) =>
      fetch(`${demonstration.url}/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...body, ...more }),
      });
    const own = async (): Promise<string> => {
      // The demonstration model cannot look questions over.
      if (call.wants === "look") return JSON.stringify(honestLook(call.system, model.keys));
      if (call.wants === "guess") return JSON.stringify({ answers: [] } satisfies GeneratedGuess);
      const answered = (await (await ask({ stream: false })).json()) as { choices: { message: { content: string } }[] };
      const text = answered.choices[0]?.message.content ?? "";
      if (call.wants === "probe" || call.wants === "check") note(JSON.parse(text) as Asked & { items?: Asked[] });
      return text;
    };
    const said = await model.obey?.(call, own);
    if (typeof said === "function") return void (await said(response));
    const text = said ?? (await own());
    response.writeHead(200, { "content-type": "text/event-stream" });
    // In pieces, as models write: marks must not hold only where they come whole.
    for (const piece of text.match(text.length > 20_000 ? /[\s\S]{1,4000}/gu : /[\s\S]{1,7}/gu) ?? [])
      response.write(chunk({ content: piece }));
    response.write(chunk({}, "stop"));
    response.end("data: [DONE]\n\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const model: ObeyingModel = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls: [],
    keys: new Map(),
    obey: null,
    async close() {
      server.closeAllConnections();
      server.close();
      await demonstration.close();
    },
  };
  return model;
}
