import type { Config } from "@colloquy/infra/config.ts";
import { embeddedIdentity } from "@colloquy/infra/identity/accounts.ts";
import { returnPath } from "@colloquy/infra/identity/return-path.ts";
import type { BuiltUi } from "@colloquy/schemas/built-ui.ts";
import { Router } from "express";
import { html } from "./html.ts";
import { sendPage } from "./look.ts";
import { messagePage } from "./message-page.ts";
import { htmlPage } from "./shell.ts";
import { signInPage } from "./sign-in-page.ts";

/** The shells of `/ai` and `/audit`, whose elements do the rest, and `/sign-in`, which needs no script. */
export function shellPages(config: Pick<Config, "OIDC_ISSUER" | "development">, built: BuiltUi): Router {
  const router = Router();

  const workspace = htmlPage(built, {
    title: "Colloquy",
    description: "Ask a course, and see what each answer stands on.",
    bodyClass: "workspace",
    sheets: ["reading", "katex", "workspace"],
    scripts: ["workspace"],
    body: html`<colloquy-workspace${embeddedIdentity(config) ? html` demo` : null}></colloquy-workspace>
<noscript><p class="no-script">Asking needs JavaScript. <a href="/courses">The courses</a> can be read without it.</p></noscript>`,
  });
  router.get("/ai", (_request, response) => sendPage(response.set({ "cache-control": "private, no-cache", vary: "cookie" }), workspace));

  const audit = htmlPage(built, {
    title: "Audit · Colloquy",
    bodyClass: "audit",
    sheets: ["audit"],
    scripts: ["audit"],
    head: html`<meta name="robots" content="noindex">`,
    body: html`<colloquy-audit></colloquy-audit>
<noscript><p class="no-script">Auditing needs JavaScript. A ledger's export is verified without it: npm run audit -- verify.</p></noscript>`,
  });
  router.get("/audit", (request, response) => {
    const { account, originalUrl: path } = request;
    if (!account) return response.redirect(303, `/sign-in?return=${encodeURIComponent(path)}`);
    response.set("cache-control", "private, no-store").type("html");
    if (account.roles.includes("auditor")) return response.send(audit);
    const text = "Ledgers are open to auditors only. What your own sessions rest on stands in each session's progress.";
    const ways = html`<p><a class="button" href="/ai">To your conversations</a> <a class="button" href="/courses">To the courses</a></p>`;
    response.status(403).send(messagePage({ built, account, path: "/audit", title: "Not open to this account", text, ways }));
  });

  router.get("/sign-in", (request, response) => {
    const returnTo = returnPath(request.query.return);
    // On its way back to the page of another site whose window this is, it must still reach that page.
    if (returnTo.startsWith("/embed/sign-in?")) response.set("cross-origin-opener-policy", "unsafe-none");
    if (request.account) return response.redirect(303, returnTo);
    sendPage(response.set("cache-control", "private, no-store"), signInPage(built, config, returnTo));
  });

  return router;
}
