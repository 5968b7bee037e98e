import { parse } from "@colloquy/infra/http/problem.ts";
import { openApiDocument } from "@colloquy/schemas/openapi/document.ts";
import { noQuery } from "@colloquy/schemas/payload.ts";
import { Router } from "express";

/** `GET /api/openapi.json`: what every route takes and gives, made from the schemas the routes check with. */
export function openApiRoutes(): Router {
  let text: string | undefined;
  return Router().get("/api/openapi.json", (request, response) => {
    parse(noQuery, request.query);
    text ??= JSON.stringify(openApiDocument());
    response.set("cache-control", "public, max-age=300").type("application/json").send(text);
  });
}
