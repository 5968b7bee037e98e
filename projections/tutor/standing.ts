import { citedSources } from "@colloquy/schemas/tutor/standing.ts";
import type { TutorState } from "@colloquy/schemas/tutor/state.ts";
import { sourceIdOf } from "../passages/source-identity.ts";

/** What a session stands on: the sources it cites, and the topics it teaches, whose own text says what is to be learned there. */
export function standsOn(state: TutorState): string[] {
  const topics = state.objectives.map(({ topicId }) => sourceIdOf(state.courseId, topicId));
  return [...new Set([...citedSources(state), ...topics])].sort();
}
