import type { WrittenBy } from "@colloquy/schemas/models.ts";
import type { QuestionResponse } from "@colloquy/schemas/questions/response.ts";
import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import type { SessionObjective, TutorEventData, TutorItem } from "@colloquy/schemas/tutor/events.ts";
import type { EvidenceEntry, LedgerCheckpoint, PlannedStep } from "@colloquy/schemas/tutor/ledger.ts";
import type { TutorAction } from "@colloquy/schemas/tutor/requests.ts";
import type { TutorState } from "@colloquy/schemas/tutor/state.ts";
import type { Occasion } from "./draft.ts";

/** Commands of the decider of tutoring sessions. */

/** A learner's own text. The ledger has `commitmentOf(salt, text)`. */
export interface SaltedText {
  textId: string;
  text: string;
  salt: string;
}

/** A model's grade of a text answer, criterion by criterion, as the application accepted it. */
export interface Grade {
  correct: boolean;
  criteria: { criterion: string; met: boolean }[];
  reasonsTextId: string;
  by: WrittenBy;
}

/** What a learner who asked back was answered. */
export interface Reply {
  text: SaltedText;
  citations: Citation[];
  outcome: "finished" | "stopped";
  /** Absent where the application itself replied. */
  by?: WrittenBy;
  foundNothing?: true;
}

/** An answer of an earlier session that still counts. */
export type CarriedEntry = Pick<
  EvidenceEntry,
  | "kind"
  | "objectiveIds"
  | "correct"
  | "aided"
  | "gradedBy"
  | "sourceIds"
  | "selection"
  | "choices"
  | "entryId"
  | "via"
  | "evidence"
  | "statements"
> & { itemId: string; sourceDigests: Record<string, string>; givenAt: string };

export type TutorCommand = SignCommand | (Occasion & DecidedCommand);

/** The command of a type. */
export type CommandOf<Type extends TutorCommand["type"]> = Extract<TutorCommand, { type: Type }>;

/** The signature under the entries that the commands of this turn added to the ledger. */
interface SignCommand {
  type: "sign";
  checkpoint: LedgerCheckpoint;
}

type DecidedCommand =
  | {
      type: "open";
      digest: string;
      session: Omit<TutorEventData["TutorSessionOpened"], "objectives" | "goalTextId">;
      objectives: SessionObjective[];
      goal: SaltedText;
      carried: readonly CarriedEntry[];
      /** None of its questions can count: nothing is asked before the path is planned, for no answer could change it. */
      asksNothingFirst?: true;
    }
  | {
      type: "act";
      digest: string;
      action: TutorAction;
      model?: TutorState["model"];
      /** The revision that the session continues on. */
      courseRevisionId?: string;
      text?: SaltedText;
      /** What the learner who asks back is answered. */
      reply?: Reply;
      grade?: Grade;
      /** What the application itself found in an answer in own words: it says that the learner does not know, or repeats a shown text. */
      found?: "not_knowing" | "copied";
      /** A quiz beside the lesson showed a statement of the question. */
      revealed?: true;
      /** Words of the topic of the question, beside which a typed answer is no misspelled one. */
      courseWords?: ReadonlySet<string>;
    }
  /** An assistant's proposal: a turn without an action of the learner. */
  | { type: "take proposal"; digest: string; courseRevisionId?: string }
  /** The answer to the closing question of a video. */
  | { type: "answer film"; digest: string; item: TutorItem; choiceId: string; courseRevisionId?: string }
  /** The answer to a question of the course's own, given in Review. */
  | {
      type: "answer review";
      digest: string;
      item: TutorItem;
      response: QuestionResponse;
      text?: SaltedText;
      courseRevisionId?: string;
    }
  | { type: "prepare probes"; probes: TutorItem[] }
  | ({ type: "refuse question" } & Omit<TutorEventData["QuestionRejected"], "schemaVersion">)
  | { type: "refuse plan"; attempt: number; steps: PlannedStep[]; findings: string[]; by: WrittenBy }
  | { type: "give up planning" }
  | { type: "install plan"; steps: (PlannedStep & { reason: string })[]; by: WrittenBy; verifiedBy: WrittenBy }
  | {
      type: "teach";
      stepId: string;
      text: string;
      citations: TutorEventData["StepTaught"]["citations"];
      outcome: "finished" | "stopped";
      nothingElse?: true;
      by: WrittenBy;
    }
  | { type: "ask"; item: TutorItem }
  | { type: "leave step" };
