import type { Part } from "./element.ts";

/** Where an element stands with its service. */
export type EmbedState = "loading" | "refused" | "unreachable" | "signed-out" | "signing-in" | "signed-in";

/** A passage of a course that an answer stands on. */
export interface EmbeddedCitation {
  number: number;
  title: string;
  /** The whole address of the passage. */
  href: string;
  quote: string;
}

/** A quiz as the service makes it. */
export interface EmbeddedQuiz {
  type: "quiz";
  quizId: string;
  title: string;
  questions: {
    questionId: string;
    kind: "single" | "multiple";
    prompt: string;
    choices: { choiceId: string; text: string }[];
    correct: string[];
    explanation: string;
    sourceIds: string[];
  }[];
  sources: (EmbeddedCitation & { sourceId: string; trail: string[]; revisionId: string })[];
}

export interface AskPart extends Part {
  readonly state: EmbedState;
  ask(question: string): Promise<void>;
  signIn(): void;
}
export interface QuizPart extends Part {
  readonly state: EmbedState;
  signIn(): void;
}

/** How far a learner is in a session of the tutor. */
export interface EmbeddedProgress {
  /** Keep it to go on with the session on another visit: it is of use to nobody but the learner it belongs to. */
  sessionId: string;
  courseId: string;
  phase: "probing" | "planning" | "teaching" | "checking" | "adapting" | "completed";
  paused: boolean;
  /** How many objectives the path has, and how many of them are mastered. */
  objectives: number;
  mastered: number;
}
export interface TutorPart extends Part {
  readonly state: EmbedState;
  readonly progress: EmbeddedProgress | null;
  start(goal: string): Promise<void>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  signIn(): void;
}
