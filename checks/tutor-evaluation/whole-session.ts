import { isDeepStrictEqual } from "node:util";
import { type Verified, verifyLedger } from "@colloquy/infra/ledger/verify.ts";
import { type TutorItem, tutorEvents, tutorStream } from "@colloquy/schemas/tutor/events.ts";
import type { LedgerKey } from "@colloquy/schemas/tutor/ledger.ts";
import { masteredIn, probabilityIn } from "@colloquy/schemas/tutor/replay.ts";
import type { TutorAction, TutorReply, TutorSessionResponse } from "@colloquy/schemas/tutor/requests.ts";
import { evolve, initial, type TutorState } from "@colloquy/schemas/tutor/state.ts";
import { leaksIn } from "./leaks.ts";
import { createLearner, isLesson, type LearnerKind } from "./learners.ts";
import { patiently } from "./patient.ts";
import type { EvaluatedProgram } from "./program.ts";
import type { LearnersSession } from "./simulate.ts";

/** A learner's session through the program's front door, with what came of it. */
export interface WholeSession extends LearnersSession {
  /** The ledger as the learner downloads it. */
  text: string;
  verified: Verified;
  /** Whether the replay of the export has the mastery, path and phase that the learner's page shows. */
  replaysAlike: boolean;
  /** Turns the service did not take. */
  refusals: string[];
  /** Why an objective was left that the learner had at the end. */
  missed: string[];
}

/** The service would not begin: nothing can be asked of this topic. */
export interface NotBegun {
  notBegun: string;
}

interface Setting {
  program: EvaluatedProgram;
  accountId: string;
  courseId: string;
  goal: string;
  keys: readonly LedgerKey[];
  random(): number;
}

const mostTurns = 300;

