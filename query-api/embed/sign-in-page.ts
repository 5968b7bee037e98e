import type { Account } from "@colloquy/schemas/account.ts";
import type { BuiltUi } from "@colloquy/schemas/built-ui.ts";
import { html } from "../pages/html.ts";
import { htmlPage } from "../pages/shell.ts";

/** The window a page of another site opens: what signing in there means, and one button. */
export function embedSignInPage(built: BuiltUi, { account, origin, nonce }: { account: Account; origin: string; nonce: string }): string {
  const { host } = new URL(origin);
  return htmlPage(built, {
    title: "Sign in · Colloquy",
    bodyClass: "sign-in-page",
    sheets: ["course", "sign-in"],
    scripts: ["embed-sign-in"],
    body: html`<main id="content" tabindex="-1" data-origin="${origin}" data-nonce="${nonce}" data-account="${account.accountId}"><span class="brand">Colloquy</span>
<h1>Use Colloquy on ${host}?</h1>
<p>You are signed in as ${account.name}. The page on <strong>${origin}</strong> will be able to ask questions and make quizzes as you; they are kept in your history.</p>
<p>It is not told who you are, and it can neither read your history nor change anything in your account.</p>
<p><button type="button" class="button button-primary" data-agree>Continue</button> <button type="button" class="button" data-decline>Not now</button></p>
<p role="status"></p>
<noscript><p>This needs JavaScript.</p></noscript></main>`,
  });
}
