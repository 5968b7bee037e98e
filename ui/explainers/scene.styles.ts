import { css } from "lit";

/** How scenes look: each picture as a small screen, its words beside it. */
export const sceneStyles = css`
  colloquy-explainer .scenes { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s6); }
  colloquy-explainer .findings.whole { margin-block-end: var(--s4); }
  colloquy-explainer .scene { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s2) var(--s5); }
  colloquy-explainer .scene > .over { display: flex; align-items: baseline; gap: var(--s2); color: var(--ink-soft); font-size: var(--text-s); }
  colloquy-explainer .scene h4 { font: 550 var(--text-s)/1.4 var(--font-ui); color: var(--ink-soft); }
  colloquy-explainer .scene .number { color: var(--accent); font-weight: 600; font-variant-numeric: tabular-nums; }
  colloquy-explainer .scene .seconds { margin-inline-start: auto; font-variant-numeric: tabular-nums; }
  colloquy-explainer .frame { display: grid; align-content: center; grid-template-columns: minmax(0, 1fr); gap: var(--s2); aspect-ratio: 16 / 9; padding: 6%; border: 1px solid var(--line); border-radius: var(--r-m); background: var(--raised); color: var(--ink); font: var(--text-s)/1.4 var(--font-ui); overflow: auto; overflow-wrap: anywhere; }
  colloquy-explainer .frame .heading { font: 600 var(--text-m)/1.3 var(--font-read); text-wrap: balance; }

  colloquy-explainer .said { display: grid; grid-template-columns: minmax(0, 1fr); align-content: start; gap: var(--s3); min-inline-size: 0; }
  colloquy-explainer .said > p:first-child { font: var(--text-m)/1.6 var(--font-read); overflow-wrap: anywhere; }
  colloquy-explainer .sources { display: flex; flex-wrap: wrap; gap: var(--s1) var(--s2); font-size: var(--text-s); }
  colloquy-explainer .sources a { display: inline-flex; align-items: center; gap: 6px; max-inline-size: 100%; min-block-size: 28px; padding-block: 2px; padding-inline: 4px 8px; border: 1px solid var(--line); border-radius: 8px; color: var(--ink-soft); text-decoration: none; }
  colloquy-explainer .sources a:hover { border-color: var(--accent); color: var(--ink); }
  colloquy-explainer .sources .cite { margin: 0; vertical-align: 0; }
  colloquy-explainer .sources bdi { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  colloquy-explainer .sources li { max-inline-size: 100%; }
  colloquy-explainer .acts { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s1); margin-inline-start: -6px; }
  colloquy-explainer .quiet { display: inline-flex; align-items: center; justify-content: center; gap: 4px; min-inline-size: 32px; min-block-size: 32px; padding: 4px 6px; border: 0; border-radius: var(--r-s); background: none; color: var(--ink-soft); font: 550 var(--text-s)/1.4 var(--font-ui); cursor: pointer; }
  colloquy-explainer .quiet:hover:not(:disabled, [aria-disabled="true"]) { background: var(--sunken); color: var(--ink); }
  colloquy-explainer .quiet[aria-disabled="true"] { cursor: default; opacity: .5; }
  colloquy-explainer .acts .kept { padding-inline: 6px; color: var(--ink-soft); font-size: var(--text-xs); }
  colloquy-explainer .quiet .icon { font-size: 18px; display: block; }
  colloquy-explainer .quiet .up { rotate: 180deg; }

  colloquy-explainer .form { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s4); padding: var(--s4); border-radius: var(--r-m); background: var(--sunken); }
  colloquy-explainer .field { display: grid; grid-template-columns: minmax(0, 1fr); gap: 4px; font-size: var(--text-s); min-inline-size: 0; }
  colloquy-explainer .field > span:first-child { color: var(--ink-soft); }
  colloquy-explainer .field em { font-style: normal; color: var(--ink-faint); }
  colloquy-explainer .field em::before { content: "· " / ""; }
  colloquy-explainer .field :is(input, textarea) { inline-size: 100%; min-block-size: 40px; padding: 8px 10px; border: 1px solid var(--line-strong); border-radius: var(--r-s); background: var(--paper); color: var(--ink); font: var(--text-m)/1.5 var(--font-ui); resize: vertical; }
  colloquy-explainer .field .mono { font: var(--text-s)/1.5 var(--font-code); }
  colloquy-explainer .field.number { max-inline-size: 8rem; }
  colloquy-explainer .field [aria-invalid="true"] { border-color: var(--bad); }
  colloquy-explainer .field .note { padding: 0; background: none; color: var(--ink-soft); font-size: var(--text-xs); font-variant-numeric: tabular-nums; }
  colloquy-explainer .note.bad, colloquy-explainer .field .note.bad { color: var(--bad); }
  colloquy-explainer .scene p.note.bad { padding: 0; background: none; }
  colloquy-explainer .rows { display: grid; gap: var(--s2); }
  colloquy-explainer .rows legend { margin-block-end: var(--s2); font-size: var(--text-s); font-weight: 600; }
  colloquy-explainer .row { display: flex; flex-wrap: wrap; gap: var(--s2); align-items: end; }
  colloquy-explainer .row > .field { flex: 1 1 9rem; }
  colloquy-explainer .row > .field.number { flex: 0 1 7rem; }
  colloquy-explainer .row > .quiet { min-block-size: 40px; }
  colloquy-explainer .quiet.add { justify-self: start; }
  colloquy-explainer .changes { position: sticky; inset-block-end: 0; z-index: 1; display: grid; gap: var(--s2); margin-block-start: var(--s5); padding: var(--s3) var(--s4); border: 1px solid var(--line); border-radius: var(--r-l); background: var(--raised); box-shadow: var(--shadow-2); font-size: var(--text-s); }
  colloquy-explainer .changes p.bad { display: flex; gap: var(--s2); align-items: center; color: var(--bad); }
  /* One field below the other, and what takes them away beside the first: a row of its own would belong to neither. */
  @container (max-width: 30rem) {
    colloquy-explainer .rows { gap: var(--s4); }
    colloquy-explainer .row { display: grid; grid-template-columns: minmax(0, 1fr) auto; }
    colloquy-explainer .row > .field { grid-column: 1; }
    colloquy-explainer .row > .quiet { grid-area: 1 / 2; align-self: end; }
  }
  @container (min-width: 46rem) {
    colloquy-explainer .scene { grid-template-columns: minmax(0, 27rem) minmax(0, 1fr); }
    colloquy-explainer .scene > .over { grid-column: 1; }
    colloquy-explainer .scene > :is(.frame, .shot) { grid-column: 1; align-self: start; }
    colloquy-explainer .scene > .said { grid-column: 2; grid-row: 2; }
    colloquy-explainer .scene > .form { grid-column: 1 / -1; }
  }
  @media (pointer: coarse) {
    colloquy-explainer .quiet { min-inline-size: 44px; min-block-size: 44px; }
    colloquy-explainer .sources a { min-block-size: 44px; }
  }
`;
