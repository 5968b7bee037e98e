import type { Account } from "@colloquy/schemas/account.ts";
import { type Html, html } from "./html.ts";

/** Who is signed in, or the way in. `path` is where signing in comes back to. */
export function accountCorner(account: Account | null, path: string): Html {
  if (!account) return html`<a class="sign-in" href="/sign-in?return=${encodeURIComponent(path)}">Sign in</a>`;
  return html`<details class="account"><summary><b aria-hidden="true">${initialOf(account.name)}</b><span>${account.name}</span></summary><div class="account-menu"><a href="/ai">Your conversations</a><button type="button" data-action="sign-out">Sign out</button></div></details>`;
}

const initialOf = (name: string): string => ([...name.trim()][0] ?? "?").toUpperCase();

/** The head of pages that stand for themselves: catalogue, course front, sign-in, messages. */
export function siteHeader(account: Account | null, path: string): Html {
  const link = (href: string, words: string) => html`<a href="${href}"${path === href ? html` aria-current="page"` : null}>${words}</a>`;
  return html`<a class="skip" href="#content">Skip to the content</a>
<header class="site-head"><a class="brand" href="/">Colloquy</a><nav aria-label="Main">${link("/courses", "Courses")}${link("/ai", "Ask")}</nav>${accountCorner(account, path)}</header>`;
}

/** "1 topic", "9 topics". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
