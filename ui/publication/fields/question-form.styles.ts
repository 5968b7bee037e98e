import { css } from "lit";

export const questionFormStyles = css`
  colloquy-question-form { display: grid; gap: var(--s3); padding: var(--s3) var(--s4); border-block-end: 1px solid var(--line); font: var(--text-s)/1.4 var(--font-ui); }
  /* Its header cannot be read: the field shows it. */
  colloquy-question-form:not(:has(*)) { display: none; }
  colloquy-question-form .fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 13rem), 1fr)); gap: var(--s3); align-items: start; }
  colloquy-question-form label { display: grid; gap: 4px; min-inline-size: 0; color: var(--ink-soft); font-weight: 500; }
  colloquy-question-form :is(select, input:not([type])) { inline-size: 100%; min-inline-size: 0; min-block-size: 38px; padding: 6px 10px; border: 1px solid var(--line-strong); border-radius: var(--r-m); background: var(--paper); color: var(--ink); font: var(--text-s)/1.4 var(--font-ui); text-overflow: ellipsis; }
  colloquy-question-form [aria-invalid="true"] { border-color: var(--bad); }
  colloquy-question-form :is(select, input, button, summary):focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
  colloquy-question-form .wrong { margin: 0; color: var(--bad); font-weight: 400; overflow-wrap: anywhere; }
  colloquy-question-form .check { display: flex; gap: var(--s2); align-items: start; min-block-size: 28px; padding-block: 4px; color: var(--ink); font-weight: 400; cursor: pointer; overflow-wrap: anywhere; }
  colloquy-question-form .check input { flex: none; inline-size: 18px; block-size: 18px; margin: 0; accent-color: var(--accent); }
  colloquy-question-form details { min-inline-size: 0; }
  colloquy-question-form summary { min-block-size: 32px; padding-block: 6px; border-radius: var(--r-s); color: var(--ink-soft); font-weight: 500; cursor: pointer; }
  colloquy-question-form ul { max-block-size: 15rem; margin: 0; padding: 0 2px; overflow: auto; list-style: none; }
  colloquy-question-form li { margin: 0; }
  colloquy-question-form .id { font: var(--text-xs)/1.4 var(--font-code); }
  colloquy-question-form .adding { display: flex; flex-wrap: wrap; gap: var(--s2); }
  colloquy-question-form .adding button { display: inline-flex; gap: 4px; align-items: center; min-block-size: 34px; padding: 4px 12px; border: 1px solid var(--line-strong); border-radius: var(--r-pill); color: var(--ink-soft); font: 500 var(--text-s)/1.4 var(--font-ui); }
  colloquy-question-form .adding button:hover { background: var(--sunken); color: var(--ink); }
  @media (pointer: coarse) {
    colloquy-question-form :is(select, input:not([type]), .adding button, summary) { min-block-size: 44px; }
    colloquy-question-form :is(select, input:not([type])) { font-size: 1rem; }
    colloquy-question-form .check { min-block-size: 44px; padding-block: 10px; }
  }
`;
