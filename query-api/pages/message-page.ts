import type { Translator } from "@colloquy/messages/translator.ts";
import type { Account } from "@colloquy/schemas/accounts/account.ts";
import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";
import { siteFooter, siteHeader } from "./frame.ts";
import { type Html, html } from "./html.ts";
import { htmlPage } from "./shell.ts";

/** A page with one message and links, such as "not found" or "not available". */
export function messagePage(page: {
  built: BuiltUi;
  translator: Translator;
  account: Account | null;
  path: string;
  title: string;
  text: string;
  ways: Html;
  /** Reloads the page after this many seconds. */
  refreshSeconds?: number;
  /** A page of a course that is gone: its script leads to the passage of the address. */
  isMissingPage?: boolean;
}): string {
  const { built, translator, account, path, title, text, ways, refreshSeconds, isMissingPage } = page;
  return htmlPage(built, {
    translator,
    title: `${title} · Colloquy`,
    bodyClass: "message",
    sheets: ["course"],
    scripts: ["course"],
    head: html`<meta name="robots" content="noindex">${refreshSeconds && html`<meta http-equiv="refresh" content="${String(refreshSeconds)}">`}`,
    body: html`${siteHeader(translator, account, path)}
<main id="content" tabindex="-1" data-missing="${String(isMissingPage === true)}"><header class="front-head"><h1>${title}</h1><p class="lede">${text}</p></header>${ways}</main>${siteFooter(translator, account, path)}`,
  });
}
