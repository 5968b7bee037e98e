import { css } from "lit";

export const cardStyles = css`
  colloquy-tutor-card { display: block; }
  colloquy-tutor-card .card { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s4); padding: var(--s5); border: 1px solid var(--line); border-radius: var(--r-l); background: var(--raised); box-shadow: var(--shadow-1); font: var(--text-m)/var(--leading-ui) var(--font-ui); color: var(--ink); }
  colloquy-tutor-card .card:focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
  colloquy-tutor-card fieldset { border: 0; margin: 0; padding: 0; min-inline-size: 0; display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s2); }
  colloquy-tutor-card legend { padding: 0; margin-block-end: var(--s4); inline-size: 100%; }
  colloquy-tutor-card .kind { display: block; margin-block-end: var(--s2); font: 600 var(--text-s)/1.4 var(--font-ui); color: var(--accent); }
  colloquy-tutor-card .about { display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 2; line-clamp: 2; margin-block-start: 2px; font-weight: 400; color: var(--ink-soft); text-wrap: pretty; overflow-wrap: break-word; }
  colloquy-tutor-card colloquy-quiz-text { display: block; min-inline-size: 0; overflow-wrap: break-word; font: 1rem/1.5 var(--font-read); }
  colloquy-tutor-card colloquy-quiz-text > :first-child { margin-block-start: 0; }
  colloquy-tutor-card colloquy-quiz-text > :last-child { margin-block-end: 0; }
  colloquy-tutor-card .prompt { font: 600 1.1875rem/1.4 var(--font-read); text-wrap: pretty; }
  colloquy-tutor-card .choices { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s2); }
  colloquy-tutor-card .choice { display: grid; grid-template-columns: 20px minmax(0, 1fr); gap: 0 12px; align-items: start; min-block-size: 48px; padding: 11px 14px; border: 1px solid var(--line); border-radius: var(--r-m); cursor: pointer; transition: border-color var(--fast) var(--ease), background var(--fast) var(--ease); }
  colloquy-tutor-card .choice:hover { border-color: var(--line-strong); }
  colloquy-tutor-card .choice.on { border-color: var(--accent); background: var(--accent-wash); }
  colloquy-tutor-card .choice:has(input:focus-visible) { box-shadow: var(--focus); }
  colloquy-tutor-card input { accent-color: var(--accent); inline-size: 18px; block-size: 18px; margin: .18em 0 0; cursor: inherit; }
  colloquy-tutor-card input:focus-visible { outline: 2px solid transparent; box-shadow: none; }
  colloquy-tutor-card textarea { inline-size: 100%; min-block-size: 6rem; max-block-size: 40dvh; resize: vertical; field-sizing: content; padding: 12px 14px; border: 1px solid var(--line-strong); border-radius: var(--r-m); background: var(--paper); color: var(--ink); font: 1rem/1.5 var(--font-read); }
  colloquy-tutor-card textarea::placeholder { color: var(--ink-faint); opacity: 1; }
  colloquy-tutor-card textarea:focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
  colloquy-tutor-card .help { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s3); padding: var(--s3) var(--s4); border-radius: var(--r-m); background: var(--sunken); }
  colloquy-tutor-card .help h4 { display: flex; align-items: center; gap: 6px; margin: 0 0 2px; font: 600 var(--text-s)/1.4 var(--font-ui); color: var(--ink-soft); }
  colloquy-tutor-card .help section + section { padding-block-start: var(--s3); border-block-start: 1px solid var(--line); }
  colloquy-tutor-card .help .right { display: flex; gap: 8px; align-items: baseline; margin: 0 0 4px; color: var(--good); }
  colloquy-tutor-card .help .right .icon { translate: 0 3px; }
  colloquy-tutor-card .help .right colloquy-quiz-text { color: var(--ink); }
  colloquy-tutor-card .from { display: flex; flex-wrap: wrap; margin-block-start: var(--s2); }
  colloquy-tutor-card .again:not([hidden]) { display: flex; gap: 8px; margin: 0; font-size: var(--text-s); color: var(--ink); }
  colloquy-tutor-card .again .icon { translate: 0 3px; color: var(--accent); }
  colloquy-tutor-card .ways { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s2) var(--s4); font-size: var(--text-s); }
  colloquy-tutor-card button { min-block-size: 38px; border: 0; border-radius: var(--r-m); background: none; color: inherit; font: 500 var(--text-s)/1.4 var(--font-ui); cursor: pointer; }
  colloquy-tutor-card button:focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
  colloquy-tutor-card .primary { padding: 8px 18px; background: var(--accent); color: var(--accent-ink); font-weight: 600; }
  colloquy-tutor-card .primary:hover:not([aria-disabled]) { background: color-mix(in oklab, var(--accent), var(--ink) 14%); }
  colloquy-tutor-card .primary[aria-disabled] { background: var(--line); color: var(--ink-soft); cursor: default; }
  colloquy-tutor-card .quiet { padding: 8px 14px; border: 1px solid var(--line-strong); }
  colloquy-tutor-card .quiet:hover:not([aria-disabled]) { border-color: var(--accent); }
  colloquy-tutor-card .word { padding: 8px 0; color: var(--ink-soft); }
  colloquy-tutor-card .word:hover:not([aria-disabled]) { color: var(--ink); text-decoration: underline; text-underline-offset: 3px; }
  colloquy-tutor-card button[aria-disabled] { cursor: default; }
  /* The last before the note takes what room there is: on a line of its own the note begins where the others do. */
  colloquy-tutor-card .ways > :nth-last-child(2) { margin-inline-end: auto; }
  colloquy-tutor-card .note { color: var(--ink-faint); font-size: var(--text-s); }
  @media (pointer: coarse) { colloquy-tutor-card button { min-block-size: 44px; } }
  @media (max-width: 480px) { colloquy-tutor-card .card { padding: var(--s4); } colloquy-tutor-card .note { inline-size: 100%; } }
  @media (forced-colors: active) {
    colloquy-tutor-card .choice.on, colloquy-tutor-card .choice:has(input:focus-visible), colloquy-tutor-card button:focus-visible { outline: 2px solid Highlight; }
    colloquy-tutor-card .primary { border: 1px solid ButtonText; }
    colloquy-tutor-card .primary[aria-disabled] { border-color: GrayText; color: GrayText; }
    colloquy-tutor-card .help { border: 1px solid CanvasText; }
  }
`;
