import { setTimeout as pause } from "node:timers/promises";
import { createClient, RequestRefused } from "../../client/client.ts";
import { contentOf, courseId } from "./course.ts";

export interface Revision {
  sequence: number;
  revisionId: string;
}

export interface Attempt {
  requestId: string;
  mark: string;
  base: Revision;
  /** What signs the owner in. */
  headers: Record<string, string>;
}

export interface Answer {
  status: number;
  body: Revision & { code?: string; live?: Revision };
}

const answerTimeoutMs = 20_000;
const retryAfterMs = 50;
const triesAtMost = 1_200;

/** Publishes a course once, as the editor does. @returns null when the answer was lost */
export async function send(address: string, { requestId, mark, base, headers }: Attempt): Promise<Answer | null> {
  const { sequence, revisionId } = base;
  try {
    const body = await createClient({ address, headers })("POST /api/course-editor/publish", {
      headers: { "x-course-publish": "1" },
      body: { requestId, courseId, base: { sequence, revisionId }, course: contentOf(mark), renamedIds: [], aliases: [] },
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    return { status: 200, body };
  } catch (error) {
    if (!(error instanceof RequestRefused)) return null;
    return { status: error.status, body: { sequence: 0, revisionId: "", ...error.problem } };
  }
}

/** Sends the same request until the answer is neither lost nor a 503. @throws after a minute */
export async function sendUntilAnswered(address: () => string, attempt: Attempt): Promise<Answer & { tries: number }> {
  for (let tries = 1; ; tries += 1) {
    const answer = await send(address(), attempt);
    if (answer && answer.status !== 503) return { ...answer, tries };
    if (tries > triesAtMost) throw new Error(`${attempt.requestId} is not answered: ${JSON.stringify(answer)}`);
    await pause(retryAfterMs);
  }
}
