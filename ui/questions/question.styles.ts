import { css } from "lit";

export const questionStyles = css`
  colloquy-question { display: block; color: var(--ink); }
  colloquy-question + .question-static { display: none; }
  colloquy-question form { display: grid; grid-template-columns: minmax(0, 1fr); gap: 14px; }
  colloquy-question .question-text > * + * { margin-block-start: .8em; }
  colloquy-question .question-text > :first-child { margin-block-start: 0; }
  colloquy-question .question-text > :last-child { margin-block-end: 0; }
  colloquy-question .hints:empty, colloquy-question .outcome:not(.good, .bad, .none) { display: none; }
  colloquy-question .hints { display: grid; grid-template-columns: minmax(0, 1fr); gap: 10px; }
  colloquy-question .hint { padding-inline-start: 14px; border-inline-start: 2px solid var(--line-strong); color: var(--ink-soft); }
  colloquy-question :is(.hint-name, .name) { display: flex; align-items: center; gap: 6px; margin: 0 0 2px; font: 600 var(--text-s)/1.4 var(--font-ui); color: var(--ink-soft); }
  colloquy-question .outcome { display: grid; grid-template-columns: minmax(0, 1fr); gap: 12px; padding-block: 2px; padding-inline-start: 14px; border-inline-start: 2px solid var(--line-strong); border-radius: 2px; }
  colloquy-question .outcome.good { border-color: var(--good); }
  colloquy-question .outcome.bad { border-color: var(--bad); }
  colloquy-question .outcome [role="status"]:empty { display: none; }
  colloquy-question .words { display: flex; align-items: center; gap: 6px; margin: 0 0 4px; font: 450 var(--text-m)/1.4 var(--font-ui); }
  colloquy-question .words b { font-weight: 650; }
  colloquy-question .words .icon { flex: none; font-size: 18px; }
  colloquy-question .good .words { color: var(--good); }
  colloquy-question .bad .words { color: var(--bad); }
  colloquy-question .error { margin: 0 0 4px; font: 450 var(--text-m)/1.5 var(--font-ui); }
  colloquy-question .again { margin: 0; font: 450 var(--text-s)/1.5 var(--font-ui); color: var(--ink-soft); }
  colloquy-question .solution :is(ol, ul) { margin: 0; }
  colloquy-question .solution ol { padding-inline-start: 1.6em; }
  colloquy-question .pairs { display: grid; gap: 4px; padding: 0; list-style: none; }
  colloquy-question .pairs > li { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 10px; }
  colloquy-question .arrow { color: var(--ink-faint); }
  colloquy-question .arrow:dir(rtl) { scale: -1 1; }
  colloquy-question .rubric { margin: 12px 0 0; padding: 0; border: 0; display: grid; gap: 6px; }
  colloquy-question .rubric legend { padding: 0; margin-block-end: 6px; font: 600 var(--text-s)/1.4 var(--font-ui); color: var(--ink-soft); }
  colloquy-question .rubric label { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 10px; align-items: start; min-block-size: 32px; cursor: pointer; }
  colloquy-question .rubric input { inline-size: 18px; block-size: 18px; margin: .3em 0 0; accent-color: var(--accent); }
  colloquy-question .ways { display: flex; flex-wrap: wrap; gap: 8px; }
  colloquy-question .ways:not(:has(button)) { display: none; }
  colloquy-question .ways button { min-block-size: 44px; padding: 8px 18px; border: 1px solid var(--line-strong); border-radius: var(--r-m); background: var(--raised); color: var(--ink); font: 600 var(--text-s)/1.4 var(--font-ui); cursor: pointer; }
  colloquy-question .ways button:hover:not([aria-disabled]) { border-color: var(--accent); }
  colloquy-question .ways .primary { border-color: var(--accent); background: var(--accent); color: var(--accent-ink); }
  colloquy-question .ways .primary[aria-disabled] { border-color: var(--line-strong); background: var(--raised); color: var(--ink-faint); cursor: default; }
  colloquy-question .ways :is(.quiet, .primary.quiet) { background: none; border-color: var(--line); color: var(--ink-soft); }
  colloquy-question :is(button, input):focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
  @media (max-width: 480px) { colloquy-question .ways button { flex: 1 1 auto; text-align: center; } }
  @media print { colloquy-question .ways { display: none; } }
  @media (forced-colors: active) {
    colloquy-question .ways .primary { border-width: 2px; }
    colloquy-question .ways [aria-disabled] { color: GrayText; }
    colloquy-question :is(button, input):focus-visible { outline: 2px solid Highlight; }
  }
`;
