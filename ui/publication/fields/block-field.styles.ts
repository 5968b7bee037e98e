import { css } from "lit";

export const blockFieldStyles = css`
  colloquy-block-field { display: block; container-type: inline-size; font: var(--text-s)/1.4 var(--font-ui); color: var(--ink); }
  colloquy-block-field .box { border: 1px solid var(--line); border-radius: var(--r-m); background: var(--raised); overflow: clip; }
  colloquy-block-field .box:focus-within { border-color: var(--line-strong); }
  /* Within reach while a long text is written: below the bars that stand over the page. */
  colloquy-block-field .helpers { position: sticky; z-index: 1; inset-block-start: var(--below-bars, 52px); background: var(--raised); border-start-start-radius: var(--r-m); border-start-end-radius: var(--r-m); display: flex; flex-wrap: wrap; align-items: center; gap: 2px; padding: 3px var(--s2); border-block-end: 1px solid var(--line); }
  colloquy-block-field .helpers button { display: inline-grid; place-items: center; min-inline-size: 32px; min-block-size: 32px; border-radius: var(--r-s); color: var(--ink-soft); font: 500 0.9375rem/1 var(--font-ui); }
  colloquy-block-field .helpers button:hover { background: var(--sunken); color: var(--ink); }
  colloquy-block-field .helpers :is(b, i) { font-family: var(--font-read); }
  colloquy-block-field .helpers b { font-weight: 700; }
  colloquy-block-field .helpers code { font: 600 var(--text-xs)/1 var(--font-code); }
  colloquy-block-field .helpers hr { inline-size: 1px; block-size: 18px; margin: 0 4px; border: 0; background: var(--line); }
  colloquy-block-field .helpers .icon { font-size: 17px; }
  colloquy-block-field .source { position: relative; display: grid; min-inline-size: 0; }
  colloquy-block-field :is(textarea, .marks) { grid-area: 1 / 1; display: block; inline-size: 100%; min-block-size: 5.5rem; margin: 0; padding: var(--s3) var(--s4) var(--s4); border: 0; font: 0.875rem/1.6 var(--font-code); letter-spacing: normal; tab-size: 4; white-space: pre-wrap; overflow-wrap: anywhere; text-align: start; }
  colloquy-block-field textarea { position: relative; resize: none; overflow: hidden; field-sizing: content; background: none; color: var(--ink); outline: none; }
  colloquy-block-field textarea:focus-visible { box-shadow: none; border-radius: 0; }
  colloquy-block-field .box:has(textarea:focus-visible) { border-color: var(--accent); }
  colloquy-block-field .source.aimed textarea { background: var(--accent-wash); }
  colloquy-block-field .marks { color: transparent; pointer-events: none; user-select: none; }
  colloquy-block-field .marks mark { display: block; margin-inline: calc(-1 * var(--s4)); padding-inline: calc(var(--s4) - 3px) var(--s4); border-inline-start: 3px solid var(--bad); background: var(--bad-wash); color: transparent; }
  colloquy-block-field .marks mark.warning { border-color: var(--warn); background: var(--warn-wash); }
  colloquy-block-field .shown { min-inline-size: 0; padding: var(--s3) var(--s4) var(--s4); border-block-start: 1px solid var(--line); background: var(--paper); overflow: clip; }
  colloquy-block-field .preview { font-size: 1rem; }
  colloquy-block-field .stale { margin-block-end: var(--s2); color: var(--ink-soft); }
  colloquy-block-field .errors, colloquy-block-field .uploads { margin: 0; padding: var(--s1) var(--s2); border-block-start: 1px solid var(--line); list-style: none; }
  colloquy-block-field .errors button { display: flex; gap: var(--s2); align-items: baseline; inline-size: 100%; min-block-size: 32px; padding: 6px var(--s2); border-radius: var(--r-s); text-align: start; }
  colloquy-block-field .errors button:hover { background: var(--bad-wash); }
  colloquy-block-field .errors b { flex: none; color: var(--bad); font-weight: 600; }
  colloquy-block-field .errors .warning button:hover { background: var(--warn-wash); }
  colloquy-block-field .errors .warning b { color: var(--warn); }
  /* In sight as long as its text is: below a long one nobody sees why a picture was refused. */
  colloquy-block-field .uploads { position: sticky; z-index: 1; inset-block-end: var(--status-room, 0px); max-block-size: 40dvh; overflow: auto; background: var(--raised); }
  colloquy-block-field .uploads li { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s2) var(--s3); margin: 0; padding: 4px var(--s2); }
  colloquy-block-field .uploads span { flex: 1 1 17rem; min-inline-size: 0; overflow-wrap: anywhere; }
  colloquy-block-field .uploads .failed { color: var(--bad); }
  colloquy-block-field .uploads progress { flex: 0 1 10rem; block-size: 6px; accent-color: var(--accent); }
  colloquy-block-field .uploads button { min-block-size: 32px; padding: 4px 12px; border: 1px solid var(--line-strong); border-radius: var(--r-s); font-weight: 550; }
  colloquy-block-field button:focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
  @container (min-width: 46rem) {
    colloquy-block-field .halves { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
    /* What is wrong stands below the text it is about, however long the preview is. */
    colloquy-block-field .halves:has(> .errors) { grid-template-rows: auto 1fr; }
    colloquy-block-field .halves > .errors { grid-column: 1; }
    colloquy-block-field .halves > .errors + .shown { grid-area: 1 / 2 / span 2; }
    colloquy-block-field .shown { border-block-start: 0; border-inline-start: 1px solid var(--line); }
  }
  @media (pointer: coarse) {
    colloquy-block-field .helpers button { min-inline-size: 44px; min-block-size: 44px; }
    colloquy-block-field :is(.errors, .uploads) button { min-block-size: 44px; }
    /* A smaller text makes iOS zoom in. */
    colloquy-block-field :is(textarea, .marks) { font-size: 1rem; }
  }
  /* One row on a phone, too: it stands over the text. */
  @container (max-width: 27rem) {
    colloquy-block-field .helpers { flex-wrap: nowrap; gap: 0; padding-inline: 3px; }
    colloquy-block-field .helpers button { flex: 1 1 0; min-inline-size: 24px; }
    colloquy-block-field .helpers hr { margin: 0 2px; }
  }
  /* For fingers the row is scrolled rather than made of narrower buttons. */
  @media (pointer: coarse) {
    colloquy-block-field .helpers { overflow-x: auto; scrollbar-width: none; }
    colloquy-block-field .helpers button { flex-shrink: 0; min-inline-size: 44px; }
  }
  @media (forced-colors: active) {
    colloquy-block-field .marks mark { border-color: Mark; background: none; }
    colloquy-block-field .box:has(textarea:focus-visible) { outline: 2px solid Highlight; }
  }
`;
