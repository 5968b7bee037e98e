import { type Config, embeddedIdentity } from "@colloquy/infra/config.ts";
import { returnPath } from "@colloquy/infra/identity/return-path.ts";
import type { Translator } from "@colloquy/messages/translator.ts";
import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";
import { Router } from "express";
import { type Html, html } from "./html.ts";
import { chooseLanguage, inEachLanguage, sendPage, translatorOf } from "./look.ts";
import { messagePage } from "./message-page.ts";
import { shellHeaders } from "./offline.ts";
import { beginsEmpty, opening } from "./opening.ts";
import { htmlPage } from "./shell.ts";
import { signInPage } from "./sign-in-page.ts";

/** The shell at `/ai`, `/settings`, `/review` and `/audit`, which its elements fill, and `/sign-in`, which needs no script. */
export function shellPages(config: Pick<Config, "OIDC_ISSUER" | "development">, built: BuiltUi): Router {
  const router = Router();

  const demo = embeddedIdentity(config) ? html` demo` : null;
  const workspace = (translator: Translator, within: Html | null): string =>
    htmlPage(built, {
      translator,
      catalogue: "all",
      title: "Colloquy",
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
  router.get("/ai", (request, response) => {
    const page = beginsEmpty(request) ? shellWithOpening : emptyShell;
    sendPage(shellHeaders(response, built), page(request));
  });
  router.get("/settings", (request, response) => sendPage(shellHeaders(response, built), emptyShell(request)));

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
  router.get("/audit", (request, response) => {
    const { account, originalUrl: path } = request;
    if (!account) return response.redirect(303, `/sign-in?return=${encodeURIComponent(path)}`);
    response.set("cache-control", "private, no-store");
    if (account.roles.includes("auditor")) return sendPage(response, audit(request));
    const translator = translatorOf(request);
    const { msg } = translator;
    const text = msg("page.ledgersOpenAuditorsOnly");
    const ways = html`<p class="front-actions"><a class="button button-primary" href="/ai">${msg("page.toYourConversations")}</a><a class="button" href="/courses">${msg("page.toTheCourses")}</a></p>`;
    sendPage(response.status(403), messagePage({ built, translator, account, path: "/audit", title: msg("page.doNotAccess"), text, ways }));
  });

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
  // The same for everybody, so that the service worker can store it; without an account its element leads to the sign-in.
  router.get("/review", (request, response) => sendPage(shellHeaders(response, built), review(request)));

  router.get("/language", (request, response) => chooseLanguage(request, response));

  router.get("/sign-in", (request, response) => {
    const returnTo = returnPath(request.query.return);
    // The window of an embedding site must keep access to its opener.
    if (returnTo.startsWith("/embed/sign-in?")) response.set("cross-origin-opener-policy", "unsafe-none");
    if (request.account) return response.redirect(303, returnTo);
    sendPage(response.set("cache-control", "private, no-store"), signInPage(built, translatorOf(request), config, returnTo));
  });

  return router;
}
