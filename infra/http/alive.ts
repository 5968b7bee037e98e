import { readHealth } from "@colloquy/schemas/contracts/operations.ts";
import type { SearchProgress } from "@colloquy/schemas/health.ts";
import type { Router } from "express";
import { route, serve } from "./route.ts";

/** Answers as soon as the process can answer anything. @param search progress of search by meaning, of the process that searches */
export const aliveRoutes = (search?: () => SearchProgress): Router =>
  serve([route(readHealth, () => ({ status: "ok" as const, ...(search && { search: search() }) }))]);
