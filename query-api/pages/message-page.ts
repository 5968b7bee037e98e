import type { Translator } from "@colloquy/messages/translator.ts";
import type { Account } from "@colloquy/schemas/accounts/account.ts";
import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";
import { siteFoot, siteHeader } from "./frame.ts";
import { type Html, html } from "./html.ts";
import { htmlPage } from "./shell.ts";

/** A page that says one thing and offers ways on: nothing here, not available. */
export function messagePage(page: {
  built: BuiltUi;
  words: Translator;
  account: Account | null;
  path: string;
  title: string;
  text: string;
  ways: Html;
  /** Loads the page again after so many seconds. */
  refreshSeconds?: number;
}): string {
  const { built, words, account, path, title, text, ways, refreshSeconds } = page;
  return htmlPage(built, {
    words,
    title: `${title} · Colloquy`,
    bodyClass: "message",
    sheets: ["course"],
    scripts: ["course"],
    head: html`<meta name="robots" content="noindex">${refreshSeconds && html`<meta http-equiv="refresh" content="${String(refreshSeconds)}">`}`,
    body: html`${siteHeader(words, account, path)}
<main id="content" tabindex="-1"><header class="front-head"><h1>${title}</h1><p class="lede">${text}</p></header>${ways}</main>${siteFoot(words, account, path)}`,
  });
}
