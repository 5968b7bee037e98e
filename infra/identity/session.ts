import type { IncomingMessage } from "node:http";
import { type Account, account } from "@colloquy/schemas/accounts/account.ts";
import { embedContractOf } from "@colloquy/schemas/contracts/index.ts";
import { accountHeader } from "@colloquy/schemas/headers.ts";
import type { CookieOptions, Request, RequestHandler, Response } from "express";
import { z } from "zod";
import type { Config } from "../config.ts";
import { readCookies } from "../http/cookies.ts";
import { foreignOrigin } from "../http/embed-origins.ts";
import { loadOrCreateSecret } from "../secrets.ts";
import { bearerOf, embedTokens } from "./embed-token.ts";
import type { EndedSessions, OpenSession } from "./ended-sessions.ts";
import { signed } from "./signed.ts";

declare global {
  namespace Express {
    interface Request {
      /** Who is signed in; set by the `session` middleware. */
      account?: Account | null;
      /** The session that says so. */
      openSession?: OpenSession | null;
    }
  }
}

type SessionConfig = Pick<Config, "SESSION_SECRET" | "SESSION_HOURS" | "SESSION_IDLE_HOURS" | "DATA_DIR" | "publicUrl">;

type SignedIn = OpenSession & {
  account: Account;
  /** When the browser was last used, at the latest; null for a session of an earlier version, and for a page of another site. */
  seen: Date | null;
};

/** What a cookie says beside the account; sessions of earlier versions say nothing of it. */
export type SessionOrigin = Pick<OpenSession, "providerSession" | "device"> & { authenticatedAt?: number | undefined };

const content = z.strictObject({
  ...account.shape,
  /** A pseudonym of the identity provider's session. */
  providerSession: z.string().max(100).optional(),
  /** A pseudonym of the browser. */
  device: z.string().max(100).optional(),
  /** Seconds since 1970. */
  authenticatedAt: z.number().optional(),
  /** When the browser was last used, in seconds since 1970, to a twentieth of the idle limit. */
  seenAt: z.number().optional(),
});

export interface Sessions {
  /**
   * What a request's cookie says; null for no cookie, and for one that was altered, has expired or was not used for too long. Whether the
   * session was ended before its time the cookie does not know: `session` asks.
   */
  open(request: Pick<IncomingMessage, "headers">): Promise<SignedIn | null>;
  /** Begins a session with a fresh cookie, which replaces whatever the browser had. */
  issue(response: Response, account: Account, origin?: SessionOrigin): Promise<OpenSession>;
  /** Notes in the cookie that the browser is used, if that is due. */
  renew(response: Response, session: SignedIn): Promise<void>;
  /** Takes the cookie away. */
  clear(response: Response): void;
}

