import { css } from "lit";

/** What a preview adds to the film's player: marks of scenes on the timeline, and what is told over the picture. */
export const previewStyles = css`
  colloquy-preview { margin-block-end: var(--s5); }
  colloquy-preview .tall { inline-size: min(100%, 22rem); margin-inline: auto; }
  colloquy-preview .wide { inline-size: min(100%, 48rem); margin-inline: auto; }
  colloquy-preview .full { background: #000; }
  colloquy-preview .scrub { position: relative; display: flex; flex: 1 1 8rem; min-inline-size: 6rem; }
  colloquy-preview .scrub i { position: absolute; inset-block-start: calc(50% - 5px); inline-size: 2px; block-size: 10px; margin-inline-start: -1px; border-radius: 1px; background: var(--ink-faint); pointer-events: none; }
  colloquy-preview .over-picture { position: absolute; inset: 0; display: grid; place-content: center; justify-items: center; gap: var(--s3); padding: var(--s4); background: var(--raised); text-align: center; }
  colloquy-preview .over-picture p { max-inline-size: 44ch; }
  colloquy-preview .over-picture .findings { text-align: start; }
  colloquy-preview .over-picture progress { inline-size: min(14rem, 60%); block-size: 4px; accent-color: var(--accent); }
  colloquy-preview .about-preview { inline-size: min(100%, 48rem); margin-inline: auto; color: var(--ink-soft); font-size: var(--text-s); }

  colloquy-scene-still { display: block; min-inline-size: 0; }
  colloquy-scene-still .picture { position: relative; display: block; inline-size: 100%; padding: 0; border: 1px solid var(--line); border-radius: var(--r-m); background: var(--sunken); color: var(--ink); overflow: clip; cursor: pointer; }
  colloquy-scene-still .picture:hover { border-color: var(--accent); }
  colloquy-scene-still .picture:focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
  colloquy-scene-still canvas { display: block; inline-size: 100%; aspect-ratio: 16 / 9; }
  colloquy-scene-still .tall canvas { aspect-ratio: 9 / 16; }
  /* An upright picture leaves room for the words beside it, also on a phone. */
  colloquy-explainer .scene:has(> .shot .tall) { grid-template-columns: minmax(6rem, 10rem) minmax(0, 1fr); }
  colloquy-explainer .scene:has(> .shot .tall) > :is(.over, .form) { grid-column: 1 / -1; }
  colloquy-explainer .scene:has(> .shot .tall) > .shot { grid-column: 1; align-self: start; }
  colloquy-explainer .scene:has(> .shot .tall) > .said { grid-column: 2; grid-row: 2; }
  colloquy-scene-still [data-old] canvas { opacity: .5; }
`;
