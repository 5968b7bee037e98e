import { css } from "lit";

/** How the making of a film looks: a sheet that is worked through from above. */
export const explainerStyles = css`
  colloquy-explainer { position: relative; display: block; block-size: 100%; overflow: auto; overscroll-behavior: contain; scrollbar-width: thin; scrollbar-color: var(--line-strong) transparent; container-type: inline-size; background: var(--paper); color: var(--ink); font: var(--text-m)/1.5 var(--font-ui); outline: none; }
  colloquy-explainer:focus-visible { outline: 2px solid var(--accent); outline-offset: -3px; box-shadow: none; }
  colloquy-explainer[data-embedded] { block-size: auto; }
  colloquy-explainer *, colloquy-explainer ::before, colloquy-explainer ::after { box-sizing: border-box; }
  colloquy-explainer .sheet { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s5); max-inline-size: 60rem; margin-inline: auto; padding: var(--s5) clamp(1rem, 5cqi, var(--s6)) var(--s7); }
  colloquy-explainer :is(h2, h3, h4, p, ol, ul, dl, dd, figure, pre, fieldset, legend) { margin: 0; padding: 0; }
  colloquy-explainer :is(ol, ul) { list-style: none; }
  colloquy-explainer fieldset { border: 0; min-inline-size: 0; }
  colloquy-explainer h2 { font: 600 clamp(1.375rem, 1.1rem + 1.6cqi, 1.875rem)/1.25 var(--font-read); overflow-wrap: anywhere; text-wrap: balance; outline: none; }
  colloquy-explainer h3 { font: 600 var(--text-l)/1.35 var(--font-ui); }
  colloquy-explainer .about { margin-block-start: var(--s1); color: var(--ink-soft); font-size: var(--text-s); }
  colloquy-explainer .soft { color: var(--ink-soft); font-size: var(--text-s); max-inline-size: 62ch; }
  colloquy-explainer .soft .icon, colloquy-explainer .note .icon { vertical-align: -3px; margin-inline-end: 6px; display: inline-block; }
  colloquy-explainer section { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s4); outline: none; }
  colloquy-explainer :is(a, button, summary, select, input, textarea, pre):focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
  colloquy-explainer :is(section, details, h2):focus-visible { box-shadow: none; outline: 2px solid var(--accent); outline-offset: 8px; border-radius: var(--r-s); }
  colloquy-explainer .icon { flex: none; }
  colloquy-explainer .ways { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s2) var(--s3); }
  colloquy-explainer .button { display: inline-flex; align-items: center; justify-content: center; gap: var(--s2); min-block-size: 44px; padding: 8px 18px; border: 1px solid var(--line-strong); border-radius: var(--r-m); background: var(--raised); color: var(--ink); font: 600 var(--text-m)/1.4 var(--font-ui); text-decoration: none; cursor: pointer; }
  colloquy-explainer .button:hover:not(:disabled) { border-color: var(--ink-faint); }
  colloquy-explainer .button-primary { border-color: transparent; background: var(--accent); color: var(--accent-ink); }
  colloquy-explainer .button-primary:hover:not(:disabled) { border-color: transparent; background: color-mix(in oklch, var(--accent), var(--ink) 14%); }
  colloquy-explainer .button.plain { padding-inline: var(--s2); border-color: transparent; background: none; color: var(--ink-soft); font-weight: 550; text-decoration: underline; text-decoration-color: var(--line-strong); text-underline-offset: 4px; }
  colloquy-explainer .button.plain:hover:not(:disabled) { color: var(--ink); }
  colloquy-explainer :is(.button, .quiet):disabled { cursor: default; opacity: .5; }
  colloquy-explainer .note { padding: var(--s3) var(--s4); border-radius: var(--r-m); background: var(--sunken); font-size: var(--text-s); }
  colloquy-explainer .note.warn { background: var(--warn-wash); }
  colloquy-explainer .visually-hidden { position: absolute; inline-size: 1px; block-size: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

  colloquy-explainer .emphases { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr)); gap: var(--s3); }
  colloquy-explainer .emphases button { display: grid; align-content: start; gap: var(--s1); padding: var(--s4); border: 1px solid var(--line); border-radius: var(--r-l); background: var(--raised); color: var(--ink-soft); font: var(--text-s)/1.5 var(--font-ui); text-align: start; cursor: pointer; transition: border-color var(--fast) var(--ease), box-shadow var(--fast) var(--ease); }
  colloquy-explainer .emphases button:hover:not(:disabled) { border-color: var(--accent); }
  colloquy-explainer .emphases button:disabled { cursor: default; }
  colloquy-explainer .emphases b { color: var(--ink); font: 600 var(--text-l)/1.35 var(--font-read); }

  colloquy-explainer .phases { display: grid; gap: var(--s1); }
  colloquy-explainer .phases li { display: grid; grid-template-columns: 22px minmax(0, 1fr) auto; align-items: center; gap: var(--s2); min-block-size: 26px; color: var(--ink-faint); font-size: var(--text-s); }
  colloquy-explainer .phases i { align-self: center; justify-self: center; inline-size: 7px; block-size: 7px; border-radius: 50%; box-shadow: inset 0 0 0 1.5px var(--line-strong); }
  colloquy-explainer .phases .over { color: var(--ink-soft); }
  colloquy-explainer .phases .over i { inline-size: auto; block-size: auto; box-shadow: none; color: var(--good); font-size: 16px; }
  colloquy-explainer .phases .here { color: var(--ink); font-weight: 550; }
  colloquy-explainer .phases .here i { background: var(--accent); box-shadow: none; animation: film-breath var(--pulse, 1.4s) ease-in-out infinite; }
  colloquy-explainer .phases small { color: var(--ink-soft); font-size: var(--text-xs); font-variant-numeric: tabular-nums; }
  @keyframes film-breath { 50% { opacity: .35; scale: .8; } }

  colloquy-explainer .trouble { gap: var(--s3); padding: var(--s4) var(--s5); border: 1px solid var(--line); border-inline-start: 3px solid var(--bad); border-radius: var(--r-m); background: var(--raised); }
  colloquy-explainer .trouble.calm { border-inline-start-color: var(--line-strong); }
  colloquy-explainer .trouble h3 { display: flex; gap: var(--s2); align-items: center; }
  colloquy-explainer .trouble h3 .icon { color: var(--bad); font-size: 20px; }
  colloquy-explainer .findings { display: grid; gap: var(--s2); font-size: var(--text-s); }
  colloquy-explainer .findings li { display: grid; grid-template-columns: 18px minmax(0, 1fr); gap: var(--s2); padding: var(--s2) var(--s3); border-radius: var(--r-s); background: var(--warn-wash); overflow-wrap: anywhere; }
  colloquy-explainer .findings .icon { color: var(--warn); font-size: 18px; }
  colloquy-explainer .findings .error { background: var(--bad-wash); }
  colloquy-explainer .findings .error .icon { color: var(--bad); }
  colloquy-explainer .findings .remark { background: var(--raised); box-shadow: inset 0 0 0 1px var(--line); }
  colloquy-explainer .findings .remark .icon { color: var(--ink-soft); }
  colloquy-explainer .findings .severity::after { content: " ·"; }
  colloquy-explainer .finding-count { font-weight: 600; font-size: var(--text-s); }
  colloquy-explainer .findings small { display: block; color: var(--ink-soft); font-size: var(--text-xs); }

  colloquy-explainer .approve { padding: var(--s5); border: 1px solid var(--line); border-radius: var(--r-l); background: var(--raised); }
  colloquy-explainer .fold .approve { padding: 0; border: 0; background: none; }
  colloquy-explainer .fold .approve h3 { display: none; }
  colloquy-explainer .options { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 9.5rem), 1fr)); gap: var(--s4); }
  colloquy-explainer .approve legend { margin-block-end: var(--s1); color: var(--ink-soft); font-size: var(--text-s); }
  colloquy-explainer .approve label { display: flex; gap: var(--s2); align-items: center; min-block-size: 34px; font-weight: 550; cursor: pointer; }
  colloquy-explainer .approve label small { color: var(--ink-soft); font-weight: 400; font-size: var(--text-s); }
  colloquy-explainer input[type="radio"] { flex: none; inline-size: 18px; block-size: 18px; margin: 0; accent-color: var(--accent); cursor: inherit; }

  colloquy-explainer .making { gap: var(--s3); padding: var(--s5); border: 1px solid var(--line); border-radius: var(--r-l); background: var(--raised); }
  colloquy-explainer .making .what { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 var(--s4); }
  colloquy-explainer .making .what span { color: var(--ink-soft); font-size: var(--text-s); }
  colloquy-explainer .bar { display: flex; align-items: center; gap: var(--s3); }
  colloquy-explainer .bar progress { appearance: none; flex: 1; min-inline-size: 0; block-size: 8px; overflow: hidden; border: 0; border-radius: var(--r-pill); background: var(--line); }
  colloquy-explainer .bar progress::-webkit-progress-bar { background: var(--line); }
  colloquy-explainer .bar progress::-webkit-progress-value { border-radius: var(--r-pill); background: var(--accent); transition: inline-size var(--calm) var(--ease); }
  colloquy-explainer .bar progress::-moz-progress-bar { background: var(--accent); }
  colloquy-explainer .bar span { min-inline-size: 3.2em; text-align: end; font-weight: 600; font-variant-numeric: tabular-nums; }
  colloquy-explainer .making .soft { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 var(--s4); max-inline-size: none; }

  colloquy-explainer .fold { margin: 0; padding: 0; border: 0; background: none; }
  colloquy-explainer .fold > summary { margin: 0; padding: 0; display: inline-flex; align-items: center; gap: var(--s1); min-block-size: 44px; color: var(--ink-soft); font-weight: 550; cursor: pointer; list-style: none; border-radius: var(--r-s); }
  colloquy-explainer .fold > summary::-webkit-details-marker { display: none; }
  colloquy-explainer .fold > summary .icon { transition: rotate var(--fast) var(--ease); rotate: -90deg; }
  colloquy-explainer:dir(rtl) .fold:not([open]) > summary .icon { rotate: 90deg; }
  colloquy-explainer .fold[open] > summary .icon { rotate: 0deg; }
  colloquy-explainer .fold[open] > summary { margin-block-end: var(--s2); }

  colloquy-explainer .watching { gap: var(--s4); }
  colloquy-explainer .made { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s1) var(--s2); color: var(--ink-soft); font-size: var(--text-s); }
  colloquy-explainer select { max-inline-size: 100%; min-block-size: 36px; padding: 4px 10px; border: 1px solid var(--line-strong); border-radius: var(--r-m); background: var(--raised); color: var(--ink); font: inherit; font-size: var(--text-s); }
  colloquy-explainer .made select { margin-inline-start: auto; }
  colloquy-explainer .closing-question { padding-block-start: var(--s4); border-block-start: 1px solid var(--line); }
  colloquy-explainer .closing-question fieldset { display: grid; gap: 6px; }
  colloquy-explainer .closing-question legend { margin-block-end: var(--s3); font: 550 var(--text-l)/1.5 var(--font-read); }
  colloquy-explainer .choice { display: grid; grid-template-columns: 20px minmax(0, 1fr) auto; gap: 0 12px; align-items: center; min-block-size: 44px; padding-block: 9px; padding-inline: 12px 14px; border: 1px solid var(--line); border-radius: var(--r-m); background: var(--raised); font: var(--text-m)/1.5 var(--font-read); cursor: pointer; overflow-wrap: anywhere; }
  colloquy-explainer .choice:has(input:disabled) { cursor: default; }
  colloquy-explainer .choice.chosen:not(.right, .wrong) { border-color: var(--accent); background: var(--accent-wash); }
  colloquy-explainer .choice.right { border-color: var(--good); background: var(--good-wash); }
  colloquy-explainer .choice.wrong { border-color: var(--bad); background: var(--bad-wash); }
  colloquy-explainer .choice:has(input:focus-visible) { box-shadow: var(--focus); }
  colloquy-explainer .choice em { display: inline-flex; align-items: center; gap: 4px; font: 550 var(--text-s)/1.4 var(--font-ui); }
  colloquy-explainer .choice.right em { color: var(--good); }
  colloquy-explainer .choice.wrong em { color: var(--bad); }
  colloquy-explainer .outcome { display: grid; gap: var(--s1); padding-inline-start: 14px; border-inline-start: 2px solid var(--line-strong); font: var(--text-m)/1.6 var(--font-read); outline: none; }
  colloquy-explainer .outcome .soft { font-family: var(--font-ui); }
  colloquy-explainer .correction { padding-block-start: var(--s3); border-block-start: 1px solid var(--line); }
  colloquy-explainer .correction form { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s4); max-inline-size: 40rem; }
  colloquy-explainer .reported { display: grid; gap: var(--s2); padding: var(--s3) var(--s4); border-radius: var(--r-m); background: var(--warn-wash); font-size: var(--text-s); overflow-wrap: anywhere; }
  colloquy-explainer .reported p { display: flex; gap: var(--s2); }
  colloquy-explainer .reported .icon { color: var(--warn); font-size: 18px; }
  colloquy-explainer .reported li { padding-inline-start: 26px; }

  colloquy-explainer .films { padding-block-start: var(--s5); border-block-start: 1px solid var(--line); display: grid; gap: var(--s3); }
  colloquy-explainer .films h3 { color: var(--ink-soft); font-size: var(--text-s); }
  colloquy-explainer .films li button { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 var(--s4); align-items: center; inline-size: 100%; min-block-size: 44px; padding: var(--s2) var(--s3); border: 0; border-radius: var(--r-m); background: none; color: var(--ink); font: var(--text-m)/1.4 var(--font-ui); text-align: start; cursor: pointer; }
  colloquy-explainer .films li button:hover:not(:disabled) { background: var(--sunken); }
  colloquy-explainer .films li button[aria-current] { background: var(--accent-wash); }
  colloquy-explainer .films li b { font-weight: 550; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  colloquy-explainer .films li span { grid-row: 2; color: var(--ink-soft); font-size: var(--text-s); }
  colloquy-explainer .films li em { grid-row: 1 / 3; grid-column: 2; font-style: normal; font-size: var(--text-s); color: var(--ink-soft); }
  colloquy-explainer .films li em.completed { color: var(--good); }
  colloquy-explainer .films li em.failed { color: var(--bad); }

  colloquy-explainer .says { display: grid; gap: var(--s3); justify-items: start; align-content: center; min-block-size: 100%; max-inline-size: 34rem; margin: auto; padding: var(--s5); color: var(--ink-soft); }
  colloquy-explainer .says h2 { font-size: 1.5rem; color: var(--ink); }
  colloquy-explainer .waits { display: grid; gap: var(--s4); }
  colloquy-explainer > .waits { max-inline-size: 60rem; margin-inline: auto; padding: var(--s6); }
  colloquy-explainer .waits i { display: block; block-size: 1rem; border-radius: 6px; background: var(--sunken); animation: film-wait var(--pulse, 1.4s) ease-in-out infinite; }
  colloquy-explainer .waits i.head { inline-size: 64%; block-size: 1.8rem; }
  colloquy-explainer .waits i.short { inline-size: 38%; }
  colloquy-explainer .waits i.tall { block-size: 12rem; border-radius: var(--r-l); }
  @keyframes film-wait { 50% { opacity: .45; } }
  @media (pointer: coarse) { colloquy-explainer :is(.approve label, select) { min-block-size: 44px; } }
  @media (prefers-reduced-motion: reduce) { colloquy-explainer :is(.waits i, .phases i) { animation: none !important; } }
  @media (forced-colors: active) {
    colloquy-explainer .phases i { border: 1px solid CanvasText; }
    colloquy-explainer .phases .over i { border: 0; }
    colloquy-explainer .phases .here i { border-color: Highlight; background: Highlight; }
    colloquy-explainer :is(.button, .quiet):is(:disabled, [aria-disabled="true"]) { color: GrayText; opacity: 1; }
    colloquy-explainer .films li button[aria-current], colloquy-explainer .choice.chosen { outline: 2px solid Highlight; }
    colloquy-explainer .bar progress { border: 1px solid CanvasText; }
    colloquy-explainer .bar progress::-webkit-progress-value { background: Highlight; }
  }
`;
