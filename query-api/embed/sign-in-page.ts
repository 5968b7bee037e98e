import type { Account } from "@colloquy/schemas/accounts/account.ts";
import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";
import type { Words } from "@colloquy/ui/messages/words.ts";
import { html } from "../pages/html.ts";
import { htmlPage } from "../pages/shell.ts";

/** The window a page of another site opens: what signing in there means, and one button. */
export function embedSignInPage(
  built: BuiltUi,
  words: Words,
  { account, origin, nonce }: { account: Account; origin: string; nonce: string },
): string {
  const { msg, rich } = words;
  const { host } = new URL(origin);
  return htmlPage(built, {
    words,
    title: msg("Sign in · Colloquy"),
    bodyClass: "sign-in-page",
    sheets: ["course", "sign-in"],
    scripts: ["embed-sign-in"],
    body: html`<main id="content" tabindex="-1" data-origin="${origin}" data-nonce="${nonce}" data-account="${account.accountId}"><span class="brand">Colloquy</span>
<h1>${msg("Use Colloquy on {site}?", { site: host })}</h1>
<p>${rich(
      "You are signed in as {name}. The page on {site} will be able to ask questions, make quizzes and be tutored as you; they are kept in your history.",
      {
        name: html`<bdi>${account.name}</bdi>`,
        site: html`<strong dir="ltr">${origin}</strong>`,
      },
    )}</p>
<p>${msg("It is not told who you are, and it can neither read your history nor change anything in your account.")}</p>
<p><button type="button" class="button button-primary" data-agree disabled>${msg("Continue")}</button> <button type="button" class="button" data-decline>${msg("Not now")}</button></p>
<p role="status"></p>
<noscript><p>${msg("This needs JavaScript.")}</p></noscript></main>`,
  });
}
