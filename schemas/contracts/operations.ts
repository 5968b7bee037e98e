import { healthResponse, readyResponse } from "../health.ts";
import { noQuery } from "../payload.ts";
import { content, contract, json } from "./contract.ts";

export const readHealth = contract({
  method: "GET",
  path: "/healthz",
  summary: "Whether the process answers",
  access: "public",
  query: noQuery,
  cache: "no-store",
  responses: { 200: json("It does.", healthResponse) },
});

export const readReadiness = contract({
  method: "GET",
  path: "/readyz",
  summary: "Whether everything that the program depends on works",
  access: "public",
  query: noQuery,
  cache: "no-store",
  responses: { 200: json("Ready.", readyResponse), 503: json("Not ready; the same body says why.", readyResponse) },
});

export const readMetrics = contract({
  method: "GET",
  path: "/metrics",
  summary: "Metrics of every process, for Prometheus",
  access: "operator",
  responses: { 200: content("text/plain", "Text in the Prometheus exposition format.") },
  problems: ["not_found"],
});

export const readOpenApi = contract({
  method: "GET",
  path: "/api/openapi.json",
  summary: "This document",
  access: "public",
  query: noQuery,
  cache: "public, max-age=300",
  responses: { 200: content("application/json", "OpenAPI 3.1.") },
});
