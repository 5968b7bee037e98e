import { css } from "lit";

export const modelPickerStyles = css`
  :host { display: inline-block; min-inline-size: 0; }
  .open { display: inline-flex; align-items: center; gap: 4px; max-inline-size: 100%; min-block-size: 34px; padding: 4px 6px; border-radius: var(--r-s); font: 450 var(--text-s)/1.2 var(--font-ui); color: var(--ink-soft); }
  .open .icon:first-child { display: none; font-size: 17px; }
  /* On a phone's composer there is only room for a symbol. Below 19rem the picker has a row of its own. */
  @container (19rem < width < 24rem) {
    .open { justify-content: center; min-inline-size: 34px; }
    .open > :is(span, .icon:last-child) { display: none; }
    .open .icon:first-child { display: block; }
  }
  .open span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .open:hover, .open[aria-expanded="true"] { background: var(--sunken); color: var(--ink); }
  [popover] { position: fixed; inset: auto; margin: 0; inline-size: min(23rem, calc(100vw - 16px)); max-block-size: min(28rem, calc(100dvh - 16px)); overflow: auto; padding: var(--s2); color: var(--ink); background: var(--raised); border: 1px solid var(--line-strong); border-radius: var(--r-l); box-shadow: var(--shadow-2); font: var(--text-s)/1.4 var(--font-ui); }
  [popover]:popover-open { animation: rise var(--fast) var(--ease); }
  @keyframes rise { from { opacity: 0; translate: 0 4px; } }
  fieldset { border: 0; margin: 0; padding: 0; min-inline-size: 0; }
  legend { padding: var(--s2) var(--s3) var(--s1); color: var(--ink-faint); font-size: var(--text-xs); }
  .choice { display: grid; grid-template-columns: 18px 1fr; gap: 2px 10px; padding: 8px var(--s3); border-radius: var(--r-s); cursor: pointer; align-items: start; }
  .choice:hover { background: var(--sunken); }
  .choice:has(input:checked) { background: var(--accent-wash); }
  .choice:has(:focus-visible) { box-shadow: var(--focus); }
  input:focus-visible { box-shadow: none; }
  input { accent-color: var(--accent); inline-size: 16px; block-size: 16px; margin: 1px 0 0; }
  .choice b { font-weight: 550; }
  .choice small { grid-column: 2; color: var(--ink-soft); font-size: var(--text-xs); line-height: 1.4; }
  .allow { margin: var(--s2) 0 0; border-block-start: 1px solid var(--line); padding-block-start: var(--s3); border-start-start-radius: 0; border-start-end-radius: 0; }
  .more { inline-size: 100%; min-block-size: 36px; margin-block-start: var(--s2); padding: 6px var(--s3); border-radius: var(--r-s); color: var(--ink-soft); font-size: var(--text-xs); text-decoration: underline; text-decoration-color: var(--line-strong); text-underline-offset: 3px; }
  .more:hover { background: var(--sunken); color: var(--ink); }
  .tag { margin-inline-start: 6px; font-size: 12px; color: var(--ink-faint); }
  @media (pointer: coarse) { .open, .more { min-block-size: 44px; min-inline-size: 44px; } .choice { padding-block: 12px; } }
`;
