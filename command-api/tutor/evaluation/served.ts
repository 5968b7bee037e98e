import { ProblemError } from "@colloquy/infra/http/problem.ts";
import type { LedgerRecord } from "@colloquy/infra/ledger/export.ts";
import { readTutorEvent, type TutorItem, tutorStream } from "@colloquy/schemas/events/tutor.ts";
import { masteredIn, probabilityIn } from "@colloquy/schemas/tutor/replay.ts";
import type { TutorAction } from "@colloquy/schemas/tutor/requests.ts";
import type { TutorSession } from "@colloquy/schemas/tutor/session.ts";
import type { TutorState } from "@colloquy/schemas/tutor/state.ts";
import type { ServedTutor } from "../tutor-fixture.ts";
import { createLearner, type LearnerKind } from "./learners.ts";
import type { LearnersSession } from "./simulate.ts";

const mostTurns = 200;

/** A simulated learner's whole session with the real handlers, the event store and the demonstration model on a demonstration course. */
export async function serveSession(tutor: ServedTutor, kind: LearnerKind, goal: string, random: () => number): Promise<LearnersSession> {
  const stateOf = async (sessionId: string): Promise<TutorState> => (await tutor.sessions.load(sessionId)).state;
  let { session } = await tutor.start({ goal });
  const objectiveIds = session.mastery.map(({ objectiveId }) => objectiveId);
  const learner = createLearner(kind, objectiveIds, random);
  const hadFirst = new Set(objectiveIds.filter((id) => learner.has(id)));
  const declaredFalsely = new Set<string>();
  const outcome = { itemsToMastery: [] as number[], predictions: [] as LearnersSession["predictions"], leaks: 0, gainedByClaims: 0 };
  let stuck = 0;

  /** Does something; a plan that was not verified leaves the session waiting, and is tried again. */
  const act = async (action: TutorAction): Promise<void> => {
    const taught = session.messages.filter((message) => message.kind === "teaching").length;
    try {
      ({ session } = await tutor.act(session, action));
      stuck = 0;
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      stuck += 1;
      session = {
        ...session,
        version: (await stateOf(session.sessionId)).version,
        current: error.code === "plan_unverified" ? null : session.current,
      };
    }
    for (const message of session.messages.filter((one) => one.kind === "teaching").slice(taught))
      learner.isTaught(session.path.find(({ stepId }) => stepId === message.stepId)?.objectiveIds ?? []);
  };

  for (let turn = 0; turn < mostTurns && stuck < 3 && session.phase !== "completed"; turn += 1) {
    if (!session.current) {
      await act({ type: "resume" });
      continue;
    }
    const { itemId } = session.current;
    const before = await stateOf(session.sessionId);
    const item = before.items[itemId];
    if (!item) throw new Error("the question is not in its stream");
    if (leaked(session, item)) outcome.leaks += 1;
    const { objectiveId } = item;
    if (kind.claims) {
      const was = probabilityIn(before.ledger, objectiveId);
      await act({ type: "self_report", objectiveId, knows: true });
      if (probabilityIn((await stateOf(session.sessionId)).ledger, objectiveId) !== was) outcome.gainedByClaims += 1;
    }
    if (kind.fishes) await act({ type: "explanation", itemId });
    const given = kind.fishes ? { correct: true, choiceIds: item.right } : learner.answers(item);
    const hasNow = learner.has(objectiveId);
    if (item.selection === "text") await act({ type: "answer", itemId, text: given.correct ? item.rubric.join(" ") : "I could not say." });
    else await act({ type: "answer", itemId, choiceIds: given.choiceIds });
    const { ledger } = await stateOf(session.sessionId);
    if (!kind.fishes && !session.messages.some((message) => message.kind === "answer" && message.itemId === itemId && message.aided))
      outcome.predictions.push({ before: probabilityIn(before.ledger, objectiveId), correct: given.correct });
    if (!masteredIn(before.ledger, objectiveId) && masteredIn(ledger, objectiveId)) {
      if (!hasNow) declaredFalsely.add(objectiveId);
      if (hadFirst.has(objectiveId)) outcome.itemsToMastery.push(ledger.answers.filter((one) => one.objectiveId === objectiveId).length);
    }
  }

  const records: LedgerRecord[] = [];
  for await (const stored of tutor.store.read(tutorStream(session.sessionId))) {
    const event = readTutorEvent(stored);
    if (event?.type === "EvidenceRecorded") records.push({ entry: event.data.entry });
    if (event?.type === "CheckpointSigned") records.push({ checkpoint: event.data.checkpoint });
  }
  const state = await stateOf(session.sessionId);
  return { learner, state, records, ...outcome, declaredFalsely, deadlocked: state.ledger.phase !== "completed" };
}

/** Whether what a learner sees of a waiting question says which choices are right. */
function leaked(session: TutorSession, item: TutorItem): boolean {
  const told = session.messages.some(
    (message) => (message.kind === "answer" || message.kind === "explanation") && message.itemId === item.itemId,
  );
  return !told && session.messages.some((message) => "right" in message && message.right.some((id) => item.right.includes(id)));
}
