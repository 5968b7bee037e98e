import { css } from "lit";

/** The quiet count beside what an owner does with a page, and the list it opens. */
export const correctionsStyles = css`
  colloquy-corrections .count { display: inline-flex; align-items: center; gap: 6px; min-block-size: 40px; padding: 4px 12px; border: 1px solid var(--line-strong); border-radius: var(--r-m); background: var(--raised); color: var(--ink-soft); font: 500 var(--text-s)/1.4 var(--font-ui); cursor: pointer; }
  colloquy-corrections .count:hover { color: var(--ink); }
  colloquy-corrections .count .icon { flex: none; color: var(--warn); font-size: 16px; }
  colloquy-corrections dialog { inline-size: min(44rem, calc(100vw - 24px)); padding: var(--s5) clamp(1rem, 4vw, var(--s5)); text-align: start; }
  colloquy-corrections :is(h2, h3, p, ul, dl, dd) { margin: 0; padding: 0; }
  colloquy-corrections .head { display: flex; align-items: start; justify-content: space-between; gap: var(--s3); }
  colloquy-corrections .head h2 { margin: 0; outline: none; }
  colloquy-corrections .shut { flex: none; display: inline-grid; place-items: center; inline-size: 40px; block-size: 40px; margin-block-start: -6px; margin-inline-end: -8px; border: 0; border-radius: var(--r-s); background: none; color: var(--ink-soft); font-size: 20px; cursor: pointer; }
  colloquy-corrections .shut:hover { background: var(--sunken); }
  colloquy-corrections .soft { color: var(--ink-soft); font-size: var(--text-s); }
  colloquy-corrections .note { margin-block-start: var(--s3); padding: var(--s3) var(--s4); border-radius: var(--r-m); background: var(--warn-wash); font-size: var(--text-s); }
  colloquy-corrections div.note { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: var(--s2) var(--s3); }
  colloquy-corrections :is(.note, .none) .icon { display: inline-block; margin-inline-end: 6px; vertical-align: -3px; }
  colloquy-corrections .none { padding-block: var(--s5); color: var(--ink-soft); }
  colloquy-corrections .list { list-style: none; }
  colloquy-corrections li { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s2); padding-block: var(--s4); border-block-end: 1px solid var(--line); overflow-wrap: anywhere; }
  colloquy-corrections li:last-child { border: 0; }
  colloquy-corrections h3 { font: 600 var(--text-l)/1.35 var(--font-ui); outline: none; }
  colloquy-corrections h3:focus-visible, colloquy-corrections h2:focus-visible { outline: 2px solid var(--accent); outline-offset: 4px; border-radius: var(--r-s); }
  colloquy-corrections dl { display: grid; gap: 2px; }
  colloquy-corrections dt { margin-block-start: var(--s2); color: var(--ink-soft); font-size: var(--text-s); }
  colloquy-corrections dd { font-family: var(--font-read); }
  colloquy-corrections pre { max-block-size: 16rem; margin: 2px 0; padding: var(--s2) var(--s3); overflow: auto; border-radius: var(--r-s); background: var(--sunken); font: var(--text-s)/1.5 var(--font-code); white-space: pre; }
  colloquy-corrections pre:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
  colloquy-corrections .report { padding-inline-start: var(--s3); border-inline-start: 3px solid var(--warn); }
  colloquy-corrections .ways { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s2) var(--s4); margin-block-start: var(--s2); }
  colloquy-corrections :is(.ways, .note) .button { min-block-size: 40px; }
  colloquy-corrections .ways a { display: inline-flex; align-items: center; min-block-size: 40px; }
  colloquy-corrections :is(a, summary):focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); border-radius: 3px; }
  colloquy-corrections summary { min-block-size: 44px; padding-block: 10px; color: var(--ink-soft); font-weight: 550; cursor: pointer; }
  colloquy-corrections .visually-hidden { position: absolute; inline-size: 1px; block-size: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  colloquy-corrections .waits { display: grid; gap: var(--s4); padding-block: var(--s5); }
  colloquy-corrections .waits i { block-size: 6rem; border-radius: var(--r-m); background: var(--sunken); }
  @media (max-width: 30rem) { colloquy-corrections .count { min-block-size: 32px; padding-inline: 8px; font-size: var(--text-xs); } }
  @media (pointer: coarse) { colloquy-corrections :is(.count, .shut, .button) { min-block-size: 44px; min-inline-size: 44px; } }
`;
