import type { ErrorCode } from "@colloquy/schemas/errors.ts";
import type { TutorAction, TutorFrame, TutorSessionResponse } from "@colloquy/schemas/tutor/requests.ts";
import type { TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { someAnswer } from "../harness/some-answer.ts";
import { readCourse } from "./actions.ts";
import { outcomeOfLastFrame, RetryLater } from "./recording-client.ts";
import { newId, retryUntilDone, type SimulatedPerson } from "./simulated-person.ts";

const goals = ["Know why spacing practice helps memory", "Test myself by retrieval practice", "Understand why rereading misleads"];
/** What is an answer, too: the session is elsewhere by now, or there is nothing to teach. */
const answers: readonly ErrorCode[] = [
  "stale_session",
  "wrong_phase",
  "nothing_to_ask",
  "no_questions",
  "questions_shown",
  "plan_unverified",
];

/** Begins a tutoring session and answers some of its questions; each request is sent again under its id until it is answered. */
export async function tutor(person: SimulatedPerson, answersAtMost = 4): Promise<void> {
  const { client, journal, random, resting } = person;

  async function turn(path: string, body: object): Promise<TutorSession | "elsewhere" | "nothing"> {
    const requestId = newId();
    return retryUntilDone(`a tutor's turn of ${person.name}`, async () => {
      let last: TutorFrame | undefined;
      try {
        for await (const line of client.lines("tutor", path, {
          method: "POST",
          body: { schemaVersion: 1, requestId, ...body },
          fits: [409, 422],
          ends: (line) => outcomeOfLastFrame(line, answers),
        }))
          last = JSON.parse(line) as TutorFrame;
      } catch (error) {
        if (error instanceof RetryLater && (error.code === "stale_session" || error.code === "wrong_phase")) return "elsewhere";
        if (
          error instanceof RetryLater &&
          (error.code === "nothing_to_ask" ||
            error.code === "no_questions" ||
            error.code === "questions_shown" ||
            error.code === "plan_unverified")
        )
          return "nothing";
        throw error;
      }
      if (last?.kind === "complete") return last.session;
      if (last?.kind !== "error") throw new RetryLater("no last word", 300);
      if (last.code === "stale_session" || last.code === "wrong_phase") return "elsewhere";
      if (
        last.code === "nothing_to_ask" ||
        last.code === "no_questions" ||
        last.code === "questions_shown" ||
        last.code === "plan_unverified"
      )
        return "nothing";
      throw new RetryLater("the turn failed in words", 700);
    });
  }

  const goal = goals[Math.floor(random() * goals.length)] ?? "";
  const begun = await turn("/api/ai/tutor/start", {
    conversationId: newId(),
    courseId: readCourse,
    goal,
    references: [],
    model: { choice: "automatic" },
  });
  if (typeof begun === "string") return;
  let session = begun;
  const kept = { version: session.version, answered: new Set<string>() };
  journal.sessions.set(session.sessionId, kept);
  for (let count = 0; count < answersAtMost && session.phase !== "completed" && !resting.aborted; count += 1) {
    const { current, sessionId, courseRevisionId, version } = session;
    const action: TutorAction = !current
      ? { type: "resume" }
      : someAnswer(current, "It is what the course says of it.", (count) => Math.floor(random() * count));
    const next = await turn("/api/ai/tutor/turn", { sessionId, expectedVersion: version, courseRevisionId, action });
    if (next === "nothing") return;
    if (next === "elsewhere") {
      // Nobody else works in it: the same request has to be known again.
      client.note("tutor", "wrong", `session ${sessionId} went on without its learner`);
      const { text } = await retryUntilDone("a session", () => client.send("tutor", `/api/tutor/sessions/${sessionId}`));
      ({ session } = JSON.parse(text) as TutorSessionResponse);
      continue;
    }
    session = next;
    kept.version = session.version;
    if (action.type === "answer") kept.answered.add(action.itemId);
  }
}
