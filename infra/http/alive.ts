import type { HealthResponse } from "@colloquy/schemas/health.ts";
import { noQuery, versioned } from "@colloquy/schemas/payload.ts";
import { Router } from "express";
import { parse } from "./problem.ts";

/** `GET /healthz`: this process answers. */
export function aliveRoutes(): Router {
  return Router().get("/healthz", (request, response) => {
    parse(noQuery, request.query);
    const body: HealthResponse = versioned({ status: "ok" });
    response.set("cache-control", "no-store").json(body);
  });
}
