import type { Citation } from "@colloquy/schemas/ask/citations.ts";
import type { TutorWork } from "@colloquy/schemas/tutor/requests.ts";
import type { TutorStart, TutorStep, TutorTurn } from "../api/tutor.ts";
import { marked, msg } from "../messages/page.ts";

/** What was asked of the tutor. The same request, its id included, is sent again when it failed. */
export type TutorAsk = { kind: "start"; body: TutorStart } | { kind: "turn"; body: TutorTurn };

/** What the tutor is doing right now. */
export interface Working {
  readonly ask: TutorAsk;
  readonly phase: TutorWork | null;
  /** The teaching text so far; `[^N]` is the citation with that number. */
  readonly text: string;
  readonly citations: readonly Citation[];
  /** On the page's clock (`performance.now()`). */
  readonly startedAt: number;
}

export const workBegun = (ask: TutorAsk): Working => ({ ask, phase: null, text: "", citations: [], startedAt: performance.now() });

/** The work after a step that tells how it goes on. Pure. */
export function workAfter(working: Working, step: TutorStep): Working {
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

const doing = {
  retrieving: marked("Looking through the course"),
  probing: marked("Writing the first questions"),
  grading: marked("Reading your answer"),
  planning: marked("Planning a path through the course"),
  verifying: marked("Checking the plan against the course"),
  teaching: marked("Teaching"),
  checking: marked("Writing a question"),
} satisfies Record<TutorWork, string>;

/** What is being done, in words. */
export function workWords({ ask, phase }: Working): string {
  if (phase) return msg(doing[phase]);
  if (ask.kind === "start") return msg("Opening the course");
  switch (ask.body.action.type) {
    case "answer":
      return msg("Looking at your answer");
    case "pause":
      return msg("Pausing");
    case "replace":
      return msg("Looking for another question");
    case "dispute":
      return msg("Setting the grade aside");
    default:
      return msg("One moment");
  }
}
