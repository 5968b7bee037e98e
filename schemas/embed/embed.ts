import { z } from "zod";
import { id, payload, time } from "../payload.ts";
import { conversationChangeData } from "../sync/changes.ts";

/**
 * What a page of another site (`EMBED_ORIGINS`) and this service say to each other. Such a page never gets a cookie, an account's id or
 * its name: only a token that is good for a few minutes, from that origin, on the routes below.
 */

/** What a page on an allowed origin may ask, as Express writes paths; `token` where it needs somebody signed in. */
export const embedRoutes = [
  { method: "GET", path: "/api/ai/models", token: false },
  { method: "GET", path: "/api/ai/references", token: false },
  { method: "GET", path: "/api/courses", token: false },
  { method: "GET", path: "/api/courses/source", token: false },
  { method: "GET", path: "/api/courses/:courseId", token: false },
  { method: "GET", path: "/api/courses/:courseId/revision", token: false },
  { method: "GET", path: "/api/courses/:courseId/assets/:sha256", token: false },
  { method: "POST", path: "/api/ai/ask", token: true },
  { method: "GET", path: "/api/ai/ask/:requestId", token: true },
  { method: "DELETE", path: "/api/ai/ask/:requestId", token: true },
  { method: "POST", path: "/api/ai/tutor/goal", token: true },
  { method: "POST", path: "/api/ai/tutor/start", token: true },
  { method: "POST", path: "/api/ai/tutor/turn", token: true },
  // One session by its id, which a page knows only of those it began; never the list.
  { method: "GET", path: "/api/tutor/sessions/:sessionId", token: true },
  // Films of its learner's own, by routes that know nobody else's.
  { method: "GET", path: "/api/visual-explainers/offer", token: true },
  { method: "POST", path: "/api/visual-explainers/storyboard", token: true },
  { method: "GET", path: "/api/visual-explainers/jobs", token: true },
  { method: "GET", path: "/api/visual-explainers/jobs/:jobId", token: true },
  { method: "PUT", path: "/api/visual-explainers/jobs/:jobId/storyboard", token: true },
  { method: "POST", path: "/api/visual-explainers/jobs/:jobId/render", token: true },
  { method: "POST", path: "/api/visual-explainers/jobs/:jobId/retry", token: true },
  { method: "POST", path: "/api/visual-explainers/jobs/:jobId/cancel", token: true },
  { method: "GET", path: "/api/visual-explainers/jobs/:jobId/events", token: true },
  { method: "GET", path: "/api/visual-explainers/jobs/:jobId/artifact", token: true },
  { method: "POST", path: "/api/visual-explainers/jobs/:jobId/answer", token: true },
  { method: "POST", path: "/api/visual-explainers/jobs/:jobId/corrections", token: true },
  { method: "POST", path: "/api/embed/record", token: true },
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

/** What elements can be used for; an installation need not offer all of it. */
export const embedOffers = ["ask", "tutor", "quiz", "course", "explainer"] as const;
export type EmbedOffer = (typeof embedOffers)[number];

/** `GET /api/embed`: whether pages of the asking origin may use the elements, and what the service offers. */
export const embedResponse = payload({ allowed: z.boolean(), offers: z.array(z.enum(embedOffers)) });
export type EmbedResponse = z.infer<typeof embedResponse>;

/** What a page makes up once and gives to each of its sign-in windows. */
export const nonce = z.string().regex(/^[A-Za-z0-9_-]{16,64}$/, "expected 16 to 64 letters, digits, - or _");

/** `POST /auth/embed`: asked by our own sign-in window, for the page that opened it. */
export const embedTokenRequest = payload({ origin, nonce });

/** `POST /auth/embed/renew`: asked by the page itself, with the token it has. */
export const embedRenewRequest = payload({});

const recorded = <Type extends "started" | "quiz_attempted">(type: Type) =>
  z.strictObject({ changeId: id, at: time, type: z.literal(type), data: conversationChangeData[type] });

/**
 * `POST /api/embed/record`: what a page of another site may have written down of what its learner did there. A conversation begins, or a
 * quiz of one was answered: nothing is read, renamed or deleted. Answers are recorded by the service that wrote them.
 */
export const embedRecordRequest = payload({
  conversationId: id,
  changes: z
    .array(z.discriminatedUnion("type", [recorded("started"), recorded("quiz_attempted")]))
    .min(1)
    .max(2),
});
export type EmbedRecordRequest = z.infer<typeof embedRecordRequest>;

/** A token, and how long it is good for from now on, in seconds. */
export const embedTokenResponse = payload({ token: z.string(), seconds: z.int().min(0) });
export type EmbedTokenResponse = z.infer<typeof embedTokenResponse>;

/**
 * The first token of a sign-in. `reader` tells the page whether it is the same reader as before, and nothing else: it is made of the
 * account and the page's nonce, so two pages, or one page after a reload, cannot recognise anybody by it.
 */
export const embedSignInResponse = payload({ ...embedTokenResponse.shape, reader: z.string() });
export type EmbedSignInResponse = z.infer<typeof embedSignInResponse>;

/** What the sign-in window posts to the page that opened it; `nonce` is what that page gave it. */
export interface EmbedMessage {
  type: "colloquy-embed-token";
  nonce: string;
  token: string;
  seconds: number;
  /** As in `EmbedSignInResponse`. */
  reader: string;
}
