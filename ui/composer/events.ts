import type { ModelSelection } from "@colloquy/schemas/models.ts";
import type { ReferenceResult } from "@colloquy/schemas/sources/references.ts";
import type { ConversationMode } from "@colloquy/schemas/sync/changes.ts";

/** The learner sends the text. */
export class SendEvent extends Event {
  static readonly type = "colloquy-send";
  readonly text: string;
  constructor(text: string) {
    super(SendEvent.type, { bubbles: true, composed: true });
    this.text = text;
  }
}

/** The learner sends a goal for the tutor. */
export class GoalEvent extends Event {
  static readonly type = "colloquy-goal";
  readonly goal: string;
  constructor(goal: string) {
    super(GoalEvent.type, { bubbles: true, composed: true });
    this.goal = goal;
  }
}

/** The learner switches between asking and the tutor. */
export class ChooseModeEvent extends Event {
  static readonly type = "colloquy-choose-mode";
  readonly mode: ConversationMode;
  constructor(mode: ConversationMode) {
    super(ChooseModeEvent.type, { bubbles: true, composed: true });
    this.mode = mode;
  }
}

/** The learner stops the running answer. */
export class StopEvent extends Event {
  static readonly type = "colloquy-stop";
  constructor() {
    super(StopEvent.type, { bubbles: true, composed: true });
  }
}

/** The learner tries to send while signed out. */
export class BlockedEvent extends Event {
  static readonly type = "colloquy-blocked";
  constructor() {
    super(BlockedEvent.type, { bubbles: true, composed: true });
  }
}

/** The text changed. */
export class DraftEvent extends Event {
  static readonly type = "colloquy-draft";
  readonly text: string;
  constructor(text: string) {
    super(DraftEvent.type, { bubbles: true, composed: true });
    this.text = text;
  }
}

/** The learner attaches a place. */
export class AttachEvent extends Event {
  static readonly type = "colloquy-attach";
  readonly reference: ReferenceResult;
  constructor(reference: ReferenceResult) {
    super(AttachEvent.type, { bubbles: true, composed: true });
    this.reference = reference;
  }
}

/** The learner removes an attached reference. */
export class DetachEvent extends Event {
  static readonly type = "colloquy-detach";
  readonly href: string;
  constructor(href: string) {
    super(DetachEvent.type, { bubbles: true, composed: true });
    this.href = href;
  }
}

/** The learner chooses the model. */
export class ChooseModelEvent extends Event {
  static readonly type = "colloquy-choose-model";
  readonly selection: ModelSelection;
  constructor(selection: ModelSelection) {
    super(ChooseModelEvent.type, { bubbles: true, composed: true });
    this.selection = selection;
  }
}

/** The learner shows or hides a model in the picker. */
export class HideModelEvent extends Event {
  static readonly type = "colloquy-hide-model";
  readonly modelId: string;
  readonly hidden: boolean;
  constructor(modelId: string, hidden: boolean) {
    super(HideModelEvent.type, { bubbles: true, composed: true });
    this.modelId = modelId;
    this.hidden = hidden;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    "colloquy-send": SendEvent;
    "colloquy-goal": GoalEvent;
    "colloquy-choose-mode": ChooseModeEvent;
    "colloquy-stop": StopEvent;
    "colloquy-blocked": BlockedEvent;
    "colloquy-draft": DraftEvent;
    "colloquy-attach": AttachEvent;
    "colloquy-detach": DetachEvent;
    "colloquy-choose-model": ChooseModelEvent;
    "colloquy-hide-model": HideModelEvent;
  }
}
