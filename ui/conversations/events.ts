/** An action on an answer or a question in the transcript. */
export type TranscriptAction =
  | { kind: "regenerate"; turnId: string }
  | { kind: "retry"; turnId: string }
  | { kind: "take-back" }
  | { kind: "ask"; text: string }
  | { kind: "show"; exchangeKey: string; turnId: string };

/** The learner acts on an answer. */
export class TranscriptActionEvent extends Event {
  static readonly type = "colloquy-transcript-action";
  readonly action: TranscriptAction;
  constructor(action: TranscriptAction) {
    super(TranscriptActionEvent.type, { bubbles: true, composed: true });
    this.action = action;
  }
}

/** The learner wants to sign in and return here. */
export class SignInEvent extends Event {
  static readonly type = "colloquy-sign-in";
  constructor() {
    super(SignInEvent.type, { bubbles: true, composed: true });
  }
}

/** The reading position of a transcript that is not scrolled to its end. */
export interface ReadingPlace {
  /** The key of the exchange at the top edge. */
  key: string;
  /** Pixels from the transcript's top edge to the exchange's; negative if it begins above. */
  offset: number;
}

/** The reader scrolled to another position; null: at the end. */
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
