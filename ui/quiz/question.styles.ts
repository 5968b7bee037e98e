import { css } from "lit";

export const questionStyles = css`
  colloquy-quiz-question { display: block; }
  colloquy-quiz-question .ask { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s3); justify-items: start; }
  colloquy-quiz-question fieldset { border: 0; margin: 0; padding: 0; min-inline-size: 0; inline-size: 100%; display: grid; grid-template-columns: minmax(0, 1fr); gap: 6px; }
  colloquy-quiz-question legend { padding: 0; margin-block-end: var(--s3); inline-size: 100%; }
  colloquy-quiz-question .number { display: block; margin-block-end: var(--s1); font: 450 var(--text-s)/1.4 var(--font-ui); color: var(--ink-faint); }
  colloquy-quiz-question colloquy-quiz-text { display: block; min-inline-size: 0; font: var(--text-l)/var(--leading-read) var(--font-read); overflow-wrap: break-word; }
  colloquy-quiz-question legend colloquy-quiz-text { font-weight: 550; line-height: 1.5; }
  colloquy-quiz-question colloquy-quiz-text > :first-child { margin-block-start: 0; }
  colloquy-quiz-question colloquy-quiz-text > :last-child { margin-block-end: 0; }
  colloquy-quiz-question .choice { display: grid; grid-template-columns: 20px minmax(0, 1fr); gap: 0 12px; align-items: start; min-block-size: 44px; padding-block: 9px; padding-inline: 12px 14px; border: 1px solid var(--line); border-radius: var(--r-m); background: var(--raised); cursor: pointer; transition: border-color var(--fast) var(--ease), background var(--fast) var(--ease); }
  colloquy-quiz-question .ask:not(.checked) .choice:hover { border-color: var(--line-strong); background: var(--sunken); }
  colloquy-quiz-question .ask:not(.checked) .choice.chosen { border-color: var(--accent); background: var(--accent-wash); }
  colloquy-quiz-question .choice:has(input:focus-visible) { box-shadow: var(--focus); }
  colloquy-quiz-question input { accent-color: var(--accent); inline-size: 18px; block-size: 18px; margin: .26em 0 0; cursor: inherit; }
  colloquy-quiz-question input:focus-visible { outline: 2px solid transparent; box-shadow: none; }
  colloquy-quiz-question .choice colloquy-quiz-text { line-height: 1.5; }
  colloquy-quiz-question .checked .choice { cursor: default; background: none; }
  colloquy-quiz-question .checked .choice.right, colloquy-quiz-question .checked .choice.missed { border-color: var(--good); }
  colloquy-quiz-question .checked .choice.right { background: color-mix(in oklab, var(--good-wash) 60%, var(--paper)); }
  colloquy-quiz-question .checked .choice.missed { border-style: dashed; }
  colloquy-quiz-question .checked .choice.wrong { border-color: color-mix(in oklab, var(--bad) 60%, var(--line)); background: color-mix(in oklab, var(--bad-wash) 60%, var(--paper)); }
  colloquy-quiz-question .checked .choice:not(.right, .wrong) input { opacity: .45; }
  colloquy-quiz-question .verdict { grid-column: 2; display: inline-flex; align-items: center; gap: 5px; margin-block-start: 3px; font: 550 var(--text-s)/1.4 var(--font-ui); }
  colloquy-quiz-question .right .verdict, colloquy-quiz-question .missed .verdict { color: var(--good); }
  colloquy-quiz-question .wrong .verdict { color: var(--bad); }
  colloquy-quiz-question .check { min-block-size: 38px; padding: 6px 18px; border: 1px solid var(--line-strong); border-radius: var(--r-m); background: var(--raised); color: var(--ink); font: 600 var(--text-s)/1.4 var(--font-ui); cursor: pointer; }
  colloquy-quiz-question .check:hover:not(:disabled) { border-color: var(--accent); }
  colloquy-quiz-question .check:disabled { cursor: default; opacity: .5; }
  colloquy-quiz-question .check:focus-visible, colloquy-quiz-question .outcome:focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
  colloquy-quiz-question .outcome { inline-size: 100%; padding-block: 2px; padding-inline-start: 14px; border-inline-start: 2px solid var(--line-strong); border-radius: 2px; display: grid; gap: 6px; }
  colloquy-quiz-question .outcome:focus { outline: none; }
  colloquy-quiz-question .words { display: flex; align-items: center; gap: 6px; margin: 0; font: 450 var(--text-m)/1.4 var(--font-ui); }
  colloquy-quiz-question .words b { font-weight: 650; }
  colloquy-quiz-question .words .icon { font-size: 18px; }
  colloquy-quiz-question .words.good { color: var(--good); }
  colloquy-quiz-question .words.partly { color: var(--warn); }
  colloquy-quiz-question .words.bad { color: var(--bad); }
  colloquy-quiz-question .points { color: var(--ink-soft); font-size: var(--text-s); }
  colloquy-quiz-question .from { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 4px 16px; font: var(--text-s)/1.4 var(--font-ui); color: var(--ink-soft); }
  colloquy-quiz-question .from li { display: inline-flex; align-items: baseline; gap: 6px; }
  colloquy-quiz-question .visually-hidden { position: absolute; inline-size: 1px; block-size: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  @media (pointer: coarse) {
    colloquy-quiz-question .check { min-block-size: 44px; }
    colloquy-quiz-question .from li { min-block-size: 44px; }
    colloquy-quiz-question .from a { position: relative; }
    colloquy-quiz-question .from a::before { content: ""; position: absolute; inset: -13px; }
  }
  @media (forced-colors: active) {
    colloquy-quiz-question .ask:not(.checked) .choice.chosen, colloquy-quiz-question .choice:has(input:focus-visible), colloquy-quiz-question .check:focus-visible { outline: 2px solid Highlight; }
    colloquy-quiz-question .checked .choice.right { border-width: 3px; }
    colloquy-quiz-question .checked .choice.wrong { border-style: double; border-width: 3px; }
    colloquy-quiz-question .check:disabled { opacity: 1; color: GrayText; }
  }
`;
