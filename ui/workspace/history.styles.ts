import { css } from "lit";

export const historyStyles = css`
  :host { display: grid; grid-template: auto minmax(0, 1fr) auto / minmax(0, 1fr); min-block-size: 0; font: var(--text-m)/1.4 var(--font-ui); }
  .find { position: relative; padding: 0 0 var(--s2); }
  .find input { inline-size: 100%; min-block-size: 36px; padding-block: 6px; padding-inline: 12px 34px; border: 1px solid var(--line); border-radius: var(--r-m); background: var(--paper); color: var(--ink); font: var(--text-s)/1.4 var(--font-ui); }
  .find input::placeholder { color: var(--ink-faint); opacity: 1; }
  .find input::-webkit-search-cancel-button { display: none; }
  .find button { position: absolute; inset-block: 0 var(--s2); inset-inline-end: 0; display: grid; place-items: center; inline-size: 36px; color: var(--ink-faint); }
  .list { overflow-y: auto; scrollbar-width: thin; scrollbar-color: var(--line-strong) transparent; overscroll-behavior: contain; position: relative; }
  .whole { position: relative; }
  .seen { position: absolute; inset: 0 0 auto; }
  h2 { display: flex; align-items: end; block-size: 34px; margin: 0; padding: 0 var(--s3) 6px; font-size: var(--text-xs); font-weight: 450; letter-spacing: .02em; color: var(--ink-faint); }
  ul { list-style: none; margin: 0; padding: 0; }
  li { position: relative; display: flex; block-size: var(--row); padding-block-end: 1px; }
  a { flex: 1; display: grid; grid-template-columns: minmax(0, 1fr); align-content: center; gap: 1px; min-inline-size: 0; padding: 0 var(--s3); border-radius: var(--r-s); color: var(--ink-soft); text-decoration: none; white-space: nowrap; transition: background var(--fast) var(--ease); }
  a > span { display: flex; align-items: center; gap: 8px; min-inline-size: 0; }
  /* The field is mirrored with the page, whatever is written in it: its button stays beside the words. */
  .find input { direction: inherit; unicode-bidi: plaintext; text-align: -webkit-match-parent; text-align: match-parent; }
  a :is(b, span)[dir] { text-align: -webkit-match-parent; text-align: match-parent; }
  a b { font-weight: inherit; overflow: hidden; text-overflow: ellipsis; }
  a small { display: flex; white-space: pre; font-size: var(--text-xs); color: var(--ink-faint); }
  small > span { flex: 1; min-inline-size: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  mark { background: var(--mark); color: var(--ink); border-radius: 2px; }
  li:hover > a, li:focus-within > a { background: color-mix(in oklab, var(--line) 55%, transparent); color: var(--ink); }
  li > a[aria-current] { background: var(--accent-wash); color: var(--ink); font-weight: 550; }
  a i { flex: none; inline-size: 6px; block-size: 6px; border-radius: 50%; background: var(--accent); margin-inline-start: auto; animation: breathe var(--pulse, 1.4s) ease-in-out infinite; }
  @keyframes breathe { 50% { opacity: .3; } }
  .more { position: absolute; inset-block: 0 1px; inset-inline-end: 0; display: none; place-items: center; inline-size: 36px; border-radius: var(--r-s); color: var(--ink-soft); }
  .more:hover { color: var(--ink); }
  li:is(:hover, :focus-within) .more { display: grid; }
  li:is(:hover, :focus-within) a { padding-inline-end: 38px; }
  li input { flex: 1; min-inline-size: 0; padding: 0 calc(var(--s3) - 1px); border: 1px solid var(--accent); border-radius: var(--r-s); background: var(--paper); color: var(--ink); }
  p { margin: 0; padding: var(--s4) var(--s3); color: var(--ink-faint); font-size: var(--text-s); line-height: 1.5; }
  .switch { inline-size: 100%; min-block-size: 36px; margin-block-start: var(--s1); padding: 6px var(--s3); border-radius: var(--r-s); color: var(--ink-faint); font-size: var(--text-s); }
  .switch:hover { color: var(--ink); background: color-mix(in oklab, var(--line) 55%, transparent); }
  @media (prefers-reduced-motion: reduce) { a i { animation: none; } }
  @media (pointer: coarse) {
    .find input, .switch { min-block-size: 44px; }
    .find button, .more { inline-size: 44px; }
    .more { display: grid; }
    a { padding-inline-end: 46px; }
  }
  @media (forced-colors: active) { a[aria-current] { outline: 2px solid Highlight; outline-offset: -2px; } a i { background: Highlight; } mark { background: Mark; color: MarkText; } }
`;
