import type { ConversationChangeData } from "@colloquy/schemas/sync/changes.ts";
import type { QuizDraft } from "./progress.ts";

/** The answers in progress changed; `draft` is null when there are none left to keep. */
export class QuizDraftEvent extends Event {
  static readonly type = "colloquy-quiz-draft";
  readonly quizId: string;
  readonly draft: QuizDraft | null;
  constructor(quizId: string, draft: QuizDraft | null) {
    super(QuizDraftEvent.type, { bubbles: true, composed: true });
    this.quizId = quizId;
    this.draft = draft;
  }
}

/** An attempt was finished. */
export class QuizAttemptEvent extends Event {
  static readonly type = "colloquy-quiz-attempt";
  readonly attempt: ConversationChangeData["quiz_attempted"];
  constructor(attempt: ConversationChangeData["quiz_attempted"]) {
    super(QuizAttemptEvent.type, { bubbles: true, composed: true });
    this.attempt = attempt;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    "colloquy-quiz-draft": QuizDraftEvent;
    "colloquy-quiz-attempt": QuizAttemptEvent;
  }
}
