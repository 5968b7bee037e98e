import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { versioned } from "@colloquy/schemas/payload.ts";
import { type Films, noFilms } from "./films.ts";

/** Ids of a learner's data and of courses, used by the requests of the table. */
export interface SampleData {
  courseId: string;
  /** A topic's address. */
  topic: string;
  /** Of a picture of the course's. */
  assetSha256: string;
  conversationId: string;
  sessionId: string;
  sessionVersion: number;
  courseRevisionId: string;
  /** Of a kept turn that runs or has ended. */
  requestId: string;
  films: Films;
}

const courseWithinMs = 60_000;

type Json = Record<string, unknown>;

/** A question whose answer goes on and is kept when nobody reads it. */
export const keptQuestion = ({ requestId, conversationId }: Pick<SampleData, "requestId" | "conversationId">): Json =>
  versioned({
    requestId,
    conversationId,
    message: "What is a linear map?",
    history: [],
    references: [],
    model: { choice: "automatic" },
    keep: { conversationId, turnId: randomUUID(), at: new Date().toISOString() },
  });

/** Makes a conversation with a question and a tutoring session. */
export async function makeSampleData(url: string, learner: Record<string, string>): Promise<SampleData> {
  const send = async (path: string, body: Json): Promise<Json> => {
    const headers = { "content-type": "application/json", accept: "application/json", ...learner };
    const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(versioned(body)) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    return text.startsWith("{") && !text.includes("\n{") ? JSON.parse(text) : {};
  };
  const read = async (path: string): Promise<Json> => (await fetch(url + path, { headers: learner })).json() as Promise<Json>;

  const courseId = "linear-maps";
  const look = () => read(`/api/courses/${courseId}`) as Promise<{ course?: { topics: { href: string }[]; assets: { sha256: string }[] } }>;
  let { course } = await look();
  // The demonstration courses are published beside the first requests.
  for (const end = Date.now() + courseWithinMs; !course && Date.now() < end; { course } = await look()) await setTimeout(100);
  if (!course) throw new Error(`${courseId} was not published`);
  const conversationId = randomUUID();
  const model = { choice: "automatic" };
  const at = new Date().toISOString();
  const started = { mode: "tutor", model, references: [], title: "Maps" };
  await send("/api/sync/push", {
    deviceId: randomUUID(),
    changes: [{ changeId: randomUUID(), domain: "conversation", entityId: conversationId, type: "started", at, data: started }],
  });
  const requestId = randomUUID();
  await send("/api/ai/ask", keptQuestion({ requestId, conversationId }));
  const { session } = (await send("/api/ai/tutor/start", {
    requestId: randomUUID(),
    conversationId,
    courseId,
    goal: "Know which directions a map leaves alone",
    references: [],
    model,
  })) as { session: { sessionId: string; version: number; courseRevisionId: string } };
  return {
    courseId,
    conversationId,
    requestId,
    topic: course.topics[0]?.href ?? "",
    assetSha256: course.assets[0]?.sha256 ?? "",
    sessionId: session.sessionId,
    sessionVersion: session.version,
    courseRevisionId: session.courseRevisionId,
    films: noFilms(),
  };
}
