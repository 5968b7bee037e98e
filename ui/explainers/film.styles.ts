import { css } from "lit";

/** How a film is watched: the picture, what operates it below, its chapters beside it where there is room. */
export const filmStyles = css`
  :is(colloquy-film, colloquy-preview) { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s3); container-type: inline-size; font: var(--text-m)/1.5 var(--font-ui); }
  colloquy-film .watch { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s3) var(--s5); align-items: start; }
  :is(colloquy-film, colloquy-preview) .stage { display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr); grid-auto-rows: auto; min-inline-size: 0; border: 1px solid var(--line); border-radius: var(--r-l); overflow: hidden; background: var(--raised); }
  :is(colloquy-film, colloquy-preview) .picture { position: relative; min-block-size: 0; background: var(--sunken); }
  :is(colloquy-film, colloquy-preview) :is(video, canvas) { display: block; inline-size: 100%; aspect-ratio: 16 / 9; block-size: 100%; object-fit: contain; cursor: pointer; }
  /* What stands above and below the picture of a tall film has to be in sight with it: heads, captions and all that operates it. */
  :is(colloquy-film, colloquy-preview) .tall { --around: 28rem; }
  :is(colloquy-film, colloquy-preview) .tall :is(video, canvas) { aspect-ratio: 9 / 16; max-block-size: clamp(14rem, 100svh - var(--around), 34rem); }
  /* Once it plays on a phone, the picture is as wide as the page: its text is made for that. */
  @container (max-width: 26rem) { :is(colloquy-film, colloquy-preview) .tall [data-begun] :is(video, canvas) { max-block-size: clamp(14rem, 100svh - 15rem, 42rem); } }
  :is(colloquy-film, colloquy-preview) .stage[data-full] { border: 0; border-radius: 0; background: #000; }
  :is(colloquy-film, colloquy-preview) .stage[data-full] :is(video, canvas) { aspect-ratio: auto; max-block-size: none; }
  :is(colloquy-film, colloquy-preview) .stage[data-full] .controls { background: var(--raised); }
  :is(colloquy-film, colloquy-preview) .captions { display: grid; place-content: center; container-type: inline-size; border-block-start: 1px solid var(--line); }
  :is(colloquy-film, colloquy-preview) .captions p { display: grid; place-content: center; min-block-size: calc(2lh + 2 * var(--s2)); padding: var(--s2) var(--s3); font: 500 clamp(16px, 2.4cqi, 34px)/1.4 var(--font-ui); text-align: center; text-wrap: balance; white-space: pre-line; }
  @container (max-width: 26rem) { :is(colloquy-film, colloquy-preview) .captions p { min-block-size: calc(3lh + 2 * var(--s2)); white-space: normal; } }
  :is(colloquy-film, colloquy-preview) .stage[data-full] .captions { border: 0; color: #fff; }
  colloquy-film video::cue { background: rgb(16 18 24 / .86); color: #fff; font-family: "Instrument Sans Variable", system-ui, sans-serif; }
  :is(colloquy-film, colloquy-preview) .broken { position: absolute; inset: 0; display: grid; place-content: center; justify-items: center; gap: var(--s3); padding: var(--s4); background: color-mix(in oklab, var(--raised) 94%, transparent); text-align: center; }
  :is(colloquy-film, colloquy-preview) .broken p { max-inline-size: 36ch; }

  :is(colloquy-film, colloquy-preview) .controls { display: flex; flex-wrap: wrap; align-items: center; gap: 2px var(--s2); padding: 6px var(--s2); }
  :is(colloquy-film, colloquy-preview) .controls :is(button, .save) { display: inline-grid; place-items: center; min-inline-size: 40px; min-block-size: 40px; padding: 0; border: 0; border-radius: var(--r-s); background: none; color: var(--ink); font-size: 20px; cursor: pointer; }
  :is(colloquy-film, colloquy-preview) .controls :is(button, .save):hover { background: var(--sunken); }
  :is(colloquy-film, colloquy-preview) .controls button[aria-pressed="true"] { color: var(--accent); background: var(--accent-wash); box-shadow: inset 0 -2px 0 var(--accent); }
  :is(colloquy-film, colloquy-preview) .controls button:disabled { opacity: .5; cursor: default; }
  :is(colloquy-film, colloquy-preview) .controls .play { background: var(--accent); color: var(--accent-ink); border-radius: 50%; }
  :is(colloquy-film, colloquy-preview) .controls .play:hover:not(:disabled) { background: color-mix(in oklch, var(--accent), var(--ink) 14%); }
  :is(colloquy-film, colloquy-preview) .controls :is(button, .save, select):focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
  :is(colloquy-film, colloquy-preview) .controls select { min-block-size: 34px; padding: 2px 6px; border: 1px solid var(--line); border-radius: var(--r-s); background: none; color: var(--ink); font: var(--text-s)/1.4 var(--font-ui); }
  :is(colloquy-film, colloquy-preview) .controls .time { color: var(--ink-soft); font-size: var(--text-s); font-variant-numeric: tabular-nums; white-space: nowrap; }
  :is(colloquy-film, colloquy-preview) .controls .more { display: flex; flex-wrap: wrap; align-items: center; justify-content: flex-end; gap: 2px; min-inline-size: 0; margin-inline-start: auto; }
  :is(colloquy-film, colloquy-preview) input[type="range"] { appearance: none; flex: 1 1 8rem; min-inline-size: 6rem; block-size: 32px; margin: 0; background: none; cursor: pointer; border-radius: var(--r-s); }
  :is(colloquy-film, colloquy-preview) input[type="range"]:focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
  :is(colloquy-film, colloquy-preview) input[type="range"]::-webkit-slider-runnable-track { block-size: 6px; border-radius: 3px; background: linear-gradient(to right, var(--accent) var(--at), var(--line) var(--at)); }
  :is(colloquy-film, colloquy-preview) input[type="range"]::-moz-range-track { block-size: 6px; border-radius: 3px; background: linear-gradient(to right, var(--accent) var(--at), var(--line) var(--at)); }
  :is(colloquy-film, colloquy-preview) input[type="range"]::-webkit-slider-thumb { appearance: none; inline-size: 16px; block-size: 16px; margin-block-start: -5px; border: 2px solid var(--raised); border-radius: 50%; background: var(--accent); }
  :is(colloquy-film, colloquy-preview) input[type="range"]::-moz-range-thumb { inline-size: 13px; block-size: 13px; border: 2px solid var(--raised); border-radius: 50%; background: var(--accent); }

  /* Sources stand at the end of their chapter's row, or below it where they do not fit. */
  colloquy-film .chapters > ol > li { display: flex; flex-wrap: wrap; align-items: center; border-block-end: 1px solid var(--line); }
  colloquy-film .chapters > ol > li:last-child { border: 0; }
  colloquy-film .chapters button { flex: 1 1 9.5rem; display: grid; grid-template-columns: 2.6em minmax(0, 1fr); gap: var(--s2); align-items: baseline; align-content: center; min-block-size: 36px; padding: 4px 8px; border: 0; border-radius: var(--r-s); background: none; color: var(--ink); font: var(--text-s)/1.4 var(--font-ui); text-align: start; cursor: pointer; }
  colloquy-film .chapters button:hover { background: var(--sunken); }
  colloquy-film .chapters li:has(> button[aria-current]) { border-radius: var(--r-s); background: var(--accent-wash); box-shadow: inset 3px 0 0 var(--accent); }
  colloquy-film:dir(rtl) .chapters li:has(> button[aria-current]) { box-shadow: inset -3px 0 0 var(--accent); }
  colloquy-film .chapters b { font-weight: 550; overflow-wrap: anywhere; }
  colloquy-film .at { color: var(--ink-soft); font-variant-numeric: tabular-nums; font-weight: 400; }
  colloquy-film .from { display: flex; flex-wrap: wrap; gap: 2px var(--s3); font-size: var(--text-xs); }
  colloquy-film .from li { display: block; max-inline-size: 100%; }
  colloquy-film .chapters .from { max-inline-size: 100%; margin-inline-start: auto; padding-inline: var(--s2); }
  colloquy-film .from a { display: inline-flex; align-items: center; max-inline-size: 100%; min-block-size: 24px; color: var(--ink-soft); text-decoration: underline; text-decoration-color: var(--line-strong); text-underline-offset: 3px; border-radius: 3px; }
  colloquy-film .from a:hover { color: var(--accent); }
  colloquy-film .chapters.waits { display: grid; gap: var(--s3); padding-block: var(--s3); }

  colloquy-film .transcript summary { display: inline-flex; align-items: center; gap: var(--s1); margin: 0; padding: 0; list-style: none; min-block-size: 44px; color: var(--ink-soft); font-weight: 550; cursor: pointer; border-radius: var(--r-s); }
  colloquy-film .transcript summary::-webkit-details-marker { display: none; }
  colloquy-film .transcript summary .icon { rotate: -90deg; transition: rotate var(--fast) var(--ease); }
  colloquy-film:dir(rtl) .transcript:not([open]) summary .icon { rotate: 90deg; }
  colloquy-film .transcript[open] summary .icon { rotate: 0deg; }
  colloquy-film .transcript summary:focus-visible, colloquy-film .transcript button:focus-visible, colloquy-film .chapters button:focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
  colloquy-film .transcript ol { display: grid; gap: var(--s5); max-inline-size: 62ch; padding-block: var(--s3); }
  colloquy-film .transcript > ol > li { display: grid; gap: var(--s1); }
  colloquy-film .transcript h3 { font: 600 var(--text-m)/1.4 var(--font-ui); }
  colloquy-film .transcript h3 button { display: inline-grid; grid-template-columns: auto minmax(0, 1fr); column-gap: var(--s2); align-items: baseline; align-content: center; min-block-size: 32px; padding: 0; border: 0; border-radius: 3px; background: none; color: inherit; font: inherit; text-align: start; cursor: pointer; }
  colloquy-film .transcript h3 button:hover { color: var(--accent); }
  colloquy-film .transcript p { font: var(--text-m)/1.65 var(--font-read); }
  colloquy-film .transcript p [aria-current] { border-radius: 3px; background: var(--accent-wash); box-shadow: 0 2px 0 var(--accent); }
  colloquy-film .transcript .shows { color: var(--ink-soft); font: var(--text-s)/1.5 var(--font-ui); overflow-wrap: anywhere; }
  colloquy-film .transcript .from { font-size: var(--text-s); }
  @container (min-width: 46rem) {
    colloquy-film .watch.wide { grid-template-columns: minmax(0, 1fr) 15rem; }
    colloquy-film .watch.tall { --around: 24rem; grid-template-columns: minmax(0, 22rem) minmax(0, 1fr); }
  }
  @container (max-width: 20rem) {
    :is(colloquy-film, colloquy-preview) .controls .more { flex: 1 1 100%; justify-content: space-between; gap: 0; }
    :is(colloquy-film, colloquy-preview) .controls .more :is(button, .save) { min-inline-size: 36px; }
    :is(colloquy-film, colloquy-preview) .controls .more select { padding-inline: 2px; }
  }
  @media (pointer: coarse) { :is(colloquy-film, colloquy-preview) :is(.controls button, .controls .save, .controls select, .chapters button, .transcript h3 button, .from a) { min-inline-size: 44px; min-block-size: 44px; } :is(colloquy-film, colloquy-preview) input[type="range"] { block-size: 44px; } }
  @media (forced-colors: active) {
    colloquy-film .chapters button[aria-current], colloquy-film .transcript p [aria-current], :is(colloquy-film, colloquy-preview) .controls button[aria-pressed="true"] { outline: 2px solid Highlight; }
    :is(colloquy-film, colloquy-preview) input[type="range"]::-webkit-slider-runnable-track { background: CanvasText; }
  }
`;
