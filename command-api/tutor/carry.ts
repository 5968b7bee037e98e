import type { SessionObjective } from "@colloquy/schemas/events/tutor.ts";
import type { TutorState } from "@colloquy/schemas/tutor/state.ts";
import type { TutorCourse } from "./course.ts";
import type { CarriedEntry } from "./decider.ts";

/**
 * The answers of an earlier session that go on counting: those whose questions stand on text that is the same in this revision. What
 * that session had itself taken over stays behind, because the questions are not in its stream.
 */
export function carriedEntries(earlier: TutorState, course: TutorCourse, objectives: readonly SessionObjective[]): CarriedEntry[] {
  const wanted = new Set(objectives.map(({ objectiveId }) => objectiveId));
  return earlier.ledger.answers.flatMap((answer) => {
    const item = earlier.items[answer.itemId];
    if (!item || answer.disputed || !wanted.has(answer.objectiveId)) return [];
    const unchanged = Object.entries(item.sourceDigests).every(([sourceId, digest]) => course.digests.get(sourceId) === digest);
    if (!unchanged) return [];
    const { kind, itemId, correct, aided, gradedBy, selection, choices, entryId } = answer;
    return [
      {
        kind,
        objectiveIds: [answer.objectiveId],
        itemId,
        correct,
        aided,
        gradedBy,
        selection,
        choices,
        entryId,
        sourceIds: item.sourceIds,
      },
    ];
  });
}
