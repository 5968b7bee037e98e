import type { Part } from "./element.ts";

/** An element's connection state. */
export type EmbedState = "loading" | "refused" | "unreachable" | "signed-out" | "signing-in" | "signed-in";

/** A cited passage of a course. */
export interface EmbeddedCitation {
  number: number;
  title: string;
  /** The absolute address of the passage. */
  href: string;
  quote: string;
}

/** A question of a course with what marks it; texts are Markdown. */
export type EmbeddedKey = {
  markdown: string;
  /** Id of the objective. */
  objective?: string;
  level: "recall" | "application";
  /** Ids of the blocks it rests on. */
  about: string[];
  place: "page" | "self-check" | "bank";
  hints: string[];
  explanation?: string;
} & (
  | { kind: "single" | "multiple"; choices: { markdown: string; correct: boolean; feedback?: string }[] }
  | { kind: "text"; accepted: string[] }
  | { kind: "number"; value: number; tolerance: number; unit?: string }
  | { kind: "gap"; gaps: string[][] }
  | { kind: "order"; items: string[] }
  | { kind: "match"; pairs: { left: string; right: string }[]; extra: string[] }
);

/** A quiz as the service makes it. */
export interface EmbeddedQuiz {
  type: "quiz";
  quizId: string;
  title: string;
  questions: (
    | {
        questionId: string;
        kind: "single" | "multiple";
        prompt: string;
        choices: { choiceId: string; text: string }[];
        correct: string[];
        explanation: string;
        sourceIds: string[];
      }
    /** A question of the course's own, with its key. */
    | {
        questionId: string;
        authored: { courseId: string; blockId: string; digest: string };
        key: EmbeddedKey;
        sourceIds: string[];
      }
  )[];
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

/** A learner's progress in a tutoring session. */
export interface EmbeddedProgress {
  /** Store it to continue the session on another visit; it works only for its learner. */
  sessionId: string;
  courseId: string;
  phase: "probing" | "planning" | "teaching" | "checking" | "adapting" | "completed";
  paused: boolean;
  /** The number of objectives, and of mastered ones. */
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
