import { readFileSync } from "node:fs";
import { join } from "node:path";
import { route, sent, serve } from "@colloquy/infra/http/route.ts";
import { offlinePage, offlineWorker } from "@colloquy/schemas/contracts/pages.ts";
import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";
import { buildHeader } from "@colloquy/schemas/pages/offline.ts";
import type { Response, Router } from "express";
import { builtFolder } from "./built-ui.ts";
import { html } from "./html.ts";
import { inEachLanguage, lookVary, sendPage } from "./look.ts";
import { htmlPage } from "./shell.ts";

/** The build without offline reading: pages register no service worker. */
export function withoutOffline({ offline: _, ...rest }: BuiltUi): BuiltUi {
  return rest;
}

/** The headers of a page that the service worker stores with the files of its build. */
export function shellHeaders(response: Response, built: BuiltUi): Response {
  return response.set({ "cache-control": "private, no-cache", vary: lookVary, ...(built.offline && { [buildHeader]: built.version }) });
}

/**
 * `GET /worker.js`: the service worker with the list of files it stores; if offline reading is off, one that deletes everything and
 * unregisters itself. `GET /offline`: the page that is shown instead of one that is not stored.
 */
export function offlineRoutes(built: BuiltUi, folder = builtFolder): Router {
  const { offline, version } = built;
  let script: string | null = null;
  const worker = (): string => {
    if (!offline) return readFileSync(join(folder, "worker-retire.js"), "utf8");
    return `const build=${JSON.stringify({ version, files: offline.files })};\n${readFileSync(join(folder, offline.worker), "utf8")}`;
  };
  const page = inEachLanguage((translator) => {
    const { msg } = translator;
    return htmlPage(built, {
      translator,
      title: msg("page.offlineColloquy"),
      bodyClass: "message offline",
      sheets: ["course", "offline"],
      scripts: ["offline"],
      head: html`<meta name="robots" content="noindex">`,
      body: html`<header class="site-head"><a class="brand" href="/">Colloquy</a><nav aria-label="${msg("page.main")}"><a href="/courses">${msg("common.courses")}</a><a href="/ai">${msg("common.ask")}</a></nav></header>
<main id="content" tabindex="-1"><header class="front-head"><h1>${msg("offline.pageNotAvailable")}</h1>
<p class="lede">${msg("page.noConnectionPageNotSavedBrowser")}</p></header>
<p class="front-actions"><button class="button button-primary" type="button" data-action="again">${msg("common.tryAgain")}</button> <a class="button" href="/ai">${msg("page.yourConversations")}</a></p>
<section class="kept" aria-labelledby="kept" hidden><h2 id="kept">${msg("page.keptInThisBrowser")}</h2><ul></ul></section></main>`,
    });
  });
  return serve([
    route(offlineWorker, ({ response }) => {
      script ??= worker();
      response.set("cache-control", "no-cache").type("text/javascript").send(script);
      return sent;
    }),
    route(offlinePage, ({ request, response }) => {
      sendPage(shellHeaders(response, built), page(request));
      return sent;
    }),
  ]);
}
