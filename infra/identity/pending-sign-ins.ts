import { createHash } from "node:crypto";
import type { Request, Response } from "express";
import { z } from "zod";
import type { Config } from "../config.ts";
import { readCookies } from "../http/cookies.ts";
import { authCookieName, cookieOptions, sessionSecret } from "./session.ts";
import { signed } from "./signed.ts";

/** How long a sign-in at the provider may take. */
const signInSeconds = 10 * 60;

/** At this number of unfinished sign-ins all are forgotten, so that cookies cannot exceed the limit of a request's headers. */
const maximumPending = 6;

const signInContent = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
  again: z.boolean().optional(),
});
export type StoredSignIn = z.infer<typeof signInContent>;

/**
 * Stores a sign-in until the browser returns: a short-lived signed cookie per sign-in, sent to the callback only.
 * Two tabs may sign in at the same time.
 */
export function pendingSignIns(config: Config) {
  const cookie = signed({ secret: sessionSecret(config), kind: "sign-in", seconds: signInSeconds, schema: signInContent });
  const prefix = authCookieName(config, "in-");
  const options = cookieOptions(config, "/auth");
  const nameOf = (state: string): string => prefix + createHash("sha256").update(state).digest("base64url").slice(0, 12);
  return {
    async keep(request: Request, response: Response, signIn: StoredSignIn): Promise<void> {
      const open = [...readCookies(request.headers.cookie).keys()].filter((name) => name.startsWith(prefix));
      if (open.length >= maximumPending) for (const name of open) response.clearCookie(name, options);
      response.cookie(nameOf(signIn.state), await cookie.sign(signIn), { ...options, maxAge: signInSeconds * 1000 });
    },
    /** The pending sign-in of the callback's `state`; it can be taken once. */
    async take(request: Request, response: Response, state: string): Promise<StoredSignIn | null> {
      const name = nameOf(state);
      const kept = (await cookie.open(readCookies(request.headers.cookie).get(name)))?.content;
      if (kept?.state !== state) return null;
      response.clearCookie(name, options);
      return kept;
    },
  };
}
