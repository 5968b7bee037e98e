import { type Config, embeddedIdentity } from "@colloquy/infra/config.ts";
import { route, sent, serve } from "@colloquy/infra/http/route.ts";
import { returnPath } from "@colloquy/infra/identity/return-path.ts";
import type { Translator } from "@colloquy/messages/translator.ts";
import type { Account } from "@colloquy/schemas/accounts/account.ts";
import * as contracts from "@colloquy/schemas/contracts/pages.ts";
import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";
import type { Router } from "express";
import { type Html, html } from "./html.ts";
import { chooseLanguage, inEachLanguage, sendPage, translatorOf } from "./look.ts";
import { messagePage } from "./message-page.ts";
import { shellHeaders } from "./offline.ts";
import { beginsEmpty, opening } from "./opening.ts";
import { htmlPage } from "./shell.ts";
import { signInPage } from "./sign-in-page.ts";

/** The shell at `/ai`, `/settings`, `/review` and `/audit`, which its elements fill, and `/sign-in`, which needs no script. */
export function shellPages(config: Pick<Config, "OIDC_ISSUER" | "development">, built: BuiltUi): Router {
  const demo = embeddedIdentity(config) ? html` demo` : null;
  const workspace = (translator: Translator, within: Html | null, title = "Colloquy"): string =>
    htmlPage(built, {
      translator,
      catalogue: "all",
      title,
      description: translator.msg("page.askCourseSeeEach"),
      bodyClass: "workspace",
      sheets: ["workspace"],
      scripts: ["workspace"],
      // The first request of its script, preloaded for slow connections.
      head: html`<link rel="preload" href="/api/me" as="fetch" crossorigin>`,
      body: html`<colloquy-shell${demo}>${within}</colloquy-shell>
<noscript><p class="no-script">${translator.rich("page.askingNeedsJavascriptCan", { courses: html`<a href="/courses">${translator.msg("page.theCourses")}</a>` })}</p></noscript>`,
    });
  const emptyShell = inEachLanguage((translator) => workspace(translator, null));
  const shellWithOpening = inEachLanguage((translator) => workspace(translator, opening(translator)));
  const settings = inEachLanguage((translator) => workspace(translator, null, translator.msg("page.settingsColloquy")));

  const audit = inEachLanguage((translator) =>
    htmlPage(built, {
      translator,
      catalogue: "all",
      title: translator.msg("page.auditColloquy"),
      bodyClass: "audit",
      sheets: ["workspace"],
      scripts: ["audit"],
      head: html`<meta name="robots" content="noindex">`,
      body: html`<colloquy-shell${demo}></colloquy-shell>
<noscript><p class="no-script">${translator.rich("page.auditingNeedsJavascriptLedgers", { command: html`<bdi dir="ltr">npm run audit -- verify</bdi>` })}.</p></noscript>`,
    }),
  );
  const review = inEachLanguage((translator) =>
    htmlPage(built, {
      translator,
      catalogue: "all",
      title: translator.msg("page.reviewColloquy"),
      bodyClass: "review",
      sheets: ["workspace"],
      scripts: ["review"],
      head: html`<meta name="robots" content="noindex"><link rel="preload" href="/api/me" as="fetch" crossorigin>`,
      body: html`<colloquy-shell${demo}></colloquy-shell>
<noscript><p class="no-script">${translator.rich("page.reviewingNeedsJavascriptCan", { courses: html`<a href="/courses">${translator.msg("page.theCourses")}</a>` })}</p></noscript>`,
    }),
  );
  return serve([
    route(contracts.workspacePage, ({ request, response }) => {
      const page = beginsEmpty(request) ? shellWithOpening : emptyShell;
      sendPage(shellHeaders(response, built), page(request));
      return sent;
    }),
    route(contracts.settingsPage, ({ request, response }) => {
      sendPage(shellHeaders(response, built), settings(request));
      return sent;
    }),
    route(contracts.auditPage, ({ request, response }) => {
      const { account, originalUrl: path } = request;
      response.set("cache-control", "private, no-store");
      if (!account) response.redirect(303, `/sign-in?return=${encodeURIComponent(path)}`);
      else if (account.roles.includes("auditor")) sendPage(response, audit(request));
      else sendPage(response.status(403), notAuditorPage(built, translatorOf(request), account));
      return sent;
    }),
    // The same for everybody, so that the service worker can store it; without an account its element leads to the sign-in.
    route(contracts.reviewPage, ({ request, response }) => {
      sendPage(shellHeaders(response, built), review(request));
      return sent;
    }),
    route(contracts.chooseLanguage, ({ request, response }) => {
      chooseLanguage(request, response);
      return sent;
    }),
    route(contracts.signInPage, ({ request, response }) => {
      const returnTo = returnPath(request.query.return);
      // The window of an embedding site must keep access to its opener.
      if (returnTo.startsWith("/embed/sign-in?")) response.set("cross-origin-opener-policy", "unsafe-none");
      if (request.account) response.redirect(303, returnTo);
      else sendPage(response.set("cache-control", "private, no-store"), signInPage(built, translatorOf(request), config, returnTo));
      return sent;
    }),
  ]);
}

function notAuditorPage(built: BuiltUi, translator: Translator, account: Account): string {
  const { msg } = translator;
  const text = msg("page.ledgersOpenAuditorsOnly");
  const ways = html`<p class="front-actions"><a class="button button-primary" href="/ai">${msg("page.toYourConversations")}</a><a class="button" href="/courses">${msg("page.toTheCourses")}</a></p>`;
  return messagePage({ built, translator, account, path: "/audit", title: msg("page.doNotAccess"), text, ways });
}