/** What signs this installation's cookies: `SESSION_SECRET`, or a secret made once in `DATA_DIR`. */
export function sessionSecret(config: Pick<Config, "SESSION_SECRET" | "DATA_DIR">): string {
  return config.SESSION_SECRET ?? loadOrCreateSecret(config.DATA_DIR, "session");
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

/** The name of a cookie that is sent to `/auth` only, which `__Host-` does not allow. */
export const authCookieName = (config: Pick<Config, "publicUrl">, name: string): string =>
  `${sessionCookieName(config).replace("__Host-", "__Secure-")}-${name}`;

/** Sessions kept in a signed cookie, so that every process can read them; stored are only those that were ended before their time. */
export function sessions(config: SessionConfig, now: () => number = Date.now): Sessions {
  const seconds = config.SESSION_HOURS * 3600;
  const idleMs = config.SESSION_IDLE_HOURS * 3_600_000;
  const name = sessionCookieName(config);
  const cookie = signed({ secret: sessionSecret(config), kind: "session", seconds, schema: content });
  const seenNow = (): number => Math.floor(now() / 1000);

  async function openText(text: string | undefined): Promise<SignedIn | null> {
    const opened = await cookie.open(text);
    if (!opened) return null;
    const { id, signedAt, expires } = opened;
    const { providerSession, device, authenticatedAt, seenAt, ...account } = opened.content;
    if (seenAt !== undefined && now() - seenAt * 1000 > idleMs) return null;
    return {
      account,
      accountId: account.accountId,
      sessionId: id,
      begun: signedAt,
      until: expires,
      providerSession,
      device,
      authenticated: authenticatedAt === undefined ? undefined : new Date(authenticatedAt * 1000),
      seen: seenAt === undefined ? null : new Date(seenAt * 1000),
    };
  }

  return {
    open: (request) => openText(readCookies(request.headers.cookie).get(name)),
    async issue(response, signedIn, origin = {}) {
      const text = await cookie.sign({ ...signedIn, ...origin, seenAt: seenNow() });
      response.cookie(name, text, { ...cookieOptions(config), maxAge: seconds * 1000 });
      const session = await openText(text);
      if (!session) throw new Error("a session that was just signed cannot be opened");
      return session;
    },
    async renew(response, { account, sessionId, begun, until, providerSession, device, authenticated, seen }) {
      if (seen && now() - seen.getTime() < idleMs / 20) return;
      const authenticatedAt = authenticated && authenticated.getTime() / 1000;
      const text = await cookie.sign(
        { ...account, providerSession, device, authenticatedAt, seenAt: seenNow() },
        { id: sessionId, signedAt: begun, expires: until },
      );
      response.cookie(name, text, { ...cookieOptions(config), expires: until });
    },
    clear(response) {
      response.clearCookie(name, cookieOptions(config));
    },
  };
}

/**
 * Middleware that sets `request.account`: null for a session that was ended, and for a request that names another account than its
 * session's. What is still being answered when the session ends is cut off. A page of another site is known by its token alone: its
 * cookies, which a neighbouring host's page may send along, count for nothing.
 */
export function session(config: SessionConfig & Pick<Config, "EMBED_ORIGINS">, ended: EndedSessions): RequestHandler {
  const kept = sessions(config);
  const embedded = embeddedSession(config);
  return async (request, response, next) => {
    const foreign = foreignOrigin(request, config);
    const open = foreign === null ? await kept.open(request) : await embedded(request, foreign);
    const account = open && (await isCurrent(ended, open, request)) ? open.account : null;
    const meant = request.get(accountHeader);
    request.account = meant === undefined || meant === account?.accountId ? account : null;
    request.openSession = request.account ? open : null;
    if (request.account && open && foreign === null && isUse(request)) await kept.renew(response, open);
    // The sign-out itself is answered.
    if (request.account && open && !request.path.startsWith("/auth/"))
      response.once(
        "close",
        ended.watch(open, () => response.destroy()),
      );
    next();
  };
}

/** Whether a person is at the browser: a page was opened, or something is changed. Open pages go on asking for news by themselves. */
const isUse = ({ method, path }: Request): boolean =>
  path === "/api/me" || (method !== "GET" && method !== "HEAD" && path.startsWith("/api/"));

/** Reads the token of a page on another site: only of an allowed origin, on the routes that elements need, and as a learner. */
function embeddedSession(config: SessionConfig & Pick<Config, "EMBED_ORIGINS">) {
  const tokens = embedTokens(sessionSecret(config));
  const allowed = new Set(config.EMBED_ORIGINS);
  return async (request: Request, origin: string): Promise<SignedIn | null> => {
    const token =
      allowed.has(origin) && embedContractOf(request.method, request.path)?.embed === "learner"
        ? bearerOf(request.get("authorization"))
        : null;
    const open = token === null ? null : await tokens.open(token, origin);
    return open && { ...open, seen: null, account: { accountId: open.accountId, name: "", roles: ["learner"] } };
  };
}

/** A page that anybody may read need not wait until the ended sessions are known: it shows nobody then. */
async function isCurrent(ended: EndedSessions, open: OpenSession, request: Request): Promise<boolean> {
  try {
    return !(await ended.has(open));
  } catch (error) {
    if (/^\/(?:api|mcp)(?:\/|$)/.test(request.path)) throw error;
    return false;
  }
}
