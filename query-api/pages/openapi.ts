import { parse } from "@colloquy/infra/http/problem.ts";
import { openApiDocument } from "@colloquy/schemas/openapi/document.ts";
import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";
import { noQuery } from "@colloquy/schemas/payload.ts";
import { Router } from "express";
import { apiPage, apiPagePath } from "./api-page.ts";
import { readBuiltUi } from "./built-ui.ts";
import { lookVary, sendPage, wordsOf } from "./look.ts";

/** `GET /developers`: the same for people. Needs the `session` middleware before it. */
export function apiPageRoutes(built: BuiltUi = readBuiltUi()): Router {
  return Router().get(apiPagePath, (request, response) => {
    const { account = null } = request;
    const page = apiPage(built, { words: wordsOf(request), account });
    sendPage(response.set({ "cache-control": "private, no-cache", vary: lookVary }), page);
  });
}

/** `GET /api/openapi.json`: what every route takes and gives, made from the schemas the routes check with. */
export function openApiRoutes(): Router {
  let text: string | undefined;
  return Router().get("/api/openapi.json", (request, response) => {
    parse(noQuery, request.query);
    text ??= JSON.stringify(openApiDocument());
    response.set("cache-control", "public, max-age=300").type("application/json").send(text);
  });
}
