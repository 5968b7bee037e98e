import { css } from "lit";

export const tourStyles = css`
  dialog.tour { position: fixed; inset: 0; inline-size: 100vw; block-size: 100dvh; max-inline-size: none; max-block-size: none; margin: 0; padding: 0; border: 0; background: none; color: var(--ink); overflow: hidden; }
  dialog.tour::backdrop { background: none; }
  dialog.tour .ring { position: fixed; border-radius: var(--r-m); box-shadow: 0 0 0 2px var(--accent), 0 0 0 6px var(--paper), 0 0 0 200vmax oklch(20% .02 265 / .38); transition: inset var(--calm) var(--ease); }
  dialog.tour .card { position: fixed; margin: 0; inset: auto; display: grid; gap: var(--s3); inline-size: min(23rem, calc(100vw - 24px)); padding: var(--s4); border: 1px solid var(--line-strong); border-radius: var(--r-l); background: var(--raised); box-shadow: var(--shadow-2); font: var(--text-m)/1.5 var(--font-ui); }
  dialog.tour h2 { margin: 0; font: 600 1.1875rem/1.3 var(--font-read); }
  dialog.tour p { margin: 6px 0 0; color: var(--ink-soft); text-wrap: pretty; }
  dialog.tour .ways { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
  dialog.tour .ways small { margin-inline-end: auto; color: var(--ink-faint); font-size: var(--text-s); }
  section.tour-offer { position: fixed; z-index: 1; inset-block-end: 62px; inset-inline-start: 12px; display: grid; gap: 10px; inline-size: 240px; padding: 12px; border: 1px solid var(--line-strong); border-radius: var(--r-m); background: var(--raised); color: var(--ink); box-shadow: var(--shadow-1); font: var(--text-s)/1.45 var(--font-ui); animation: tour-offer var(--calm) var(--ease); }
  section.tour-offer p { margin: 0; }
  section.tour-offer .ways { display: flex; flex-wrap: wrap; gap: 6px; }
  section.tour-offer .button { min-block-size: 36px; padding: 4px 10px; font-size: var(--text-s); }
  colloquy-workspace.phone:has(> .tour-offer) { grid-template-rows: auto auto minmax(0, 1fr); }
  colloquy-workspace.phone > .tour-offer { position: static; display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 8px 12px; inline-size: auto; margin: 8px 10px 0; padding: 8px 12px; }
  colloquy-workspace.phone > .tour-offer .button { min-block-size: 44px; }
  @keyframes tour-offer { from { opacity: 0; translate: 0 6px; } }
  @media (prefers-reduced-motion: reduce) { dialog.tour .ring { transition: none; } section.tour-offer { animation: none; } }
  :root[data-motion="reduced"] :is(dialog.tour .ring, section.tour-offer) { transition: none; animation: none; }
  @media (forced-colors: active) { dialog.tour .ring { outline: 3px solid Highlight; outline-offset: 3px; } }
`;
