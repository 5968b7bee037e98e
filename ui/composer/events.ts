import type { ModelSelection } from "@colloquy/schemas/ai/models.ts";
import type { ReferenceResult } from "@colloquy/schemas/ai/references.ts";

/** The learner sends what is written. */
export class SendEvent extends Event {
  static readonly type = "colloquy-send";
  readonly text: string;
  constructor(text: string) {
    super(SendEvent.type, { bubbles: true, composed: true });
    this.text = text;
  }
}

/** The learner stops the answer being written. */
export class StopEvent extends Event {
  static readonly type = "colloquy-stop";
  constructor() {
    super(StopEvent.type, { bubbles: true, composed: true });
  }
}

/** What is written changed. */
export class DraftEvent extends Event {
  static readonly type = "colloquy-draft";
  readonly text: string;
  constructor(text: string) {
    super(DraftEvent.type, { bubbles: true, composed: true });
    this.text = text;
  }
}

/** The learner attaches a place of a course. */
export class AttachEvent extends Event {
  static readonly type = "colloquy-attach";
  readonly reference: ReferenceResult;
  constructor(reference: ReferenceResult) {
    super(AttachEvent.type, { bubbles: true, composed: true });
    this.reference = reference;
  }
}

/** The learner takes an attached reference away. */
export class DetachEvent extends Event {
  static readonly type = "colloquy-detach";
  readonly href: string;
  constructor(href: string) {
    super(DetachEvent.type, { bubbles: true, composed: true });
    this.href = href;
  }
}

/** The learner chooses who answers. */
export class ChooseModelEvent extends Event {
  static readonly type = "colloquy-choose-model";
  readonly selection: ModelSelection;
  constructor(selection: ModelSelection) {
    super(ChooseModelEvent.type, { bubbles: true, composed: true });
    this.selection = selection;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    "colloquy-send": SendEvent;
    "colloquy-stop": StopEvent;
    "colloquy-draft": DraftEvent;
    "colloquy-attach": AttachEvent;
    "colloquy-detach": DetachEvent;
    "colloquy-choose-model": ChooseModelEvent;
  }
}
