import { Rejection } from "@colloquy/command-api/decider.ts";
import type { TutorCommand } from "@colloquy/command-api/tutor/commands.ts";
import { tutorDecider } from "@colloquy/command-api/tutor/decider.ts";
import { digestOf } from "@colloquy/command-api/tutor/items.ts";
import { currentStep, nextTask, remainingObjectives, wantedSelection, weakestObjective } from "@colloquy/command-api/tutor/policy.ts";
import type { LedgerRecord } from "@colloquy/infra/ledger/export.ts";
import type { LedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import type { TutorEvent, TutorItem } from "@colloquy/schemas/tutor/events.ts";
import { masteredIn } from "@colloquy/schemas/tutor/replay.ts";
import type { TutorState } from "@colloquy/schemas/tutor/state.ts";
import { sessionView } from "@colloquy/schemas/tutor/view.ts";
import { createLearner, type Learner, type LearnerKind } from "./learners.ts";

/** A whole session of a simulated learner with the real deciders; plans, texts and questions are made up, so that none is a model's. */
export interface SimulatedSession extends LearnersSession {
  events: readonly TutorEvent[];
}

/** What is measured of a learner's session. */
export interface LearnersSession {
  learner: Learner;
  state: TutorState;
  records: readonly LedgerRecord[];
  /** Questions answered before an objective was declared mastered, for those that were had from the beginning. */
  itemsToMastery: number[];
  /** Predicted probability and outcome of each unaided answer with choices, for calibration. */
  predictions: { before: number; correct: boolean }[];
  deadlocked: boolean;
  /** Objectives that the learner did not have when the answer came that declared them mastered. */
  declaredFalsely: ReadonlySet<string>;
  /** Keys that a view showed before their question was answered or explained. */
  leaks: number;
  /** Mastery gained by claims alone. */
  gainedByClaims: number;
}

const by = { provider: "p1" as const, model: "made-up", fallbackDepth: 0 };
const mostTurns = 300;

export function simulateSession(
  kind: LearnerKind,
  { sessionId, objectives, random, signer }: { sessionId: string; objectives: number; random: () => number; signer: LedgerSigner },
): SimulatedSession {
  const objectiveIds = Array.from({ length: objectives }, (_, index) => `objective-${index + 1}`);
  const learner = createLearner(kind, objectiveIds, random);
  const hadFirst = new Set(objectiveIds.filter((id) => learner.has(id)));
  const outcome = { itemsToMastery: [] as number[], predictions: [] as SimulatedSession["predictions"], leaks: 0, gainedByClaims: 0 };
  const declaredFalsely = new Set<string>();
  const events: TutorEvent[] = [];
  const records: LedgerRecord[] = [];
  let state = tutorDecider.initialState;
  let made = 0;
  const occasion = () => ({
    at: new Date(Date.UTC(2026, 0, 1) + events.length * 1_000).toISOString(),
    requestId: `request-${events.length}`,
  });
  const take = (command: TutorCommand): boolean => {
    const decision = tutorDecider.decide(command, state);
    if (decision instanceof Rejection) return false;
    for (const event of decision) {
      events.push(event);
      state = tutorDecider.evolve(state, Object.assign({}, event, { metadata: { id: "", revision: state.version + 1, position: "" } }));
      if (event.type === "EvidenceRecorded") records.push({ entry: event.data.entry });
      if (event.type === "CheckpointSigned") records.push({ checkpoint: event.data.checkpoint });
    }
    return true;
  };
  const item = (objectiveId: string, more: Partial<TutorItem>): TutorItem => {
    made += 1;
    const name = `${sessionId}-${made}`;
    const selection = more.selection ?? "single";
    const choices = selection === "text" ? [] : [1, 2, 3, 4].map((place) => ({ choiceId: `${name}-${place}`, text: `Choice ${place}` }));
    const right = selection === "multiple" ? choices.slice(1, 3) : choices.slice(1, 2);
    const bare: TutorItem = {
      itemId: `${name}-item`,
      kind: "check",
      objectiveId,
      stepId: null,
      breadth: "broad",
      prompt: `Question ${made}`,
      selection,
      choices,
      by,
      right: right.map(({ choiceId }) => choiceId),
      rubric: selection === "text" ? ["It says so."] : [],
      modelAnswer: "",
      hints: ["Think."],
      explanation: "So.",
      citations: [],
      sourceIds: ["source-01"],
      sourceDigests: {},
      sameness: name,
      digest: "",
      ...more,
    };
    return { ...bare, digest: digestOf(bare) };
  };

  const probes = objectiveIds.flatMap((id) => (["broad", "narrow"] as const).map((breadth) => item(id, { kind: "probe", breadth })));
  const opening = occasion();
  take({
    type: "open",
    ...opening,
    digest: "",
    carried: [],
    goal: { textId: `${sessionId}-goal`, text: "Learn", salt: "salt" },
    session: {
      sessionId,
      conversationId: `conversation-${sessionId}`,
      courseId: "course-01",
      courseTitle: "A course",
      language: "en",
      courseRevisionId: "revision-01",
      references: [],
      model: { choice: "automatic" },
    },
    objectives: objectiveIds.map((objectiveId) => ({
      objectiveId,
      title: objectiveId,
      topicId: "topic-0001",
      topicTitle: "Topic",
      href: "/courses/course-01/topic",
      derived: false,
    })),
  });
  take({ type: "prepare probes", ...opening, probes });

  /** What a model adds in a real session. */
  const work = (): boolean => {
    const kindOfWork = nextTask(state);
    const step = currentStep(state);
    if (kindOfWork === "plan") {
      const steps = remainingObjectives(state).map((objectiveId, index, all) => ({
        stepId: `${sessionId}-s${state.replans}-${index}`,
        title: objectiveId,
        objectiveIds: [objectiveId],
        sourceIds: ["source-01"],
        reason: "So.",
        prerequisites: index > 0 ? [`${sessionId}-s${state.replans}-${index - 1}`] : [],
        all: all.length,
      }));
      return take({ type: "install plan", ...occasion(), steps: steps.map(({ all: _, ...one }) => one), by, verifiedBy: by });
    }
    if (!step) return false;
    if (kindOfWork === "teach") {
      learner.isTaught(step.objectiveIds);
      return take({ type: "teach", ...occasion(), stepId: step.stepId, text: "So it is.", citations: [], outcome: "finished", by });
    }
    const objectiveId = weakestObjective(state, step) ?? step.objectiveIds[0] ?? "";
    return take({ type: "ask", ...occasion(), item: item(objectiveId, { stepId: step.stepId, selection: wantedSelection(state) }) });
  };

  const act = (action: Extract<TutorCommand, { type: "act" }>["action"], more: object = {}): boolean =>
    take({ type: "act", ...occasion(), digest: "", action, ...more });

  const answerOnce = (): boolean => {
    const asked = state.items[state.current ?? ""];
    if (!asked) return false;
    const seen = JSON.stringify(sessionView(state, {}).messages.at(-1));
    if (seen.includes('"right"')) outcome.leaks += 1;
    if (kind.claims) {
      const before = JSON.stringify(sessionView(state, {}).mastery.map(({ probability }) => probability));
      for (const objectiveId of objectiveIds) act({ type: "self_report", objectiveId, knows: true });
      if (JSON.stringify(sessionView(state, {}).mastery.map(({ probability }) => probability)) !== before) outcome.gainedByClaims += 1;
    }
    const { objectiveId, itemId } = asked;
    if (kind.fishes) act({ type: "explanation", itemId });
    const given = kind.fishes ? { correct: true, choiceIds: asked.right } : learner.answers(asked);
    const before =
      state.ledger.answers.findLast((one) => one.objectiveId === objectiveId && !one.disputed)?.probability ??
      state.ledger.parameters.learned;
    const was = masteredIn(state.ledger, objectiveId);
    if (asked.selection === "text") {
      const text = { textId: `${itemId}-t`, text: "So.", salt: "salt" };
      const grade = {
        correct: given.correct,
        criteria: [{ criterion: "It says so.", met: given.correct }],
        reasonsTextId: `${itemId}-r`,
        by,
      };
      if (!act({ type: "answer", itemId, text: "So." }, { text, grade })) return false;
    } else if (!act({ type: "answer", itemId, choiceIds: given.choiceIds })) return false;
    if (!kind.fishes) outcome.predictions.push({ before, correct: given.correct });
    if (!was && masteredIn(state.ledger, objectiveId) && !learner.has(objectiveId)) declaredFalsely.add(objectiveId);
    if (!was && masteredIn(state.ledger, objectiveId) && hadFirst.has(objectiveId))
      outcome.itemsToMastery.push(state.ledger.answers.filter((one) => one.objectiveId === objectiveId).length);
    return true;
  };

  let going = true;
  for (let turn = 0; going && turn < mostTurns && state.ledger.phase !== "completed"; turn += 1) {
    going = answerOnce();
    while (going && nextTask(state)) going = work();
    const { checkpoint: before, tree } = state;
    take({ type: "sign", checkpoint: signer.checkpoint({ sessionId, before, tree, at: occasion().at }) });
  }
  return { learner, state, events, records, ...outcome, declaredFalsely, deadlocked: state.ledger.phase !== "completed" };
}
