import type { ErrorCode } from "@colloquy/schemas/errors.ts";
import type { TutorGoalResponse } from "@colloquy/schemas/tutor/requests.ts";
import type { TutorMessage, TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { clientProblem, RequestFailed } from "../api/problems.ts";
import type { TutorStep } from "../api/tutor.ts";
import { memoryTables } from "../store/account-store.ts";
import { citations, revisionId } from "../workspace/testing/fixtures.ts";
import { type ListedCourse, Tutoring } from "./tutoring.ts";

export const conversationId = "conversation-tutor-1";
const at = "2026-11-21T10:00:00.000Z";
const base = (messageId: string, receipt: number | null = null) => ({ messageId, at, receipt });
const question = (itemId: string, prompt: string): Extract<TutorMessage, { kind: "question" }> => ({
  ...base(`message-${itemId}`),
  kind: "question",
  itemId,
  itemKind: "check",
  prompt,
  selection: "single",
  objectiveIds: ["objective-pipes"],
  replaced: false,
  choices: [
    { choiceId: "choice-one", text: "`wc -l * > sort -n`" },
    { choiceId: "choice-two", text: "`wc -l * | sort -n | head -n 3`" },
  ],
});
const card = (itemId: string, prompt: string): NonNullable<TutorSession["current"]> => ({
  itemId,
  kind: "check",
  prompt,
  selection: "single",
  sourceIds: ["src-block-pipe-1"],
  attempt: 1,
  objectiveIds: ["objective-pipes"],
  choices: question(itemId, prompt).choices,
  hints: { given: 0, most: 2 },
  aided: false,
  gradedBy: "application",
});

/** A session in the middle of its path: one objective mastered, one step taught, its first question waiting. */
export const session: TutorSession = {
  sessionId: "session-tutor-1",
  conversationId,
  courseId: "shell-novice",
  courseTitle: "The Unix Shell",
  courseRevisionId: revisionId,
  language: "en",
  goal: "Follow a pipeline from left to right",
  version: 20,
  phase: "checking",
  paused: false,
  references: [],
  model: { choice: "automatic" },
  startedAt: at,
  updatedAt: at,
  path: [
    {
      stepId: "step-redirect",
      title: "Redirect output to a file",
      objectiveIds: ["objective-redirect"],
      sourceIds: ["src-block-sort-1"],
      prerequisites: [],
      state: "mastered",
    },
    {
      stepId: "step-pipes",
      title: "Connect programs with a pipe",
      objectiveIds: ["objective-pipes"],
      sourceIds: ["src-block-pipe-1"],
      prerequisites: ["step-redirect"],
      state: "current",
    },
    {
      stepId: "step-read",
      title: "Read a long pipeline aloud",
      objectiveIds: ["objective-read"],
      sourceIds: ["src-block-pipe-1"],
      prerequisites: ["step-pipes"],
      state: "ahead",
    },
  ],
  current: card("item-check-1", "Which pipeline shows the three shortest files?"),
  mastery: [
    {
      objectiveId: "objective-redirect",
      title: "Redirect output",
      probability: 0.97,
      mastered: true,
      standing: "provisional",
      masteredAt: 14,
      href: "/courses/shell-novice/pipes-and-filters",
      topic: "Pipes and Filters",
      evidence: [
        {
          receipt: 14,
          at,
          kind: "check",
          correct: true,
          aided: false,
          counts: true,
          gradedBy: "application",
          probability: 0.97,
          disputed: false,
          carried: false,
          assistant: true,
        },
      ],
    },
    {
      objectiveId: "objective-pipes",
      title: "Pipes",
      probability: 0.58,
      mastered: false,
      standing: "none",
      evidence: [],
      href: "/courses/shell-novice/pipes-and-filters",
      topic: "Pipes and Filters",
    },
  ],
  messages: [
    { kind: "goal", ...base("message-goal"), text: "Follow a pipeline from left to right" },
    {
      kind: "plan",
      ...base("message-plan", 9),
      verified: true,
      steps: [{ stepId: "step-pipes", title: "Connect programs" }],
      findings: [],
    },
    {
      kind: "teaching",
      ...base("message-teach", 15),
      stepId: "step-pipes",
      title: "Connect programs with a pipe",
      citations,
      text: "A pipe lets the second program read while the first still writes[^1].",
      angle: 1,
      outcome: "finished",
      provider: "p1",
      model: "reader-large",
      fallbackDepth: 0,
    },
    question("item-check-1", "Which pipeline shows the three shortest files?"),
  ],
};

/** The session after a wrong answer: the explanation, the decision and the next question. */
export const afterWrong: TutorSession = {
  ...session,
  version: 24,
  current: card("item-check-2", "What does the second program read?"),
  messages: [
    ...session.messages,
    {
      kind: "answer",
      ...base("message-answer", 16),
      itemId: "item-check-1",
      choiceIds: ["choice-one"],
      text: null,
      correct: false,
      aided: false,
      gradedBy: "application",
      criteria: [],
      right: ["choice-two"],
      modelAnswer: "",
      citations,
      disputed: false,
      explanation: "A pipe needs no file between two programs[^1].",
      disputable: false,
    },
    {
      kind: "decision",
      ...base("message-decision", 17),
      decision: "reinforce",
      reason: "wrong_answer",
      stepId: "step-pipes",
      text: "Your answer was not right yet, so it comes again.",
    },
    question("item-check-2", "What does the second program read?"),
  ],
};

/** The session after a model graded a text answer as wrong. */
export const afterGraded: TutorSession = {
  ...afterWrong,
  messages: afterWrong.messages.map((message) =>
    message.kind === "answer"
      ? {
          ...message,
          choiceIds: [],
          text: "It reads a file.",
          right: [],
          modelAnswer: "What the first one writes.",
          gradedBy: "model" as const,
          model: "p1/reader-large",
          disputable: true,
          criteria: [{ criterion: "Says where the input comes from", met: false, reason: "It names a file." }],
        }
      : message.kind === "question" && message.itemId === "item-check-1"
        ? { ...message, selection: "text" as const, choices: [] }
        : message,
  ),
};

/** The session after own words that no model can judge. */
export const afterCompared: TutorSession = {
  ...afterGraded,
  messages: afterGraded.messages.map((message) =>
    message.kind === "answer"
      ? { ...message, model: "p1/demonstration", compared: true as const, disputable: false }
      : message.kind === "decision" && message.reason === "wrong_answer"
        ? { ...message, reason: "practice_next" as const }
        : message,
  ),
};

export const courses: ListedCourse[] = ["The Unix Shell", "Linear maps"].map((title, index) => ({
  courseId: `course-number-${index}`,
  title,
  summary: "What it is about.",
  language: "en",
  origin: "compiled",
  sequence: 1,
  revisionId,
  topics: 3 + index,
  publishedAt: at,
}));

/** The service's answers in order; the last one repeats. `hangs` and `teaches` never end by themselves. */
export type Script = TutorStep[] | "hangs" | "teaches";

/** A session as the service lists it. */
const summaryOf = (one: TutorSession) => {
  const { sessionId, courseId, courseTitle, courseRevisionId, version, phase, goal, paused, startedAt, updatedAt } = one;
  const named = { sessionId, conversationId, courseId, courseTitle, courseRevisionId, version, phase, goal, paused, startedAt, updatedAt };
  return { ...named, mastered: 1, confirmed: 0, objectives: 2, position: "1" };
};

interface Service {
  /** The newest session; null for none. */
  newest?: TutorSession | null;
  earlier?: TutorSession[];
  live?: string | null;
  /** Whether the session can continue with any live revision; by default only with its own. */
  goesOn?: boolean;
  /** Whether the course covers the goal. */
  related?: TutorGoalResponse;
  /** Every request fails. */
  isUnreachable?: boolean;
  /** Days until review, by objective id. */
  daysToReview?: Record<string, number>;
  /** Every request waits for this promise. */
  busyUntil?: Promise<void>;
}

/** Tutoring over a scripted service, with the requests it received; `store`: rows that this browser already has. */
export async function tutor(options: Service & { scripts?: Script[]; store?: ReturnType<typeof memoryTables> } = {}) {
  const service = {
    newest: options.newest === undefined ? session : options.newest,
    earlier: options.earlier ?? [],
    live: options.live === undefined ? revisionId : options.live,
    goesOn: options.goesOn ?? false,
    isUnreachable: options.isUnreachable ?? false,
    related: options.related ?? { schemaVersion: 1 as const, related: true, language: "en", elsewhere: [] },
  };
  const store = options.store ?? memoryTables();
  const scripts = [...(options.scripts ?? [])];
  const asked: object[] = [];
  async function* play(request: object, signal: AbortSignal): AsyncGenerator<TutorStep> {
    asked.push(request);
    const script = scripts.length > 1 ? scripts.shift() : scripts[0];
    await options.busyUntil;
    if (script !== "hangs" && script !== "teaches") return yield* script ?? [];
    yield { schemaVersion: 1, kind: "status", phase: "grading", elapsedMs: 1 };
    if (script === "teaches") yield { schemaVersion: 1, kind: "text_delta", text: "A pipe" };
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    throw new DOMException("stopped", "AbortError");
  }
  const reached = () => {
    if (service.isUnreachable) throw new RequestFailed(clientProblem("unavailable"));
  };
  const all = () => [...(service.newest ? [service.newest] : []), ...service.earlier];
  const api = {
    courses: async () => {
      reached();
      return courses;
    },
    tutor: {
      start: play,
      turn: play,
      goal: async () => service.related,
      sessions: async () => {
        reached();
        return all().map(summaryOf);
      },
      ledger: async () => {
        reached();
        return "";
      },
      ledgerKeys: async () => [],
      session: async (sessionId: string) => {
        reached();
        const found = all().find((one) => one.sessionId === sessionId) ?? session;
        return {
          schemaVersion: 1 as const,
          session: found,
          position: "1",
          live: service.live,
          goesOn: service.goesOn || service.live === found.courseRevisionId,
        };
      },
    },
  };
  const tutoring = new Tutoring(
    { api, store, reviewDays: async () => new Map(Object.entries(options.daysToReview ?? {})) },
    conversationId,
  );
  const announced: string[] = [];
  tutoring.events.on("announce", ({ text }) => announced.push(text));
  await tutoring.load(false);
  return { tutoring, asked, announced, service, store };
}

export const complete = (after: TutorSession): TutorStep => ({ schemaVersion: 1, kind: "complete", session: after, position: "2" });
export const problem = (code: ErrorCode): TutorStep => ({ kind: "error", problem: clientProblem(code) });
