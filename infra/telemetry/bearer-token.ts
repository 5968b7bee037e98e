import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Config } from "../config.ts";

/** Whether a request has this bearer token, compared in constant time. */
export const hasBearerToken = ({ headers }: Pick<IncomingMessage, "headers">, token: string): boolean =>
  timingSafeEqual(digest(headers.authorization ?? ""), digest(`Bearer ${token}`));

/**
 * Whether a request may read metrics: with `METRICS_TOKEN` if it has that bearer token, without it only in development.
 */
export const mayReadMetrics = (
  config: Pick<Config, "METRICS_TOKEN" | "development">,
  request: Pick<IncomingMessage, "headers">,
): boolean => (config.METRICS_TOKEN === undefined ? config.development : hasBearerToken(request, config.METRICS_TOKEN));

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
