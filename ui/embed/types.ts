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
