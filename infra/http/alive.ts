import { readHealth } from "@colloquy/schemas/contracts/operations.ts";
import type { HealthResponse } from "@colloquy/schemas/health.ts";
import type { Router } from "express";
import { route, serve } from "./route.ts";

/** Answers as soon as the process can answer anything. @param more what else the process knows */
export const aliveRoutes = (more: () => Pick<HealthResponse, "search" | "renderWorkers"> = () => ({})): Router =>
  serve([route(readHealth, () => ({ status: "ok" as const, ...more() }))]);
