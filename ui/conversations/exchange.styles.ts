import { css } from "lit";

export const exchangeStyles = css`
  colloquy-exchange { display: block; content-visibility: auto; contain-intrinsic-size: auto 24rem; }
  colloquy-exchange:last-of-type, colloquy-exchange:focus-within { content-visibility: visible; }
  colloquy-exchange[waiting] { min-block-size: 24rem; }
  colloquy-exchange article { display: grid; gap: var(--s5); align-content: start; }
  colloquy-exchange button { font: inherit; color: inherit; background: none; border: 0; padding: 0; margin: 0; cursor: pointer; }
  colloquy-exchange button:disabled { cursor: default; opacity: .45; }
  colloquy-exchange :focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); border-radius: 4px; }
  colloquy-exchange .visually-hidden { position: absolute; inline-size: 1px; block-size: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  colloquy-exchange .said { justify-self: end; max-inline-size: min(80%, 34rem); background: var(--accent-wash); color: var(--ink); padding: 10px 14px; border-radius: 16px; border-end-end-radius: 4px; font: var(--text-m)/1.45 var(--font-ui); overflow-wrap: anywhere; }
  colloquy-exchange .said p { margin: 0; white-space: pre-wrap; }
  colloquy-exchange .attached { display: flex; flex-wrap: wrap; gap: 6px; list-style: none; margin: 8px 0 2px; padding: 0; }
  colloquy-exchange .attached li { max-inline-size: 100%; display: flex; }
  colloquy-exchange .chip { display: inline-flex; align-items: center; gap: 6px; max-inline-size: 100%; min-block-size: 26px; font: 450 12.5px/1.3 var(--font-ui); border: 1px solid var(--line); border-radius: 8px; padding: 2px 8px; color: var(--ink-soft); background: var(--paper); text-decoration: none; }
  colloquy-exchange .chip:hover { border-color: var(--line-strong); }
  colloquy-exchange .chip b { font-weight: 550; color: var(--ink); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  colloquy-exchange .chip em { font-style: normal; color: var(--ink-faint); flex: none; }
  colloquy-exchange .answer { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s3); min-inline-size: 0; }
  colloquy-exchange .acts { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; color: var(--ink-soft); font: 450 var(--text-s)/1.4 var(--font-ui); margin-block-start: var(--s2); }
  colloquy-exchange .word { min-inline-size: 24px; min-block-size: 30px; text-align: start; color: var(--ink-faint); }
  colloquy-exchange .word:hover:not(:disabled) { color: var(--ink); text-decoration: underline; text-decoration-color: var(--line-strong); text-underline-offset: 4px; }
  colloquy-exchange .versions { display: inline-flex; align-items: center; gap: 2px; color: var(--ink-faint); font-variant-numeric: tabular-nums; margin-inline-start: -6px; }
  colloquy-exchange .versions button { display: grid; place-items: center; inline-size: 28px; block-size: 28px; border-radius: var(--r-s); font-size: 16px; }
  colloquy-exchange .versions button:hover:not(:disabled) { background: var(--sunken); color: var(--ink); }
  colloquy-exchange .next { display: flex; flex-wrap: wrap; gap: 8px; list-style: none; margin: var(--s2) 0 0; padding: 0; }
  colloquy-exchange .next button { text-align: start; min-block-size: 34px; border: 1px solid var(--line); border-radius: 17px; padding: 6px 14px; font: 450 var(--text-s)/1.4 var(--font-ui); color: var(--ink-soft); background: var(--raised); transition: border-color var(--fast) var(--ease), color var(--fast) var(--ease); }
  colloquy-exchange .next button:hover { border-color: var(--accent); color: var(--ink); }
  colloquy-exchange .ended { margin: 0; font: var(--text-s)/1.5 var(--font-ui); color: var(--ink-soft); border-inline-start: 2px solid var(--line-strong); padding-inline-start: 12px; }
  colloquy-exchange .wrote { margin: 0; font: var(--text-s)/1.5 var(--font-ui); color: var(--ink-faint); overflow-wrap: anywhere; }
  colloquy-exchange .ended button { color: var(--accent); font-weight: 600; text-decoration: underline; text-underline-offset: 3px; }
  colloquy-exchange .problem { display: grid; grid-template-columns: 20px minmax(0, 1fr) auto; gap: 4px 12px; align-items: start; max-inline-size: var(--measure); padding: 14px 16px; border: 1px solid color-mix(in oklab, var(--bad) 30%, var(--line)); border-radius: var(--r-m); background: color-mix(in oklab, var(--bad-wash) 60%, var(--paper)); font: var(--text-m)/1.45 var(--font-ui); color: var(--ink); }
  colloquy-exchange .problem .icon { color: var(--bad); font-size: 20px; }
  colloquy-exchange .problem b { font-weight: 600; }
  colloquy-exchange .problem .ways { display: flex; flex-wrap: wrap; gap: 8px; }
  colloquy-exchange .problem .ways:has(.button + .button) { grid-column: 2 / -1; margin-block-start: 6px; }
  colloquy-exchange .problem p { margin: 2px 0 0; color: var(--ink-soft); font-size: var(--text-s); }
  colloquy-exchange .button { min-block-size: 36px; padding: 6px 14px; border: 1px solid var(--line-strong); border-radius: var(--r-m); background: var(--raised); font-weight: 600; font-size: var(--text-s); white-space: nowrap; }
  colloquy-exchange .button:hover:not(:disabled) { border-color: var(--accent); }
  @media (pointer: coarse) {
    colloquy-exchange .word, colloquy-exchange .next button, colloquy-exchange .button { min-block-size: 44px; }
    colloquy-exchange .word { min-inline-size: 44px; }
    colloquy-exchange .chip { min-block-size: 44px; min-inline-size: 44px; }
    colloquy-exchange .versions button { inline-size: 44px; block-size: 44px; }
    colloquy-exchange .next { gap: 10px; }
    colloquy-exchange .next button { border-radius: 22px; }
    colloquy-exchange .acts { margin-block: -2px -6px; }
  }
  @media (forced-colors: active) {
    colloquy-exchange .said { border: 1px solid CanvasText; }
    colloquy-exchange button:disabled { opacity: 1; color: GrayText; }
  }
  @media (max-width: 560px) {
    colloquy-exchange .said { max-inline-size: 88%; }
    colloquy-exchange .problem { grid-template-columns: 20px minmax(0, 1fr); }
    colloquy-exchange .problem .ways { grid-column: 2; margin-block-start: 6px; }
  }
`;
