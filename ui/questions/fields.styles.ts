import { css } from "lit";

export const fieldsStyles = css`
  colloquy-question-fields { display: block; }
  colloquy-question-fields fieldset { min-inline-size: 0; margin: 0; padding: 0; border: 0; }
  colloquy-question-fields .question-text > * + * { margin-block-start: .8em; }
  colloquy-question-fields :is(.order, .match, .rights) > li, colloquy-question-fields :is(.order, .match, .rights) > li > * { margin-block: 0; }
  colloquy-question-fields .question-text > :first-child { margin-block-start: 0; }
  colloquy-question-fields .question-text > :last-child { margin-block-end: 0; }
  colloquy-question-fields .how { margin: .9em 0 .5em; font: 500 var(--text-s)/1.4 var(--font-ui); color: var(--ink-soft); }
  colloquy-question-fields .choices, colloquy-question-fields .match, colloquy-question-fields .order, colloquy-question-fields .rights { display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px; margin: 0; padding: 0; list-style: none; }
  colloquy-question-fields .choice { display: grid; grid-template-columns: auto minmax(0, 1fr); align-items: start; gap: 4px 12px; min-block-size: 44px; padding: 10px 14px; border: 1px solid var(--line); border-radius: var(--r-m); background: var(--raised); cursor: pointer; transition: border-color var(--fast) var(--ease), background var(--fast) var(--ease); }
  colloquy-question-fields .choice:hover:has(input:enabled) { border-color: var(--line-strong); background: var(--sunken); }
  colloquy-question-fields .choice.chosen { border-color: var(--accent); background: var(--accent-wash); }
  colloquy-question-fields .choice:has(input:focus-visible) { box-shadow: var(--focus); }
  colloquy-question-fields .choice:has(input:disabled) { cursor: default; }
  colloquy-question-fields .choice input { accent-color: var(--accent); inline-size: 18px; block-size: 18px; margin: .3em 0 0; cursor: inherit; }
  colloquy-question-fields .choice input:focus-visible { outline: 2px solid transparent; box-shadow: none; }
  colloquy-question-fields .choice.right, colloquy-question-fields .choice.missed { border-color: var(--good); }
  colloquy-question-fields .choice.right { background: color-mix(in oklab, var(--good-wash) 60%, var(--paper)); }
  colloquy-question-fields .choice.missed { border-style: dashed; }
  colloquy-question-fields .choice.wrong { border-color: color-mix(in oklab, var(--bad) 60%, var(--line)); background: color-mix(in oklab, var(--bad-wash) 60%, var(--paper)); }
  colloquy-question-fields .verdict { display: inline-flex; align-items: center; gap: 5px; font: 550 var(--text-s)/1.4 var(--font-ui); color: var(--good); }
  colloquy-question-fields .wrong > .verdict { color: var(--bad); }
  colloquy-question-fields .choice > .verdict { grid-column: 2; }
  colloquy-question-fields .order > li, colloquy-question-fields .match > li { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 12px; min-block-size: 44px; padding-block: 6px; padding-inline: 14px 8px; border: 1px solid var(--line); border-radius: var(--r-m); background: var(--raised); }
  colloquy-question-fields :is(.order, .match) > .right { border-color: var(--good); }
  colloquy-question-fields :is(.order, .match) > .wrong { border-color: color-mix(in oklab, var(--bad) 60%, var(--line)); }
  colloquy-question-fields .order .place { min-inline-size: 1.2em; font: 600 var(--text-s)/1.4 var(--font-ui); color: var(--ink-faint); font-variant-numeric: tabular-nums; }
  colloquy-question-fields .item-text { flex: 1 1 9em; min-inline-size: 0; }
  colloquy-question-fields .movers { display: flex; gap: 2px; margin-inline-start: auto; }
  colloquy-question-fields .mover { display: grid; place-items: center; inline-size: 40px; block-size: 40px; border-radius: var(--r-s); color: var(--ink-soft); font-size: 18px; cursor: pointer; }
  colloquy-question-fields .mover:hover:not([aria-disabled]) { background: var(--sunken); color: var(--ink); }
  colloquy-question-fields .mover[aria-disabled] { opacity: .35; cursor: default; }
  colloquy-question-fields .mover.up .icon { rotate: 180deg; }
  colloquy-question-fields .rights { margin-block-end: 10px; }
  colloquy-question-fields .rights > li { display: flex; gap: 10px; align-items: baseline; }
  colloquy-question-fields .letter { font: 600 var(--text-s)/1.4 var(--font-ui); color: var(--ink-soft); }
  colloquy-question-fields select, colloquy-question-fields .field input, colloquy-question-fields textarea { max-inline-size: 100%; min-block-size: 44px; padding: 8px 12px; border: 1px solid var(--line-strong); border-radius: var(--r-s); background: var(--paper); color: var(--ink); font: 450 var(--text-m)/1.4 var(--font-ui); }
  colloquy-question-fields select { flex: 0 1 auto; min-inline-size: 0; text-overflow: ellipsis; }
  colloquy-question-fields textarea { display: block; inline-size: 100%; resize: vertical; }
  colloquy-question-fields .field { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 10px; margin: 0; }
  colloquy-question-fields .field small { flex-basis: 100%; color: var(--ink-soft); font-size: var(--text-s); }
  colloquy-question-fields .field input { flex: 0 1 20em; min-inline-size: 0; }
  colloquy-question-fields .unit { color: var(--ink-soft); }
  colloquy-question-fields .field.right input { border-color: var(--good); }
  colloquy-question-fields .field.wrong input { border-color: var(--bad); }
  colloquy-question-fields input[data-gap] { field-sizing: content; min-inline-size: 8em; max-inline-size: 100%; min-block-size: 1.7em; padding: 1px 7px; border: 1px solid var(--line-strong); border-radius: var(--r-s); background: var(--paper); color: var(--ink); font: inherit; font-variant-ligatures: none; line-height: 1.4; vertical-align: baseline; }
  colloquy-question-fields pre:has([data-gap]), colloquy-question-fields pre:has([data-gap]) code { white-space: pre-wrap; overflow-wrap: anywhere; }
  colloquy-question-fields input[data-gap].right { border-color: var(--good); background: var(--good-wash); }
  colloquy-question-fields input[data-gap].wrong { border-color: var(--bad); background: var(--bad-wash); text-decoration: underline wavy color-mix(in oklab, var(--bad), transparent 30%); text-underline-offset: 1px; text-decoration-thickness: 1px; }
  colloquy-question-fields :is(input, select, textarea, .mover):focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
  colloquy-question-fields .visually-hidden { position: absolute; inline-size: 1px; block-size: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  @media (pointer: coarse) {
    colloquy-question-fields .mover { inline-size: 44px; block-size: 44px; }
    colloquy-question-fields input[data-gap] { min-block-size: 44px; font-size: 16px; }
  }
  @media (forced-colors: active) {
    colloquy-question-fields .choice.chosen, colloquy-question-fields .choice:has(input:focus-visible) { outline: 2px solid Highlight; }
    colloquy-question-fields .right { border-width: 3px; }
    colloquy-question-fields .wrong { border-style: double; border-width: 3px; }
  }
`;
