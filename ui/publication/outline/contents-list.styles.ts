import { css } from "lit";

/** The rows look like the page's own; the one that is opened like a block that is chosen. */
export const contentsListStyles = css`
  colloquy-contents-list { display: block; max-inline-size: 52rem; margin-block-start: var(--s6); margin-inline: 0 auto; font: var(--text-m)/1.5 var(--font-ui); }
  colloquy-contents-list > h2 { padding-block-end: var(--s3); border-block-end: 1px solid var(--line); font: 600 var(--text-s)/1.4 var(--font-ui); color: var(--ink-soft); }
  colloquy-contents-list .none { text-align: -webkit-match-parent; text-align: match-parent; padding-block: var(--s5); color: var(--ink-soft); }
  colloquy-contents-list .entry { position: relative; margin-inline: calc(var(--depth) * var(--inset) - 13px) -13px; border: 1px solid transparent; border-radius: var(--r-l); scroll-margin-block: calc(var(--below-bars, 60px) + 20px) 24px; transition: border-color var(--fast) var(--ease), background-color var(--fast) var(--ease); }
  /* A line for each part around it, from where that begins. */
  colloquy-contents-list { --inset: 1.5rem; --rails: to right; }
  colloquy-contents-list:dir(rtl) { --rails: to left; }
  colloquy-contents-list .entry::before { content: ""; position: absolute; inset-block: -1px; inset-inline-start: calc(13px - var(--depth) * var(--inset)); inline-size: calc(var(--depth) * var(--inset)); background: repeating-linear-gradient(var(--rails), transparent 0 3px, var(--line-strong) 3px 5px, transparent 5px var(--inset)); pointer-events: none; }
  colloquy-contents-list .entries > .entry.behind { margin-block-start: var(--s5); }
  colloquy-contents-list .entry.behind::after { content: ""; position: absolute; inset-block-start: calc(-.5 * var(--s5)); inset-inline: 12px; border-block-start: 1px solid var(--line); pointer-events: none; }
  colloquy-contents-list .hollow { display: flex; flex-wrap: wrap; gap: 2px var(--s3); align-items: center; margin-inline-start: 15px; padding-block: var(--s2); padding-inline: calc(var(--inset) - 5px) 0; border-inline-start: 2px solid var(--line-strong); color: var(--ink-soft); font-size: var(--text-s); }
  colloquy-contents-list .entry > .line { display: grid; grid-template: "number title count" auto "number summary summary" auto / 1.75rem 1fr auto; gap: .15em var(--s3); align-items: baseline; padding: 12px; overflow-wrap: anywhere; }
  colloquy-contents-list .entry.part > .line { grid-template: "title count" auto "summary summary" auto / 1fr auto; padding-block-start: var(--s4); }
  colloquy-contents-list .entry > .line > .number { grid-area: number; color: var(--ink-soft); font-size: var(--text-s); font-variant-numeric: tabular-nums; }
  colloquy-contents-list .entry.part > .line > .number { display: none; }
  colloquy-contents-list .entry > .line > .title { grid-area: title; font: 550 1.0938rem/1.4 var(--font-read); }
  colloquy-contents-list .entry.part > .line > .title { font: 600 var(--text-xl)/1.3 var(--font-read); }
  colloquy-contents-list .entry > .line > small { grid-area: count; color: var(--ink-soft); font-size: var(--text-xs); white-space: nowrap; }
  colloquy-contents-list .entry > .line > .summary { grid-area: summary; max-inline-size: 62ch; font: var(--text-m)/1.5 var(--font-read); color: var(--ink-soft); }
  colloquy-contents-list .grip { position: absolute; inset-block-start: 13px; inset-inline-start: -12px; display: grid; place-items: center; inline-size: 24px; block-size: 24px; color: var(--ink-faint); opacity: 0; cursor: grab; touch-action: none; user-select: none; }
  colloquy-contents-list .entry:is(:hover, :focus-visible, [aria-current]) > .grip { opacity: 1; }
  colloquy-contents-list:not([still]) .entry > .line { cursor: pointer; }
  colloquy-contents-list:not([still]) .entry:not([aria-current]):hover { border-color: var(--line); }
  colloquy-contents-list .entry[aria-current] { margin-block: var(--s2); border-color: var(--accent); background: color-mix(in oklch, var(--accent-wash), var(--paper) 45%); }
  colloquy-contents-list .entry:focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
  colloquy-contents-list .actions { display: flex; flex-wrap: wrap; gap: 2px; margin-inline: 9px; padding: 3px; border: 1px solid var(--line-strong); border-radius: var(--r-m); background: var(--raised); }
  colloquy-contents-list :is(.actions, .at-end, .hollow) button { display: inline-flex; align-items: center; justify-content: center; gap: 6px; min-inline-size: 32px; min-block-size: 32px; padding: 4px 10px; border-radius: var(--r-s); color: var(--ink-soft); font: 500 var(--text-s)/1.4 var(--font-ui); }
  colloquy-contents-list :is(.actions, .at-end, .hollow) button:hover { background: var(--sunken); color: var(--ink); }
  colloquy-contents-list .actions .delete { margin-inline-start: auto; color: var(--bad); }
  colloquy-contents-list .actions .delete:hover { background: var(--bad-wash); color: var(--bad); }
  colloquy-contents-list button:focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
  colloquy-contents-list .icon { font-size: 16px; }
  colloquy-contents-list .entry > colloquy-page-fields { padding: var(--s4) 12px; }
  colloquy-contents-list .at-end { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s1); margin-block-start: var(--s3); padding-block-start: var(--s3); border-block-start: 1px solid var(--line); }
  colloquy-contents-list .hollow button { text-align: start; }
  colloquy-contents-list .at-end > span { margin-inline-end: var(--s2); color: var(--ink-soft); font-size: var(--text-s); }
  @media (pointer: coarse) { colloquy-contents-list :is(.actions, .at-end, .hollow) button { min-inline-size: 44px; min-block-size: 44px; } }
  @media (max-width: 54rem) {
    /* No room beside the text: the outline has it. */
    colloquy-contents-list .grip { display: none; }
    colloquy-contents-list { --inset: .9rem; }
    colloquy-contents-list .entry { margin-inline: calc(var(--depth) * var(--inset) - 9px) -9px; }
    colloquy-contents-list .entry::before { inset-inline-start: calc(9px - var(--depth) * var(--inset)); }
    colloquy-contents-list .hollow { margin-inline-start: 11px; }
    colloquy-contents-list .entry > .line { padding-inline: 8px; grid-template-columns: 1.25rem 1fr auto; }
    colloquy-contents-list .actions { margin-inline: 5px; }
    colloquy-contents-list .entry > colloquy-page-fields { padding-inline: 8px; }
  }
  @media (prefers-reduced-motion: reduce) { colloquy-contents-list .entry { transition: none; } }
  @media (forced-colors: active) { colloquy-contents-list .entry:not([aria-current], :hover) { border-color: Canvas; } colloquy-contents-list .entry[aria-current] { border-color: Highlight; } colloquy-contents-list .entry:focus-visible { outline-color: Highlight; } }
`;
