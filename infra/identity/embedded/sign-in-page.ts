import { translatorFor } from "@colloquy/messages/translators.ts";
import type { Language } from "@colloquy/schemas/languages.ts";
import { escapeHtml, renderNotice } from "../../http/notice-page.ts";
import { demonstrationAccounts } from "../accounts.ts";

const style = `
.people{display:grid;gap:.625rem;margin-block-start:2rem}
.people button{display:grid;grid-template-columns:auto 1fr auto;align-items:center;gap:.875rem;inline-size:100%;min-block-size:64px;padding:.75rem 1rem;
font:inherit;text-align:start;color:inherit;background:var(--raised);border:1px solid var(--line);border-radius:10px;box-shadow:var(--shadow);cursor:pointer;transition:border-color 140ms}
.people button:hover{border-color:var(--accent)}
.people i{display:grid;place-items:center;inline-size:36px;block-size:36px;border-radius:999px;background:var(--mark);font:700 .9375rem/1 var(--font-ui)}
.people b{display:block;font-weight:600;font-size:1.0625rem;line-height:1.35}
.people small{font-size:.8125rem;color:var(--ink-soft)}
.people button>span:last-child{color:var(--accent);font-weight:600;font-size:.8125rem}
.cancel{margin-block-start:1.25rem}
.cancel button{min-block-size:44px;padding:.5rem 0;font:inherit;color:var(--ink-soft);background:none;border:0;cursor:pointer;text-decoration:underline;text-underline-offset:.25em;text-decoration-color:var(--line-strong)}
.cancel button:hover{color:var(--ink)}
@media (prefers-reduced-motion:reduce){.people button{transition:none}}
`;

/** The embedded provider's own page: one press chooses a demonstration account. It works without scripts. */
export function signInPage(action: string, language: Language): string {
  const { msg } = translatorFor(language);
  const people = demonstrationAccounts.map(
    ({ key, name, about }) =>
      `<button name="account" value="${escapeHtml(key)}"><i aria-hidden="true">${escapeHtml(name.slice(0, 1))}</i><span><b>${escapeHtml(name)}</b><small>${escapeHtml(msg(about))}</small></span><span>${escapeHtml(msg("common.signIn"))}</span></button>`,
  );
  return renderNotice({
    language,
    title: msg("page.whoIsLearningToday"),
    text: [msg("page.demoAccountsTryingOutColloquyMachine")],
    html: `<form class="people" method="post" action="${escapeHtml(action)}">${people.join("")}</form>
<form class="cancel" method="post" action="${escapeHtml(action)}"><button name="account" value="">${escapeHtml(msg("common.notNow"))}</button></form>`,
    style,
    foot: msg("page.servedEmbeddedOpenidProvider"),
  });
}
