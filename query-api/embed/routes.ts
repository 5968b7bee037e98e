import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "@colloquy/infra/config.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { type Call, route, sent, serve } from "@colloquy/infra/http/route.ts";
import type { Translator } from "@colloquy/messages/translator.ts";
import type { CourseCatalogue } from "@colloquy/projections/courses/queries.ts";
import * as contracts from "@colloquy/schemas/contracts/embed.ts";
import type { Manifest } from "@colloquy/schemas/embed/elements-manifest.ts";
import { type EmbedOffer, isOrigin } from "@colloquy/schemas/embed/embed.ts";
import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";
import type { Response, Router } from "express";
import { sendBuilt } from "../pages/assets.ts";
import { builtFolder, readBuiltUi } from "../pages/built-ui.ts";
import { html } from "../pages/html.ts";
import { lookVary, sendPage, translatorOf } from "../pages/look.ts";
import { messagePage } from "../pages/message-page.ts";
import { referencePage, tryPage } from "./element-pages.ts";
import { embedSignInPage } from "./sign-in-page.ts";

const always: EmbedOffer[] = ["ask", "tutor", "quiz", "course"];

interface Needs {
  config: Pick<Config, "EMBED_ORIGINS" | "EXPLAINER_COURSE_IDS" | "publicUrl">;
  catalogue: Pick<CourseCatalogue, "list">;
  built?: BuiltUi;
  folder?: string;
}

/**
 * For pages of other sites: `GET /embed.js`, `GET /api/embed` (whether they are allowed), the sign-in window, and `GET /embed/diagrams`, the
 * frame in which diagrams are drawn. For their authors: `GET /embed` (reference), `GET /embed/try`, `GET /embed/custom-elements.json`.
 * Needs the `session` middleware before it.
 */
export function embedRoutes({ config, catalogue, built = readBuiltUi(), folder = builtFolder }: Needs): Router {
  const offers: EmbedOffer[] = config.EXPLAINER_COURSE_IDS.length ? [...always, "explainer"] : always;
  const file = join(folder, "custom-elements.json");
  const manifestText = existsSync(file) ? readFileSync(file, "utf8") : null;
  const manifest = manifestText === null ? null : (JSON.parse(manifestText) as Manifest);
  const forAnybody = (response: Response): Response => response.set("access-control-allow-origin", "*");
  const exampleOf = async (): Promise<string | null> => (await catalogue.list().catch(() => []))[0]?.courseId ?? null;

  const elementPage =
    (page: typeof referencePage) =>
    async ({ request, response }: Pick<Call, "request" | "response">): Promise<typeof sent> => {
      if (manifest === null) throw new ProblemError("not_found");
      const { account = null } = request;
      const shown = page(built, {
        account,
        translator: translatorOf(request),
        manifest,
        courseId: await exampleOf(),
        service: config.publicUrl,
      });
      sendPage(response.set({ "cache-control": "private, no-cache", vary: lookVary }), shown);
      return sent;
    };

  return serve([
    route(contracts.embedScript, async ({ request, response }) => {
      // Cached for a short time, because it changes under its name; the files it loads are named by their content.
      await sendBuilt(forAnybody(response).set("cache-control", "public, max-age=300"), request, built, "embed.js", folder);
      return sent;
    }),
    route(contracts.readEmbedOffer, ({ request, response }) => {
      forAnybody(response).set("vary", "Origin");
      return { allowed: config.EMBED_ORIGINS.includes(request.get("origin") ?? ""), offers };
    }),
    route(contracts.embedSignInPage, ({ request, response }) => {
      const { origin = "", nonce = "" } = request.query as Record<string, string | undefined>;
      response.set({ "cache-control": "private, no-store", "cross-origin-opener-policy": "unsafe-none" });
      const translator = translatorOf(request);
      if (!isOrigin(origin) || !config.EMBED_ORIGINS.includes(origin) || !/^[A-Za-z0-9_-]{16,64}$/.test(nonce))
        sendPage(response.status(403), siteNotAllowedPage(built, translator));
      else if (request.account) sendPage(response, embedSignInPage(built, translator, { account: request.account, origin, nonce }));
      else response.redirect(303, `/sign-in?return=${encodeURIComponent(`/embed/sign-in?${new URLSearchParams({ origin, nonce })}`)}`);
      return sent;
    }),
    route(contracts.diagramFrame, ({ response }) => {
      const { origin } = new URL(config.publicUrl);
      // A sandboxed frame without an origin cannot have a process of its own, which these headers would require.
      for (const name of ["x-frame-options", "origin-agent-cluster"]) response.removeHeader(name);
      // Only in a frame of allowed pages, and without an origin of its own, so that it has no access to this site.
      response.set({
        "content-security-policy": `default-src 'none'; script-src ${origin}; style-src 'unsafe-inline'; frame-ancestors ${[origin, ...config.EMBED_ORIGINS].join(" ")}; sandbox allow-scripts`,
        "cross-origin-resource-policy": "cross-origin",
        "cache-control": "public, max-age=300",
      });
      response.type("html").send(diagramPage(built));
      return sent;
    }),
    route(contracts.embedManifest, ({ response }) => {
      if (manifestText === null) throw new ProblemError("not_found");
      forAnybody(response).set("cache-control", "public, max-age=300").type("application/json").send(manifestText);
      return sent;
    }),
    route(contracts.embedReferencePage, elementPage(referencePage)),
    route(contracts.embedTryPage, elementPage(tryPage)),
  ]);
}

function siteNotAllowedPage(built: BuiltUi, translator: Translator): string {
  const { msg } = translator;
  return messagePage({
    built,
    translator,
    account: null,
    path: "/embed/sign-in",
    title: msg("page.siteMayNotUseColloquy"),
    text: msg("page.installationDoesNotAllowSiteCame"),
    ways: html`<p><a class="button" href="/courses">${msg("page.readTheCoursesHere")}</a></p>`,
  });
}

/** The page in the frame in which embedded elements draw diagrams: one script and nothing else. */
function diagramPage({ scripts }: BuiltUi): string {
  const script = scripts["embed-diagrams"]?.file;
  return `<!doctype html>${
    html`<html lang="en"><head><meta charset="utf-8"><title>Colloquy</title>${script && html`<script type="module" crossorigin src="/assets/${script}"></script>`}</head><body></body></html>`
      .html
  }`;
}
