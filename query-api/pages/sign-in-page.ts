import { type Config, embeddedIdentity } from "@colloquy/infra/config.ts";
import { demonstrationAccounts } from "@colloquy/infra/identity/accounts.ts";
import type { Translator } from "@colloquy/messages/translator.ts";
import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";
import { languageChoice } from "./frame.ts";
import { html } from "./html.ts";
import { htmlPage } from "./shell.ts";

/** Sign-in links: demonstration accounts, if there are any, and the identity provider. */
export function signInPage(
  built: BuiltUi,
  translator: Translator,
  config: Pick<Config, "OIDC_ISSUER" | "development">,
  returnTo: string,
): string {
  const { msg } = translator;
  const way = (path: string, more = "") => `${path}?${more}return=${encodeURIComponent(returnTo)}`;
  const demonstration = embeddedIdentity(config);
  return htmlPage(built, {
    translator,
    title: msg("page.signInColloquy"),
    bodyClass: "sign-in-page",
    sheets: ["course", "sign-in"],
    scripts: ["sign-in"],
    body: html`<a class="skip" href="#content">${msg("page.skipToTheContent")}</a>
<main id="content" tabindex="-1"><a class="brand" href="/">Colloquy</a>
<h1>${msg("common.signIn")}</h1>
${
  demonstration
    ? html`<p>${msg("page.demonstrationChooseWantNothing")}</p>
<ul class="people">${demonstrationAccounts.map(
        ({ key, name, about }) =>
          html`<li><a href="${way("/auth/demo", `as=${key}&`)}"><b aria-hidden="true">${name.slice(0, 1)}</b><span><strong>${name}</strong> <small>${msg(about)}</small></span></a></li>`,
      )}</ul>
<p class="other-way"><a href="${way("/auth/login")}">${msg("page.signFormInstead")}</a></p>`
    : html`<p>${msg("page.conversationsStayAccountFollow")}</p><p><a class="button button-primary" href="${way("/auth/login")}">${msg("page.continue")}</a></p>`
}
<p class="other-way"><a href="/courses">${msg("page.readCoursesWithoutAccount")}</a></p>${languageChoice(translator, null, way("/sign-in"))}</main>`,
  });
}
