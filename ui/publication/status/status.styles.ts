import { css } from "lit";

export const statusStyles = css`
  colloquy-editor-status { position: fixed; inset: auto 0 calc(var(--s4) + env(safe-area-inset-bottom) + var(--drawing-room, 0px)); z-index: 30; display: grid; justify-items: center; gap: var(--s2); padding-inline: var(--s3); pointer-events: none; font: var(--text-s)/1.4 var(--font-ui); color: var(--ink); }
  colloquy-editor-status .pill, colloquy-editor-status .errors { pointer-events: auto; border: 1px solid var(--line-strong); background: var(--raised); box-shadow: var(--shadow-2); }
  colloquy-editor-status .pill { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s1) var(--s3); max-inline-size: min(100%, 46rem); min-block-size: 48px; padding-block: 5px; padding-inline: var(--s4) 6px; border-radius: 26px; }
  colloquy-editor-status .said { display: flex; flex: 1 1 auto; flex-wrap: wrap; max-inline-size: calc(100% - 14px - var(--s3)); align-items: baseline; gap: 0 var(--s3); min-inline-size: 0; padding-block: 4px; }
  colloquy-editor-status .said b { font-weight: 600; overflow-wrap: anywhere; }
  colloquy-editor-status .said span { color: var(--ink-soft); overflow-wrap: anywhere; }
  colloquy-editor-status .sign { flex: none; inline-size: 9px; block-size: 9px; border-radius: 50%; background: var(--warn); }
  colloquy-editor-status .good .sign { background: var(--good); }
  colloquy-editor-status .bad .sign { border-radius: 1px; rotate: 45deg; background: var(--bad); }
  colloquy-editor-status .busy .sign { background: none; border: 2px solid var(--line-strong); border-block-start-color: var(--accent); inline-size: 14px; block-size: 14px; animation: colloquy-status-turn 1s linear infinite; }
  @keyframes colloquy-status-turn { to { rotate: 360deg; } }
  colloquy-editor-status .actions { display: flex; flex-wrap: wrap; gap: var(--s1) var(--s2); }
  colloquy-editor-status .actions > * { min-block-size: 36px; padding: 0 14px; display: inline-flex; align-items: center; border: 1px solid var(--line); border-radius: var(--r-pill); background: var(--raised); color: var(--ink); font: 500 var(--text-s)/1.3 var(--font-ui); text-decoration: none; cursor: pointer; transition: border-color var(--fast) var(--ease); }
  colloquy-editor-status .actions > *:hover { border-color: var(--accent); }
  colloquy-editor-status .actions > .main { border-color: var(--accent); background: var(--accent); color: var(--accent-ink); font-weight: 600; }
  colloquy-editor-status .actions :is(button, a, label):focus-visible, colloquy-editor-status .actions label:focus-within, colloquy-editor-status .errors button:focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
  colloquy-editor-status .actions input { position: absolute; inline-size: 1px; block-size: 1px; opacity: 0; overflow: hidden; }
  colloquy-editor-status .errors { inline-size: min(100%, 34rem); max-block-size: min(40dvh, 20rem); display: grid; grid-template-rows: minmax(0, 1fr) auto; border-radius: var(--r-l); overflow: clip; }
  colloquy-editor-status .errors ul { overflow: auto; margin: 0; padding: var(--s2); list-style: none; }
  colloquy-editor-status .errors .fold { justify-self: end; min-block-size: 36px; margin: 6px; padding: 0 14px; border: 1px solid var(--line); border-radius: var(--r-pill); background: var(--raised); font: 500 var(--text-s)/1.3 var(--font-ui); cursor: pointer; }
  colloquy-editor-status .errors .fold:hover { border-color: var(--accent); }
  colloquy-editor-status .errors li button { display: grid; inline-size: 100%; overflow-wrap: anywhere; min-block-size: 44px; padding: 7px var(--s3); border: 0; border-radius: var(--r-m); background: none; color: inherit; font: inherit; text-align: start; cursor: pointer; }
  colloquy-editor-status .errors li button:hover { background: var(--sunken); }
  colloquy-editor-status .errors li .remove { inline-size: auto; color: var(--accent); font-weight: 500; }
  colloquy-editor-status .errors li span::first-letter { text-transform: uppercase; }
  colloquy-editor-status .errors small { color: var(--ink-soft); font-size: var(--text-xs); }
  colloquy-editor-status .note { margin: 0; flex-basis: 100%; color: var(--bad); padding-block-end: 4px; }
  colloquy-editor-status .warning { margin-block: 2px 0; flex-basis: 100%; padding-block: 5px; padding-inline: 0 var(--s3); border-block-start: 1px solid var(--line); color: var(--ink); text-wrap: pretty; }
  colloquy-editor-status .pill:has(.warning) { border-radius: var(--r-l); }
  colloquy-editor-status .cited-note { position: static; order: -1; margin: 0; pointer-events: auto; }
  colloquy-editor-status .live { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  @media (pointer: coarse) { colloquy-editor-status :is(.actions > *, .errors .fold) { min-block-size: 44px; } }
  @media (max-width: 34rem) {
    colloquy-editor-status { inset-block-end: calc(var(--s2) + env(safe-area-inset-bottom) + var(--drawing-room, 0px)); padding-inline: var(--s2); }
    colloquy-editor-status .pill { inline-size: 100%; gap: 0 var(--s2); padding: 4px 6px 6px; padding-inline: 6px; border-radius: var(--r-l); }
    colloquy-editor-status .sign { margin-inline-start: 6px; }
    colloquy-editor-status .warning { margin-block-start: 6px; padding-inline: 6px; font-size: var(--text-xs); }
    colloquy-editor-status .said { flex: 1 1 0; max-inline-size: none; gap: 0 var(--s2); }
    colloquy-editor-status .actions:has(> :nth-child(2)) { flex-basis: 100%; }
    colloquy-editor-status .actions { gap: var(--s1); }
    colloquy-editor-status .actions > * { flex: 1 1 auto; justify-content: center; padding: 0 8px; }
  }
  /* Where the keyboard leaves hardly any room, what is written comes first: the warning is back when the field is left. */
  @media (max-height: 30rem) { body:has(colloquy-block-field :focus) colloquy-editor-status .warning { display: none; } }
  @media (prefers-reduced-motion: reduce) { colloquy-editor-status .busy .sign { animation-duration: 4s; } }
  @media (forced-colors: active) { colloquy-editor-status .sign { forced-color-adjust: none; } }
  @media print { colloquy-editor-status { display: none; } }
`;
