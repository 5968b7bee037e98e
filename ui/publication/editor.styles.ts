import { css } from "lit";

/** The draft over the page. What is read keeps the page's own typography. */
export const editorStyles = css`
  body[data-mode="edit"] :is(.rail, .page-foot, .bar-ask) { display: none; }
  body[data-mode="edit"].reading > main { grid-column: 2 / -1; }
  body[data-mode="edit"].reading > main > * { max-inline-size: 62rem; }
  body[data-mode="edit"] .page-modes { background: color-mix(in oklch, var(--paper), transparent 6%); backdrop-filter: blur(10px); border-block-end: 1px solid var(--line); pointer-events: auto; }
  .side-tree:has(+ .draft-tree) { display: none; }
  .draft-contents ol { list-style: none; }
  .draft-contents .part > ol { margin-inline-start: 6px; padding-inline-start: 11px; border-inline-start: 1px solid var(--line-strong); }
  .draft-contents .part > a { margin-block-start: 6px; color: var(--ink); font-weight: 550; }

  :root:has(> body[data-mode="edit"]) { scroll-padding-block-end: var(--status-room, 0px); }
  colloquy-editor { display: block; padding-block-end: max(9rem, calc(var(--status-room, 0px) + 5rem)); }
  colloquy-page-head { display: block; }
  colloquy-page-head > .crumb { margin-block-end: var(--s3); }
  @media (pointer: fine) { colloquy-page-head > .crumb a { display: inline-block; min-block-size: 24px; } }
  colloquy-editor > .blocks { display: flow-root; max-inline-size: none; margin-block-start: var(--s5); }
  colloquy-editor-block { position: relative; display: block; margin-inline: -14px; padding: 8px 13px; border: 1px solid transparent; border-radius: var(--r-l); scroll-margin-block: calc(var(--below-bars, 60px) + 36px) 40px; transition: border-color var(--fast) var(--ease), background-color var(--fast) var(--ease); }
  colloquy-editor-block:not([chosen]) { content-visibility: auto; contain-intrinsic-block-size: auto 12rem; }
  colloquy-editor-block + colloquy-editor-block { margin-block-start: .35em; }
  colloquy-editor:not([still]) colloquy-editor-block:not([chosen]) > .drawn { cursor: text; }
  colloquy-editor:not([still]) colloquy-editor-block:not([chosen]):hover { border-color: var(--line); }
  colloquy-editor-block[chosen] { border-color: var(--accent); background: color-mix(in oklch, var(--accent-wash), var(--paper) 45%); }
  colloquy-editor-block:focus-visible { border-radius: var(--r-l); outline: 2px solid transparent; box-shadow: var(--focus); }
  /* Chosen by a pointer, too: it has the keyboard then. */
  colloquy-editor-block[chosen]:focus { outline: 2px solid transparent; box-shadow: var(--focus); }
  /* On the side where its own text begins, whichever way the page around it reads. */
  colloquy-editor-block > .drawn { max-inline-size: 44rem; margin-inline: 0 auto; }
  colloquy-editor-block > .drawn:not([hidden]):empty { min-block-size: 5rem; }
  colloquy-editor-block > .use { inline-size: fit-content; margin: 0 0 6px; padding: 2px 10px; border-radius: var(--r-pill); background: var(--sunken); color: var(--ink-soft); font: 500 var(--text-xs)/1.6 var(--font-ui); }
  colloquy-editor-block > .drawn > .block > :first-child:not(.block-anchor) { margin-block-start: 0; }
  colloquy-editor-block > .drawn .block-anchor { display: none; }
  colloquy-editor-block > colloquy-block-toolbar { position: absolute; z-index: 2; inset-block-start: -21px; inset-inline-end: 12px; }
  colloquy-editor-block > colloquy-block-insert { position: absolute; z-index: 2; inset-block-start: calc(100% + 3px); inset-inline: 0; }
  colloquy-editor-block[chosen] { margin-block: 26px 40px; }
  colloquy-editor > .at-end { margin-block-start: var(--s5); }
  /* A last block that is chosen has its own. */
  colloquy-editor > .blocks:has(> colloquy-editor-block[chosen]:last-of-type) + .at-end { visibility: hidden; }
  @media (prefers-reduced-motion: reduce) { colloquy-editor-block { transition: none; } }
  @media (forced-colors: active) { colloquy-editor-block:not([chosen], :hover) { border-color: Canvas; } colloquy-editor-block[chosen] { border-color: Highlight; } colloquy-editor-block:is(:focus-visible, [chosen]:focus) { outline-color: Highlight; } }
  @media (max-width: 54rem) {
    colloquy-editor-block { margin-inline: -9px; padding-inline: 8px; }
    colloquy-editor-block > colloquy-block-toolbar { position: static; margin-block-end: 8px; }
    colloquy-editor-block[chosen] { margin-block: 12px 48px; }
  }
`;
