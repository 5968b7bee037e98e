import { css } from "lit";

/** How scenes look: each picture as a small screen, its words beside it. */
export const sceneStyles = css`
  colloquy-explainer .scenes { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s6); }
  colloquy-explainer .findings.whole { margin-block-end: var(--s4); }
  colloquy-explainer .scene { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s2) var(--s5); }
  colloquy-explainer .scene > .over { display: flex; align-items: baseline; gap: var(--s2); color: var(--ink-soft); font-size: var(--text-s); }
  colloquy-explainer .scene h4 { font: 550 var(--text-s)/1.4 var(--font-ui); color: var(--ink-soft); }
  colloquy-explainer .scene .number { color: var(--accent); font-weight: 600; font-variant-numeric: tabular-nums; }
  colloquy-explainer .scene .seconds { margin-inline-start: auto; font-variant-numeric: tabular-nums; }
  colloquy-explainer .frame { display: grid; align-content: center; grid-template-columns: minmax(0, 1fr); gap: clamp(6px, 3cqi, 14px); container-type: inline-size; aspect-ratio: 16 / 9; padding: 6%; border: 1px solid var(--line); border-radius: var(--r-m); background: var(--raised); color: var(--ink); font: clamp(12px, 3.6cqi, 17px)/1.4 var(--font-ui); overflow: clip; overflow-wrap: anywhere; }
  colloquy-explainer .frame .heading, colloquy-explainer .frame .asks { font: 600 1.22em/1.3 var(--font-read); text-wrap: balance; }
  colloquy-explainer .frame .great { font: 600 1.75em/1.2 var(--font-read); text-wrap: balance; }
  colloquy-explainer .frame .great::after { content: ""; display: block; inline-size: 2.4em; block-size: 3px; margin-block-start: .5em; border-radius: 2px; background: var(--accent); }
  colloquy-explainer .frame .under { color: var(--ink-soft); }
  colloquy-explainer .frame .points { display: grid; gap: .4em; }
  colloquy-explainer .frame .points li { padding-inline-start: 1.1em; position: relative; }
  colloquy-explainer .frame .points li::before { content: ""; position: absolute; inset-inline-start: 0; inset-block-start: .5em; inline-size: .4em; block-size: .4em; border-radius: 50%; background: var(--accent); }
  colloquy-explainer .frame.recap .points li::before { block-size: .22em; inline-size: .5em; inset-block-start: .62em; border-radius: 1px; }
  colloquy-explainer .frame .terms { display: flex; flex-wrap: wrap; justify-content: center; align-items: baseline; gap: .4em 0; direction: ltr; }
  colloquy-explainer .frame .term { display: grid; justify-items: center; gap: .3em; }
  colloquy-explainer .frame .term small { max-inline-size: 9em; padding-inline: .4em; color: var(--accent); font-size: .8em; text-align: center; }
  colloquy-explainer .frame .katex-display { margin: 0; }
  colloquy-explainer .frame .katex { font-size: 1.25em; }
  colloquy-explainer .frame pre { max-inline-size: 100%; overflow: auto; padding: .6em .2em; border-radius: var(--r-s); background: var(--sunken); font: .9em/1.55 var(--font-code); counter-reset: line; }
  colloquy-explainer .frame pre .line { display: block; padding-inline: .4em; white-space: pre; counter-increment: line; border-inline-start: 3px solid transparent; }
  colloquy-explainer .frame pre .line::before { content: counter(line); display: inline-block; inline-size: 1.6em; margin-inline-end: .6em; color: var(--ink-faint); text-align: end; }
  colloquy-explainer .frame pre .lit { border-inline-start-color: var(--accent); background: var(--accent-wash); }
  colloquy-explainer .frame .steps { display: grid; gap: .15em; font-size: .86em; }
  colloquy-explainer .frame .steps span { color: var(--ink-soft); }
  colloquy-explainer .frame .sides { display: grid; grid-template-columns: 1fr 1fr; gap: 1em; }
  colloquy-explainer .frame .sides > div { padding: .7em .8em; border: 1px solid var(--line); border-radius: var(--r-s); }
  colloquy-explainer .frame .sides b { display: block; margin-block-end: .3em; color: var(--accent); }
  colloquy-explainer .frame .sides li + li { margin-block-start: .3em; }
  colloquy-explainer .frame .pictured { display: flex; justify-content: center; align-items: center; gap: 1.2em; }
  colloquy-explainer .frame .paper { position: relative; flex: none; border-radius: 2px; background: light-dark(transparent, oklch(80% 0.008 90)); isolation: isolate; }
  colloquy-explainer .frame .paper img { display: block; inline-size: auto; block-size: auto; max-inline-size: 58cqi; max-block-size: 32cqi; mix-blend-mode: multiply; }
  colloquy-explainer .frame .paper b { position: absolute; display: grid; place-items: center; inline-size: 1.5em; block-size: 1.5em; border-radius: 50%; background: var(--accent); color: var(--accent-ink); font-size: .62em; line-height: 1; }
  colloquy-explainer .frame .callouts { min-inline-size: 0; padding-inline-start: 1.3em; list-style: decimal; font-size: .9em; }
  colloquy-explainer .frame .choices { display: grid; gap: .35em; counter-reset: choice; }
  colloquy-explainer .frame .choices li { display: flex; gap: .6em; padding: .35em .7em; border: 1px solid var(--line); border-radius: var(--r-s); counter-increment: choice; }
  colloquy-explainer .frame .choices li::before { content: counter(choice, upper-alpha); color: var(--accent); font-weight: 600; }
  colloquy-explainer .frame svg.diagram, colloquy-explainer .frame svg.plot { display: block; inline-size: 100%; max-block-size: 11rem; }
  colloquy-explainer .frame svg.plot { block-size: 8.5rem; }
  colloquy-explainer .frame svg text { fill: var(--ink); font: 15px/1 var(--font-ui); text-anchor: middle; dominant-baseline: central; }
  colloquy-explainer .frame svg .box { fill: var(--paper); stroke: var(--line-strong); stroke-width: 1.5; }
  colloquy-explainer .frame svg .arrow { fill: none; stroke: var(--ink-faint); stroke-width: 1.6; }
  colloquy-explainer .frame svg .head { fill: var(--ink-faint); }
  colloquy-explainer .frame svg .life { stroke: var(--line-strong); stroke-dasharray: 3 4; }
  colloquy-explainer .frame svg .said { fill: var(--ink-soft); font-size: 14px; paint-order: stroke; stroke: var(--raised); stroke-width: 5px; stroke-linejoin: round; }
  colloquy-explainer .frame svg .axis { stroke: var(--line-strong); }
  colloquy-explainer .frame svg .curve { fill: none; stroke: var(--accent); stroke-width: 2.4; }
  colloquy-explainer .frame svg .mark { fill: var(--accent); stroke: var(--raised); stroke-width: 2; }
  colloquy-explainer .frame svg .unit { fill: var(--ink-soft); font-size: 14px; }
  colloquy-explainer .frame svg .start { text-anchor: start; }
  colloquy-explainer .frame svg .end { text-anchor: end; }
  colloquy-explainer .frame .key { display: flex; flex-wrap: wrap; gap: .2em 1.2em; font-size: .86em; }
  colloquy-explainer .frame .key li { display: inline-flex; align-items: center; gap: .5em; }
  colloquy-explainer .frame .key svg { inline-size: 28px; block-size: 8px; }
  colloquy-explainer .frame .key em { color: var(--bad); }

  colloquy-explainer .said { display: grid; align-content: start; gap: var(--s3); min-inline-size: 0; }
  colloquy-explainer .said > p:first-child { font: var(--text-m)/1.6 var(--font-read); overflow-wrap: anywhere; }
  colloquy-explainer .sources { display: flex; flex-wrap: wrap; gap: var(--s1) var(--s2); font-size: var(--text-s); }
  colloquy-explainer .sources a { display: inline-flex; align-items: center; gap: 6px; max-inline-size: 100%; min-block-size: 28px; padding-block: 2px; padding-inline: 4px 8px; border: 1px solid var(--line); border-radius: 8px; color: var(--ink-soft); text-decoration: none; }
  colloquy-explainer .sources a:hover { border-color: var(--accent); color: var(--ink); }
  colloquy-explainer .sources .cite { margin: 0; vertical-align: 0; }
  colloquy-explainer .sources bdi { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  colloquy-explainer .sources li { max-inline-size: 100%; }
  colloquy-explainer .acts { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s1); margin-inline-start: -6px; }
  colloquy-explainer .quiet { display: inline-flex; align-items: center; justify-content: center; gap: 4px; min-inline-size: 32px; min-block-size: 32px; padding: 4px 6px; border: 0; border-radius: var(--r-s); background: none; color: var(--ink-soft); font: 550 var(--text-s)/1.4 var(--font-ui); cursor: pointer; }
  colloquy-explainer .quiet:hover:not(:disabled, [aria-disabled="true"]) { background: var(--sunken); color: var(--ink); }
  colloquy-explainer .quiet[aria-disabled="true"] { cursor: default; opacity: .5; }
  colloquy-explainer .acts .kept { padding-inline: 6px; color: var(--ink-soft); font-size: var(--text-xs); }
  colloquy-explainer .quiet .icon { font-size: 18px; display: block; }
  colloquy-explainer .quiet .up { rotate: 180deg; }

  colloquy-explainer .form { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s4); padding: var(--s4); border-radius: var(--r-m); background: var(--sunken); }
  colloquy-explainer .field { display: grid; grid-template-columns: minmax(0, 1fr); gap: 4px; font-size: var(--text-s); min-inline-size: 0; }
  colloquy-explainer .field > span:first-child { color: var(--ink-soft); }
  colloquy-explainer .field em { font-style: normal; color: var(--ink-faint); }
  colloquy-explainer .field em::before { content: "· " / ""; }
  colloquy-explainer .field :is(input, textarea) { inline-size: 100%; min-block-size: 40px; padding: 8px 10px; border: 1px solid var(--line-strong); border-radius: var(--r-s); background: var(--paper); color: var(--ink); font: var(--text-m)/1.5 var(--font-ui); resize: vertical; }
  colloquy-explainer .field .mono { font: var(--text-s)/1.5 var(--font-code); }
  colloquy-explainer .field.number { max-inline-size: 8rem; }
  colloquy-explainer .field [aria-invalid="true"] { border-color: var(--bad); }
  colloquy-explainer .field .note { padding: 0; background: none; color: var(--ink-soft); font-size: var(--text-xs); font-variant-numeric: tabular-nums; }
  colloquy-explainer .note.bad, colloquy-explainer .field .note.bad { color: var(--bad); }
  colloquy-explainer .scene p.note.bad { padding: 0; background: none; }
  colloquy-explainer .rows { display: grid; gap: var(--s2); }
  colloquy-explainer .rows legend { margin-block-end: var(--s2); font-size: var(--text-s); font-weight: 600; }
  colloquy-explainer .row { display: flex; flex-wrap: wrap; gap: var(--s2); align-items: end; }
  colloquy-explainer .row > .field { flex: 1 1 9rem; }
  colloquy-explainer .row > .field.number { flex: 0 1 7rem; }
  colloquy-explainer .row > .quiet { min-block-size: 40px; }
  colloquy-explainer .quiet.add { justify-self: start; }
  colloquy-explainer .changes { position: sticky; inset-block-end: 0; z-index: 1; display: grid; gap: var(--s2); margin-block-start: var(--s5); padding: var(--s3) var(--s4); border: 1px solid var(--line); border-radius: var(--r-l); background: var(--raised); box-shadow: var(--shadow-2); font-size: var(--text-s); }
  colloquy-explainer .changes p.bad { display: flex; gap: var(--s2); align-items: center; color: var(--bad); }
  /* One field below the other, and what takes them away beside the first: a row of its own would belong to neither. */
  @container (max-width: 30rem) {
    colloquy-explainer .rows { gap: var(--s4); }
    colloquy-explainer .row { display: grid; grid-template-columns: minmax(0, 1fr) auto; }
    colloquy-explainer .row > .field { grid-column: 1; }
    colloquy-explainer .row > .quiet { grid-area: 1 / 2; align-self: end; }
  }
  @container (min-width: 46rem) {
    colloquy-explainer .scene { grid-template-columns: minmax(0, 27rem) minmax(0, 1fr); }
    colloquy-explainer .scene > .over { grid-column: 1; }
    colloquy-explainer .scene > .frame { grid-column: 1; align-self: start; }
    colloquy-explainer .scene > .said { grid-column: 2; grid-row: 2; }
    colloquy-explainer .scene > .form { grid-column: 1 / -1; }
  }
  @media (pointer: coarse) {
    colloquy-explainer .quiet { min-inline-size: 44px; min-block-size: 44px; }
    colloquy-explainer .sources a { min-block-size: 44px; }
  }
  @media (forced-colors: active) { colloquy-explainer .frame :is(.points li::before, .great::after) { forced-color-adjust: none; background: CanvasText; } colloquy-explainer .frame svg .curve, colloquy-explainer .frame svg .arrow { stroke: CanvasText; } colloquy-explainer .frame pre .lit { border-inline-start-color: Highlight; } }
`;
