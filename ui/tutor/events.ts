import type { TutorAction } from "@colloquy/schemas/tutor/requests.ts";

/** What the learner asks of the tutor, or of what stands in its way. */
export type TutorCommand =
  | { kind: "act"; action: TutorAction }
  /** The same once more, after a failure. */
  | { kind: "retry" }
  | { kind: "forget-failure" }
  | { kind: "stop" }
  /** Looks at what the service has. */
  | { kind: "refresh" }
  /** Reads what could not be read. */
  | { kind: "load" }
  | { kind: "choose-course"; courseId: string }
  | { kind: "choose"; choiceIds: string[] }
  | { kind: "write"; text: string }
  /** Begins with a goal that the chosen course says nothing of; `courseId`: with a course that does. */
  | { kind: "begin-anyway"; courseId?: string }
  /** The goal is to be said in other words. */
  | { kind: "reword" }
  /** A new session with the same goal, which takes over what was shown before. */
  | { kind: "carry-over" }
  /** Another session with another goal. */
  | { kind: "another" }
  /** Shows an earlier session of the conversation, or the newest again. */
  | { kind: "open"; sessionId: string };

/** The learner does something in the tutor. */
export class TutorEvent extends Event {
  static readonly type = "colloquy-tutor";
  readonly command: TutorCommand;
  constructor(command: TutorCommand) {
    super(TutorEvent.type, { bubbles: true, composed: true });
    this.command = command;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    "colloquy-tutor": TutorEvent;
  }
}
