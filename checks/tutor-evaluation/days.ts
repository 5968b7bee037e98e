import { createHash } from "node:crypto";
import { tutorHandlers } from "@colloquy/command-api/tutor/handlers.ts";
import { tutorSessions } from "@colloquy/command-api/tutor/sessions.ts";
import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import type { LedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import { masteryIn } from "@colloquy/schemas/tutor/replay.ts";
import type { TutorAction, TutorReply } from "@colloquy/schemas/tutor/requests.ts";
import type { TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { authoredBank } from "./authored-bank.ts";
import { isLesson } from "./learners.ts";
import { madeUpCourse } from "./made-up-course.ts";
import { memoryStore } from "./memory-store.ts";
import { createLearner, type Strategy } from "./strategies.ts";
import { madeUpWriter } from "./writer.ts";

/** What came of one objective of one learner. */
export interface ObjectiveOutcome {
  hadFirst: boolean;
  hadLast: boolean;
  /** Whether it was ever declared so, whether the learner had it then, and by how many answers. */
  provisional: { had: boolean; answers: number } | null;
  confirmed: { had: boolean; answers: number } | null;
  /** Blocks of the course's own questions that were asked. */
  asked: Set<string>;
}

/** Objectives of a session, and facts that the course has of each. */
const [objectives, facts] = [2, 16];
const mostTurns = 200;
const dayMs = 86_400_000;

/**
 * One learner's sessions on following days, by the tutor's own handlers, deciders and question flow; only the model is made up. Each
 * later session takes over the evidence of the one before. `bank`: so many questions of an author's on each objective, and no model that
 * can check others.
 */
export async function learnsForDays(
  strategy: Strategy,
  { days, random, signer, bank = 0 }: { days: number; random: () => number; signer: LedgerSigner; bank?: number },
): Promise<ObjectiveOutcome[]> {
  let now = Date.UTC(2026, 0, 1, 9);
  const clock = (): string => new Date(now).toISOString();
  const made = madeUpCourse(objectives, facts, random);
  const course = { ...made.course, questions: authoredBank(made.facts, bank, made.sourceIdOf) };
  const opened: { sessionId: string; version: number }[] = [];
  const gateway = madeUpWriter(
    made.facts,
    { unable: bank > 0, flawed: 0.35, lenient: strategy.lenient ?? 0.1, strict: strategy.strict ?? 0.05 },
    random,
  );
  const sessions = tutorSessions({ store: memoryStore(clock) as EventStore, signer, now: clock });
  const handlers = tutorHandlers({
    gateway,
    library: made.library,
    pages: { pageOf: async () => null },
    courses: { ...made.courses, live: async () => course },
    sessions,
    ...(bank > 0 && { sessionsOf: async () => opened }),
    clock: () => now,
    random,
  });
  const objectiveIds = made.course.objectives.map(({ objectiveId }) => objectiveId);
  const learner = createLearner(strategy, objectiveIds, made.facts, random);
  const outcomes = new Map(
    objectiveIds.map((id) => [
      id,
      { hadFirst: learner.has(id), hadLast: false, provisional: null, confirmed: null, asked: new Set() } as ObjectiveOutcome,
    ]),
  );
  let requests = 0;
  const run = () => {
    requests += 1;
    now += 20_000;
    const requestId = createHash("sha256").update(String(requests)).digest("hex").slice(0, 32);
    return {
      context: { accountId: "acc_evaluated", requestId, correlationId: requestId },
      signal: new AbortController().signal,
      streamed: false,
      emit: () => undefined,
    };
  };
  let earlier: TutorSession | null = null;
  for (let day = 0; day < days; day += 1) {
    const opening = run();
    const before = earlier as TutorSession | null;
    const begun: TutorReply | null = await handlers
      .start(
        {
          schemaVersion: 1,
          requestId: opening.context.requestId,
          conversationId: `conversation-${day}`,
          courseId: made.course.courseId,
          goal: "Learn",
          references: [],
          model: { choice: "automatic" },
          ...(before && { carryFrom: before.sessionId }),
        },
        opening,
      )
      .catch((error: unknown) => {
        // Every question was shown.
        if (error instanceof ProblemError && error.code === "questions_shown") return null;
        throw error;
      });
    if (!begun) break;
    let { session }: { session: TutorSession } = begun;
    // Newer than any that is kept: each later session reads what this one showed by then.
    opened.push({ sessionId: session.sessionId, version: Number.MAX_SAFE_INTEGER });
    let taught = 0;
    const noteLessons = (): void => {
      const lessons = session.messages.filter(isLesson);
      for (const { stepId } of lessons.slice(taught))
        learner.isTaught(session.path.find((step) => step.stepId === stepId)?.objectiveIds ?? []);
      taught = lessons.length;
    };
    const act = async (action: TutorAction): Promise<boolean> => {
      const turn = run();
      const { sessionId, version, courseRevisionId } = session;
      try {
        const request = {
          schemaVersion: 1 as const,
          requestId: turn.context.requestId,
          sessionId,
          expectedVersion: version,
          courseRevisionId,
          action,
        };
        ({ session } = await handlers.turn(request, turn));
        noteLessons();
        return true;
      } catch (error) {
        if (error instanceof ProblemError) return false;
        throw error;
      }
    };
    noteLessons();
    for (let turn = 0; turn < mostTurns && session.phase !== "completed"; turn += 1) {
      const itemId = session.current?.itemId;
      if (itemId === undefined) {
        if (!(await act({ type: "resume" }))) break;
        continue;
      }
      const { state } = await sessions.load(session.sessionId);
      const item = state.items[itemId];
      if (!item) break;
      if (item.authored) outcomes.get(item.objectiveId)?.asked.add(item.authored.blockId);
      for (const type of learner.asksFirst(item)) await act({ type, itemId });
      if (!(await act({ type: "answer", itemId, ...learner.answer(item, session) }))) break;
      const { ledger } = (await sessions.load(session.sessionId)).state;
      for (const [id, outcome] of outcomes) {
        const { standing } = masteryIn(ledger, id);
        const declared = { had: learner.has(id), answers: ledger.answers.filter(({ objectiveId }) => objectiveId === id).length };
        if (standing !== "none") outcome.provisional ??= declared;
        if (standing === "confirmed") outcome.confirmed ??= declared;
      }
    }
    for (const [id, outcome] of outcomes) outcome.hadLast = learner.has(id);
    earlier = session;
    now += dayMs + 3_600_000;
    learner.sleeps();
  }
  return [...outcomes.values()];
}
