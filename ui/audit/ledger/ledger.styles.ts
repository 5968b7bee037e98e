import { css } from "lit";

/** How a ledger looks: a document that is read, with its numbers in a column of their own. */
export const ledgerStyles = css`
  colloquy-ledger { display: block; block-size: 100%; overflow: auto; overscroll-behavior: contain; scrollbar-width: thin; scrollbar-color: var(--line-strong) transparent; container-type: inline-size; background: var(--paper); color: var(--ink); font: var(--text-m)/1.5 var(--font-ui); outline: none; }
  colloquy-ledger:focus-visible { outline: 2px solid var(--accent); outline-offset: -3px; }
  colloquy-ledger .sheet { max-inline-size: 48rem; margin-inline: auto; padding: var(--s5) clamp(1rem, 5cqi, var(--s6)) var(--s7); }
  colloquy-ledger :is(h2, h3, p, ol, ul, dl, dd, figure) { margin: 0; padding: 0; }
  colloquy-ledger h2 { font: 600 clamp(1.375rem, 1.1rem + 1.6cqi, 1.875rem)/1.25 var(--font-read); overflow-wrap: anywhere; text-align: -webkit-match-parent; text-align: match-parent; text-wrap: balance; }
  colloquy-ledger h3 { margin-block: var(--s6) var(--s3); font: 600 var(--text-s)/1.4 var(--font-ui); color: var(--ink-soft); }
  colloquy-ledger .about { margin-block: var(--s1) var(--s4); color: var(--ink-soft); font-size: var(--text-s); }
  colloquy-ledger a { color: inherit; text-decoration: underline; text-decoration-color: var(--line-strong); text-underline-offset: 3px; border-radius: 3px; }
  colloquy-ledger a:hover { text-decoration-color: var(--accent); }
  colloquy-ledger :is(a, button, summary, select, input):focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
  colloquy-ledger select { max-inline-size: 100%; min-block-size: 36px; margin-block-end: var(--s3); padding: 4px 10px; border: 1px solid var(--line-strong); border-radius: var(--r-m); background: var(--raised); color: var(--ink); font: inherit; font-size: var(--text-s); }

  colloquy-ledger .check { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 2px var(--s3); padding: var(--s3) var(--s4); border: 1px solid var(--line); border-radius: var(--r-m); font-size: var(--text-s); }
  colloquy-ledger .check .icon { font-size: 20px; color: var(--ink-faint); }
  colloquy-ledger .check p { grid-column: 2; color: var(--ink-soft); overflow-wrap: anywhere; }
  colloquy-ledger .check p:first-of-type { color: var(--ink); font-weight: 600; }
  colloquy-ledger .check.good .icon { color: var(--good); }
  colloquy-ledger .check.bad { border-color: var(--bad); background: var(--bad-wash); }
  colloquy-ledger .check.bad .icon { color: var(--bad); }
  colloquy-ledger .check code { font: var(--text-xs)/1.4 var(--font-code); }
  colloquy-ledger .ways { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s4); margin-block-start: var(--s3); font-size: var(--text-s); }
  colloquy-ledger .ways a { display: inline-flex; align-items: center; min-block-size: 32px; }
  colloquy-ledger .note { margin-block-end: var(--s3); padding: var(--s2) var(--s4); border-radius: var(--r-m); background: var(--sunken); color: var(--ink-soft); font-size: var(--text-s); }

  colloquy-ledger .objectives { display: grid; gap: var(--s4); list-style: none; }
  colloquy-ledger .objectives .name { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: 0 var(--s4); }
  colloquy-ledger .objectives .name b { flex: 1 1 16rem; font-weight: 550; overflow-wrap: anywhere; }
  colloquy-ledger .objectives .name span { flex: none; color: var(--ink-soft); font-size: var(--text-s); font-variant-numeric: tabular-nums; }
  colloquy-ledger .objectives svg { display: block; inline-size: 100%; block-size: 40px; margin-block-start: var(--s1); border-radius: var(--r-s); background: var(--sunken); overflow: visible; }
  colloquy-ledger[dir="rtl"] .objectives svg, [dir="rtl"] colloquy-ledger .objectives svg { scale: -1 1; }
  colloquy-ledger svg path { fill: none; vector-effect: non-scaling-stroke; }
  colloquy-ledger svg .curve { stroke: var(--accent); stroke-width: 2; }
  colloquy-ledger svg .goal { stroke: var(--ink-faint); stroke-dasharray: 3 3; }

  colloquy-ledger .entries-head { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: 0 var(--s4); }
  colloquy-ledger .entries-head label { display: inline-flex; align-items: center; gap: var(--s2); min-block-size: 32px; color: var(--ink-soft); font-size: var(--text-s); cursor: pointer; }
  colloquy-ledger .entries-head input { inline-size: 16px; block-size: 16px; margin: 0; accent-color: var(--accent); }
  colloquy-ledger .entries { list-style: none; border-block-start: 1px solid var(--line); }
  colloquy-ledger .entries > li { display: grid; grid-template-columns: 3rem minmax(0, 1fr); gap: 0 var(--s3); padding-block: var(--s3); border-block-end: 1px solid var(--line); scroll-margin-block: var(--s5); content-visibility: auto; contain-intrinsic-block-size: auto 96px; }
  colloquy-ledger .entries > li[aria-current] { margin-inline: calc(-1 * var(--s3)); padding-inline: var(--s3); border-radius: var(--r-s); background: var(--accent-wash); }
  colloquy-ledger .number { color: var(--ink-soft); font: 600 var(--text-s)/1.6 var(--font-ui); font-variant-numeric: tabular-nums; }
  colloquy-ledger .what { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 var(--s4); font-size: var(--text-s); }
  colloquy-ledger .what b { font-weight: 600; }
  colloquy-ledger .what .good { color: var(--good); }
  colloquy-ledger .what .bad { color: var(--bad); }
  colloquy-ledger time { color: var(--ink-soft); font-size: var(--text-xs); font-variant-numeric: tabular-nums; }
  colloquy-ledger .said { margin-block-start: 2px; overflow-wrap: anywhere; }
  colloquy-ledger .moves { display: grid; gap: 2px; margin-block-start: var(--s1); list-style: none; color: var(--ink-soft); font-size: var(--text-s); }
  colloquy-ledger .moves b { color: var(--ink); font-weight: 600; font-variant-numeric: tabular-nums; white-space: nowrap; }
  colloquy-ledger summary { display: inline-flex; align-items: center; gap: 4px; min-block-size: 28px; color: var(--ink-soft); font-size: var(--text-xs); cursor: pointer; list-style: none; border-radius: 4px; }
  colloquy-ledger summary::-webkit-details-marker { display: none; }
  colloquy-ledger summary:hover { color: var(--ink); }
  colloquy-ledger summary .icon { font-size: 14px; transition: rotate var(--fast) var(--ease); }
  colloquy-ledger details[open] summary .icon { rotate: 180deg; }
  colloquy-ledger details dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: var(--s1) var(--s4); padding: var(--s2) 0 var(--s1); font-size: var(--text-s); }
  colloquy-ledger dt { color: var(--ink-soft); }
  colloquy-ledger dd { overflow-wrap: anywhere; }
  colloquy-ledger dd code { font: var(--text-xs)/1.5 var(--font-code); }
  colloquy-ledger dd .prose { font-size: inherit; line-height: 1.5; }
  colloquy-ledger dd ul { display: grid; gap: 2px; list-style: none; }

  colloquy-ledger .says { display: grid; gap: var(--s3); justify-items: start; align-content: center; min-block-size: 100%; max-inline-size: 34rem; margin: auto; padding: var(--s5); color: var(--ink-soft); }
  colloquy-ledger .says h2 { font-size: 1.5rem; color: var(--ink); }
  colloquy-ledger .says .button { min-block-size: 44px; padding: 8px 18px; border: 1px solid var(--line-strong); border-radius: var(--r-m); background: var(--raised); color: var(--ink); font: 600 var(--text-m)/1.4 var(--font-ui); cursor: pointer; }
  colloquy-ledger .waits { display: grid; gap: var(--s4); max-inline-size: 48rem; margin-inline: auto; padding: var(--s6); }
  colloquy-ledger .waits i { display: block; block-size: 1rem; border-radius: 6px; background: var(--sunken); animation: ledger-wait var(--pulse, 1.4s) ease-in-out infinite; }
  @keyframes ledger-wait { 50% { opacity: .45; } }
  @container (max-width: 30rem) {
    colloquy-ledger .entries > li { grid-template-columns: 1.75rem minmax(0, 1fr); gap: 0; }
    colloquy-ledger details dl { grid-template-columns: minmax(0, 1fr); }
    colloquy-ledger details dd { margin-block-end: var(--s2); }
  }
  @media (pointer: coarse) { colloquy-ledger :is(summary, .ways a, .entries-head label, select) { min-block-size: 44px; } }
  @media (prefers-reduced-motion: reduce) { colloquy-ledger .waits i { animation: none; } }
  @media (forced-colors: active) { colloquy-ledger svg path { stroke: CanvasText; } colloquy-ledger .entries > li[aria-current] { outline: 1px solid Highlight; } }
`;
