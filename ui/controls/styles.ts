import { css } from "lit";

/** Base styles of every shadow root. */
export const rootStyles = css`
  :host { box-sizing: border-box; }
  *, *::before, *::after { box-sizing: inherit; }
  button, textarea, input { font: inherit; color: inherit; letter-spacing: inherit; }
  button { background: none; border: 0; padding: 0; margin: 0; cursor: pointer; text-align: start; -webkit-tap-highlight-color: transparent; }
  button:disabled { cursor: default; }
  :focus { outline: none; }
  :focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
  .icon { flex: none; display: block; }
  .visually-hidden { position: absolute; inline-size: 1px; block-size: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  @media (forced-colors: active) {
    :focus-visible { outline: 2px solid Highlight; }
  }
`;

/** A chip for an attached reference. */
export const chipStyles = css`
  .chip { display: inline-flex; align-items: center; gap: 6px; max-inline-size: 100%; min-block-size: 26px; font: 450 12.5px/1.3 var(--font-ui); border: 1px solid var(--line); border-radius: 8px; padding: 2px 8px; color: var(--ink-soft); background: var(--paper); text-decoration: none; }
  .chip b { font-weight: 550; color: var(--ink); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .chip em { font-style: normal; color: var(--ink-faint); flex: none; }
`;
