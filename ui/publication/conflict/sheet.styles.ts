import { css } from "lit";

export const sheetStyles = css`
  colloquy-conflict-sheet dialog { inline-size: min(72rem, calc(100vw - 24px)); max-inline-size: none; max-block-size: calc(100dvh - 24px); padding: 0; border: 1px solid var(--line-strong); border-radius: var(--r-l); background: var(--paper); color: var(--ink); box-shadow: var(--shadow-2); font: var(--text-m)/1.5 var(--font-ui); overscroll-behavior: contain; }
  colloquy-conflict-sheet dialog::backdrop { background: oklch(20% .02 265 / .42); }
  colloquy-conflict-sheet :is(header, .units, .result) { margin-inline: clamp(1rem, 3vw, 2rem); }
  colloquy-conflict-sheet header { padding-block: var(--s5) var(--s4); max-inline-size: 46rem; }
  colloquy-conflict-sheet header h2 { font: 600 var(--text-xl)/1.3 var(--font-read); margin-block-end: var(--s2); }
  colloquy-conflict-sheet header p { color: var(--ink-soft); }
  colloquy-conflict-sheet .who { margin: 0 0 var(--s2); padding: 0; list-style: none; font-weight: 550; overflow-wrap: anywhere; }
  colloquy-conflict-sheet .unit { min-inline-size: 0; margin: 0 0 var(--s4); padding: var(--s3) var(--s4) var(--s4); border: 1px solid var(--line); border-radius: var(--r-m); background: var(--raised); }
  colloquy-conflict-sheet .unit.both { border-inline-start: 4px solid var(--warn); }
  colloquy-conflict-sheet legend { float: inline-start; inline-size: 100%; padding: 0; font: 600 var(--text-l)/1.35 var(--font-read); }
  colloquy-conflict-sheet legend + * { clear: both; }
  colloquy-conflict-sheet legend small { display: block; font: 500 var(--text-xs)/1.5 var(--font-ui); color: var(--ink-soft); }
  colloquy-conflict-sheet .deeds { display: flex; flex-wrap: wrap; gap: 0 var(--s2); margin: 0; color: var(--ink-soft); font-size: var(--text-s); }
  colloquy-conflict-sheet .deeds span:not(:last-child)::after { content: "·"; margin-inline-start: var(--s2); }
  colloquy-conflict-sheet .choices { display: flex; flex-wrap: wrap; gap: var(--s2); margin-block: var(--s3); }
  colloquy-conflict-sheet .choice { display: flex; align-items: center; gap: var(--s2); min-block-size: 44px; padding-block: 6px; padding-inline: var(--s3) var(--s4); border: 1px solid var(--line-strong); border-radius: var(--r-m); cursor: pointer; font-weight: 550; }
  colloquy-conflict-sheet .choice:has(:checked) { border-color: var(--accent); background: var(--accent-wash); }
  colloquy-conflict-sheet .choice:has(:focus-visible) { outline: 2px solid transparent; box-shadow: var(--focus); }
  colloquy-conflict-sheet .choice input { flex: none; accent-color: var(--accent); inline-size: 18px; block-size: 18px; margin: 0; outline: none; }
  colloquy-conflict-sheet summary:not(.prose *) { min-block-size: 32px; padding-block: 4px; color: var(--accent); font-size: var(--text-s); font-weight: 550; cursor: pointer; }
  colloquy-conflict-sheet .difference { margin-block-start: var(--s3); }
  colloquy-conflict-sheet .difference-name { font: 600 var(--text-s)/1.4 var(--font-ui); margin: 0 0 var(--s1); }
  colloquy-conflict-sheet .three { display: grid; grid-auto-flow: column; grid-auto-columns: minmax(0, 1fr); gap: 1px; border: 1px solid var(--line); border-radius: var(--r-m); overflow: hidden; background: var(--line); }
  colloquy-conflict-sheet .version { display: flex; flex-direction: column; min-inline-size: 0; background: var(--paper); }
  colloquy-conflict-sheet .version-name { margin: 0; padding: 4px var(--s3); font: 500 var(--text-xs)/1.5 var(--font-ui); color: var(--ink-soft); background: var(--sunken); }
  colloquy-conflict-sheet .version pre { flex: 1; margin: 0; padding: var(--s2) var(--s3); max-block-size: 20rem; overflow: auto; background: none; border: 0; border-radius: 0; font: var(--text-s)/1.55 var(--font-code); white-space: pre-wrap; overflow-wrap: anywhere; }
  colloquy-conflict-sheet .same-lines { margin-block: var(--s1); font-family: var(--font-ui); }
  colloquy-conflict-sheet .same-lines summary { margin-inline: calc(-1 * var(--s3)); padding: 4px var(--s3); background: var(--sunken); color: var(--ink-soft); white-space: normal; }
  colloquy-conflict-sheet .same-lines div { font-family: var(--font-code); unicode-bidi: plaintext; }
  colloquy-conflict-sheet pre em { font: italic var(--text-s)/1.55 var(--font-ui); color: var(--ink-soft); }
  colloquy-conflict-sheet .version ins { background: var(--good-wash); color: inherit; text-decoration: underline 1.5px var(--good); text-underline-offset: 2px; }
  colloquy-conflict-sheet .version del { background: var(--bad-wash); color: inherit; text-decoration: line-through 1px var(--bad); }
  colloquy-conflict-sheet .result { margin-block-end: var(--s4); padding: var(--s3) var(--s4); border: 1px solid var(--line); border-radius: var(--r-m); background: var(--sunken); font-size: var(--text-s); }
  colloquy-conflict-sheet .outline { margin-block-end: var(--s4); }
  colloquy-conflict-sheet .outline ol { margin: 0; padding-inline-start: 1.4em; }
  colloquy-conflict-sheet .outline small { color: var(--ink-soft); font-size: var(--text-xs); }
  colloquy-conflict-sheet .result-page > summary { padding-block: 10px; }
  colloquy-conflict-sheet .as-read { padding: var(--s4); border: 1px solid var(--line); border-radius: var(--r-m); background: var(--paper); overflow-wrap: anywhere; }
  colloquy-conflict-sheet .as-read > h4 { margin: 0 0 var(--s2); font: 600 var(--text-xl)/1.25 var(--font-read); }
  colloquy-conflict-sheet .as-read h5 { margin: 0 0 var(--s1); font: 600 var(--text-s)/1.4 var(--font-ui); }
  colloquy-conflict-sheet .as-read > .drawn { margin-block-start: var(--s4); }
  colloquy-conflict-sheet .notes { margin: 0 0 var(--s3); padding-inline-start: 1.2em; color: var(--ink); }
  colloquy-conflict-sheet footer { position: sticky; inset-block-end: 0; display: flex; flex-wrap: wrap; justify-content: flex-end; align-items: center; gap: var(--s2) var(--s3); padding: var(--s3) clamp(1rem, 3vw, 2rem); border-block-start: 1px solid var(--line); background: var(--paper); }
  colloquy-conflict-sheet footer p { flex: 1 1 12rem; margin: 0; color: var(--ink-soft); font-size: var(--text-s); }
  colloquy-conflict-sheet [aria-disabled="true"] { opacity: .55; cursor: default; }
  colloquy-conflict-sheet :is(summary, pre, button):focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
  colloquy-conflict-sheet pre:focus-visible { box-shadow: inset 0 0 0 2px var(--accent); }
  @media (max-width: 48rem) { colloquy-conflict-sheet .three { grid-auto-flow: row; grid-auto-columns: auto; grid-template-columns: minmax(0, 1fr); } colloquy-conflict-sheet .version pre { max-block-size: 12rem; } }
  /* A phone's first screen has room for the first change. */
  @media (max-width: 34rem) {
    colloquy-conflict-sheet header { padding-block: var(--s4) var(--s2); font-size: var(--text-s); }
    colloquy-conflict-sheet header h2 { font-size: var(--text-l); margin-block-end: var(--s1); }
    colloquy-conflict-sheet .who { margin-block-end: var(--s1); }
    colloquy-conflict-sheet .unit { padding: var(--s2) var(--s3) var(--s3); }
    colloquy-conflict-sheet .choices { flex-wrap: nowrap; margin-block: var(--s2) 0; }
    colloquy-conflict-sheet .choice { flex: 1 1 0; padding: 4px var(--s2); font-size: var(--text-s); line-height: 1.3; }
    colloquy-conflict-sheet .difference { margin-block-start: var(--s1); }
    colloquy-conflict-sheet .version:first-child pre { max-block-size: 4.5rem; }
    colloquy-conflict-sheet footer { padding-block: var(--s2); }
    colloquy-conflict-sheet footer p { flex-basis: 100%; }
    colloquy-conflict-sheet footer .button { flex: 1 1 0; justify-content: center; padding-inline: var(--s2); font-size: var(--text-s); line-height: 1.3; text-align: center; }
  }
  @media (forced-colors: active) { colloquy-conflict-sheet .version + .version { border: 0 solid CanvasText; border-inline-start-width: 1px; } colloquy-conflict-sheet .version ins { text-decoration: underline; } colloquy-conflict-sheet .choice:has(:checked) { outline: 2px solid Highlight; } }
`;
