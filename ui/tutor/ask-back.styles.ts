import { css } from "lit";

export const askBackStyles = css`
  colloquy-tutor-ask { display: block; }
  colloquy-tutor-ask form { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s2); font: var(--text-s)/1.4 var(--font-ui); color: var(--ink); }
  colloquy-tutor-ask .quick { display: flex; flex-wrap: wrap; gap: var(--s2); }
  colloquy-tutor-ask .quick button { min-block-size: 32px; padding: 3px 12px; border: 1px solid var(--line); border-radius: var(--r-pill); color: var(--ink-soft); font: 500 var(--text-s)/1.4 var(--font-ui); }
  colloquy-tutor-ask button:hover:not([aria-disabled]) { border-color: var(--accent); color: var(--ink); }
  colloquy-tutor-ask button[aria-disabled] { cursor: default; opacity: .6; }
  colloquy-tutor-ask .field { display: flex; align-items: end; gap: var(--s2); padding: 4px; border: 1px solid var(--line-strong); border-radius: var(--r-m); background: var(--raised); }
  colloquy-tutor-ask .field:focus-within { border-color: var(--accent); box-shadow: var(--focus); }
  colloquy-tutor-ask textarea { flex: 1; min-inline-size: 0; min-block-size: 36px; max-block-size: 30dvh; resize: none; field-sizing: content; padding: 7px 10px; border: 0; background: none; color: inherit; font: var(--text-m)/1.4 var(--font-ui); }
  colloquy-tutor-ask textarea:is(:focus, :focus-visible) { outline: 2px solid transparent; box-shadow: none; }
  colloquy-tutor-ask textarea::placeholder { color: var(--ink-faint); opacity: 1; }
  colloquy-tutor-ask .send { display: inline-flex; align-items: center; gap: 6px; min-block-size: 36px; padding: 4px 12px; border: 1px solid var(--line); border-radius: var(--r-s, 6px); font: 550 var(--text-s)/1.4 var(--font-ui); }
  colloquy-tutor-ask button:focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
  colloquy-tutor-ask small { color: var(--ink-faint); font-size: var(--text-s); }
  @media (pointer: coarse) { colloquy-tutor-ask :is(.quick button, .send, textarea) { min-block-size: 44px; } }
  @media (forced-colors: active) { colloquy-tutor-ask .field:focus-within, colloquy-tutor-ask button:focus-visible { outline: 2px solid Highlight; } }
`;
