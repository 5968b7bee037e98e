import { css } from "lit";

export const bankStyles = css`
  colloquy-question-bank .open { display: inline-flex; align-items: center; min-block-size: 40px; padding: 4px 12px; border: 1px solid var(--line-strong); border-radius: var(--r-m); background: var(--raised); color: var(--ink-soft); font: 500 var(--text-s)/1.4 var(--font-ui); cursor: pointer; }
  colloquy-question-bank .open:hover { color: var(--ink); }
  @media (pointer: coarse) { colloquy-question-bank .open { min-block-size: 44px; } }
  /* The bar of a phone has room for one row only. */
  @media (max-width: 30rem) { colloquy-question-bank .open { display: none; } }
  colloquy-question-bank dialog { inline-size: min(48rem, calc(100vw - 24px)); padding: var(--s5) clamp(1rem, 4vw, var(--s5)); text-align: start; }
  colloquy-question-bank :is(h2, h3, h4, p, ul, dl, dd) { margin: 0; padding: 0; }
  colloquy-question-bank .head { display: flex; align-items: start; justify-content: space-between; gap: var(--s3); }
  colloquy-question-bank .head h2 { outline: none; }
  colloquy-question-bank .shut { flex: none; display: inline-grid; place-items: center; inline-size: 40px; block-size: 40px; margin-block-start: -6px; margin-inline-end: -8px; border: 0; border-radius: var(--r-s); background: none; color: var(--ink-soft); font-size: 20px; cursor: pointer; }
  colloquy-question-bank .shut:hover { background: var(--sunken); }
  colloquy-question-bank .soft { color: var(--ink-soft); font-size: var(--text-s); overflow-wrap: anywhere; }
  colloquy-question-bank summary { min-block-size: 32px; padding-block: 6px; cursor: pointer; }
  colloquy-question-bank .note { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: var(--s2) var(--s3); margin-block-start: var(--s3); padding: var(--s3) var(--s4); border-radius: var(--r-m); background: var(--warn-wash); font-size: var(--text-s); }
  colloquy-question-bank .note .icon { display: inline-block; margin-inline-end: 6px; vertical-align: -3px; }
  colloquy-question-bank .none { padding-block: var(--s5); color: var(--ink-soft); }
  colloquy-question-bank .filters { display: flex; flex-wrap: wrap; gap: var(--s3); margin-block: var(--s3); }
  colloquy-question-bank [type="search"] { flex: 1 1 14rem; min-inline-size: 0; min-block-size: 40px; padding: 6px 12px; border: 1px solid var(--line-strong); border-radius: var(--r-m); background: var(--paper); color: var(--ink); font: inherit; }
  colloquy-question-bank pre { margin: 0; padding: var(--s3); overflow-x: auto; border-radius: var(--r-s); background: var(--sunken); font: var(--text-s)/1.5 var(--font-code); }
  colloquy-question-bank .filter { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s2); color: var(--ink-soft); font-size: var(--text-s); }
  colloquy-question-bank select { min-inline-size: 0; max-inline-size: 100%; min-block-size: 40px; padding: 6px 10px; border: 1px solid var(--line-strong); border-radius: var(--r-m); background: var(--paper); color: var(--ink); font: var(--text-s)/1.4 var(--font-ui); }
  colloquy-question-bank h3 { margin-block-start: var(--s5); font: 600 var(--text-l)/1.35 var(--font-ui); }
  colloquy-question-bank h4 { margin-block-start: var(--s3); color: var(--ink-soft); font: 600 var(--text-s)/1.4 var(--font-ui); }
  colloquy-question-bank ul { list-style: none; }
  colloquy-question-bank section > ul > li { display: grid; gap: var(--s2); padding-block: var(--s3); border-block-end: 1px solid var(--line); overflow-wrap: anywhere; }
  colloquy-question-bank .ways { display: flex; flex-wrap: wrap; gap: var(--s2); }
  colloquy-question-bank colloquy-quiz-text { display: block; min-inline-size: 0; font: 1rem/1.5 var(--font-read); }
  colloquy-question-bank .version { font: var(--text-xs)/1.4 var(--font-code); }
  colloquy-question-bank .retired { inline-size: fit-content; padding: 2px 10px; border-radius: var(--r-pill); background: var(--sunken); font-size: var(--text-xs); }
  colloquy-question-bank dl { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s5); }
  colloquy-question-bank dt { color: var(--ink-soft); font-size: var(--text-xs); }
  colloquy-question-bank dd { font-weight: 600; font-variant-numeric: tabular-nums; }
  colloquy-question-bank .choices li { display: grid; grid-template-columns: 20px minmax(0, 1fr) auto; gap: var(--s2); padding-block: 4px; font-size: var(--text-s); }
  colloquy-question-bank .choices colloquy-quiz-text { font: inherit; }
  colloquy-question-bank .choices b { font-weight: 500; color: var(--ink-soft); white-space: nowrap; }
  colloquy-question-bank .right { color: var(--good); }
  colloquy-question-bank :is(button, select, summary, pre, [type="search"]):focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
  colloquy-question-bank .visually-hidden { position: absolute; inline-size: 1px; block-size: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  @media (max-width: 30rem) { colloquy-question-bank .open { min-block-size: 32px; padding-inline: 8px; font-size: var(--text-xs); } }
  @media (pointer: coarse) { colloquy-question-bank :is(.open, .shut, .button, select, summary, [type="search"]) { min-block-size: 44px; min-inline-size: 44px; } }
`;
