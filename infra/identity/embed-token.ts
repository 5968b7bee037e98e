import { createHmac } from "node:crypto";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { origin } from "@colloquy/schemas/embed/embed.ts";
import { id } from "@colloquy/schemas/payload.ts";
import { z } from "zod";
import { deriveKey } from "../secrets.ts";
import type { OpenSession } from "./ended-sessions.ts";
import { sealed } from "./signed.ts";

/** What a token says: whose it is, for pages of which origin, and of which session, with whose end it ends. */
const content = z.strictObject({
  accountId: id,
  origin,
  sessionId: z.string(),
  begun: z.iso.datetime(),
  until: z.iso.datetime(),
  providerSession: z.string().optional(),
});

export interface EmbedTokens {
  /** A token for pages of that origin, and how long it is good for, in seconds: never longer than its session. */
  mint(session: OpenSession, origin: string): Promise<{ token: string; seconds: number }>;
  /** The session a token stands for when it comes from a page of `origin`; null when it was made for another, has expired or is none of ours. */
  open(token: string, origin: string): Promise<OpenSession | null>;
  /** The same for the same account, origin and nonce, and nobody knows of whom. */
  readerOf(accountId: string, origin: string, nonce: string): string;
}

/**
 * Bearer tokens, unreadable for the page that holds them, for elements on other sites' pages: good for minutes, on one origin, and no longer than the session
 * they came of.
 */
export function embedTokens(secret: string): EmbedTokens {
  const tokens = sealed({
    secret,
    kind: "embed",
    seconds: bounds.embed.tokenSeconds,
    schema: content,
  });
  return {
    async mint({ accountId, sessionId, begun, until, providerSession }, forOrigin) {
      const token = await tokens.sign({
        accountId,
        origin: forOrigin,
        sessionId,
        begun: begun.toISOString(),
        until: until.toISOString(),
        ...(providerSession !== undefined && { providerSession }),
      });
      const left = Math.floor((until.getTime() - Date.now()) / 1000);
      return { token, seconds: Math.max(0, Math.min(bounds.embed.tokenSeconds, left)) };
    },
    async open(token, from) {
      const opened = await tokens.open(token);
      if (!opened || opened.content.origin !== from) return null;
      const { accountId, sessionId, providerSession } = opened.content;
      const until = new Date(opened.content.until);
      return until.getTime() > Date.now() ? { accountId, sessionId, begun: new Date(opened.content.begun), until, providerSession } : null;
    },
    readerOf: (accountId, forOrigin, nonce) =>
      createHmac("sha256", deriveKey(secret, "embed-reader")).update([accountId, forOrigin, nonce].join("\n")).digest("base64url"),
  };
}

/** The token of an `Authorization` header, or null. */
export function bearerOf(authorization: string | undefined): string | null {
  return /^Bearer ([A-Za-z0-9._-]{1,4096})$/i.exec(authorization ?? "")?.[1] ?? null;
}
