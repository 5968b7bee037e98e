import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Config } from "../config.ts";

/** Whether a request shows this token. It takes as long to find out whatever was sent. */
export const hasBearerToken = ({ headers }: Pick<IncomingMessage, "headers">, token: string): boolean =>
  timingSafeEqual(digest(headers.authorization ?? ""), digest(`Bearer ${token}`));

/**
 * Whether a request may see the figures: with `METRICS_TOKEN` whoever sends it as a bearer token, without it everybody in development
 * and nobody in production.
 */
export const mayReadMetrics = (
  config: Pick<Config, "METRICS_TOKEN" | "development">,
  request: Pick<IncomingMessage, "headers">,
): boolean => (config.METRICS_TOKEN === undefined ? config.development : hasBearerToken(request, config.METRICS_TOKEN));

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
