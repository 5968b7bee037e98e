import { css } from "lit";

export const answeredStyles = css`
  colloquy-tutor-answered { display: block; }
  colloquy-tutor-answered .answered { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s2); font: var(--text-m)/var(--leading-ui) var(--font-ui); color: var(--ink); }
  colloquy-tutor-answered :is(.kind, .lapsed) { display: flex; align-items: center; gap: 6px; margin: 0; font: 500 var(--text-s)/1.4 var(--font-ui); color: var(--ink-faint); }
  colloquy-tutor-answered colloquy-quiz-text { display: block; min-inline-size: 0; overflow-wrap: break-word; font: 1rem/1.55 var(--font-read); }
  colloquy-tutor-answered colloquy-quiz-text > :first-child { margin-block-start: 0; }
  colloquy-tutor-answered colloquy-quiz-text > :last-child { margin-block-end: 0; }
  colloquy-tutor-answered .prompt { font-weight: 600; }
  colloquy-tutor-answered .said { justify-self: start; margin: 0; max-inline-size: 100%; padding: 10px 14px; border-radius: 16px; border-end-start-radius: 4px; background: var(--accent-wash); font: var(--text-m)/1.5 var(--font-ui); white-space: pre-wrap; overflow-wrap: anywhere; }
  colloquy-tutor-answered .choices { list-style: none; margin: 2px 0 0; padding: 0; display: grid; grid-template-columns: minmax(0, 1fr); gap: 6px; }
  colloquy-tutor-answered .choices li { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2px; padding: 9px 14px; border: 1px solid var(--line); border-radius: var(--r-m); }
  colloquy-tutor-answered .choices li.mine { border-color: var(--accent); background: var(--accent-wash); }
  colloquy-tutor-answered .choices li.right { border-color: var(--good); background: color-mix(in oklab, var(--good-wash) 60%, var(--paper)); }
  colloquy-tutor-answered .choices li.wrong { border-color: color-mix(in oklab, var(--bad) 60%, var(--line)); background: color-mix(in oklab, var(--bad-wash) 60%, var(--paper)); }
  colloquy-tutor-answered .verdict { display: inline-flex; align-items: center; gap: 5px; font: 550 var(--text-s)/1.4 var(--font-ui); color: var(--ink-soft); }
  colloquy-tutor-answered .right .verdict { color: var(--good); }
  colloquy-tutor-answered .wrong .verdict { color: var(--bad); }
  colloquy-tutor-answered .outcome { display: grid; grid-template-columns: minmax(0, 1fr); gap: 6px; margin-block-start: var(--s1); padding-inline-start: 14px; border-inline-start: 2px solid var(--line-strong); }
  colloquy-tutor-answered .words { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 6px; margin: 0; }
  colloquy-tutor-answered .words b { font-weight: 650; }
  colloquy-tutor-answered .words .icon { font-size: 18px; }
  colloquy-tutor-answered .words span { color: var(--ink-faint); font-size: var(--text-s); }
  colloquy-tutor-answered .good .words :is(b, .icon) { color: var(--good); }
  colloquy-tutor-answered .bad .words :is(b, .icon) { color: var(--bad); }
  colloquy-tutor-answered .error { margin: 0; }
  colloquy-tutor-answered .passage { display: grid; gap: 2px; margin: 0; }
  colloquy-tutor-answered .passage figcaption { color: var(--ink-soft); font-size: var(--text-s); }
  colloquy-tutor-answered .passage blockquote { margin: 0; color: var(--ink-soft); font: .9375rem/1.5 var(--font-read); }
  colloquy-tutor-answered .criteria { list-style: none; margin: 2px 0; padding: 0; display: grid; gap: 6px; font-size: var(--text-s); }
  colloquy-tutor-answered .criteria li { display: grid; grid-template-columns: 18px minmax(0, 1fr); gap: 8px; }
  colloquy-tutor-answered .criteria colloquy-quiz-text { font: 550 var(--text-s)/1.45 var(--font-ui); }
  colloquy-tutor-answered .criteria small { display: block; color: var(--ink-soft); font-size: var(--text-s); }
  colloquy-tutor-answered .criteria .icon { font-size: 16px; margin-block-start: 1px; }
  colloquy-tutor-answered .met .icon { color: var(--good); }
  colloquy-tutor-answered .unmet .icon { color: var(--bad); }
  colloquy-tutor-answered summary { inline-size: fit-content; padding-block: 4px; font-size: var(--text-s); color: var(--ink-soft); cursor: pointer; border-radius: 4px; }
  colloquy-tutor-answered :is(summary, button, textarea):focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
  colloquy-tutor-answered .from { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s2); margin-block-start: 2px; }
  colloquy-tutor-answered .from:not(:has(summary, button)) { display: none; }
  colloquy-tutor-answered button { min-block-size: 34px; border: 0; border-radius: var(--r-m); background: none; color: inherit; font: 500 var(--text-s)/1.4 var(--font-ui); cursor: pointer; }
  colloquy-tutor-answered .word { padding: 4px 8px; color: var(--ink-soft); }
  colloquy-tutor-answered .word:hover { color: var(--ink); text-decoration: underline; text-underline-offset: 3px; }
  colloquy-tutor-answered .quiet { padding: 6px 14px; border: 1px solid var(--line-strong); }
  colloquy-tutor-answered .quiet:hover { border-color: var(--accent); }
  colloquy-tutor-answered .dispute { display: grid; gap: var(--s2); padding: var(--s3) var(--s4); border-radius: var(--r-m); background: var(--sunken); font-size: var(--text-s); }
  colloquy-tutor-answered .dispute label { display: grid; gap: 4px; font-weight: 550; }
  colloquy-tutor-answered .dispute small { font-weight: 400; font-size: var(--text-s); color: var(--ink-soft); }
  colloquy-tutor-answered .dispute textarea { padding: 8px 12px; border: 1px solid var(--line-strong); border-radius: var(--r-m); background: var(--paper); color: var(--ink); font: 1rem/1.5 var(--font-read); resize: vertical; }
  colloquy-tutor-answered .visually-hidden { position: absolute; inline-size: 1px; block-size: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  @media (pointer: coarse) { colloquy-tutor-answered :is(button, summary) { min-block-size: 44px; } }
  @media (forced-colors: active) { colloquy-tutor-answered .choices li.right { border-width: 3px; } colloquy-tutor-answered .choices li.wrong { border-style: double; border-width: 3px; } colloquy-tutor-answered .dispute { border: 1px solid CanvasText; } }
`;
