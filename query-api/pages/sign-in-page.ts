import type { Config } from "@colloquy/infra/config.ts";
import { demonstrationAccounts, embeddedIdentity } from "@colloquy/infra/identity/accounts.ts";
import type { BuiltUi } from "@colloquy/schemas/built-ui.ts";
import { html } from "./html.ts";
import { htmlPage } from "./shell.ts";

/** The ways to sign in, as plain links: demonstration accounts in one step where they exist, the identity provider everywhere. */
export function signInPage(built: BuiltUi, config: Pick<Config, "OIDC_ISSUER" | "development">, returnTo: string): string {
  const way = (path: string, more = "") => `${path}?${more}return=${encodeURIComponent(returnTo)}`;
  const demonstration = embeddedIdentity(config);
  return htmlPage(built, {
    title: "Sign in · Colloquy",
    bodyClass: "sign-in-page",
    sheets: ["course", "sign-in"],
    scripts: ["sign-in"],
    body: html`<a class="skip" href="#content">Skip to the content</a>
<main id="content" tabindex="-1"><a class="brand" href="/">Colloquy</a>
<h1>Sign in</h1>
${
  demonstration
    ? html`<p>This is a demonstration. Choose who you want to be; nothing needs a password.</p>
<ul class="people">${demonstrationAccounts.map(
        ({ key, name, about }) =>
          html`<li><a href="${way("/auth/demo", `as=${key}&`)}"><b aria-hidden="true">${name.slice(0, 1)}</b><span><strong>${name}</strong> <small>${about}</small></span></a></li>`,
      )}</ul>
<p class="other-way"><a href="${way("/auth/login")}">Sign in with a form instead</a></p>`
    : html`<p>Your conversations stay with your account and follow you to every browser.</p><p><a class="button button-primary" href="${way("/auth/login")}">Continue</a></p>`
}
<p class="other-way"><a href="/courses">Read courses without an account</a></p></main>`,
  });
}
