import type { Translator } from "@colloquy/messages/translator.ts";
import type { Account } from "@colloquy/schemas/accounts/account.ts";
import { directionOf, languageNames, languages } from "@colloquy/schemas/languages.ts";
import { type Html, html } from "./html.ts";

/** Who is signed in, or the way in. `path` is where signing in comes back to. */
export function accountCorner({ msg }: Translator, account: Account | null, path: string): Html {
  if (!account) return html`<a class="sign-in" href="/sign-in?return=${encodeURIComponent(path)}">${msg("common.signIn")}</a>`;
  return html`<details class="account"><summary><b aria-hidden="true">${initialOf(account.name)}</b><span>${account.name}</span></summary><div class="account-menu"><a href="/ai">${msg("page.yourConversations")}</a><a href="/review">${msg("common.review")}</a><button type="button" data-action="sign-out">${msg("page.signOut")}</button></div></details>`;
}

const initialOf = (name: string): string => ([...name.trim()][0] ?? "?").toUpperCase();

/** The head of pages that stand for themselves: catalogue, course front, sign-in, messages. */
export function siteHeader(words: Translator, account: Account | null, path: string): Html {
  const { msg } = words;
  const link = (href: string, name: string) => html`<a href="${href}"${path === href ? html` aria-current="page"` : null}>${name}</a>`;
  return html`<a class="skip" href="#content">${msg("page.skipToTheContent")}</a>
<header class="site-head"><a class="brand" href="/">Colloquy</a><nav aria-label="${msg("page.mainNavigation")}">${link("/courses", msg("common.courses"))}${link("/ai", msg("common.ask"))}</nav>${accountCorner(words, account, path)}</header>`;
}

/** The languages the interface speaks, for whoever has no account to choose in; each is named in itself. */
export function languageChoice({ msg, language }: Translator, account: Account | null, path: string): Html | null {
  if (account) return null;
  const to = (tag: string) => `/language?to=${tag}&return=${encodeURIComponent(path)}`;
  return html`<nav class="languages" aria-label="${msg("common.language")}">${languageNames.map((tag) => html`<a href="${to(tag)}" rel="nofollow" lang="${tag}" hreflang="${tag}" dir="${languages[tag].direction}"${tag === language && html` aria-current="true"`}>${languages[tag].name}</a> `)}</nav>`;
}

/** The foot of pages that stand for themselves. */
export function siteFoot(words: Translator, account: Account | null, path: string): Html | null {
  return account ? null : html`<footer class="site-foot">${languageChoice(words, account, path)}</footer>`;
}

/** Attributes for text in another language than what is around it, and of the direction it is read in where that differs. */
export function inTongue(tag: string, around: string): Html {
  const direction = directionOf(tag);
  return html` lang="${tag}"${direction !== directionOf(around) && html` dir="${direction}"`}`;
}
