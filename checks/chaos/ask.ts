import { createHash } from "node:crypto";
import type { AskFrame } from "@colloquy/schemas/ask/ask.ts";
import { applyFrame, emptyTurn, recordedTurnOf } from "@colloquy/schemas/ask/turn-progress.ts";
import type { ConversationResponse } from "@colloquy/schemas/conversations/requests.ts";
import type { PushResponse } from "@colloquy/schemas/sync/protocol.ts";
import { outcomeOfLastFrame, RetryLater } from "./recording-client.ts";
import type { RequestKind } from "./request-log.ts";
import { newId, retryUntilDone, type SimulatedPerson } from "./simulated-person.ts";

const questions = [
  "Why does spacing help?",
  "What is retrieval practice?",
  "Why does reading again feel like knowing?",
  "What does sleep do for memory?",
  "How should I explain a thing to myself?",
  "What is interleaving?",
];
const model = { choice: "automatic" };

/** As browsers and the service name the change that a turn, or a conversation's beginning, is. */
const changeIdOf = (key: string, type: string): string => createHash("sha256").update(`${key}/${type}`).digest("hex").slice(0, 40);

export interface Change {
  changeId: string;
  domain: string;
  entityId: string;
  type: string;
  at: string;
  data: object;
}

/** Sends changes until they are acknowledged, as an outbox does, and writes down that they were. @returns the position they are at */
export async function push(person: SimulatedPerson, changes: readonly Change[]): Promise<string> {
  const { client, journal } = person;
  const body = { schemaVersion: 1, deviceId: `device-of-${person.name}`, changes };
  const { text } = await retryUntilDone(`a push of ${person.name}`, () => client.send("push", "/api/sync/push", { method: "POST", body }));
  const { results, position } = JSON.parse(text) as PushResponse;
  for (const { changeId, outcome, code } of results) {
    const sent = changes.find((change) => change.changeId === changeId);
    if (outcome === "refused" || !sent) client.note("push", "wrong", `${sent?.type} was refused: ${code}`);
    else journal.changes.set(changeId, { entityId: sent.entityId, domain: sent.domain, type: sent.type });
  }
  return position;
}

/**
 * Asks a question of a course, or for a quiz, reads the answer to its end through whatever happens, and records it.
 * @param onWord called at each frame that comes
 */
export async function ask(person: SimulatedPerson, quiz: boolean, onWord: () => void = () => undefined): Promise<void> {
  const { client, journal, random } = person;
  const name = quiz ? "quiz" : "ask";
  const conversationId = newId();
  const message = quiz ? "A quiz on retrieval practice" : (questions[Math.floor(random() * questions.length)] ?? "");
  const at = new Date().toISOString();
  const started = { mode: "ask", model, references: [], title: message };
  let ids = { requestId: newId(), turnId: newId() };
  let turn = emptyTurn;
  let underWay = false;
  const answered = await retryUntilDone(`an answer for ${person.name}`, async () => {
    const { requestId, turnId } = ids;
    journal.asked.add(turnId);
    const body = {
      schemaVersion: 1,
      requestId,
      conversationId,
      message,
      history: [],
      references: [],
      model,
      keep: { conversationId, turnId, at, started },
      ...(quiz && { command: "quiz" }),
    };
    const frames = underWay
      ? client.lines(name, `/api/ai/ask/${requestId}?after=${turn.seq}`, { fits: [404], ends: outcomeOfLastFrame })
      : client.lines(name, "/api/ai/ask", { method: "POST", body, ends: outcomeOfLastFrame });
    try {
      let last: AskFrame | undefined;
      for await (const line of frames) {
        const frame = JSON.parse(line) as AskFrame;
        underWay = true;
        last = frame;
        onWord();
        if (frame.seq !== undefined && frame.seq <= turn.seq && frame.kind !== "status")
          client.note(name, "wrong", `frame ${frame.seq} came twice`);
        else turn = applyFrame(turn, frame);
      }
      if (last?.kind === "complete") return { turn, turnId };
      if (last?.kind !== "error") throw new RetryLater("no last word", 300);
    } catch (error) {
      // The process that ran it was killed: it is asked anew under its id, and begins from the first word.
      if (error instanceof RetryLater && error.code === "not_found") {
        underWay = false;
        turn = emptyTurn;
      }
      throw error;
    }
    // As "Try again" does.
    ids = { requestId: newId(), turnId: newId() };
    underWay = false;
    turn = emptyTurn;
    throw new RetryLater("the answer failed in words", 700);
  });
  const data = recordedTurnOf({ turnId: answered.turnId, question: message }, answered.turn);
  if (!data) return client.note(name, "wrong", "there is nothing to record of a complete answer");
  const when = new Date().toISOString();
  const changes: Change[] = [
    {
      changeId: changeIdOf(conversationId, "started"),
      domain: "conversation",
      entityId: conversationId,
      type: "started",
      at,
      data: started,
    },
    {
      changeId: changeIdOf(data.turnId, "turn_recorded"),
      domain: "conversation",
      entityId: conversationId,
      type: "turn_recorded",
      at: when,
      data,
    },
  ];
  if (data.artifact) {
    const answers = Object.fromEntries(data.artifact.questions.map(({ questionId }) => [questionId, []]));
    const attempt = { quizId: data.artifact.quizId, answers, score: 0 };
    changes.push({ changeId: newId(), domain: "conversation", entityId: conversationId, type: "quiz_attempted", at: when, data: attempt });
  }
  const position = await push(person, changes);
  journal.turns.set(data.turnId, { conversationId, question: message, answer: data.answer });
  if (data.artifact) journal.quizzes.set(data.artifact.quizId, { conversationId });
  await client.send(name, `/api/ai/ask/${ids.requestId}`, { method: "DELETE" }).catch(() => undefined);
  await retryUntilDone("reading what was written", async () => {
    const { turns } = await conversationOf(person, "read what was just written", `${conversationId}?after=${position}`);
    const found = turns.filter(({ turnId }) => turnId === data.turnId);
    if (found.length !== 1 || found[0]?.answer !== data.answer)
      client.note("read what was just written", "wrong", `${found.length} turns ${data.turnId} behind its own position`);
  });
}

/** @param path the conversation's id, and what is asked about it */
export async function conversationOf(
  { client }: SimulatedPerson,
  name: RequestKind,
  path: string,
): Promise<ConversationResponse["conversation"]> {
  const { text } = await client.send(name, `/api/conversations/${path}`);
  return (JSON.parse(text) as ConversationResponse).conversation;
}
