import type { Translator } from "@colloquy/messages/translator.ts";
import type { Account } from "@colloquy/schemas/accounts/account.ts";
import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";
import { html } from "../pages/html.ts";
import { htmlPage } from "../pages/shell.ts";

/** The window that a page of another site opens: what signing in there means, and one button. */
export function embedSignInPage(
  built: BuiltUi,
  translator: Translator,
  { account, origin, nonce }: { account: Account; origin: string; nonce: string },
): string {
  const { msg, rich } = translator;
  const { host } = new URL(origin);
  return htmlPage(built, {
    translator,
    title: msg("page.signInColloquy"),
    bodyClass: "sign-in-page",
    sheets: ["course", "sign-in"],
    scripts: ["embed-sign-in"],
    body: html`<main id="content" tabindex="-1" data-origin="${origin}" data-nonce="${nonce}" data-account="${account.accountId}"><span class="brand">Colloquy</span>
<h1>${msg("page.useColloquyOn", { site: host })}</h1>
<p>${rich("page.signedPageWillAble", {
      name: html`<bdi>${account.name}</bdi>`,
      site: html`<strong dir="ltr">${origin}</strong>`,
    })}</p>
<p>${msg("embed.siteCannotSeeAccount")}</p>
<p><button type="button" class="button button-primary" data-agree disabled>${msg("page.continue")}</button> <button type="button" class="button" data-decline>${msg("common.notNow")}</button></p>
<p role="status"></p>
<noscript><p>${msg("page.thisNeedsJavascript")}</p></noscript></main>`,
  });
}
