import { z } from "zod";
import { payload } from "./payload.ts";

/**
 * What a page of another site (`EMBED_ORIGINS`) and this service say to each other. Such a page never gets a cookie, an account's id or
 * its name: only a token that is good for a few minutes, from that origin, on the routes below.
 */

/** What a page on an allowed origin may ask, as Express writes paths; `token` where it needs somebody signed in. */
export const embedRoutes = [
  { method: "GET", path: "/api/ai/models", token: false },
  { method: "GET", path: "/api/ai/references", token: false },
  { method: "GET", path: "/api/courses/source", token: false },
  { method: "GET", path: "/api/courses/:courseId", token: false },
  { method: "GET", path: "/api/courses/:courseId/revision", token: false },
  { method: "GET", path: "/api/courses/:courseId/assets/:sha256", token: false },
  { method: "POST", path: "/api/ai/ask", token: true },
  { method: "GET", path: "/api/ai/ask/:requestId", token: true },
  { method: "DELETE", path: "/api/ai/ask/:requestId", token: true },
  { method: "POST", path: "/auth/embed/renew", token: true },
] as const;

const matchers = embedRoutes.map((route) => ({ route, path: new RegExp(`^${route.path.replaceAll(/:\w+/g, "[^/]+")}$`) }));

/** The entry for a request, or null: then no other site's page may send it. */
export function embedRouteOf(method: string, path: string): (typeof embedRoutes)[number] | null {
  const asked = method === "HEAD" ? "GET" : method;
  return matchers.find(({ route, path: pattern }) => route.method === asked && pattern.test(path))?.route ?? null;
}

/** Whether a text is an origin as browsers write it: scheme, host, port where it is not the usual one, nothing else. */
export function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text;
}

export const origin = z.string().max(255).refine(isOrigin, "expected an origin: scheme, host and port, nothing more");

/** `GET /api/embed`: whether pages of the asking origin may use the elements. */
export const embedResponse = payload({ allowed: z.boolean() });
export type EmbedResponse = z.infer<typeof embedResponse>;

/** `POST /auth/embed`: asked by our own sign-in window, for the page that opened it. */
export const embedTokenRequest = payload({ origin });

/** `POST /auth/embed/renew`: asked by the page itself, with the token it has. */
export const embedRenewRequest = payload({});

/** A token, and how long it is good for from now on, in seconds. */
export const embedTokenResponse = payload({ token: z.string(), seconds: z.int().min(0) });
export type EmbedTokenResponse = z.infer<typeof embedTokenResponse>;

/** What the sign-in window posts to the page that opened it; `nonce` is what that page gave it. */
export interface EmbedMessage {
  type: "colloquy-embed-token";
  nonce: string;
  token: string;
  seconds: number;
}
