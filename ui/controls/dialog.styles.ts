import { css, unsafeCSS } from "lit";

/** Shared styles of the editor's dialogs. @param name tag name of the element that contains the dialog */
export const dialogStyles = (name: string) => {
  const host = unsafeCSS(name);
  return css`
    ${host} dialog { inline-size: min(30rem, calc(100vw - 24px)); max-block-size: calc(100dvh - 24px); overflow: auto; padding: var(--s5); border: 1px solid var(--line-strong); border-radius: var(--r-l); background: var(--raised); color: var(--ink); box-shadow: var(--shadow-2); font: var(--text-m)/1.45 var(--font-ui); }
    ${host} dialog::backdrop { background: oklch(20% .02 265 / .38); }
    ${host} h2 { font: 600 1.1875rem/1.35 var(--font-read); margin-block-end: var(--s3); }
    ${host} :is(dialog > input, form input) { inline-size: 100%; min-block-size: 44px; padding: 8px 12px; border: 1px solid var(--line-strong); border-radius: var(--r-m); background: var(--paper); color: var(--ink); font: inherit; }
    ${host} .foot { display: flex; flex-wrap: wrap; justify-content: flex-end; gap: 10px; margin-block-start: var(--s5); }
    @media (max-width: 480px) { ${host} .foot > button { flex: 1 1 auto; } }
    ${host} button:focus-visible, ${host} input:focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
  `;
};
