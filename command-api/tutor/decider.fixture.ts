import type { TutorEvent, TutorItem } from "@colloquy/schemas/events/tutor.ts";
import type { TutorAction } from "@colloquy/schemas/tutor/requests.ts";
import type { Selection } from "@colloquy/schemas/tutor/session.ts";
import type { TutorState } from "@colloquy/schemas/tutor/state.ts";
import type { TutorCommand } from "./commands.ts";
import { decide, evolve, initial } from "./decider.ts";
import { digestOf } from "./items.ts";

/** Sessions for tests of the rules alone: no server, no model. */

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

type Unoccasioned<Command> = Command extends TutorCommand ? Omit<Command, "at" | "requestId"> : never;

export interface Story {
  readonly state: TutorState;
  readonly events: readonly TutorEvent[];
  /** Carries a command out. @throws {Error} with its code when it is refused */
  do(command: Unoccasioned<TutorCommand>): void;
  act(action: TutorAction, more?: Partial<Extract<TutorCommand, { type: "act" }>>): void;
  answer(correct: boolean): void;
  plan(...steps: { objectiveIds: string[]; prerequisites?: string[] }[]): void;
  teach(): void;
  ask(name: string, more?: Partial<TutorItem>): void;
  /** The error code of an action, or null when it is taken. */
  refusal(action: TutorAction): string | null;
}

/** A session that has just been opened on these objectives, with a probe or two for each. */
export function story(
  objectiveIds: readonly string[],
  probes: readonly TutorItem[] = objectiveIds.map((id) => itemFor(id, `probe-${id}`, { kind: "probe" })),
): Story {
  let state = initial;
  const events: TutorEvent[] = [];
  let requests = 0;
  const occasion = () => {
    requests += 1;
    return { at: new Date(Date.UTC(2026, 0, 1) + requests * 1_000).toISOString(), requestId: `request-${requests}` };
  };
  const take = (command: TutorCommand): void => {
    const decision = decide(command, state);
    if (!decision.ok) throw new Error(decision.code);
    events.push(...decision.events);
    state = decision.events.reduce(evolve, state);
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
      return state;
    },
    events,
    do: (command) => take({ ...command, ...occasion() } as TutorCommand),
    act: (action, more = {}) => take({ type: "act", ...occasion(), digest: sha, action, ...more }),
    answer(correct) {
      const item = state.items[state.current ?? ""];
      if (!item) throw new Error("no question waits");
      if (item.selection === "text") {
        const grade = { correct, criteria: [{ criterion: "It says so.", met: correct }], reasonsTextId: `${item.itemId}-r`, by };
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
        stepId: `step-${state.replans}-${index + 1}-00`,
        title: `Step ${index + 1}`,
        objectiveIds: own,
        sourceIds: ["source-01"],
        prerequisites,
        reason: "So.",
      }));
      tale.do({ type: "install plan", steps: planned, by, verifiedBy: by });
    },
    teach() {
      const stepId = state.ledger.path.find((step) => step.state === "current")?.stepId ?? "";
      tale.do({ type: "teach", stepId, text: "So it is.", citations: [], outcome: "finished", by });
    },
    ask(name, more = {}) {
      const step = state.ledger.path.find((one) => one.state === "current");
      tale.do({ type: "ask", item: itemFor(step?.objectiveIds[0] ?? "", name, { stepId: step?.stepId ?? null, ...more }) });
    },
    refusal(action) {
      const decision = decide({ type: "act", ...occasion(), digest: sha, action }, state);
      return decision.ok ? null : decision.code;
    },
  };
  return tale;
}
