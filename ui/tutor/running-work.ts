import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import type { TutorWork } from "@colloquy/schemas/tutor/requests.ts";
import type { TutorStart, TutorStep, TutorTurn } from "../api/tutor.ts";
import { msg } from "../messages/page.ts";

/** A request to the tutor. A retry sends the same request with the same id. */
export type TutorAsk = { kind: "start"; body: TutorStart } | { kind: "turn"; body: TutorTurn };

/** The running request and what it has produced so far. */
export interface RunningWork {
  readonly ask: TutorAsk;
  readonly phase: TutorWork | null;
  /** The teaching text so far; `[^N]` is the citation with that number. */
  readonly text: string;
  readonly citations: readonly Citation[];
  /** On the page's clock (`performance.now()`). */
  readonly startedAt: number;
}

export const startWork = (ask: TutorAsk): RunningWork => ({ ask, phase: null, text: "", citations: [], startedAt: performance.now() });

/** Applies a progress step. Pure. */
export function applyStep(working: RunningWork, step: TutorStep): RunningWork {
  switch (step.kind) {
    case "status":
      return { ...working, phase: step.phase };
    case "citation":
      return { ...working, citations: [...working.citations, step.citation] };
    case "text_delta":
      return { ...working, text: working.text + step.text };
    default:
      return working;
  }
}

const phaseMessages = {
  retrieving: "tutor.lookingThroughTheCourse",
  probing: "tutor.writingTheFirstQuestions",
  grading: "tutor.readingYourAnswer",
  planning: "tutor.planningPathThroughCourse",
  verifying: "tutor.checkingPlanAgainstCourse",
  teaching: "audit.teaching",
  checking: "tutor.writingAQuestion",
  replying: "tutor.replying",
} as const satisfies Record<TutorWork, string>;

/** A description of the running work. */
export function workWords({ ask, phase }: RunningWork): string {
  if (phase) return msg(phaseMessages[phase]);
  if (ask.kind === "start") return msg("tutor.openingTheCourse");
  switch (ask.body.action.type) {
    case "answer":
      return msg("tutor.lookingAtYourAnswer");
    case "pause":
      return msg("tutor.pausing");
    case "replace":
      return msg("tutor.lookingForAnotherQuestion");
    case "dispute":
      return msg("tutor.settingTheGradeAside");
    default:
      return msg("page.oneMoment");
  }
}
