import type { QuestionResponse } from "@colloquy/schemas/questions/response.ts";
import type { ChoiceQuestion, CourseQuestion, Question } from "@colloquy/schemas/quiz/quiz.ts";

/** A choice was selected or cleared. */
export class ChoiceEvent extends Event {
  static readonly type = "colloquy-quiz-choice";
  readonly question: ChoiceQuestion;
  readonly choiceId: string;
  readonly on: boolean;
  constructor(question: ChoiceQuestion, choiceId: string, on: boolean) {
    super(ChoiceEvent.type, { bubbles: true });
    this.question = question;
    this.choiceId = choiceId;
    this.on = on;
  }
}

/** The answer to a question of the course's own changed. */
export class AnswerEvent extends Event {
  static readonly type = "colloquy-quiz-answer";
  readonly question: CourseQuestion;
  readonly response: QuestionResponse;
  constructor(question: CourseQuestion, response: QuestionResponse) {
    super(AnswerEvent.type, { bubbles: true });
    this.question = question;
    this.response = response;
  }
}

/** One question is to be checked. */
export class CheckEvent extends Event {
  static readonly type = "colloquy-quiz-check";
  readonly question: Question;
  constructor(question: Question) {
    super(CheckEvent.type, { bubbles: true });
    this.question = question;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    "colloquy-quiz-choice": ChoiceEvent;
    "colloquy-quiz-answer": AnswerEvent;
    "colloquy-quiz-check": CheckEvent;
  }
}
