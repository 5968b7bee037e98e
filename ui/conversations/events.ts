/** What one asks of an answer or a question in the transcript. */
export type TranscriptAction =
  | { kind: "regenerate"; turnId: string }
  | { kind: "retry"; turnId: string }
  | { kind: "take-back" }
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

/** What stands at the upper edge of a transcript that is not read at its end. */
export interface ReadingPlace {
  /** The exchange's. */
  key: string;
  /** Pixels from the transcript's upper edge to the exchange's; below zero where it began above. */
  offset: number;
}

/** The reader rests at another place; null: at the end. */
export class ReadingPlaceEvent extends Event {
  static readonly type = "colloquy-reading-place";
  readonly place: ReadingPlace | null;
  constructor(place: ReadingPlace | null) {
    super(ReadingPlaceEvent.type, { bubbles: true, composed: true });
    this.place = place;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    "colloquy-transcript-action": TranscriptActionEvent;
    "colloquy-sign-in": SignInEvent;
    "colloquy-reading-place": ReadingPlaceEvent;
  }
}
