import { type Config, embeddedIdentity } from "@colloquy/infra/config.ts";
import { returnPath } from "@colloquy/infra/identity/return-path.ts";
import type { Translator } from "@colloquy/messages/translator.ts";
import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";
import { Router } from "express";
import { type Html, html } from "./html.ts";
import { chooseLanguage, inEachLanguage, sendPage, wordsOf } from "./look.ts";
import { messagePage } from "./message-page.ts";
import { shellHeaders } from "./offline.ts";
import { beginsEmpty, opening } from "./opening.ts";
import { htmlPage } from "./shell.ts";
import { signInPage } from "./sign-in-page.ts";

/** The shell at `/ai`, `/settings`, `/review` and `/audit`, whose elements do the rest, and `/sign-in`, which needs no script. */
export function shellPages(config: Pick<Config, "OIDC_ISSUER" | "development">, built: BuiltUi): Router {
  const router = Router();

  const demo = embeddedIdentity(config) ? html` demo` : null;
  const workspace = (words: Translator, within: Html | null): string =>
    htmlPage(built, {
      words,
      catalogue: "all",
      title: "Colloquy",
      description: words.msg("page.askCourseSeeEach"),
      bodyClass: "workspace",
      sheets: ["workspace"],
      scripts: ["workspace"],
      // What its script asks first: on a slow line the answer is there when the script is.
      head: html`<link rel="preload" href="/api/me" as="fetch" crossorigin>`,
      body: html`<colloquy-shell${demo}>${within}</colloquy-shell>
<noscript><p class="no-script">${words.rich("page.askingNeedsJavascriptCan", { courses: html`<a href="/courses">${words.msg("page.theCourses")}</a>` })}</p></noscript>`,
    });
  const plain = inEachLanguage((words) => workspace(words, null));
  const beginning = inEachLanguage((words) => workspace(words, opening(words)));
  router.get("/ai", (request, response) => {
    const page = beginsEmpty(request) ? beginning : plain;
    sendPage(shellHeaders(response, built), page(request));
  });
  router.get("/settings", (request, response) => sendPage(shellHeaders(response, built), plain(request)));

  const audit = inEachLanguage((words) =>
    htmlPage(built, {
      words,
      catalogue: "all",
      title: words.msg("page.auditColloquy"),
      bodyClass: "audit",
      sheets: ["workspace"],
      scripts: ["audit"],
      head: html`<meta name="robots" content="noindex">`,
      body: html`<colloquy-shell${demo}></colloquy-shell>
<noscript><p class="no-script">${words.rich("page.auditingNeedsJavascriptLedgers", { command: html`<bdi dir="ltr">npm run audit -- verify</bdi>` })}.</p></noscript>`,
    }),
  );
  router.get("/audit", (request, response) => {
    const { account, originalUrl: path } = request;
    if (!account) return response.redirect(303, `/sign-in?return=${encodeURIComponent(path)}`);
    response.set("cache-control", "private, no-store");
    if (account.roles.includes("auditor")) return sendPage(response, audit(request));
    const words = wordsOf(request);
    const { msg } = words;
    const text = msg("page.ledgersOpenAuditorsOnly");
    const ways = html`<p class="front-actions"><a class="button button-primary" href="/ai">${msg("page.toYourConversations")}</a><a class="button" href="/courses">${msg("page.toTheCourses")}</a></p>`;
    sendPage(response.status(403), messagePage({ built, words, account, path: "/audit", title: msg("page.openAccount"), text, ways }));
  });

  const review = inEachLanguage((words) =>
    htmlPage(built, {
      words,
      catalogue: "all",
      title: words.msg("page.reviewColloquy"),
      bodyClass: "review",
      sheets: ["workspace"],
      scripts: ["review"],
      head: html`<meta name="robots" content="noindex"><link rel="preload" href="/api/me" as="fetch" crossorigin>`,
      body: html`<colloquy-shell${demo}></colloquy-shell>
<noscript><p class="no-script">${words.rich("page.reviewingNeedsJavascriptCan", { courses: html`<a href="/courses">${words.msg("page.theCourses")}</a>` })}</p></noscript>`,
    }),
  );
  // The same for whoever is not signed in, so that a browser's worker can keep it; its element then leads to the sign-in.
  router.get("/review", (request, response) => sendPage(shellHeaders(response, built), review(request)));

  router.get("/language", (request, response) => chooseLanguage(request, response));

  router.get("/sign-in", (request, response) => {
    const returnTo = returnPath(request.query.return);
    // On its way back to the page of another site whose window this is, it must still reach that page.
    if (returnTo.startsWith("/embed/sign-in?")) response.set("cross-origin-opener-policy", "unsafe-none");
    if (request.account) return response.redirect(303, returnTo);
    sendPage(response.set("cache-control", "private, no-store"), signInPage(built, wordsOf(request), config, returnTo));
  });

  return router;
}
