import type { Translator } from "@colloquy/messages/translator.ts";
import type { Account } from "@colloquy/schemas/accounts/account.ts";
import { directionOf, languageNames, languages } from "@colloquy/schemas/languages.ts";
import { type Html, html } from "./html.ts";

/** The account menu, or the sign-in link, which returns to `path`. */
export function accountMenu({ msg }: Translator, account: Account | null, path: string): Html {
  if (!account) return html`<a class="sign-in" href="/sign-in?return=${encodeURIComponent(path)}">${msg("common.signIn")}</a>`;
  return html`<details class="account"><summary><b aria-hidden="true">${initialOf(account.name)}</b><span>${account.name}</span></summary><div class="account-menu"><a href="/ai">${msg("page.yourConversations")}</a><a href="/review">${msg("common.review")}</a><a href="/settings">${msg("workspace.settings")}</a>${account.roles.includes("auditor") && html`<a href="/audit">${msg("workspace.audit")}</a>`}<button type="button" data-action="sign-out">${msg("page.signOut")}</button></div></details>`;
}

const initialOf = (name: string): string => ([...name.trim()][0] ?? "?").toUpperCase();

/** The header of all pages except topics and the shell. */
export function siteHeader(translator: Translator, account: Account | null, path: string): Html {
  const { msg } = translator;
  const link = (href: string, name: string) => html`<a href="${href}"${path === href ? html` aria-current="page"` : null}>${name}</a>`;
  return html`<a class="skip" href="#content">${msg("page.skipToTheContent")}</a>
<header class="site-head"><a class="brand" href="/">Colloquy</a><nav aria-label="${msg("page.mainNavigation")}">${link("/courses", msg("common.courses"))}${link("/ai", msg("common.ask"))}</nav>${accountMenu(translator, account, path)}</header>`;
}

/** The languages of the interface, each in its own name, for readers without an account. */
export function languageChoice({ msg, language }: Translator, account: Account | null, path: string): Html | null {
  if (account) return null;
  const to = (tag: string) => `/language?to=${tag}&return=${encodeURIComponent(path)}`;
  return html`<nav class="languages" aria-label="${msg("common.language")}">${languageNames.map((tag) => html`<a href="${to(tag)}" rel="nofollow" lang="${tag}" hreflang="${tag}" dir="${languages[tag].direction}"${tag === language && html` aria-current="true"`}>${languages[tag].name}</a> `)}</nav>`;
}

/** The footer of pages with the site's header. */
export function siteFooter(translator: Translator, account: Account | null, path: string): Html | null {
  return account ? null : html`<footer class="site-foot">${languageChoice(translator, account, path)}</footer>`;
}

/** The `lang` attribute of text in another language, and `dir` if its direction differs. */
export function langAttributes(tag: string, around: string): Html {
  const direction = directionOf(tag);
  return html` lang="${tag}"${direction !== directionOf(around) && html` dir="${direction}"`}`;
}
