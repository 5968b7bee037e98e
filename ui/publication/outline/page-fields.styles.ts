import { css } from "lit";

export const pageFieldsStyles = css`
  colloquy-page-fields { display: grid; gap: var(--s4); font: var(--text-s)/1.4 var(--font-ui); color: var(--ink); }
  colloquy-page-fields .field { display: grid; gap: 4px; min-inline-size: 0; }
  colloquy-page-fields label, colloquy-page-fields legend { padding: 0; color: var(--ink-soft); font: 500 var(--text-s)/1.4 var(--font-ui); }
  colloquy-page-fields fieldset { display: grid; gap: var(--s2); min-inline-size: 0; margin: 0; padding: 0; border: 0; }
  colloquy-page-fields legend { float: inline-start; inline-size: 100%; margin-block-end: var(--s2); }
  colloquy-page-fields :is(input, textarea) { inline-size: 100%; min-block-size: 40px; margin: 0; padding: 8px 12px; border: 1px solid var(--line-strong); border-radius: var(--r-m); background: var(--raised); color: var(--ink); font: var(--text-m)/1.5 var(--font-read); }
  colloquy-page-fields textarea { display: block; resize: none; overflow: hidden; field-sizing: content; }
  colloquy-page-fields :is(input, textarea)[aria-invalid="true"] { border-color: var(--bad); }
  colloquy-page-fields :is(input, textarea, button):focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
  colloquy-page-fields .mono { font: 0.875rem/1.5 var(--font-code); }
  colloquy-page-fields :is(small, .wrong) { text-align: -webkit-match-parent; text-align: match-parent; }
  colloquy-page-fields small { color: var(--ink-soft); font-size: var(--text-xs); line-height: 1.5; overflow-wrap: anywhere; }
  colloquy-page-fields .wrong { color: var(--bad); font-size: var(--text-s); }
  colloquy-page-fields .as-read { min-inline-size: 0; padding: 6px 12px; border-inline-start: 3px solid var(--line-strong); color: var(--ink); font: var(--text-m)/1.5 var(--font-read); overflow-wrap: anywhere; }
  colloquy-page-fields .line { display: flex; align-items: start; gap: var(--s2); }
  colloquy-page-fields .written { display: grid; flex: 1; gap: 4px; min-inline-size: 0; }
  colloquy-page-fields .line button, colloquy-page-fields .add { flex: none; display: inline-flex; align-items: center; justify-content: center; gap: 6px; min-inline-size: 36px; min-block-size: 40px; padding: 4px 10px; border-radius: var(--r-s); color: var(--ink-soft); }
  colloquy-page-fields .add { justify-self: start; }
  colloquy-page-fields .line button:hover, colloquy-page-fields .add:hover { background: var(--sunken); color: var(--ink); }
  colloquy-page-fields .line button[aria-disabled="true"] { opacity: .5; background: none; cursor: default; }
  colloquy-page-fields .icon { font-size: 16px; }
  /* Over an article: the fields look like what readers will see. */
  colloquy-page-fields[head] .title textarea { padding: 4px var(--s2) 8px; margin-inline: calc(-1 * var(--s2)); inline-size: calc(100% + 2 * var(--s2)); border-color: transparent; background: none; font: 600 clamp(1.875rem, 1.5rem + 1.6vw, 2.375rem)/1.2 var(--font-read); letter-spacing: -0.014em; }
  colloquy-page-fields[head] .summary textarea { padding: 4px var(--s2); margin-inline: calc(-1 * var(--s2)); inline-size: calc(100% + 2 * var(--s2)); border-color: transparent; background: none; font: 1.0625rem/1.6 var(--font-read); color: var(--ink); }
  colloquy-page-fields[head] .summary { margin-block-start: calc(-1 * var(--s3)); }
  colloquy-page-fields[head] :is(.title, .summary) textarea:is(:hover, :focus) { border-color: var(--line); background: var(--raised); }
  colloquy-page-fields[head] :is(.title, .summary) textarea[aria-invalid="true"] { border-color: var(--bad); }
  colloquy-page-fields[head] :is(.title, .summary) label { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  colloquy-page-fields[head] :is(.slug, .language, .license) { grid-template-columns: auto minmax(0, 1fr); align-items: center; gap: 2px var(--s2); }
  colloquy-page-fields[head] :is(.slug, .language, .license) input { justify-self: start; inline-size: auto; field-sizing: content; min-inline-size: 8ch; max-inline-size: 100%; min-block-size: 32px; padding: 3px 8px; border-color: transparent; border-radius: var(--r-s); background: var(--sunken); }
  colloquy-page-fields[head] :is(.slug, .language, .license) input:is(:hover, :focus) { border-color: var(--line-strong); background: var(--raised); }
  colloquy-page-fields[head] :is(.slug, .language, .license) input[aria-invalid="true"] { border-color: var(--bad); }
  colloquy-page-fields[head] .slug .line button { min-block-size: 32px; }
  colloquy-page-fields[head] :is(.slug, .language, .license) :is(small, .wrong) { grid-column: 1 / -1; }
  /* What an address or a language is is told to whoever is about to change it. */
  colloquy-page-fields[head] :is(.slug, .language):not(:focus-within, :has([aria-invalid])) :is(small, .line button) { display: none; }
  colloquy-page-fields[head] .aims { padding: var(--s4); border-radius: var(--r-m); background: var(--sunken); }
  /* Over the front of a course or collection, whose own are larger. */
  .front colloquy-page-fields[head] :is(.title, .summary) textarea { justify-self: self-start; }
  .front colloquy-page-fields[head] .title textarea { max-inline-size: 40rem; font-size: clamp(2rem, 1.5rem + 2.2vw, 2.75rem); line-height: 1.14; letter-spacing: -0.016em; }
  .front colloquy-page-fields[head] .summary textarea { max-inline-size: 40rem; font-size: 1.1875rem; color: var(--ink-soft); }
  @media (pointer: coarse) { colloquy-page-fields .line button, colloquy-page-fields .add { min-inline-size: 44px; min-block-size: 44px; } colloquy-page-fields :is(input, textarea), colloquy-page-fields[head] :is(.aims textarea, .slug input, .language input, .license input) { min-block-size: 44px; } }
  @media (max-width: 30rem) {
    /* Beside an objective its three buttons would take half the width: they stand in a row below it. */
    colloquy-page-fields .aims .line { flex-wrap: wrap; justify-content: flex-end; gap: 0; }
    colloquy-page-fields .aims .line .written { flex: 1 0 100%; }
    colloquy-page-fields .aims .line button { min-inline-size: 44px; min-block-size: 44px; }
    colloquy-page-fields[head] .aims { padding: var(--s3); }
  }
`;
