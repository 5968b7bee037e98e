import { createReadStream, existsSync } from "node:fs";
import { extname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import type { BuiltUi } from "@colloquy/schemas/built-ui.ts";
import { Router } from "express";
import { builtFolder } from "./pages/built-ui.ts";
import { iconSvg } from "./pages/shell.ts";

const types: Record<string, string> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

/** `/assets/*`: what the build made, never changing under its name, compressed beforehand. */
export function assetRoutes(built: BuiltUi, folder = builtFolder): Router {
  const router = Router();
  router.get("/assets/*path", async (request, response) => {
    const name = ([] as string[]).concat(request.params.path ?? []).join("/");
    const type = types[extname(name)];
    // Only names the build wrote down can be asked for, so no path leads elsewhere.
    const file = join(folder, name);
    if (!Object.hasOwn(built.files, name) || !type || !existsSync(file)) throw new ProblemError("not_found");
    const encoding = extname(name) === ".woff2" ? false : request.acceptsEncodings("br", "gzip", "identity");
    const suffix = encoding === "br" ? ".br" : encoding === "gzip" ? ".gz" : "";
    response.set({ "content-type": type, "cache-control": "public, max-age=31536000, immutable", vary: "accept-encoding" });
    response.set("etag", `"${name}${suffix}"`);
    if (suffix) response.set("content-encoding", encoding || "identity");
    if (request.fresh) return void response.status(304).end();
    if (request.method === "HEAD") return void response.end();
    await pipeline(createReadStream(file + suffix), response);
  });
  router.get(
    "/icon.svg",
    (_request, response) => void response.set("cache-control", "public, max-age=86400").type("image/svg+xml").send(iconSvg),
  );
  return router;
}
