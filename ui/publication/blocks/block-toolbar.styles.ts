import { css } from "lit";

export const blockToolbarStyles = css`
  colloquy-block-toolbar { display: inline-flex; max-inline-size: 100%; font: 500 var(--text-s)/1.4 var(--font-ui); color: var(--ink-soft); }
  colloquy-block-toolbar .actions { display: flex; align-items: center; gap: 2px; padding: 3px; border: 1px solid var(--line-strong); border-radius: var(--r-m); background: var(--raised); box-shadow: var(--shadow-1); }
  colloquy-block-toolbar .actions > button { display: inline-flex; align-items: center; justify-content: center; gap: 4px; min-inline-size: 32px; min-block-size: 30px; padding: 4px 9px; border-radius: var(--r-s); color: var(--ink-soft); white-space: nowrap; }
  colloquy-block-toolbar .actions > button:hover { background: var(--sunken); color: var(--ink); }
  colloquy-block-toolbar .actions > button[aria-disabled="true"] { color: var(--ink-faint); opacity: .55; background: none; cursor: default; }
  colloquy-block-toolbar .actions > .delete { color: var(--bad); }
  colloquy-block-toolbar .actions > .delete:hover { background: var(--bad-wash); color: var(--bad); }
  colloquy-block-toolbar .grip { cursor: grab; touch-action: none; padding-inline: 2px; }
  colloquy-block-toolbar .icon { font-size: 16px; }
  colloquy-block-toolbar button:focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
  @media (pointer: coarse) { colloquy-block-toolbar .actions > button { min-inline-size: 44px; min-block-size: 44px; } }
  @media (max-width: 560px) { colloquy-block-toolbar .actions > .wide { display: none; } }
  @media (min-width: 561px) { colloquy-block-toolbar .actions > .narrow { display: none; } }
`;
