import type { IncomingMessage } from "node:http";
import { type Account, account } from "@colloquy/schemas/account.ts";
import { accountHeader } from "@colloquy/schemas/headers.ts";
import type { CookieOptions, Request, RequestHandler, Response } from "express";
import type { Config } from "../config.ts";
import { ProblemError } from "../http/problem.ts";
import { readCookies } from "./cookies.ts";
import { keptSecret } from "./secrets.ts";
import { signed } from "./signed.ts";

declare global {
  namespace Express {
    interface Request {
      /** Who is signed in; set by the `session` middleware. */
      account?: Account | null;
    }
  }
}

type SessionConfig = Pick<Config, "SESSION_SECRET" | "SESSION_HOURS" | "DATA_DIR" | "publicUrl">;

export interface Sessions {
  /** The account a request's cookie stands for; null for no cookie, and for one that was altered or has expired. */
  read(request: Pick<IncomingMessage, "headers">): Promise<Account | null>;
  /** Begins a session with a fresh cookie, which replaces whatever the browser had. */
  issue(response: Response, account: Account): Promise<void>;
  /** Takes the cookie away. */
  clear(response: Response): void;
}

/** What signs this installation's cookies: `SESSION_SECRET`, or a secret made once in `DATA_DIR`. */
export function sessionSecret(config: Pick<Config, "SESSION_SECRET" | "DATA_DIR">): string {
  return config.SESSION_SECRET ?? keptSecret(config.DATA_DIR, "session");
}

/** How this installation's cookies are sent: never to scripts, never to other sites' requests, only over TLS where there is TLS. */
export function cookieOptions(config: Pick<Config, "publicUrl">, path = "/"): CookieOptions {
  return { httpOnly: true, sameSite: "lax", secure: config.publicUrl.startsWith("https:"), path };
}

/**
 * The session cookie's name. `__Host-` makes browsers refuse one that another host of the domain has set. Cookies do not keep
 * ports apart, so the name does: two installations on one machine do not sign each other out.
 */
export function sessionCookieName(config: Pick<Config, "publicUrl">): string {
  const { protocol, port } = new URL(config.publicUrl);
  return protocol === "https:" ? "__Host-colloquy" : `colloquy-${port || "80"}`;
}

/** Sessions kept in a signed cookie, so that every process can read them and none has to store them. */
export function sessions(config: SessionConfig): Sessions {
  const seconds = config.SESSION_HOURS * 3600;
  const name = sessionCookieName(config);
  const cookie = signed({ secret: sessionSecret(config), kind: "session", seconds, schema: account });
  return {
    read: (request) => cookie.open(readCookies(request.headers.cookie).get(name)),
    async issue(response, signedIn) {
      response.cookie(name, await cookie.sign(signedIn), { ...cookieOptions(config), maxAge: seconds * 1000 });
    },
    clear(response) {
      response.clearCookie(name, cookieOptions(config));
    },
  };
}

/** Middleware that sets `request.account`: null also for a request that names another account than its session's. */
export function session(config: SessionConfig): RequestHandler {
  const kept = sessions(config);
  return async (request, _response, next) => {
    const account = await kept.read(request);
    const meant = request.get(accountHeader);
    request.account = meant === undefined || meant === account?.accountId ? account : null;
    next();
  };
}

/** The account that is signed in. @throws {ProblemError} `sign_in_required` */
export function requireAccount(request: Request): Account {
  if (!request.account) throw new ProblemError("sign_in_required");
  return request.account;
}
