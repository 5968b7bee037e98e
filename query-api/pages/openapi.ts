import { route, sent, serve } from "@colloquy/infra/http/route.ts";
import { openApiDocument } from "@colloquy/schemas/contracts/openapi.ts";
import { readOpenApi } from "@colloquy/schemas/contracts/operations.ts";
import { developersPage } from "@colloquy/schemas/contracts/pages.ts";
import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";
import type { Router } from "express";
import { apiPage } from "./api-page.ts";
import { readBuiltUi } from "./built-ui.ts";
import { lookVary, sendPage, wordsOf } from "./look.ts";

/** The API reference for people. Needs the `session` middleware before it. */
export function apiPageRoutes(built: BuiltUi = readBuiltUi()): Router {
  return serve([
    route(developersPage, ({ account, request, response }) => {
      const page = apiPage(built, { words: wordsOf(request), account });
      sendPage(response.set({ "cache-control": "private, no-cache", vary: lookVary }), page);
      return sent;
    }),
  ]);
}

/** The OpenAPI document, made once. */
export function openApiRoutes(): Router {
  let text: string | undefined;
  return serve([
    route(readOpenApi, ({ response }) => {
      text ??= JSON.stringify(openApiDocument());
      response.type("application/json").send(text);
      return sent;
    }),
  ]);
}
