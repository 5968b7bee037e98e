import { createHash } from "node:crypto";
import type { Request, Response } from "express";
import { z } from "zod";
import type { Config } from "../config.ts";
import { readCookies } from "../http/cookies.ts";
import { cookieOptions, sessionCookieName, sessionSecret } from "./session.ts";
import { signed } from "./signed.ts";

/** How long a person may take at the provider. */
const departureSeconds = 10 * 60;

/** More sign-ins than this begun and not finished: all are forgotten, so that cookies cannot outgrow a request's headers. */
const openDepartures = 6;

const departureContent = z.strictObject({ state: z.string(), nonce: z.string(), verifier: z.string(), returnTo: z.string() });
export type StoredSignIn = z.infer<typeof departureContent>;

/**
 * What a sign-in needs to remember until the browser is back: a short-lived signed cookie per sign-in, sent to the callback alone.
 * Two tabs may sign in at the same time.
 */
export function pendingSignIns(config: Config) {
  const cookie = signed({ secret: sessionSecret(config), kind: "sign-in", seconds: departureSeconds, schema: departureContent });
  const prefix = `${sessionCookieName(config).replace("__Host-", "__Secure-")}-in-`;
  const options = cookieOptions(config, "/auth");
  const nameOf = (state: string): string => prefix + createHash("sha256").update(state).digest("base64url").slice(0, 12);
  return {
    async keep(request: Request, response: Response, departure: StoredSignIn): Promise<void> {
      const open = [...readCookies(request.headers.cookie).keys()].filter((name) => name.startsWith(prefix));
      if (open.length >= openDepartures) for (const name of open) response.clearCookie(name, options);
      response.cookie(nameOf(departure.state), await cookie.sign(departure), { ...options, maxAge: departureSeconds * 1000 });
    },
    /** The departure that the callback's `state` belongs to; it can be taken once. */
    async take(request: Request, response: Response, state: string): Promise<StoredSignIn | null> {
      const name = nameOf(state);
      const kept = (await cookie.open(readCookies(request.headers.cookie).get(name)))?.content;
      if (kept?.state !== state) return null;
      response.clearCookie(name, options);
      return kept;
    },
  };
}
