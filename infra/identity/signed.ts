import { createSecretKey } from "node:crypto";
import { EncryptJWT, type JWTPayload, jwtDecrypt, jwtVerify, SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import type { z } from "zod";
import { deriveKey } from "../secrets.ts";

export interface Signed<Content> {
  /** @param again a text whose id and times the new one keeps */
  sign(content: Content, again?: Pick<Opened<Content>, "id" | "signedAt" | "expires">): Promise<string>;
  /** What was signed, or null when the text was altered, has expired, is of another kind or is none of ours. */
  open(text: string | undefined): Promise<Opened<Content> | null>;
}

export interface Opened<Content> {
  content: Content;
  /** Of this text alone. */
  id: string;
  /** To the second below. */
  signedAt: Date;
  expires: Date;
}

interface SignedOptions<Type> {
  secret: string;
  kind: string;
  seconds: number;
  schema: Type;
}

/** Texts whose signature was verified lately; a request needs no second computation. */
const rememberedTexts = 5_000;

/** Compact signed texts (JWS, HS256) of one kind, each valid for `seconds`. A text of one kind is never taken for another. */
export function signed<Type extends z.ZodType<Record<string, unknown>>>(options: SignedOptions<Type>): Signed<z.output<Type>> {
  const { secret, kind, seconds, schema } = options;
  const key = createSecretKey(deriveKey(secret, kind));
  const verified = new LRUCache<string, Opened<z.output<Type>>>({ max: rememberedTexts });
  return {
    sign: (content, again) =>
      new SignJWT({ content })
        .setProtectedHeader({ alg: "HS256", typ: "JWT" })
        .setAudience(kind)
        .setIssuedAt(again?.signedAt)
        .setJti(again?.id ?? crypto.randomUUID())
        .setExpirationTime(again?.expires ?? `${seconds}s`)
        .sign(key),
    async open(text) {
      if (!text) return null;
      const known = verified.get(text);
      if (known) return known.expires.getTime() > Date.now() ? known : null;
      try {
        const { payload } = await jwtVerify(text, key, { algorithms: ["HS256"], audience: kind, requiredClaims: ["exp", "iat", "jti"] });
        const opened = openedFrom(payload, schema);
        if (opened) verified.set(text, opened);
        return opened;
      } catch {
        return null;
      }
    },
  };
}

/** The same, unreadable for whoever holds one (JWE, A256GCM). */
export function sealed<Type extends z.ZodType<Record<string, unknown>>>(options: SignedOptions<Type>): Signed<z.output<Type>> {
  const { secret, kind, seconds, schema } = options;
  const key = createSecretKey(deriveKey(secret, `${kind}-sealed`));
  return {
    sign: (content, again) =>
      new EncryptJWT({ content })
        .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
        .setAudience(kind)
        .setIssuedAt(again?.signedAt)
        .setJti(again?.id ?? crypto.randomUUID())
        .setExpirationTime(again?.expires ?? `${seconds}s`)
        .encrypt(key),
    async open(text) {
      if (!text) return null;
      try {
        const { payload } = await jwtDecrypt(text, key, {
          keyManagementAlgorithms: ["dir"],
          contentEncryptionAlgorithms: ["A256GCM"],
          audience: kind,
          requiredClaims: ["exp", "iat", "jti"],
        });
        return openedFrom(payload, schema);
      } catch {
        return null;
      }
    },
  };
}

function openedFrom<Type extends z.ZodType<Record<string, unknown>>>(payload: JWTPayload, schema: Type): Opened<z.output<Type>> | null {
  const content = schema.safeParse(payload.content);
  if (!content.success || payload.jti === undefined || payload.exp === undefined || payload.iat === undefined) return null;
  return { content: content.data, id: payload.jti, signedAt: new Date(payload.iat * 1000), expires: new Date(payload.exp * 1000) };
}
