import { css } from "lit";

export const outlineStyles = css`
  colloquy-outline > dialog { inline-size: min(64rem, calc(100vw - 24px)); block-size: min(46rem, calc(100dvh - 24px)); padding: 0; overflow: hidden; }
  colloquy-outline > dialog[open] { display: grid; grid-template-rows: auto minmax(0, 1fr); }
  colloquy-outline header { display: flex; align-items: center; gap: var(--s2); padding-block: var(--s3); padding-inline: var(--s5) var(--s3); border-block-end: 1px solid var(--line); }
  colloquy-outline header h2 { flex: 1 1 0; min-inline-size: 0; margin: 0; }
  colloquy-outline header button, colloquy-outline .actions button { display: inline-flex; align-items: center; justify-content: center; gap: 6px; min-inline-size: 36px; min-block-size: 36px; padding: 4px 10px; border-radius: var(--r-s); color: var(--ink-soft); font: 500 var(--text-s)/1.4 var(--font-ui); }
  colloquy-outline header button:hover, colloquy-outline .actions button:hover { background: var(--sunken); color: var(--ink); }
  colloquy-outline button[aria-disabled="true"] { opacity: .5; background: none; cursor: default; }
  colloquy-outline .halves { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); min-block-size: 0; }
  colloquy-outline .map { display: grid; grid-template-rows: minmax(0, 1fr) auto; min-block-size: 0; background: var(--sunken); border-inline-end: 1px solid var(--line); }
  colloquy-outline [role="tree"] { overflow: auto; padding: var(--s3); }
  colloquy-outline [role="treeitem"] { display: flex; align-items: baseline; gap: 8px; min-block-size: 34px; padding: 7px 10px; padding-inline-start: calc(10px + var(--depth) * 18px); position: relative; border-radius: var(--r-s); font: 450 var(--text-s)/1.4 var(--font-ui); color: var(--ink-soft); cursor: default; overflow-wrap: anywhere; scroll-margin: 40px; }
  colloquy-outline [role="treeitem"] bdi { text-align: -webkit-match-parent; text-align: match-parent; }
  colloquy-outline { --rails: to right; }
  [dir="rtl"] colloquy-outline { --rails: to left; }
  colloquy-outline [role="treeitem"]::before { content: ""; position: absolute; inset-block: 0; inset-inline-start: 12px; inline-size: calc(var(--depth) * 18px); background: repeating-linear-gradient(var(--rails), transparent 0 2px, var(--line-strong) 2px 3px, transparent 3px 18px); pointer-events: none; }
  colloquy-outline [role="treeitem"].part { color: var(--ink); font-weight: 600; }
  colloquy-outline [role="treeitem"]:hover { color: var(--ink); }
  colloquy-outline [role="treeitem"][aria-selected="true"] { background: var(--raised); color: var(--ink); box-shadow: var(--shadow-1); }
  colloquy-outline [role="treeitem"]:focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
  colloquy-outline .grip { position: absolute; inset-block: 0; inset-inline-start: calc(var(--depth) * 18px - 8px); display: grid; place-items: center; inline-size: 22px; color: var(--ink-faint); opacity: 0; cursor: grab; touch-action: none; user-select: none; }
  colloquy-outline [role="treeitem"]:is(:hover, [aria-selected="true"]) .grip { opacity: 1; }
  colloquy-outline [role="treeitem"] small { margin-inline-start: auto; color: var(--ink-soft); font-size: var(--text-xs); font-weight: 400; white-space: nowrap; }
  colloquy-outline .actions { display: flex; flex-wrap: wrap; gap: 2px; padding: 5px var(--s2); border-block-start: 1px solid var(--line); background: var(--raised); }
  colloquy-outline .actions .delete { color: var(--bad); margin-inline-start: auto; }
  colloquy-outline .actions .delete:hover { background: var(--bad-wash); color: var(--bad); }
  colloquy-outline .about { overflow: auto; padding: var(--s5); }
  colloquy-outline .about > .button { margin-block-start: var(--s5); }
  colloquy-outline details { margin-block-start: var(--s5); border-block-start: 1px solid var(--line); padding-block-start: var(--s3); font: var(--text-s)/1.5 var(--font-ui); color: var(--ink-soft); }
  colloquy-outline summary { min-block-size: 32px; padding-block: 5px; cursor: pointer; border-radius: var(--r-s); font-weight: 500; }
  colloquy-outline summary:focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
  colloquy-outline details p { margin-block: var(--s2); }
  colloquy-outline details :is(form, .wrong) { scroll-margin-block: var(--s4); }
  colloquy-outline details form { display: flex; flex-wrap: wrap; gap: var(--s2); }
  colloquy-outline details input { flex: 1 1 14rem; font: 0.875rem/1.5 var(--font-code); }
  colloquy-outline .wrong { color: var(--bad); }
  colloquy-outline .icon { font-size: 17px; }
  @media (max-width: 760px) {
    colloquy-outline > dialog { block-size: calc(100dvh - 24px); }
    colloquy-outline .halves { grid-template-columns: minmax(0, 1fr); grid-template-rows: minmax(0, 1fr) minmax(0, 1fr); }
    colloquy-outline .map { border-inline-end: 0; border-block-end: 1px solid var(--line); }
    colloquy-outline header { padding-inline-start: var(--s4); }
    colloquy-outline .about { padding: var(--s4); }
  }
  @media (pointer: coarse) { colloquy-outline .grip { inset-inline-start: calc(var(--depth) * 18px - 10px); inline-size: 27px; opacity: 1; } colloquy-outline :is(header, .actions) button { min-inline-size: 44px; min-block-size: 44px; } colloquy-outline [role="treeitem"] { min-block-size: 44px; align-items: center; } colloquy-outline summary { min-block-size: 44px; padding-block: 10px; } }
  @media (forced-colors: active) { colloquy-outline [role="treeitem"][aria-selected="true"] { outline: 2px solid Highlight; } }
  colloquy-outline .take-in { display: none; position: relative; margin-block-start: var(--s4); }
  colloquy-outline .take-in:focus-within { box-shadow: var(--focus); }
  colloquy-outline .take-in input { position: absolute; inset: 0; inline-size: 100%; opacity: 0; }
  /* Where the bar of the page has no room for it. */
  @media (max-width: 30rem) {
    colloquy-outline .take-in { display: inline-flex; }
    colloquy-outline header h2 { font-size: var(--text-l); }
    colloquy-outline .actions { gap: 0; padding-inline: var(--s1); }
    colloquy-outline .actions button { gap: 3px; padding-inline: 4px; }
  }
`;
