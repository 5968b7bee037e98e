import type { Config } from "@colloquy/infra/config.ts";
import type { sessionRecord } from "@colloquy/schemas/assistants/tools.ts";
import type { TutorSession } from "@colloquy/schemas/tutor/session.ts";
import type { TutorState } from "@colloquy/schemas/tutor/state.ts";
import type { z } from "zod";
import { nextTask } from "../tutor/policy.ts";

export type SessionRecord = z.infer<typeof sessionRecord>;

/** A session as an assistant sees it, with its latest messages. Pure. */
export function recordOf(
  { session, state }: { session: TutorSession; state: TutorState },
  { publicUrl }: Pick<Config, "publicUrl">,
  messages: number,
): SessionRecord {
  const { sessionId, version, courseId, courseTitle, courseRevisionId, goal, phase, paused, path, current } = session;
  return {
    sessionId,
    version,
    courseId,
    courseTitle,
    courseRevisionId,
    goal,
    phase,
    paused,
    path,
    current,
    waitsFor: waitsFor(session, state),
    mastery: session.mastery.map(({ objectiveId, title, href, probability, mastered, evidence }) => ({
      objectiveId,
      title,
      href,
      probability,
      mastered,
      evidence,
    })),
    messages: session.messages.slice(-messages),
    earlierMessages: Math.max(0, session.messages.length - messages),
    learnerPage: `${publicUrl}/ai?conversation=${session.conversationId}`,
  };
}

function waitsFor({ phase, paused, current }: TutorSession, state: TutorState): SessionRecord["waitsFor"] {
  if (phase === "completed") return "nothing";
  if (paused) return "resume";
  return current ? "answer" : (nextTask(state) ?? "nothing");
}
