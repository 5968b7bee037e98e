import type { Config } from "@colloquy/infra/config.ts";
import { demonstrationAccounts, embeddedIdentity } from "@colloquy/infra/identity/accounts.ts";
import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";
import { marked, type Words } from "@colloquy/ui/messages/words.ts";
import { languageChoice } from "./frame.ts";
import { html } from "./html.ts";
import { htmlPage } from "./shell.ts";

/** What is said of the demonstration's accounts, by their keys. */
const abouts: Record<string, string> = {
  learner: marked("Learner"),
  learner2: marked("Another learner"),
  owner: marked("Owner of the courses here"),
  auditor: marked("Auditor"),
};

/** The ways to sign in, as plain links: demonstration accounts in one step where they exist, the identity provider everywhere. */
export function signInPage(built: BuiltUi, words: Words, config: Pick<Config, "OIDC_ISSUER" | "development">, returnTo: string): string {
  const { msg } = words;
  const way = (path: string, more = "") => `${path}?${more}return=${encodeURIComponent(returnTo)}`;
  const demonstration = embeddedIdentity(config);
  return htmlPage(built, {
    words,
    title: msg("Sign in · Colloquy"),
    bodyClass: "sign-in-page",
    sheets: ["course", "sign-in"],
    scripts: ["sign-in"],
    body: html`<a class="skip" href="#content">${msg("Skip to the content")}</a>
<main id="content" tabindex="-1"><a class="brand" href="/">Colloquy</a>
<h1>${msg("Sign in")}</h1>
${
  demonstration
    ? html`<p>${msg("This is a demonstration. Choose who you want to be; nothing needs a password.")}</p>
<ul class="people">${demonstrationAccounts.map(
        ({ key, name, about }) =>
          html`<li><a href="${way("/auth/demo", `as=${key}&`)}"><b aria-hidden="true">${name.slice(0, 1)}</b><span><strong>${name}</strong> <small>${msg((abouts[key] ?? about) as never)}</small></span></a></li>`,
      )}</ul>
<p class="other-way"><a href="${way("/auth/login")}">${msg("Sign in with a form instead")}</a></p>`
    : html`<p>${msg("Your conversations stay with your account and follow you to every browser.")}</p><p><a class="button button-primary" href="${way("/auth/login")}">${msg("Continue")}</a></p>`
}
<p class="other-way"><a href="/courses">${msg("Read courses without an account")}</a></p>${languageChoice(words, null, way("/sign-in"))}</main>`,
  });
}
