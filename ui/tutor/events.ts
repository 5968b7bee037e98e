import type { QuestionResponse } from "@colloquy/schemas/questions/response.ts";
import type { TutorAction } from "@colloquy/schemas/tutor/requests.ts";

/** A command from the tutor's interface. */
export type TutorCommand =
  | { kind: "act"; action: TutorAction }
  /** Sends the failed request again; `practice`: starts for practice, where no question can count. */
  | { kind: "retry"; practice?: true }
  | { kind: "forget-failure" }
  | { kind: "stop" }
  /** Reads the session again from the service. */
  | { kind: "refresh" }
  /** Reads the courses or the session again after a failure. */
  | { kind: "load" }
  | { kind: "choose-course"; courseId: string }
  | { kind: "choose"; choiceIds: string[] }
  | { kind: "write"; text: string }
  /** What was given so far to a question of the course's own. */
  | { kind: "respond"; response: QuestionResponse }
  /** Starts with this goal. */
  | { kind: "begin"; goal: string }
  /** Starts with an off-topic goal anyway; `courseId`: in another course that covers the goal. */
  | { kind: "begin-anyway"; courseId?: string }
  /** Lets the learner reword the goal. */
  | { kind: "reword" }
  /** Starts a new session with the same goal and carries the evidence over. */
  | { kind: "carry-over" }
  /** Leaves the session to start one with another goal. */
  | { kind: "another" }
  /** Shows one of the conversation's sessions. */
  | { kind: "open"; sessionId: string };

/** Carries a command up from the tutor's elements. */
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
