import { readFileSync } from "node:fs";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { route, sent, serve } from "@colloquy/infra/http/route.ts";
import { translatorFor } from "@colloquy/messages/translators.ts";
import { appIcon, appManifest } from "@colloquy/schemas/contracts/pages.ts";
import { type Language, languageNames, languages } from "@colloquy/schemas/languages.ts";
import type { Router } from "express";

/** The colours of paper (`ui/theme/tokens.css`), which a browser's window takes around a page. */
export const paperColours = { light: "#fcfbf8", dark: "#12151a" } as const;

/** Where a page's head links the manifest: by language, so that caches may share it. */
export const manifestPath = (language: Language): string => `${appManifest.path}?language=${language}`;
export const iconPath = (name: AppIcon): string => `/icons/${name}.png`;

/** Drawn by `npm run icons`; the maskable ones fill the whole square, because systems cut them to a shape of their own. */
export const appIcons = {
  "app-192": { size: 192, purpose: "any" },
  "app-512": { size: 512, purpose: "any" },
  "maskable-192": { size: 192, purpose: "maskable" },
  "maskable-512": { size: 512, purpose: "maskable" },
} as const;
export type AppIcon = keyof typeof appIcons;

/** The manifest by which browsers install the site as an app. */
function manifestIn(language: Language): object {
  const { msg } = translatorFor(language);
  const colours = (of: keyof typeof paperColours) => ({ theme_color: paperColours[of], background_color: paperColours[of] });
  return {
    // Stays the same if the start page moves, so that an installed app stays one app.
    id: "/ai",
    name: "Colloquy",
    short_name: "Colloquy",
    description: msg("page.askCourseSeeEach"),
    lang: language,
    dir: languages[language].direction,
    start_url: "/ai",
    scope: "/",
    display: "standalone",
    ...colours("light"),
    color_scheme_dark: colours("dark"),
    categories: ["education"],
    icons: Object.entries(appIcons).map(([name, { size, purpose }]) => ({
      src: iconPath(name as AppIcon),
      sizes: `${size}x${size}`,
      type: "image/png",
      purpose,
    })),
    shortcuts: [
      { name: msg("common.review"), url: "/review" },
      { name: msg("common.courses"), url: "/courses" },
    ].map((shortcut) => ({ ...shortcut, icons: [{ src: iconPath("app-192"), sizes: "192x192", type: "image/png" }] })),
  };
}

/** `GET /app.webmanifest` and `GET /icons/:name`: what browsers need to install the site as an app. */
export function appRoutes(): Router {
  const manifests = new Map(languageNames.map((language) => [language, JSON.stringify(manifestIn(language))]));
  const icons = new Map<string, Buffer>(
    Object.keys(appIcons).map((name) => [`${name}.png`, readFileSync(new URL(`icons/${name}.png`, import.meta.url))] as const),
  );
  return serve([
    route(appManifest, ({ response, query }) => {
      response.type("application/manifest+json").send(manifests.get(query.language));
      return sent;
    }),
    route(appIcon, ({ request, response }) => {
      const bytes = icons.get(String(request.params.name));
      if (!bytes) throw new ProblemError("not_found");
      response.set("cache-control", "public, max-age=86400").type("image/png").send(bytes);
      return sent;
    }),
  ]);
}
