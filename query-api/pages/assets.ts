import { createReadStream, existsSync } from "node:fs";
import { extname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { route, sent, serve } from "@colloquy/infra/http/route.ts";
import { builtFile, icon } from "@colloquy/schemas/contracts/pages.ts";
import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";
import type { Request, Response, Router } from "express";
import { builtFolder } from "./built-ui.ts";
import { iconSvg } from "./shell.ts";

const types: Record<string, string> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

/**
 * Sends a file of the build; text files are already compressed.
 * @throws {ProblemError} `not_found` for any name that is not in the build's manifest, so that no path leads outside of it
 */
export async function sendBuilt(response: Response, request: Request, built: BuiltUi, name: string, folder: string): Promise<void> {
  const type = types[extname(name)];
  const file = join(folder, name);
  if (!Object.hasOwn(built.files, name) || !type || !existsSync(file)) throw new ProblemError("not_found");
  const encoding = extname(name) === ".woff2" ? false : request.acceptsEncodings("br", "gzip", "identity");
  const suffix = encoding === "br" ? ".br" : encoding === "gzip" ? ".gz" : "";
  response.set({ "content-type": type, vary: "accept-encoding" }).set("etag", `"${built.version}-${name}${suffix}"`);
  if (suffix) response.set("content-encoding", encoding || "identity");
  if (request.fresh) return void response.status(304).end();
  if (request.method === "HEAD") return void response.end();
  await pipeline(createReadStream(file + suffix), response);
}

/** `/assets/*`: immutable files of the build. Pages of other sites also load scripts and fonts from it. */
export function assetRoutes(built: BuiltUi, folder = builtFolder): Router {
  return serve([
    route(builtFile, async ({ request, response }) => {
      const name = ([] as string[]).concat(request.params.path ?? []).join("/");
      if (!Object.hasOwn(built.files, name)) throw new ProblemError("not_found");
      response.set({ "cache-control": "public, max-age=31536000, immutable", "access-control-allow-origin": "*" });
      response.set("cross-origin-resource-policy", "cross-origin");
      await sendBuilt(response, request, built, name, folder);
      return sent;
    }),
    route(icon, ({ response }) => {
      response.set("cache-control", "public, max-age=86400").type("image/svg+xml").send(iconSvg);
      return sent;
    }),
  ]);
}
