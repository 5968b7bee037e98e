import { css } from "lit";

export const workspaceStyles = css`
  colloquy-workspace { display: grid; grid-template: minmax(0, 1fr) / 264px minmax(0, 1fr); block-size: 100dvh; background: var(--sunken); color: var(--ink); font: var(--text-m)/var(--leading-ui) var(--font-ui); }
  colloquy-workspace.folded { grid-template-columns: 56px minmax(0, 1fr); }
  colloquy-workspace.phone { grid-template: auto minmax(0, 1fr) / minmax(0, 1fr); block-size: var(--room, 100dvh); background: var(--paper); }
  colloquy-workspace .side { display: grid; grid-template: auto auto minmax(0, 1fr) auto / minmax(0, 1fr); gap: var(--s3); min-block-size: 0; padding: var(--s3) var(--s3) var(--s2); }
  colloquy-workspace .side.folded { justify-items: center; gap: var(--s1); padding-inline: 6px; }
  colloquy-workspace .side .top { display: flex; align-items: center; justify-content: space-between; min-block-size: 36px; }
  colloquy-workspace .side .brand { padding: 0 var(--s2); }
  colloquy-workspace .side .top .square { inline-size: 36px; block-size: 36px; color: var(--ink-faint); }
  colloquy-workspace.phone .side .top .square { inline-size: 44px; block-size: 44px; }
  colloquy-workspace .new { display: flex; align-items: center; justify-content: space-between; gap: 8px; min-block-size: 40px; padding: 8px 12px; border: 1px solid var(--line); border-radius: var(--r-m); background: var(--raised); color: var(--ink); font-weight: 550; box-shadow: var(--shadow-1); text-decoration: none; transition: border-color var(--fast) var(--ease); }
  colloquy-workspace .new:hover { border-color: var(--line-strong); }
  colloquy-workspace .new kbd { font: 500 12px var(--font-ui); color: var(--ink-faint); border: 1px solid var(--line); border-radius: 4px; padding: 1px 5px; background: var(--paper); }
  colloquy-workspace colloquy-history { min-block-size: 0; margin-inline: calc(-1 * var(--s1)); padding-inline: var(--s1); }
  colloquy-workspace .me { display: flex; align-items: center; gap: 10px; min-block-size: 44px; padding-block: 2px; padding-inline: 8px 4px; color: var(--ink-soft); min-inline-size: 0; }
  colloquy-workspace .account { display: flex; align-items: center; gap: 10px; min-block-size: 40px; min-inline-size: 0; padding-block: 4px; padding-inline: 6px 10px; margin-inline-start: -2px; border-radius: var(--r-m); color: var(--ink-soft); }
  colloquy-workspace .account b { display: grid; place-items: center; flex: none; inline-size: 28px; block-size: 28px; border-radius: 50%; background: var(--mark); color: var(--ink); font-size: 12px; font-weight: 650; }
  colloquy-workspace .account b::before { content: attr(data-initial); }
  colloquy-workspace .account span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  colloquy-workspace .me a { margin-inline-start: auto; min-block-size: 36px; padding: 4px 8px; border-radius: var(--r-s); color: var(--ink-faint); white-space: nowrap; text-decoration: none; font-size: var(--text-s); display: inline-flex; align-items: center; }
  colloquy-workspace .me a:hover, colloquy-workspace .account:hover { color: var(--ink); background: color-mix(in oklab, var(--line) 55%, transparent); }

  colloquy-workspace .main { display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr); min-block-size: 0; min-inline-size: 0; padding-block: 5px; padding-inline-end: 5px; }
  colloquy-workspace .main > * { grid-area: 1 / 1; }
  colloquy-workspace .still { display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr); min-block-size: 0; margin: 5px; border: 1px solid var(--line); border-radius: var(--r-l); background: var(--paper); overflow: hidden; }
  colloquy-workspace .head { display: flex; align-items: center; gap: 4px; min-block-size: 46px; padding: 2px 6px; border-block-end: 1px solid var(--line); background: var(--paper); min-inline-size: 0; }
  colloquy-workspace .head h1 { flex: 1; margin: 0; font: 600 var(--text-m)/1.4 var(--font-ui); color: var(--ink); overflow: hidden; text-align: -webkit-match-parent; text-align: match-parent; text-overflow: ellipsis; white-space: nowrap; min-inline-size: 0; }
  colloquy-workspace .head small { flex: none; color: var(--ink-faint); font-size: var(--text-xs); }
  colloquy-workspace.phone .main { padding: 0; }
  colloquy-workspace.phone .still { margin: 0; border: 0; border-radius: 0; }
  colloquy-workspace .count { display: grid; place-items: center; min-inline-size: 22px; block-size: 22px; padding-inline: 4px; border: 1.6px solid currentColor; border-radius: var(--r-s); font: 650 12px/1 var(--font-ui); }
  colloquy-workspace .square { display: grid; place-items: center; flex: none; inline-size: 44px; block-size: 44px; border-radius: var(--r-m); font-size: 20px; color: var(--ink-soft); text-decoration: none; }
  colloquy-workspace .square:hover { background: var(--sunken); color: var(--ink); }

  colloquy-workspace dialog.sheet { position: fixed; inset-block: 0; inset-inline: 0 auto; margin: 0; inline-size: min(320px, 86vw); block-size: 100dvh; max-block-size: none; padding: 0; border: 0; border-inline-end: 1px solid var(--line); background: var(--sunken); color: var(--ink); box-shadow: var(--shadow-2); overscroll-behavior: contain; }
  colloquy-workspace dialog.sheet[open] { display: grid; animation: colloquy-slide var(--calm) var(--ease); }
  colloquy-workspace dialog.sheet::backdrop { background: oklch(20% .02 265 / .38); animation: colloquy-fade var(--calm) var(--ease); }
  colloquy-workspace dialog.sheet:dir(rtl)[open] { animation-name: colloquy-slide-rtl; }
  @keyframes colloquy-slide { from { translate: -100% 0; } }
  @keyframes colloquy-slide-rtl { from { translate: 100% 0; } }
  @keyframes colloquy-fade { from { opacity: 0; } }

  colloquy-workspace .notice { display: flex; gap: 10px; align-items: center; margin: 0; padding: 8px 14px; border-radius: var(--r-m); background: var(--warn-wash); color: var(--ink); font-size: var(--text-s); line-height: 1.45; }
  colloquy-workspace .notice .icon { flex: none; font-size: 18px; color: var(--warn); }
  colloquy-workspace .notice :is(a, button) { margin-inline-start: auto; color: var(--accent); font-weight: 600; white-space: nowrap; }

  colloquy-workspace .visit { display: grid; grid-template: minmax(0, 1fr) auto / minmax(0, 1fr); min-block-size: 0; background: var(--paper); }
  colloquy-workspace .invite { display: grid; align-content: safe center; gap: var(--s5); overflow: auto; inline-size: 100%; max-inline-size: calc(38.5rem + 2 * var(--s5)); margin-inline: auto; padding: var(--s5); }
  colloquy-workspace .invite h2 { margin: 0; font: 600 clamp(1.6rem, 1.2rem + 1.6vw, 2.125rem)/1.2 var(--font-read); letter-spacing: -.012em; text-wrap: balance; }
  colloquy-workspace .invite p { margin: 10px 0 0; max-inline-size: 36rem; color: var(--ink-soft); line-height: 1.55; }
  colloquy-workspace .invite .ways { display: flex; flex-wrap: wrap; gap: var(--s3); }
  colloquy-workspace .invite .other { align-self: center; padding: 10px 4px; color: var(--ink-soft); font-size: var(--text-s); }
  colloquy-workspace .visit .foot { inline-size: 100%; max-inline-size: 43rem; margin-inline: auto; padding: 0 var(--s4) var(--s4); }
  @media (max-width: 760px) {
    colloquy-workspace .invite { padding: var(--s4); }
    colloquy-workspace .visit .foot { padding-inline: 10px; padding-block-end: 14px; }
  }

  colloquy-workspace dialog.ask { max-inline-size: min(28rem, calc(100vw - 32px)); padding: var(--s5); border: 1px solid var(--line-strong); border-radius: var(--r-l); background: var(--raised); color: var(--ink); box-shadow: var(--shadow-2); }
  colloquy-workspace dialog.ask h2 { font: 600 1.1875rem/1.35 var(--font-read); }
  colloquy-workspace dialog.ask p { margin: 8px 0 20px; color: var(--ink-soft); line-height: 1.5; }
  colloquy-workspace dialog.ask ul { margin: -8px 0 20px; padding-inline-start: 1.25em; list-style: disc; line-height: 1.5; }
  colloquy-workspace dialog.ask form { display: flex; flex-wrap: wrap; gap: 10px; justify-content: flex-end; }
  @media (max-width: 480px) { colloquy-workspace dialog.ask form > button { flex: 1 1 auto; } }
  colloquy-workspace dialog.ask input { flex: 1 0 100%; min-block-size: 44px; padding: 8px 12px; border: 1px solid var(--line-strong); border-radius: var(--r-m); background: var(--paper); color: var(--ink); font: inherit; }
  colloquy-workspace dialog.ask progress { inline-size: 100%; margin-block: var(--s4) 8px; accent-color: var(--accent); }
  colloquy-workspace dialog.ask .typed { flex: 1 0 100%; display: grid; gap: 6px; font-size: var(--text-s); color: var(--ink-soft); }
  colloquy-workspace dialog.ask .state { flex: 1 0 100%; margin: 0; font-size: var(--text-s); }
  colloquy-workspace dialog.ask .state:empty { display: none; }
  colloquy-workspace dialog.ask a { color: var(--accent); }
  colloquy-workspace dialog.ask .button-danger:disabled { opacity: .45; }
  colloquy-workspace dialog.ask .button-danger { border-color: transparent; background: var(--bad); color: var(--paper); }
  colloquy-workspace .undo { position: fixed; inset: auto; inset-block-end: 24px; inset-inline-start: 24px; margin: 0; display: flex; align-items: center; gap: var(--s4); max-inline-size: min(26rem, calc(100vw - 32px)); padding-block: 10px; padding-inline: 16px 10px; border: 1px solid var(--line-strong); border-radius: var(--r-m); background: var(--raised); color: var(--ink); box-shadow: var(--shadow-2); font-size: var(--text-s); line-height: 1.4; }
  colloquy-workspace .undo button { flex: none; min-block-size: 36px; padding: 4px 12px; border-radius: var(--r-s); color: var(--accent); font-weight: 600; }
  colloquy-workspace .undo button:hover { background: var(--accent-wash); }
  @media (pointer: coarse) { colloquy-workspace :is(.undo button, .notice a, .notice button, .new, .account, .me a) { min-block-size: 44px; min-inline-size: 44px; } }
  @media (forced-colors: active) {
    colloquy-workspace .account b, colloquy-workspace .notice { border: 1px solid CanvasText; }
  }
  colloquy-workspace dialog::backdrop { background: oklch(20% .02 265 / .38); }
`;
