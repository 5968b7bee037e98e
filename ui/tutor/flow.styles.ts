import { css } from "lit";

export const flowStyles = css`
  colloquy-tutor-flow { display: block; overflow: hidden auto; container-type: size; min-block-size: 0; scrollbar-gutter: stable both-edges; scrollbar-width: thin; scrollbar-color: var(--line-strong) transparent; overscroll-behavior: contain; font: var(--text-m)/var(--leading-ui) var(--font-ui); color: var(--ink); }
  colloquy-tutor-flow:focus-visible { outline: 2px solid var(--accent); outline-offset: -3px; }
  colloquy-tutor-flow > .flow { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s5); max-inline-size: calc(38.5rem + 2 * var(--s5)); margin-inline: auto; padding: var(--s5) var(--s5) var(--s6); }
  colloquy-tutor-flow .group { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s5); align-content: start; }
  colloquy-tutor-flow .group.anchored { min-block-size: calc(100cqb - var(--s5) - var(--s6)); }
  colloquy-tutor-flow .chosen { font: var(--text-s)/1.5 var(--font-ui); color: var(--ink-soft); }
  colloquy-tutor-flow .chosen p { margin: 0 0 4px; }
  colloquy-tutor-flow .chosen ul { margin: 0; padding-inline-start: 18px; display: grid; gap: 4px; }
  colloquy-tutor-flow .chosen b { font-weight: 550; color: var(--ink); }
  colloquy-tutor-flow .chosen small { display: block; font-size: var(--text-xs); color: var(--ink-soft); }
  colloquy-tutor-flow .goal { justify-self: end; max-inline-size: min(80%, 34rem); padding: 10px 14px; border-radius: 16px; border-end-end-radius: 4px; background: var(--accent-wash); line-height: 1.45; overflow-wrap: anywhere; }
  colloquy-tutor-flow .goal p { margin: 0; }
  colloquy-tutor-flow .trace { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 10px; margin: 0 0 var(--s3); font: 450 var(--text-s)/1.4 var(--font-ui); color: var(--ink-soft); }
  colloquy-tutor-flow .trace b { font-weight: 600; color: var(--ink); }
  colloquy-tutor-flow .trace .who { color: var(--ink-faint); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-inline-size: 0; }
  colloquy-tutor-flow .dot { flex: none; inline-size: 7px; block-size: 7px; border-radius: 50%; background: var(--good); }
  colloquy-tutor-flow .dot.stopped { background: none; box-shadow: inset 0 0 0 1.5px var(--ink-faint); }
  colloquy-tutor-flow .dot.running { background: var(--accent); animation: colloquy-breathe var(--pulse, 1.4s) ease-in-out infinite; }
  @keyframes colloquy-breathe { 50% { opacity: .35; scale: .8; } }
  @media (prefers-reduced-motion: reduce) { colloquy-tutor-flow .dot.running, colloquy-tutor-flow .opening i { animation: none; } }
  colloquy-tutor-flow .exchange { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s2); }
  colloquy-tutor-flow .exchange h4 { display: flex; align-items: center; gap: 6px; margin: 0; font: 600 var(--text-s)/1.4 var(--font-ui); color: var(--ink-soft); }
  colloquy-tutor-flow .exchange .asked { margin: 0; color: var(--ink-soft); overflow-wrap: anywhere; white-space: pre-line; }
  colloquy-tutor-flow .exchange .trace { margin: 0; }
  colloquy-tutor-flow .working .trace { min-block-size: 34px; margin-block-end: var(--s2); }
  colloquy-tutor-flow .ended { margin: 8px 0 0; color: var(--ink-faint); font-size: var(--text-s); }
  colloquy-tutor-flow .from { display: flex; flex-wrap: wrap; gap: var(--s2); margin-block-start: var(--s3); }
  colloquy-tutor-flow .from:not(:has(summary, button)) { display: none; }
  colloquy-tutor-flow .line { margin: 0; color: var(--ink-soft); font-size: var(--text-s); line-height: 1.45; }
  colloquy-tutor-flow p.line, colloquy-tutor-flow .line > summary { display: flex; align-items: baseline; gap: 8px; }
  colloquy-tutor-flow .line > summary { inline-size: fit-content; max-inline-size: 100%; cursor: pointer; list-style: none; border-radius: 4px; }
  colloquy-tutor-flow .line > summary::-webkit-details-marker { display: none; }
  colloquy-tutor-flow .line > summary:hover { color: var(--ink); }
  colloquy-tutor-flow .line .icon { flex: none; translate: 0 2px; color: var(--ink-faint); font-size: 15px; }
  colloquy-tutor-flow .line small { flex: none; color: var(--ink-faint); font-size: var(--text-xs); white-space: nowrap; }
  colloquy-tutor-flow .line :is(ol, ul) { margin: 6px 0 0; padding-inline-start: 40px; display: grid; gap: 4px; }
  colloquy-tutor-flow button { font: inherit; color: inherit; background: none; border: 0; cursor: pointer; }
  colloquy-tutor-flow :is(.stop, .quiet, .primary) { display: inline-flex; align-items: center; justify-content: center; gap: 6px; min-block-size: 38px; padding: 6px 16px; border: 1px solid var(--line-strong); border-radius: var(--r-m); font: 550 var(--text-s)/1.4 var(--font-ui); color: var(--ink); text-decoration: none; }
  colloquy-tutor-flow .stop { min-block-size: 32px; padding: 3px 12px; margin-inline-start: auto; border-color: var(--line); color: var(--ink-soft); }
  colloquy-tutor-flow :is(.stop, .quiet):hover { border-color: var(--accent); color: var(--ink); }
  colloquy-tutor-flow .primary { border-color: transparent; background: var(--accent); color: var(--accent-ink); font-weight: 600; }
  colloquy-tutor-flow .primary:hover { background: color-mix(in oklab, var(--accent), var(--ink) 14%); }
  colloquy-tutor-flow :is(button, a, summary, .standing):focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
  colloquy-tutor-flow .ways { display: flex; flex-wrap: wrap; gap: var(--s3); }
  colloquy-tutor-flow .standing { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s3); padding: var(--s5); border: 1px solid var(--line); border-radius: var(--r-l); background: var(--raised); box-shadow: var(--shadow-1); }
  colloquy-tutor-flow .standing h3 { margin: 0; font: 600 1.1875rem/1.4 var(--font-read); text-wrap: balance; }
  colloquy-tutor-flow .standing p { margin: 0; color: var(--ink-soft); line-height: 1.5; }
  colloquy-tutor-flow .standing .kind { font: 600 var(--text-s)/1.4 var(--font-ui); color: var(--good); margin-block-end: -6px; }
  colloquy-tutor-flow .standing h4 { margin: var(--s2) 0 0; font: 600 var(--text-s)/1.4 var(--font-ui); color: var(--ink-soft); }
  colloquy-tutor-flow .standing ul { list-style: none; margin: 0 0 var(--s2); padding: 0; }
  colloquy-tutor-flow .standing li { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 16px; padding: 9px 0; border-block-end: 1px solid var(--line); }
  colloquy-tutor-flow .standing li > span { display: flex; gap: 8px; min-inline-size: 0; }
  colloquy-tutor-flow .standing li .icon { flex: none; margin-block-start: 2px; font-size: 17px; color: var(--warn); }
  colloquy-tutor-flow .standing li.mastered .icon { color: var(--good); }
  colloquy-tutor-flow .standing li a { color: var(--ink); text-decoration: underline; text-decoration-color: var(--line-strong); text-underline-offset: 3px; overflow-wrap: anywhere; }
  colloquy-tutor-flow .standing li small { grid-column: 1; padding-inline-start: 25px; color: var(--ink-faint); font-size: var(--text-xs); }
  colloquy-tutor-flow .standing li time { grid-area: 1 / 2; color: var(--ink-soft); font-size: var(--text-s); white-space: nowrap; }
  colloquy-tutor-flow .problem { display: flex; flex-wrap: wrap; align-items: center; gap: 10px 12px; padding: 12px 16px; border-radius: var(--r-m); background: var(--bad-wash); line-height: 1.45; }
  colloquy-tutor-flow .problem > .icon { flex: none; align-self: start; margin-block-start: 2px; font-size: 18px; color: var(--bad); }
  colloquy-tutor-flow .problem > div { flex: 1 1 14rem; min-inline-size: 0; }
  colloquy-tutor-flow .problem p { margin: 2px 0 0; color: var(--ink-soft); font-size: var(--text-s); }
  colloquy-tutor-flow .moved { display: flex; gap: 10px; align-items: center; margin: 0; padding: 8px 14px; border-radius: var(--r-m); background: var(--warn-wash); font-size: var(--text-s); }
  colloquy-tutor-flow .moved .icon { flex: none; font-size: 18px; color: var(--warn); }
  colloquy-tutor-flow .opening { display: grid; gap: var(--s4); }
  colloquy-tutor-flow .opening i { display: block; block-size: 1rem; border-radius: 6px; background: var(--sunken); animation: colloquy-wait var(--pulse, 1.4s) ease-in-out infinite; }
  colloquy-tutor-flow .opening i:nth-child(2) { inline-size: 84%; }
  colloquy-tutor-flow .opening i:nth-child(3) { inline-size: 61%; }
  @keyframes colloquy-wait { 50% { opacity: .45; } }
  colloquy-tutor-flow .visually-hidden { position: absolute; inline-size: 1px; block-size: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  colloquy-tutor-flow .jump { position: sticky; inset-block-end: 12px; display: grid; justify-items: end; padding-inline-end: 12px; block-size: 0; align-content: end; pointer-events: none; }
  colloquy-tutor-flow .jump button { pointer-events: auto; display: grid; place-items: center; inline-size: 36px; block-size: 36px; border: 1px solid var(--line-strong); border-radius: var(--r-pill); background: var(--raised); box-shadow: var(--shadow-2); font-size: 18px; }
  /* At the top although it comes last: its natural place is below, so it sticks as far above the bottom edge as the view is high. */
  colloquy-tutor-flow .pinned { position: sticky; inset-block-end: calc(100cqb - 48px); display: grid; justify-items: center; align-content: end; block-size: 0; pointer-events: none; }
  colloquy-tutor-flow .pinned button { pointer-events: auto; display: inline-flex; align-items: center; gap: 6px; min-block-size: 40px; padding: 4px 16px; border: 1px solid var(--line-strong); border-radius: var(--r-pill); background: var(--raised); box-shadow: var(--shadow-2); font: 600 var(--text-s)/1.4 var(--font-ui); }
  colloquy-tutor-flow .pinned .good .icon { color: var(--good); }
  colloquy-tutor-flow .pinned .bad .icon { color: var(--bad); }
  @media (pointer: coarse) { colloquy-tutor-flow :is(.pinned button, .stop, .quiet, .primary, .line > summary) { min-block-size: 44px; } colloquy-tutor-flow .jump button { inline-size: 44px; block-size: 44px; } }
  @container (max-width: 760px) {
    /* There is no margin for it to stand in: what it stands on fades out. */
    colloquy-tutor-flow .jump::before { content: ""; position: absolute; inset: auto 0 -12px; block-size: 84px; background: linear-gradient(to top, var(--paper) 68%, transparent); }
    colloquy-tutor-flow .jump button { position: relative; }
  }
  @media (max-width: 760px) { colloquy-tutor-flow { scrollbar-gutter: auto; } colloquy-tutor-flow > .flow { padding: var(--s4) var(--s4) var(--s5); } colloquy-tutor-flow .standing { padding: var(--s4); } }
  @media (forced-colors: active) { colloquy-tutor-flow :is(.problem, .moved, .goal) { border: 1px solid CanvasText; } colloquy-tutor-flow .primary { border-color: ButtonText; } colloquy-tutor-flow .dot { background: CanvasText; } }
`;
