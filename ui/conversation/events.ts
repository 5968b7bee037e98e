/** What one asks of an answer or a question in the transcript. */
export type TranscriptAction =
  | { kind: "regenerate"; turnId: string }
  | { kind: "retry"; turnId: string }
  | { kind: "ask"; text: string }
  | { kind: "show"; exchangeKey: string; turnId: string };

/** The learner does something with an answer. */
export class TranscriptActionEvent extends Event {
  static readonly type = "colloquy-transcript-action";
  readonly action: TranscriptAction;
  constructor(action: TranscriptAction) {
    super(TranscriptActionEvent.type, { bubbles: true, composed: true });
    this.action = action;
  }
}

/** The learner wants to sign in, and to come back here. */
export class SignInEvent extends Event {
  static readonly type = "colloquy-sign-in";
  constructor() {
    super(SignInEvent.type, { bubbles: true, composed: true });
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    "colloquy-transcript-action": TranscriptActionEvent;
    "colloquy-sign-in": SignInEvent;
  }
}
