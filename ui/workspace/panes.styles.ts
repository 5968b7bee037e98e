import { css } from "lit";

export const panesStyles = css`
  colloquy-panes { position: relative; display: block; min-block-size: 0; min-inline-size: 0; overflow: hidden; }
  /* Clipped, not hidden: what is brought into sight in it must not push its tabs out of sight. */
  colloquy-panes > section.pane { position: absolute; display: grid; grid-template: auto minmax(0, 1fr) / minmax(0, 1fr); border: 1px solid var(--line); border-radius: var(--r-l); background: var(--paper); overflow: clip; transition: border-color var(--fast) var(--ease); }
  colloquy-panes > section.pane[data-focused] { border-color: var(--line-strong); }
  colloquy-panes > section.pane:not([data-focused]) [role=tab][aria-selected=true] { font-weight: 500; }
  colloquy-panes > section.pane[hidden] { display: none; }
  colloquy-panes .panel { grid-area: 2 / 1; display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr); min-block-size: 0; min-inline-size: 0; }
  colloquy-panes .panel[inert] { visibility: hidden; content-visibility: hidden; }
  colloquy-panes > colloquy-separator:focus-visible { outline: none; box-shadow: none; }
  colloquy-panes .drop { position: absolute; z-index: 2; pointer-events: none; border: 2px solid var(--accent); border-radius: calc(var(--r-l) - 2px); background: color-mix(in oklch, var(--accent), transparent 86%); transition: inset var(--fast) var(--ease); inset: 44px 3px 3px; }
  colloquy-panes .drop[data-zone=left] { inset-inline-end: 50%; }
  colloquy-panes .drop[data-zone=right] { inset-inline-start: 50%; }
  colloquy-panes .drop[data-zone=up] { inset-block-end: 50%; }
  colloquy-panes .drop[data-zone=down] { inset-block-start: 50%; }
  colloquy-panes.dragging .panel { pointer-events: none; }
  colloquy-panes.narrow > section.pane { border: 0; border-radius: 0; }
  @media (forced-colors: active) { colloquy-panes > section.pane[data-focused] { border-color: Highlight; } }
`;
