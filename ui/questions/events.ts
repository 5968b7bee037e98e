import type { QuestionResponse } from "@colloquy/schemas/questions/response.ts";

/** The learner asks to have a response marked. */
export class QuestionResponseEvent extends Event {
  static readonly type = "colloquy-question-response";
  readonly response: QuestionResponse;
  constructor(response: QuestionResponse) {
    super(QuestionResponseEvent.type, { bubbles: true, composed: true });
    this.response = response;
  }
}

/** The response changed: something was chosen, moved or typed. */
export class QuestionDraftEvent extends Event {
  static readonly type = "colloquy-question-draft";
  readonly response: QuestionResponse;
  constructor(response: QuestionResponse) {
    super(QuestionDraftEvent.type, { bubbles: true, composed: true });
    this.response = response;
  }
}

/** The learner asks for the next hint, for another try, or for the solution. */
export class QuestionHelpEvent extends Event {
  static readonly type = "colloquy-question-help";
  readonly help: "hint" | "retry" | "solution";
  constructor(help: "hint" | "retry" | "solution") {
    super(QuestionHelpEvent.type, { bubbles: true, composed: true });
    this.help = help;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    "colloquy-question-response": QuestionResponseEvent;
    "colloquy-question-draft": QuestionDraftEvent;
    "colloquy-question-help": QuestionHelpEvent;
  }
}
