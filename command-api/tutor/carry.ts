import { bounds } from "@colloquy/schemas/bounds.ts";
import type { AskedBefore, SessionObjective, TutorItem } from "@colloquy/schemas/tutor/events.ts";
import type { TutorState } from "@colloquy/schemas/tutor/state.ts";
import type { CarriedEntry } from "./commands.ts";
import type { TutorCourse } from "./course.ts";
import { itemsWithShownKeys, statementsIn } from "./shown-texts.ts";

/** The questions whose keys an earlier session showed, and those before it: nobody shows anything by answering them again. */
export const questionsShown = (state: TutorState): AskedBefore[] =>
  [...(state.askedBefore ?? []), ...itemsWithShownKeys(state).map(shownBy)].slice(-bounds.tutor.askedBefore);

const shownBy = (item: TutorItem): AskedBefore => {
  const { objectiveId, prompt, sameness } = item;
  return { objectiveId, prompt, sameness, statements: statementsIn(item) };
};

/** The answers of an earlier session that go on counting: those whose questions stand on text that is the same in this revision. */
export function carriedEntries(earlier: TutorState, course: TutorCourse, objectives: readonly SessionObjective[]): CarriedEntry[] {
  const wanted = new Set(objectives.map(({ objectiveId }) => objectiveId));
  return earlier.ledger.answers.flatMap((answer) => {
    // One that was carried into the earlier session has its digests from the one before.
    const sourceDigests = earlier.items[answer.itemId]?.sourceDigests ?? earlier.carried[answer.itemId];
    if (!sourceDigests || answer.disputed || !wanted.has(answer.objectiveId)) return [];
    const sources = Object.entries(sourceDigests);
    if (!sources.every(([sourceId, digest]) => course.digests.get(sourceId) === digest)) return [];
    const { kind, itemId, correct, aided, gradedBy, selection, choices, entryId, via, at: givenAt, evidence, statements } = answer;
    const said = { ...(evidence && { evidence }), ...(statements && { statements }), ...(via && { via }) };
    const fields = { kind, itemId, correct, aided, gradedBy, selection, choices, entryId, givenAt, ...said };
    return [
      {
        ...fields,
        objectiveIds: [answer.objectiveId],
        sourceIds: sources.map(([sourceId]) => sourceId),
        sourceDigests: { ...sourceDigests },
      },
    ];
  });
}
