import { css } from "lit";

export const composerStyles = css`
  :host { display: block; position: relative; font: var(--text-m)/var(--leading-ui) var(--font-ui); color: var(--ink); }
  .box { container-type: inline-size; display: grid; grid-template-columns: minmax(0, 1fr); gap: 6px; border: 1px solid var(--line-strong); border-radius: 18px; background: var(--raised); box-shadow: var(--shadow-1); padding: 12px 14px 10px; transition: border-color var(--fast) var(--ease), box-shadow var(--fast) var(--ease); }
  .box:focus-within { border-color: color-mix(in oklab, var(--accent), var(--line-strong) 40%); box-shadow: var(--shadow-1), 0 0 0 3px color-mix(in oklab, var(--accent) 10%, transparent); }
  /* As narrow as panes can be: who answers and what is added stand above. */
  @container (max-width: 19rem) {
    .bar { flex-wrap: wrap; }
    .bar colloquy-model-picker { order: -1; flex: 1 1 calc(100% - 7rem); margin-inline-start: -8px; }
    .bar .modes ~ .tool { order: -1; }
  }
  .sources { display: flex; flex-wrap: wrap; align-items: center; gap: 6px; min-inline-size: 0; }
  .sources small { color: var(--ink-faint); font-size: var(--text-xs); font-variant-numeric: tabular-nums; padding-inline: 4px; }
  .chips { display: contents; list-style: none; }
  .chips li { max-inline-size: 100%; min-inline-size: 0; display: flex; }
  .chip { padding-inline-end: 2px; }
  .chip button { display: grid; place-items: center; inline-size: 24px; block-size: 24px; border-radius: 6px; color: var(--ink-faint); font-size: 14px; flex: none; }
  .chip button:hover { background: var(--sunken); color: var(--ink); }
  .chip.add { border-style: dashed; background: none; cursor: pointer; padding-inline-end: 8px; min-inline-size: 0; }
  .chip.add b { font-weight: 450; color: var(--ink-soft); }
  .chip.add:hover { border-color: var(--accent); }
  .chip.add:hover b { color: var(--ink); }
  textarea:placeholder-shown { direction: inherit; }
  textarea { display: block; inline-size: 100%; min-block-size: 2.9rem; max-block-size: min(40dvh, 20rem); resize: none; border: 0; background: none; padding: 4px 2px; font: 1rem/1.5 var(--font-ui); color: var(--ink); field-sizing: content; scrollbar-width: thin; overflow-wrap: anywhere; }
  textarea::placeholder { color: var(--ink-faint); opacity: 1; }
  textarea:focus-visible { box-shadow: none; outline: none; }
  .bar { display: flex; align-items: center; gap: 4px; font-size: var(--text-s); color: var(--ink-soft); min-inline-size: 0; }
  .modes { display: inline-flex; flex: none; padding: 2px; border-radius: 9px; background: var(--sunken); }
  .modes button { min-block-size: 30px; padding: 2px 11px; border-radius: 7px; color: var(--ink-soft); font-weight: 500; transition: background var(--fast) var(--ease); }
  .modes button:hover { color: var(--ink); }
  .modes button[aria-pressed="true"] { background: var(--raised); color: var(--ink); box-shadow: var(--shadow-1); }
  colloquy-model-picker:first-child { margin-inline-start: -8px; }
  .tool { display: inline-flex; align-items: center; justify-content: center; min-inline-size: 34px; min-block-size: 34px; border-radius: var(--r-s); font-size: var(--text-m); color: var(--ink-soft); }
  .tool:first-child { margin-inline-start: -8px; }
  .tool:hover { background: var(--sunken); color: var(--ink); }
  .tool .icon { font-size: 17px; }
  .tool.listening { background: var(--accent-wash); color: var(--accent); }
  .tool.listening .icon { animation: listen var(--pulse, 1.4s) ease-in-out infinite; }
  @keyframes listen { 50% { opacity: .4; } }
  @media (prefers-reduced-motion: reduce) { .tool.listening .icon { animation: none; } }
  .hearing { margin: 0; padding: 0 2px; color: var(--ink-faint); font: 1rem/1.5 var(--font-ui); overflow-wrap: anywhere; }
  .fill { flex: 1; text-align: end; padding-inline: 4px; color: var(--ink-faint); font-size: var(--text-xs); font-variant-numeric: tabular-nums; }
  .fill:empty { padding: 0; }
  .fill.over { color: var(--bad); font-weight: 550; }
  .send { display: grid; place-items: center; flex: none; inline-size: 36px; block-size: 36px; border-radius: 11px; font-size: 19px; background: var(--accent); color: var(--accent-ink); transition: background var(--fast) var(--ease), opacity var(--fast) var(--ease), scale var(--fast) var(--ease); }
  .send:hover:not([aria-disabled]) { background: color-mix(in oklab, var(--accent), var(--ink) 14%); }
  .send:active:not([aria-disabled]) { scale: .95; }
  .send[aria-disabled] { background: var(--line); color: var(--ink-faint); }
  .send.stop { background: var(--ink); color: var(--paper); }
  .note { display: flex; gap: 8px; margin: 0; padding: 8px 10px; border-radius: var(--r-m); background: var(--warn-wash); color: var(--ink); font-size: var(--text-s); line-height: 1.45; }
  .note.quiet { background: var(--sunken); color: var(--ink-soft); }
  .note .icon { margin-block-start: 2px; font-size: 16px; color: var(--warn); }
  .note code { font: 12px var(--font-code); background: var(--raised); padding: .1em .3em; border-radius: 4px; }

  .popup { position: absolute; inset-inline: 0; inset-block-end: calc(100% + 6px); z-index: 5; max-block-size: min(22rem, 45dvh); overflow: auto; margin: 0; padding: var(--s2); background: var(--raised); border: 1px solid var(--line-strong); border-radius: var(--r-l); box-shadow: var(--shadow-2); animation: rise var(--fast) var(--ease); overscroll-behavior: contain; }
  @keyframes rise { from { opacity: 0; translate: 0 4px; } }
  .popup:focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
  .popup p { margin: 0; padding: 8px var(--s3); color: var(--ink-soft); font-size: var(--text-s); }
  .list { margin: 0; padding: 0; list-style: none; }
  .list li { display: grid; grid-template-columns: 5.2rem 1fr; column-gap: 10px; padding: 8px var(--s3); border-radius: var(--r-s); cursor: pointer; align-items: baseline; }
  .list li:hover { background: var(--sunken); }
  .list li[aria-selected="true"] { background: var(--accent-wash); }
  .list em { font-style: normal; font-size: var(--text-xs); color: var(--ink-faint); }
  .list [dir] { text-align: -webkit-match-parent; text-align: match-parent; }
  .list b { font-weight: 550; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .list em b { font: 500 var(--text-s)/1.4 var(--font-code); color: var(--ink); }
  .list small { grid-column: 2; color: var(--ink-faint); font-size: var(--text-xs); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .list li[aria-selected="true"] :is(em, small) { color: var(--ink-soft); }
  @media (pointer: coarse) {
    .bar { gap: 0; }
    .send, .tool { flex: none; inline-size: 44px; block-size: 44px; }
    .bar colloquy-model-picker:not(:first-child) { flex: 0 1 auto; min-inline-size: 44px; }
    .box { padding-inline: 10px; }
    .modes { padding: 0; }
    .modes button { min-inline-size: 44px; min-block-size: 44px; padding-inline: 9px; }
    .sources { gap: 10px 8px; }
    .chip { min-block-size: 44px; }
    .chip { padding-block: 0; }
    .chip button { inline-size: 44px; block-size: 44px; }
    .list li { min-block-size: 44px; padding-block: 12px; }
  }
  @media (forced-colors: active) {
    .box:focus-within { outline: 2px solid Highlight; outline-offset: 1px; }
    .send { border: 1px solid ButtonText; }
    .send[aria-disabled] { border-color: GrayText; color: GrayText; }
    .note { border: 1px solid CanvasText; }
    .modes button[aria-pressed="true"] { outline: 2px solid Highlight; outline-offset: -2px; }
    .tool.listening { outline: 2px solid Highlight; outline-offset: -2px; }
    .list li[aria-selected="true"] { outline: 2px solid Highlight; outline-offset: -2px; }
  }
`;
