import { css } from "lit";

export const courseQuestionStyles = css`
  colloquy-quiz-course-question { display: block; }
  colloquy-quiz-course-question .ask { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s2); }
  colloquy-quiz-course-question .number { margin: 0; font: 450 var(--text-s)/1.4 var(--font-ui); color: var(--ink-faint); }
  colloquy-quiz-course-question .how { display: none; }
  colloquy-quiz-course-question .prompt { margin-block-end: 10px; }
  colloquy-quiz-course-question .marked { display: grid; gap: 6px; padding-inline-start: 14px; border-inline-start: 2px solid var(--line-strong); border-radius: 2px; }
  colloquy-quiz-course-question .marked:focus { outline: none; }
  colloquy-quiz-course-question .marked:focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
  colloquy-quiz-course-question .points { margin: 0; font: 450 var(--text-s)/1.4 var(--font-ui); color: var(--ink-soft); }
  colloquy-quiz-course-question .from { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 4px 16px; font: var(--text-s)/1.4 var(--font-ui); color: var(--ink-soft); }
  colloquy-quiz-course-question .from li { display: inline-flex; align-items: baseline; gap: 6px; }
  @media (pointer: coarse) {
    colloquy-quiz-course-question .from li { min-block-size: 44px; }
    colloquy-quiz-course-question .from a { position: relative; }
    colloquy-quiz-course-question .from a::before { content: ""; position: absolute; inset: -13px; }
  }
  @media (forced-colors: active) {
    colloquy-quiz-course-question .marked:focus-visible { outline: 2px solid Highlight; }
  }
`;
