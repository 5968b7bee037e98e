import type { ErrorCode } from "@colloquy/schemas/errors.ts";
import type { SessionObjective, TutorEvent, TutorEventData, TutorItem, WrittenBy } from "@colloquy/schemas/events/tutor.ts";
import type { EvidenceEntry, PlannedStep } from "@colloquy/schemas/tutor/ledger.ts";
import type { TutorAction } from "@colloquy/schemas/tutor/requests.ts";
import type { TutorState } from "@colloquy/schemas/tutor/state.ts";
import type { Occasion } from "./draft.ts";

/** What the decider of tutoring sessions is asked, and what it answers. */

/** A learner's own text: what goes into the ledger is `commitmentOf(salt, text)`. */
export interface SaltedText {
  textId: string;
  text: string;
  salt: string;
}

/** A model's judgement of a text answer, criterion by criterion, as the application took it. */
export interface Grade {
  correct: boolean;
  criteria: { criterion: string; met: boolean }[];
  reasonsTextId: string;
  by: WrittenBy;
}

/** Answers of an earlier session that go on counting. */
export type CarriedEntry = Pick<
  EvidenceEntry,
  "kind" | "objectiveIds" | "correct" | "aided" | "gradedBy" | "sourceIds" | "selection" | "choices" | "entryId" | "via"
> & { itemId: string; sourceDigests: Record<string, string> };

export type TutorCommand = Occasion &
  (
    | {
        type: "open";
        digest: string;
        session: Omit<TutorEventData["TutorSessionOpened"], "objectives" | "goalTextId">;
        objectives: SessionObjective[];
        goal: SaltedText;
        carried: readonly CarriedEntry[];
      }
    | {
        type: "act";
        digest: string;
        action: TutorAction;
        model?: TutorState["model"];
        /** The revision the session goes on with. */
        courseRevisionId?: string;
        text?: SaltedText;
        grade?: Grade;
      }
    /** Work of an assistant is taken in: a turn of its own, and no action of the learner. */
    | { type: "take proposal"; digest: string; courseRevisionId?: string }
    /** The closing question of a film was answered there. */
    | { type: "answer film"; digest: string; item: TutorItem; choiceId: string; courseRevisionId?: string }
    | { type: "prepare probes"; probes: TutorItem[] }
    | { type: "refuse plan"; attempt: number; steps: PlannedStep[]; findings: string[]; by: WrittenBy }
    | { type: "give up planning" }
    | { type: "install plan"; steps: (PlannedStep & { reason: string })[]; by: WrittenBy; verifiedBy: WrittenBy }
    | {
        type: "teach";
        stepId: string;
        text: string;
        citations: TutorEventData["StepTaught"]["citations"];
        outcome: "finished" | "stopped";
        by: WrittenBy;
      }
    | { type: "ask"; item: TutorItem }
    | { type: "leave step" }
  );

export type Decision = { ok: true; events: readonly TutorEvent[] } | { ok: false; code: ErrorCode; detail: string };
