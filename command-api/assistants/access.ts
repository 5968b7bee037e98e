import type { Config } from "@colloquy/infra/config.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { rateLimitPerAccount } from "@colloquy/infra/http/rate-limit.ts";
import type { AccessToken, AccessTokens } from "@colloquy/infra/identity/access-tokens.ts";
import { connectorMetadataUrl } from "@colloquy/infra/identity/connector-address.ts";
import { bearerOf } from "@colloquy/infra/identity/embed-token.ts";
import { connectorScopeNames } from "@colloquy/schemas/assistants/assistant.ts";
import type { Request, RequestHandler, Response } from "express";
import type { Assistants } from "./assistants.ts";

/** Who may speak to the connector, from where, and how often. Every refusal is a JSON-RPC error with a status that clients understand. */

/** For each account and assistant, in this process. */
export interface Limits {
  requestsPerMinute: number;
  changesPerMinute: number;
}

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

/** An error outside any call, as the protocol frames it. */
export function refuse(response: Response, status: number, message: string, headers: Record<string, string> = {}): void {
  response
    .status(status)
    .set({ "cache-control": "no-store", ...headers })
    .json({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null });
}

/** The names and origins of the allow-lists, nobody else: a page whose name was pointed at this machine is neither. */
export function allowListed(config: Pick<Config, "CONNECTOR_HOSTS" | "CONNECTOR_ORIGINS" | "publicUrl">): RequestHandler {
  const own = new URL(config.publicUrl);
  const hosts = new Set((config.CONNECTOR_HOSTS ?? [own.hostname, ...loopbackNames]).map((host) => host.toLowerCase()));
  const origins = new Set([own.origin, ...config.CONNECTOR_ORIGINS]);
  return (request, response, next) => {
    const name = URL.parse(`http://${request.get("host") ?? ""}`)?.hostname;
    if (!name || !hosts.has(name)) return refuse(response, 403, "This is not one of the connector's host names.");
    const origin = request.get("origin");
    if (origin === undefined) return next();
    response.vary("Origin");
    if (!origins.has(origin)) return refuse(response, 403, "Pages of this origin may not use the connector.");
    response.set({
      "access-control-allow-origin": origin,
      "access-control-expose-headers": "www-authenticate, retry-after, mcp-session-id",
    });
    if (request.method !== "OPTIONS") return next();
    response
      .status(204)
      .set({
        "access-control-allow-methods": "POST, GET, DELETE",
        "access-control-allow-headers":
          "authorization, content-type, accept, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, last-event-id",
        "access-control-max-age": "600",
      })
      .end();
  };
}

/** Where to be let in (RFC 6750, RFC 9728). */
function challenge(config: Pick<Config, "publicUrl">, error?: string, description?: string): Record<string, string> {
  const parts = [
    ...(error ? [`error="${error}"`, `error_description="${description}"`] : []),
    `scope="${connectorScopeNames.join(" ")}"`,
    `resource_metadata="${connectorMetadataUrl(config)}"`,
  ];
  return { "www-authenticate": `Bearer ${parts.join(", ")}` };
}

interface Needs {
  config: Config;
  tokens: AccessTokens;
  assistants: Assistants;
  limits: Limits;
}

/** Whom a request speaks for; null when it was refused, which is answered then. */
export function admission({
  config,
  tokens,
  assistants,
  limits,
}: Needs): (request: Request, response: Response) => Promise<AccessToken | null> {
  const limit = rateLimitPerAccount({ points: limits.requestsPerMinute, seconds: 60 });
  return async (request, response) => {
    const given = request.get("authorization");
    if (given === undefined) {
      refuse(response, 401, "An access token is needed.", challenge(config));
      return null;
    }
    const bearer = bearerOf(given);
    const token = bearer === null ? null : await tokens.open(bearer);
    if (!token) {
      const why = "The access token has expired, is none of this service's, or was given for another.";
      refuse(response, 401, why, challenge(config, "invalid_token", why));
      return null;
    }
    try {
      await limit(`${token.accountId}/${token.clientId}`);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      refuse(response, 429, "Too many requests. Wait, then go on.", { "retry-after": String(error.retryAfterSeconds ?? 60) });
      return null;
    }
    const admitted = await assistants.admit(token, request.id);
    if (!admitted) {
      const why = "This account has disconnected this assistant. Only the account can allow it again.";
      refuse(response, 401, why, challenge(config, "invalid_token", why));
      return null;
    }
    return admitted;
  };
}
