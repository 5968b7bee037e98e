import { uuidv7 } from "../../api/uuid.ts";
import { conversationTitle } from "../../store/title.ts";
import { answerText, citations, pipesPage, question } from "./fixtures.ts";
import type { PlayedService } from "./service.ts";

const hour = 3_600_000;
const older: [string, number][] = [
  ["Eigenvectors as directions that are kept", 2],
  ["What does a quotient type mean, and why do we need one at all?", 5],
  ["How uniq and sort work together", 27],
  ["Change of basis, step by step", 70],
  ["Finding things with grep", 96],
  ["Why the shell expands * before the command runs", 400],
];

/** Fills a fake service with a history; returns the id of the newest conversation. */
export function seedHistory(service: PlayedService, now = Date.now()): string {
  for (const [text, hours] of older.toReversed()) record(service, text, "A short answer.", new Date(now - hours * hour).toISOString());
  const newest = record(service, question, answerText, new Date(now - 0.2 * hour).toISOString());
  service.receive({
    changeId: uuidv7(),
    deviceId: null,
    domain: "conversation",
    entityId: newest,
    type: "pinned",
    at: new Date(now).toISOString(),
    data: {},
  });
  return newest;
}

export function record(service: PlayedService, text: string, answer: string, at: string): string {
  const conversationId = uuidv7();
  const base = { deviceId: null, domain: "conversation" as const, entityId: conversationId, at };
  service.receive({
    ...base,
    changeId: uuidv7(),
    type: "started",
    data: {
      mode: "ask",
      model: { choice: "automatic" },
      references: [{ href: pipesPage.href, title: pipesPage.title, kind: "topic" }],
      title: conversationTitle(text),
    },
  });
  service.receive({
    ...base,
    changeId: uuidv7(),
    type: "turn_recorded",
    data: {
      turnId: uuidv7(),
      question: text,
      answer,
      citations: answer === answerText ? citations : [],
      outcome: "finished",
      provider: "p1",
      model: "reader-large",
      fallbackDepth: 0,
    },
  });
  return conversationId;
}
