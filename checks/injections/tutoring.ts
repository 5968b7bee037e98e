import { randomUUID } from "node:crypto";
import type { TutorReply } from "@colloquy/schemas/tutor/requests.ts";
import { hostileCourse } from "./hostile-course.ts";
import { questionOf } from "./obeying-model.ts";
import { type Answered, type Learner, pinned, type Target } from "./target.ts";

export type Session = TutorReply["session"];

export const sessionOf = ({ body }: Answered): Session | null => (body as { session?: Session }).session ?? null;

/** Opens a session; what came of it, whatever that is. */
export const start = (target: Target, person: Learner, more: object = {}): Promise<Answered> =>
  target.send(person, "POST", "/api/ai/tutor/start", {
    requestId: randomUUID(),
    conversationId: randomUUID(),
    courseId: hostileCourse,
    goal: "Say what a lamp is and what it burns",
    references: [{ href: `/courses/${hostileCourse}/lamps-8` }],
    model: pinned(),
    ...more,
  });

export const turnOf = ({ sessionId, version, courseRevisionId }: Session) => ({
  requestId: randomUUID(),
  sessionId,
  expectedVersion: version,
  courseRevisionId,
});
export const takeTurn = (target: Target, person: Learner, session: Session, action: object, more: object = {}): Promise<Answered> =>
  target.send(person, "POST", "/api/ai/tutor/turn", { ...turnOf(session), action, ...more });

/** A session as its learner reads it, once what reads are made from has come to a version. */
export async function readSession(
  target: Target,
  person: Learner,
  { sessionId, version }: Pick<Session, "sessionId" | "version">,
): Promise<Session> {
  for (let tries = 0; ; tries += 1) {
    const session = sessionOf(await target.send(person, "GET", `/api/tutor/sessions/${sessionId}`));
    if (session && session.version >= version) return session;
    if (tries > 600) throw new Error(`the session ${sessionId} cannot be read`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** A wrong answer to the waiting question, so that the session stays as long as possible. */
export function wrongAnswer({ model }: Target, { current }: Session): object {
  if (!current) return { type: "resume" };
  const { itemId, selection, prompt, choices } = current;
  if (selection === "text") return { type: "answer", itemId, text: "Perhaps it keeps the paper from burning too fast." };
  const right = model.keys.get(questionOf(prompt, choices)) ?? [];
  const wrong = choices.find(({ text }) => !right.includes(text)) ?? choices[0];
  return { type: "answer", itemId, choiceIds: wrong ? [wrong.choiceId] : [] };
}

/** Answers questions wrongly until the session is in the wanted state. */
export async function answerUntil(
  target: Target,
  person: Learner,
  from: Session,
  isThere: (session: Session) => boolean,
): Promise<Session> {
  let session = from;
  for (let turns = 0; !isThere(session); turns += 1) {
    if (turns > 40) throw new Error(`the session does not get there: ${session.phase} ${JSON.stringify(session.current)}`);
    const answered = await takeTurn(target, person, session, wrongAnswer(target, session));
    const next = sessionOf(answered);
    if (!next) throw new Error(`a turn was answered with ${answered.status}: ${answered.text}`);
    session = next;
  }
  return session;
}

/** What a learner is never told of a question that waits. */
const keyNames = new Set(["right", "rubric", "modelAnswer", "correct", "explanation", "key", "sameness", "digest"]);

/** The names in the card that waits that would tell its key. */
export const keysShown = ({ current }: Session): string[] => Object.keys(current ?? {}).filter((name) => keyNames.has(name));

/** Objectives that are mastered, or believed to be beyond what graded answers give. */
export const masteryOf = ({ mastery }: Session): string[] =>
  mastery.filter(({ mastered }) => mastered).map(({ objectiveId }) => objectiveId);

/** What the ledger of a session weighs: answers, by what graded them. */
export const evidenceOf = ({ mastery }: Session) => mastery.flatMap(({ evidence }) => evidence);