export async function wholeSession(kind: LearnerKind, setting: Setting): Promise<WholeSession | NotBegun> {
  const { program, accountId, courseId, goal, keys, random } = setting;
  const headers = { cookie: await program.cookieOf(accountId), "content-type": "application/json" };
  const leaks: string[] = [];
  let state: TutorState = initial;
  let made = 0;

  /** The state as its stream has it: read past the service, for the key that only a learner who knows would know. */
  const readOn = async (sessionId: string): Promise<void> => {
    for await (const stored of program.store.read(tutorStream(sessionId), { from: state.version + 1 })) {
      state = evolve(state, tutorEvents.parse(stored));
    }
  };
  /** Every body is looked through for keys of what is not answered or explained as it comes. */
  const call = (method: "GET" | "POST", path: string, body?: object): Promise<{ status: number; text: string }> =>
    patiently(`${program.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const lookThrough = (text: string): void => {
    const open = Object.values(state.items).filter(({ itemId }) => !state.answers[itemId] && !state.explained.includes(itemId));
    leaks.push(
      ...leaksIn(
        text,
        open.map((item) => ({ item, asked: state.asked.includes(item.itemId) })),
      ),
    );
  };

  const requestId = (): string => {
    made += 1;
    return `evaluation-${accountId}-${made}`;
  };
  const began = await call("POST", "/api/ai/tutor/start", {
    schemaVersion: 1,
    requestId: requestId(),
    conversationId: `conversation-${accountId}`,
    courseId,
    goal,
    references: [],
    model: { choice: "automatic" },
  });
  if (began.status !== 200) return { notBegun: `${courseId}, ${goal}: ${began.status} ${began.text.slice(0, 200)}` };
  let { session, position } = JSON.parse(began.text) as TutorReply;
  await readOn(session.sessionId);
  lookThrough(began.text);

  const objectiveIds = session.mastery.map(({ objectiveId }) => objectiveId);
  const learner = createLearner(kind, objectiveIds, random);
  const hadFirst = new Set(objectiveIds.filter((id) => learner.has(id)));
  const declaredFalsely = new Set<string>();
  const outcome = { itemsToMastery: [] as number[], predictions: [] as LearnersSession["predictions"], gainedByClaims: 0 };
  const refusals: string[] = [];
  let stuck = 0;

  const act = async (action: TutorAction): Promise<void> => {
    const taught = session.messages.filter(isLesson).length;
    const { sessionId, courseRevisionId } = session;
    const turn = { schemaVersion: 1, requestId: requestId(), sessionId, expectedVersion: state.version, courseRevisionId, action };
    const { status, text } = await call("POST", "/api/ai/tutor/turn", turn);
    await readOn(sessionId);
    lookThrough(text);
    if (status !== 200) {
      stuck += 1;
      refusals.push(`${action.type}: ${status} ${(JSON.parse(text) as { code?: string }).code ?? ""}`);
      const read = await call("GET", `/api/tutor/sessions/${sessionId}`);
      if (read.status === 200) ({ session } = JSON.parse(read.text) as TutorSessionResponse);
      return;
    }
    stuck = 0;
    ({ session, position } = JSON.parse(text) as TutorReply);
    for (const message of session.messages.filter(isLesson).slice(taught))
      learner.isTaught(session.path.find(({ stepId }) => stepId === message.stepId)?.objectiveIds ?? []);
  };

  for (let turn = 0; turn < mostTurns && stuck < 4 && session.phase !== "completed"; turn += 1) {
    const itemId = session.current?.itemId;
    const item: TutorItem | undefined = state.items[itemId ?? ""];
    if (!itemId || !item) {
      await act({ type: "resume" });
      continue;
    }
    const { objectiveId } = item;
    if (kind.claims) {
      const was = probabilityIn(state.ledger, objectiveId);
      await act({ type: "self_report", objectiveId, knows: true });
      if (probabilityIn(state.ledger, objectiveId) !== was) outcome.gainedByClaims += 1;
    }
    // Who fishes for answers takes every hint there is, then the explanation.
    if (kind.fishes) {
      for (const _ of item.hints) await act({ type: "hint", itemId });
      await act({ type: "explanation", itemId });
    }
    const before = state.ledger;
    const given = kind.fishes ? { correct: true, choiceIds: item.right } : learner.answers(item);
    const hasNow = learner.has(objectiveId);
    const words = given.correct ? item.rubric.join(" ") : "I could not say.";
    await act(item.selection === "text" ? { type: "answer", itemId, text: words } : { type: "answer", itemId, choiceIds: given.choiceIds });
    const graded = state.answers[itemId];
    if (graded && !graded.aided) outcome.predictions.push({ before: probabilityIn(before, objectiveId), correct: graded.correct });
    if (!masteredIn(before, objectiveId) && masteredIn(state.ledger, objectiveId)) {
      if (!hasNow) declaredFalsely.add(objectiveId);
      if (hadFirst.has(objectiveId))
        outcome.itemsToMastery.push(state.ledger.answers.filter((one) => one.objectiveId === objectiveId).length);
    }
  }

  const { sessionId } = session;
  const shown = await call("GET", `/api/tutor/sessions/${sessionId}?after=${position}`);
  const { text } = await call("GET", `/api/tutor/sessions/${sessionId}/ledger?after=${position}`);
  lookThrough(shown.text);
  lookThrough(text);
  const verified = verifyLedger(text, keys);
  const page = (JSON.parse(shown.text) as TutorSessionResponse).session;
  const replayed = verified.state;
  const replaysAlike =
    verified.fault === null &&
    replayed.phase === page.phase &&
    replayed.paused === page.paused &&
    isDeepStrictEqual(replayed.path, page.path) &&
    page.mastery.every(
      (one) => one.probability === probabilityIn(replayed, one.objectiveId) && one.mastered === masteredIn(replayed, one.objectiveId),
    );
  const missed = objectiveIds.flatMap((id) =>
    learner.has(id) && !masteredIn(state.ledger, id) ? (reasonFor(state, id) ?? "still open") : [],
  );
  return {
    learner,
    state,
    records: [],
    ...outcome,
    declaredFalsely,
    deadlocked: state.ledger.phase !== "completed",
    leaks: leaks.length,
    text,
    verified,
    replaysAlike,
    refusals,
    missed,
  };
}

/** Why the step that leads to an objective was left. */
function reasonFor({ ledger, messages }: TutorState, objectiveId: string): string | null {
  const step = ledger.path.findLast((one) => one.objectiveIds.includes(objectiveId));
  const left = messages.findLast((one) => one.kind === "decision" && one.decision === "advance" && one.stepId === step?.stepId);
  return left?.kind === "decision" ? left.reason : null;
}
