import { randomBytes } from "node:crypto";
import type { Request, Response } from "express";
import type { Config } from "../config.ts";
import { readCookies } from "../http/cookies.ts";
import { authCookieName, cookieOptions } from "./session.ts";

/** The longest that browsers keep a cookie: 400 days (RFC 6265bis, section 5.5). */
const keptMs = 400 * 24 * 3_600_000;

/** Recognises a browser at its next sign-in by a random id in a cookie that outlives the session. */
export function devices(config: Pick<Config, "publicUrl">) {
  const name = authCookieName(config, "device");
  const options = { ...cookieOptions(config, "/auth"), maxAge: keptMs };
  return {
    /** The browser's id, a new one where it has none. */
    of({ headers }: Pick<Request, "headers">): string {
      const deviceId = readCookies(headers.cookie).get(name) ?? "";
      return /^[\w-]{22}$/.test(deviceId) ? deviceId : randomBytes(16).toString("base64url");
    },
    keep(response: Pick<Response, "cookie">, deviceId: string): void {
      response.cookie(name, deviceId, options);
    },
  };
}
