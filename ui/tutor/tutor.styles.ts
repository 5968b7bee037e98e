import { css } from "lit";

export const tutorStyles = css`
  colloquy-tutor { display: grid; grid-template: auto minmax(0, 1fr) / minmax(0, 1fr); min-block-size: 0; min-inline-size: 0; font: var(--text-m)/var(--leading-ui) var(--font-ui); color: var(--ink); }
  colloquy-tutor > .columns { grid-row: 2; display: flex; min-block-size: 0; min-inline-size: 0; }
  colloquy-tutor > .columns > colloquy-tutor-flow { flex: 1; min-inline-size: 0; }
  colloquy-tutor .rail { flex: none; overflow: hidden auto; padding: var(--s5) var(--s4); scrollbar-width: thin; scrollbar-color: var(--line-strong) transparent; overscroll-behavior: contain; }
  colloquy-tutor .rail:focus-visible { outline: 2px solid var(--accent); outline-offset: -3px; }
  colloquy-tutor .rail.path { inline-size: 248px; border-inline-end: 1px solid var(--line); }
  colloquy-tutor .rail.progress { inline-size: 264px; border-inline-start: 1px solid var(--line); }
  colloquy-tutor > .bar { display: flex; align-items: center; gap: var(--s1); min-block-size: 42px; padding: 3px var(--s2); border-block-end: 1px solid var(--line); min-inline-size: 0; }
  colloquy-tutor > .bar p { flex: 1; display: flex; gap: 2px 10px; align-items: baseline; min-inline-size: 0; margin: 0; padding-inline: var(--s2); font-size: var(--text-s); white-space: nowrap; overflow: hidden; }
  colloquy-tutor > .bar b { font-weight: 550; overflow: hidden; text-overflow: ellipsis; min-inline-size: 0; }
  colloquy-tutor > .bar select { min-inline-size: 0; max-inline-size: 24rem; min-block-size: 34px; padding: 2px 6px; margin-inline-start: -6px; border: 1px solid transparent; border-radius: var(--r-s); background: none; color: var(--ink); font: 550 var(--text-s)/1.3 var(--font-ui); text-overflow: ellipsis; cursor: pointer; }
  colloquy-tutor > .bar select:hover { border-color: var(--line-strong); }
  colloquy-tutor > .bar select option { background: var(--raised); color: var(--ink); }
  colloquy-tutor > .bar p span { flex: none; color: var(--ink-faint); }
  colloquy-tutor .tool { display: inline-flex; align-items: center; gap: 6px; flex: none; min-block-size: 34px; padding: 4px 10px; border: 0; border-radius: var(--r-s); background: none; color: var(--ink-soft); font: 450 var(--text-s)/1.3 var(--font-ui); cursor: pointer; }
  colloquy-tutor .tool .icon { font-size: 16px; }
  colloquy-tutor .tool:hover { background: var(--sunken); color: var(--ink); }
  colloquy-tutor .tool[aria-expanded="true"] { color: var(--ink); }
  colloquy-tutor :is(.tool, .close, select):focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
  colloquy-tutor dialog { position: fixed; inset: auto 0 0; inline-size: 100%; max-inline-size: 34rem; max-block-size: min(80dvh, 46rem); margin: auto auto 0; padding: 0; border: 1px solid var(--line); border-block-end: 0; border-radius: var(--r-l) var(--r-l) 0 0; background: var(--paper); color: var(--ink); box-shadow: var(--shadow-2); overflow: hidden auto; overscroll-behavior: contain; }
  colloquy-tutor dialog[open] { animation: colloquy-lift var(--calm) var(--ease); }
  colloquy-tutor dialog::backdrop { background: oklch(20% .02 265 / .38); }
  @keyframes colloquy-lift { from { translate: 0 40%; opacity: 0; } }
  colloquy-tutor .sheet { position: relative; padding: var(--s5) var(--s5) calc(var(--s5) + env(safe-area-inset-bottom)); }
  colloquy-tutor .sheet h3 { padding-inline-end: 44px; }
  colloquy-tutor .sheet .why { inset-block-end: 0; }
  colloquy-tutor .close { position: absolute; inset-block-start: 8px; inset-inline-end: 8px; display: grid; place-items: center; inline-size: 44px; block-size: 44px; border: 0; border-radius: var(--r-m); background: none; color: var(--ink-soft); font-size: 20px; cursor: pointer; }
  @media (pointer: coarse) { colloquy-tutor :is(.tool, .bar select) { min-block-size: 44px; } }
  @media (max-width: 560px) { colloquy-tutor > .bar b { display: none; } colloquy-tutor > .bar p { padding-inline: 4px; } colloquy-tutor .tool { padding-inline: 8px; } }
`;
