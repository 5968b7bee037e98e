import { css } from "lit";

export const drawingStyles = css`
  colloquy-drawing { position: absolute; inset: 0; pointer-events: none; font: var(--text-s)/1.4 var(--font-ui); color: var(--ink); }
  colloquy-drawing .strokes, colloquy-drawing .growing { position: absolute; inset: 0; }
  colloquy-drawing[concealed] :is(.strokes, .growing) { visibility: hidden; }
  colloquy-drawing .strokes svg { position: absolute; inset: 0 auto auto 0; overflow: visible; pointer-events: none; }
  colloquy-drawing .strokes svg[hidden] { display: none; }
  colloquy-drawing .growing { inline-size: 100%; block-size: 100%; overflow: visible; will-change: transform; }
  colloquy-drawing :is(.strokes, .growing) path { fill: var(--stroke, var(--ink)); }
  colloquy-drawing .blue { --stroke: light-dark(oklch(50% 0.16 255), oklch(76% 0.12 250)); }
  colloquy-drawing .red { --stroke: light-dark(oklch(55% 0.19 27), oklch(72% 0.16 25)); }
  colloquy-drawing .green { --stroke: light-dark(oklch(52% 0.14 150), oklch(78% 0.15 150)); }
  colloquy-drawing .yellow { --stroke: light-dark(oklch(72% 0.16 85), oklch(85% 0.15 92)); }
  colloquy-drawing path.highlighter { opacity: .32; }
  colloquy-drawing .surface { position: absolute; inset: 0 calc(-1 * var(--s5)); pointer-events: auto; cursor: crosshair; touch-action: pan-x pan-y pinch-zoom; user-select: none; }
  colloquy-drawing .surface.finger { touch-action: none; }
  colloquy-drawing .tools { position: fixed; inset: auto 0 calc(var(--s4) + env(safe-area-inset-bottom)); z-index: 30; inline-size: fit-content; max-inline-size: calc(100% - 2 * var(--s3)); margin-inline: auto; display: flex; flex-wrap: wrap; justify-content: center; align-items: center; gap: var(--s1); padding: var(--s1); border: 1px solid var(--line); border-radius: var(--r-l); background: var(--raised); box-shadow: var(--shadow-2); pointer-events: auto; }
  colloquy-drawing .tools button { display: inline-grid; grid-auto-flow: column; place-items: center; gap: 6px; min-inline-size: 40px; min-block-size: 40px; padding: 0 var(--s2); border: 0; border-radius: var(--r-m); background: none; color: var(--ink-soft); font: 500 var(--text-s)/1.3 var(--font-ui); cursor: pointer; }
  colloquy-drawing .tools button:hover { background: var(--sunken); color: var(--ink); }
  colloquy-drawing .tools button[aria-pressed="true"], colloquy-drawing .tools button[aria-checked="true"] { background: var(--accent-wash); color: var(--ink); }
  colloquy-drawing .tools button[aria-disabled="true"] { color: var(--ink-faint); opacity: .55; cursor: default; background: none; }
  colloquy-drawing .tools button:focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
  colloquy-drawing .tools .icon { font-size: 18px; }
  colloquy-drawing .tools .done { background: var(--accent); color: var(--accent-ink); font-weight: 600; padding-inline: var(--s4); }
  colloquy-drawing .tools .done:hover { background: var(--accent); color: var(--accent-ink); }
  colloquy-drawing .tools hr { inline-size: 1px; block-size: 22px; margin: 0 2px; border: 0; background: var(--line); }
  colloquy-drawing .tools [role="radiogroup"] { display: flex; }
  colloquy-drawing .tools i { display: block; inline-size: 18px; block-size: 18px; border-radius: 50%; background: var(--stroke, var(--ink)); }
  colloquy-drawing .tools i.width { inline-size: var(--w); block-size: var(--w); background: currentColor; }
  colloquy-drawing .tools p { flex-basis: 100%; margin: 0; padding: 4px var(--s2); color: var(--ink-soft); text-align: center; }
  @media (pointer: coarse) { colloquy-drawing .tools button { min-inline-size: 44px; min-block-size: 44px; } }
  /* As far from the edge as the status above them. */
  @media (max-width: 34rem) { colloquy-drawing .tools { inset-block-end: calc(var(--s2) + env(safe-area-inset-bottom)); } }
  @media (max-width: 560px) { colloquy-drawing .tools hr { display: none; } colloquy-drawing .surface { inset-inline: 0; } }
  @media (forced-colors: active) { colloquy-drawing .tools :is([aria-pressed="true"], [aria-checked="true"]) { outline: 2px solid Highlight; outline-offset: -3px; } colloquy-drawing .tools i { forced-color-adjust: none; } }
  @media print { colloquy-drawing .tools { display: none; } }
`;
