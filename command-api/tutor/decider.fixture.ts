import type { TutorEvent, TutorItem } from "@colloquy/schemas/tutor/events.ts";
import type { TutorAction } from "@colloquy/schemas/tutor/requests.ts";
import type { Selection } from "@colloquy/schemas/tutor/session.ts";
import type { Rejection } from "../decider.ts";
import { type Given, givenFor } from "../given.fixture.ts";
import type { TutorCommand } from "./commands.ts";
import { type SessionState, tutorDecider } from "./decider.ts";
import { digestOf } from "./items.ts";
import type { TutorContext, TutorSessions } from "./sessions.ts";
import type { SessionText } from "./texts.ts";

/** Sessions for tests of the rules alone, without a server or a model. */

const by = { provider: "p1" as const, model: "some-model", fallbackDepth: 0 };
const sha = "0".repeat(64);

export function itemFor(objectiveId: string, name: string, more: Partial<TutorItem> = {}): TutorItem {
  const selection: Selection = more.selection ?? "single";
  const choices =
    selection === "text" ? [] : [1, 2, 3, 4].map((place) => ({ choiceId: `${name}-choice-${place}`, text: `${name} ${place}` }));
  const item: TutorItem = {
    itemId: `${name}-item-0001`,
    kind: "check",
    objectiveId,
    stepId: null,
    breadth: "broad",
    prompt: `What of ${name}?`,
    selection,
    choices,
    right: choices.slice(0, selection === "multiple" ? 2 : 1).map(({ choiceId }) => choiceId),
    rubric: selection === "text" ? ["It says so."] : [],
    modelAnswer: selection === "text" ? "So." : "",
    hints: ["Look.", "Think."],
    explanation: "So.",
    citations: [],
    sourceIds: [`source-${objectiveId}`],
    sourceDigests: { [`source-${objectiveId}`]: sha },
    sameness: name,
    digest: "",
    by,
    ...more,
  };
  return { ...item, digest: digestOf(item) };
}

type Occasional<Command> = Command extends { at: string } ? Omit<Command, "at" | "requestId"> : never;
type Action = Partial<Extract<TutorCommand, { type: "act" }>>;
type GivenSession = Given<TutorCommand, TutorEvent, SessionState>;

const given = givenFor(tutorDecider);

/** A session whose commands follow one another, each at a later time and under a request of its own. */
export interface Story {
  readonly state: SessionState;
  readonly events: readonly TutorEvent[];
  readonly commands: readonly TutorCommand[];
  /** States what a command leads to: `.then(...)`, `.thenRejected(code)`. */
  when(command: Occasional<TutorCommand>): ReturnType<GivenSession["when"]>;
  whenActing(action: TutorAction, more?: Action): ReturnType<GivenSession["when"]>;
  /** Continues with a command that has to be accepted. */
  do(command: Occasional<TutorCommand>): void;
  act(action: TutorAction, more?: Action): void;
  answer(correct: boolean, gradedBy?: string): void;
  plan(...steps: { objectiveIds: string[]; prerequisites?: string[] }[]): void;
  teach(): void;
  ask(name: string, more?: Partial<TutorItem>): void;
  /** States that an action is rejected. */
  rejects(action: TutorAction, code: Rejection["code"]): void;
}

/** A session that has just been opened on these objectives, with a probe or two for each. */
export function story(
  objectiveIds: readonly string[],
  probes: readonly TutorItem[] = objectiveIds.map((id) => itemFor(id, `probe-${id}`, { kind: "probe" })),
  opened: { practice?: true } = {},
): Story {
  let session: GivenSession = given();
  let requests = 0;
  const occasion = () => {
    requests += 1;
    return { at: new Date(Date.UTC(2026, 0, 1) + requests * 1_000).toISOString(), requestId: `request-${requests}` };
  };
  const commands: TutorCommand[] = [];
  const take = (command: TutorCommand): void => {
    commands.push(command);
    session = session.and(command);
  };
  const opening = occasion();
  take({
    type: "open",
    ...opening,
    digest: sha,
    carried: [],
    goal: { textId: "text-goal-01", text: "Learn", salt: "salt" },
    session: {
      sessionId: "session-0001",
      conversationId: "conversation-01",
      courseId: "course-01",
      courseTitle: "A course",
      courseRevisionId: "revision-01",
      language: "en",
      references: [],
      model: { choice: "automatic" },
      ...opened,
    },
    objectives: objectiveIds.map((objectiveId) => ({
      objectiveId,
      title: `Do ${objectiveId}`,
      topicId: "topic-0001",
      topicTitle: "Topic",
      href: "/courses/course-01/topic",
      derived: false,
    })),
  });
  if (probes.length > 0) take({ type: "prepare probes", ...opening, probes: [...probes] });
  const tale: Story = {
    get state() {
      return session.state;
    },
    get events() {
      return session.events;
    },
    commands,
    when: (command) => session.when({ ...command, ...occasion() } as TutorCommand),
    whenActing: (action, more = {}) => session.when({ type: "act", ...occasion(), digest: sha, action, ...more }),
    do: (command) => take({ ...command, ...occasion() } as TutorCommand),
    act: (action, more = {}) => take({ type: "act", ...occasion(), digest: sha, action, ...more }),
    answer(correct, model = by.model) {
      const { state } = session;
      const item = state.items[state.current ?? ""];
      if (!item) throw new Error("no question waits");
      if (item.selection === "text") {
        const grade = {
          correct,
          criteria: [{ criterion: "It says so.", met: correct }],
          reasonsTextId: `${item.itemId}-r`,
          by: { ...by, model },
        };
        tale.act(
          { type: "answer", itemId: item.itemId, text: "So." },
          { grade, text: { textId: `${item.itemId}-t`, text: "So.", salt: "salt" } },
        );
        return;
      }
      const choiceIds = correct
        ? item.right
        : item.choices
            .filter(({ choiceId }) => !item.right.includes(choiceId))
            .slice(0, 1)
            .map(({ choiceId }) => choiceId);
      tale.act({ type: "answer", itemId: item.itemId, choiceIds });
    },
    plan(...steps) {
      const planned = steps.map(({ objectiveIds: own, prerequisites = [] }, index) => ({
        stepId: `step-${session.state.replans}-${index + 1}-00`,
        title: `Step ${index + 1}`,
        objectiveIds: own,
        sourceIds: ["source-01"],
        prerequisites,
        reason: "So.",
      }));
      tale.do({ type: "install plan", steps: planned, by, verifiedBy: by });
    },
    teach() {
      const stepId = session.state.ledger.path.find((step) => step.state === "current")?.stepId ?? "";
      tale.do({ type: "teach", stepId, text: "So it is.", citations: [], outcome: "finished", by });
    },
    ask(name, more = {}) {
      const step = session.state.ledger.path.find((one) => one.state === "current");
      tale.do({ type: "ask", item: itemFor(step?.objectiveIds[0] ?? "", name, { stepId: step?.stepId ?? null, ...more }) });
    },
    rejects: (action, code) => void tale.whenActing(action).thenRejected(code),
  };
  return tale;
}

/** Records a story as one turn of a session. */
export function recordStory(
  sessions: TutorSessions,
  { commands }: Story,
  { context, sessionId = "session-0001", texts = [] }: { context: TutorContext; sessionId?: string; texts?: SessionText[] },
): ReturnType<TutorSessions["load"]> {
  return sessions.takeTurn(context, sessionId, async (turn, at) => {
    for (const command of commands) turn.decide(command);
    await sessions.keepTexts(context, sessionId, texts, at);
  });
}
