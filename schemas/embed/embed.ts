import { z } from "zod";
import { id, payload, time } from "../payload.ts";
import { conversationChangeData } from "../sync/changes.ts";

/**
 * What a page of another site (`EMBED_ORIGINS`) and this service say to each other. Such a page never gets a cookie, an account's id or
 * its name: only a token that is good for a few minutes, from that origin, on the routes whose contract says `embed`.
 */

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
