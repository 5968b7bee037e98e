import { setTimeout as pause } from "node:timers/promises";
import { contentOf, courseId } from "./course.ts";

export interface Revision {
  sequence: number;
  revisionId: string;
}

export interface Attempt {
  requestId: string;
  mark: string;
  base: Revision;
  cookie: string;
}

export interface Answer {
  status: number;
  body: Revision & { code?: string; live?: Revision };
}

/** Sends a course once, as the editor does; null when the answer was lost. */
export async function send(machine: string, { requestId, mark, base: { sequence, revisionId }, cookie }: Attempt): Promise<Answer | null> {
  const body = {
    schemaVersion: 1,
    requestId,
    courseId,
    base: { sequence, revisionId },
    course: contentOf(mark),
    renamedIds: [],
    aliases: [],
  };
  try {
    const response = await fetch(`${machine}/api/course-editor/publish`, {
      method: "POST",
      headers: { cookie, "content-type": "application/json", "x-course-publish": "1" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    });
    return { status: response.status, body: (await response.json()) as Answer["body"] };
  } catch {
    return null;
  }
}

const triesAtMost = 1_200;

/** Sends the same request until it is answered by something else than trouble that passes, for a minute and more. */
export async function sendUntilAnswered(machine: () => string, attempt: Attempt): Promise<Answer & { tries: number }> {
  for (let tries = 1; ; tries += 1) {
    const answer = await send(machine(), attempt);
    if (answer && answer.status !== 503) return { ...answer, tries };
    if (tries > triesAtMost) throw new Error(`${attempt.requestId} is not answered: ${JSON.stringify(answer)}`);
    await pause(50);
  }
}
