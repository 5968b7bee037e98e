import { promisify } from "node:util";
import { translatorFor } from "@colloquy/messages/translators.ts";
import { type Account, isAuditorOnly } from "@colloquy/schemas/accounts/account.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import * as contracts from "@colloquy/schemas/contracts/accounts.ts";
import express, { type Request, type Response, Router } from "express";
import { errors } from "jose";
import { AuthorizationResponseError, ClientError, ResponseBodyError } from "openid-client";
import { type Config, embeddedIdentity } from "../config.ts";
import { readInTime } from "../http/json-body.ts";
import { renderNotice } from "../http/notice-page.ts";
import { ProblemError, unavailable } from "../http/problem.ts";
import { languageOfReader } from "../http/reader-language.ts";
import { type Route, route, sent, serve } from "../http/route.ts";
import type { Logger } from "../telemetry/log.ts";
import { accountDevices, accountIds, demonstrationAccount, demonstrationAccounts, embeddedIssuer, providerSessions } from "./accounts.ts";
import { devices } from "./devices.ts";
import { embedTokenRoutes } from "./embed-routes.ts";
import type { EndedSessions, OpenSession } from "./ended-sessions.ts";
import { pendingSignIns } from "./pending-sign-ins.ts";
import { type ProviderClient, providerClient } from "./provider-client.ts";
import { returnPath } from "./return-path.ts";
import { type SessionOrigin, sessions } from "./session.ts";

/** What a person reads when a sign-in does not come about. Never the provider's own words. `again`: seconds until another try may help. */
const troubles = {
  not_set_up: {
    status: 503,
    again: 60,
    title: "page.signNotSetUpHere",
    text: "page.installationNoIdentityProviderYetOperator",
  },
  unreachable: {
    status: 503,
    again: 2,
    title: "page.signServiceDoesNotRespond",
    text: "page.nothingWrongAccountTry",
  },
  run_out: {
    status: 400,
    again: null,
    title: "page.signExpired",
    text: "page.begunTooLongAgo",
  },
  cancelled: { status: 200, again: null, title: "page.notSigned", text: "page.signCancelledNothingChanged" },
  refused: {
    status: 400,
    again: null,
    title: "page.signFailed",
    text: "page.signServiceDidNotConfirmIdentity",
  },
} as const;

interface Options {
  config: Config;
  log: Logger;
  ended: EndedSessions;
  /** Told before a session begins. */
  onSignIn?: (account: Account, requestId: string) => Promise<void>;
  /** Told once it has begun, with what the browser says of itself. */
  onSession?: (session: OpenSession, userAgent: string, requestId: string) => Promise<void>;
  /** Ends a session, and former ones of its browser. */
  endSession?: (session: OpenSession, requestId: string) => Promise<void>;
  /** Told before all sessions of an account end. */
  onEndAll?: (accountId: string, requestId: string) => Promise<void>;
  /** Ends what assistants of an account may do. */
  endAssistants?: (accountId: string, requestId: string) => Promise<void>;
}

/** Signing in and out, at the configured OpenID provider or the embedded one, and as a demonstration account where there are some. */
export function authRoutes({
  config,
  log,
  ended,
  onSignIn = async () => undefined,
  onSession = async () => undefined,
  endSession = ended.end,
  onEndAll = async () => undefined,
  endAssistants = async () => undefined,
}: Options): Router {
  const router = Router();
  const provider = providerClient(config);
  const kept = sessions(config);
  const device = devices(config);
  const accountDevice = accountDevices(config);
  const underway = pendingSignIns(config);
  const accountId = accountIds(config);
  const providerSession = providerSessions(config);
  const readForm = promisify(express.urlencoded({ extended: false, limit: bounds.session.logoutTokenBytes }));
  const publicHost = new URL(config.publicUrl).host;

  async function begin(request: Request, response: Response, account: Account, origin: SessionOrigin): Promise<void> {
    await onSignIn(account, request.id).catch((error: unknown) => {
      // A learner loses nothing by it; an auditor whose assistants might still write is not let in.
      if (isAuditorOnly(account)) throw unavailable(error);
      log.warn({ err: error, requestId: request.id }, "a sign-in could not be recorded");
    });
    response.locals.signedIn = account;
    const deviceId = device.of(request);
    const session = await kept.issue(response, account, { ...origin, device: accountDevice(account.accountId, deviceId) });
    device.keep(response, deviceId);
    // Unrecorded, it is missing in the list of sessions; "Sign out everywhere" ends it all the same.
    await onSession(session, request.get("user-agent") ?? "", request.id).catch((error: unknown) =>
      log.warn({ err: error, requestId: request.id }, "a session could not be recorded"),
    );
  }

  async function endAll(accountId: string, requestId: string): Promise<void> {
    await onEndAll(accountId, requestId).catch((error: unknown) => Promise.reject(unavailable(error)));
    await ended.endAll(accountId, requestId, config.SESSION_HOURS);
  }

  router.use("/auth", (request, response, next) => {
    // A text with a mere picture in it could otherwise sign its reader in as somebody.
    if (request.get("sec-fetch-dest") === "image") throw new ProblemError("not_allowed");
    // A window that a page of another site opened for signing in still has to reach it at the end.
    response.set({ "cache-control": "private, no-store", "cross-origin-opener-policy": "unsafe-none" });
    next();
  });

  router.use(embedTokenRoutes(config));

  const login = route(contracts.beginSignIn, async ({ request, response }) => {
    const returnTo = returnPath(request.query.return);
    const again = request.query.again !== undefined;
    if (!provider) return sayTrouble(response, "not_set_up", null);
    // The provider sends browsers back to the public address, so the cookie that waits for them has to be set there.
    if (request.get("host") !== publicHost && request.query.moved === undefined)
      return redirect(response, `${config.publicUrl}/auth/login?moved${again ? "&again" : ""}&return=${encodeURIComponent(returnTo)}`);
    try {
      const { url, departure } = await provider.departure({ again });
      await underway.keep(request, response, { ...departure, returnTo });
      return redirect(response, url.href);
    } catch (error) {
      log.error({ err: error, requestId: request.id }, "the identity provider could not be asked");
      return sayTrouble(response, "unreachable", returnTo);
    }
  });

  const callback = route(contracts.completeSignIn, async ({ request, response }) => {
    if (!provider) return sayTrouble(response, "not_set_up", null);
    const state = request.query.state;
    const departure = typeof state === "string" ? await underway.take(request, response, state) : null;
    if (!departure) {
      // Somebody who went back to this address after signing in is signed in all the same.
      if (request.account) return redirect(response, returnPath(undefined));
      return sayTrouble(response, "run_out", returnPath(undefined));
    }
    try {
      const arrival = await provider.arrival(new URL(request.originalUrl, config.publicUrl), departure);
      await begin(
        request,
        response,
        {
          accountId: accountId(arrival.issuer, arrival.subject),
          name: arrival.name,
          roles: arrival.roles,
        },
        {
          providerSession: arrival.sid === null ? undefined : providerSession(arrival.issuer, arrival.sid),
          authenticatedAt: arrival.authenticatedAt,
        },
      );
      return redirect(response, departure.returnTo);
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble !== "cancelled") log.warn({ ...said(error), requestId: request.id }, "a sign-in was not completed");
      return sayTrouble(response, trouble, departure.returnTo);
    }
  });

  const leave = route(contracts.signOut, async ({ request, response, body: { everywhere = false, keepAssistants = false } }) => {
    const open = await kept.open(request);
    // The cookie stays until its session is ended, so that a failed sign-out can be retried.
    if (open && !(await ended.has(open))) {
      if (!keepAssistants) await endAssistants(open.accountId, request.id).catch((error: unknown) => Promise.reject(unavailable(error)));
      if (everywhere) await endAll(open.accountId, request.id);
      else await endSession(open, request.id);
    }
    kept.clear(response);
    return { redirect: await afterSignOut(provider, log, request) };
  });

  const logout = route(contracts.backChannelLogout, async ({ request, response }) => {
    if (!provider) throw new ProblemError("not_found");
    await readInTime(response, bounds.session.logoutTokenBytes, readForm(request, response));
    const { logout_token: token } = (request.body ?? {}) as { logout_token?: unknown };
    if (typeof token !== "string") throw new ProblemError("invalid_request", { detail: "Send logout_token." });
    const { subject, sid } = await provider.logout(token).catch((error: unknown) => {
      log.warn({ ...said(error), requestId: request.id }, "a logout token was refused");
      throw isUnreachable(error) ? unavailable(error) : new ProblemError("invalid_request", { detail: "The logout token is not valid." });
    });
    const issuer = embeddedIdentity(config) ? embeddedIssuer : (config.OIDC_ISSUER ?? "");
    // Without a session of the provider, all of the person end.
    if (sid !== null) await ended.endOfProvider(providerSession(issuer, sid), request.id, config.SESSION_HOURS);
    else if (subject !== null) await endAll(accountId(issuer, subject), request.id);
    response.set("cache-control", "no-store").status(200).end();
    return sent;
  });

  const demo = route(contracts.signInToDemo, async ({ request, response }) => {
    // A page of another site could otherwise sign a browser in as somebody by a mere picture.
    if (request.get("sec-fetch-site") === "cross-site") throw new ProblemError("cross_site");
    const account = demonstrationAccount(String(request.query.as ?? ""), accountId);
    if (!account)
      throw new ProblemError("invalid_request", {
        fields: [{ path: "as", message: `expected one of ${demonstrationAccounts.map(({ key }) => key).join(", ")}` }],
      });
    await begin(request, response, account, {});
    return redirect(response, returnPath(request.query.return));
  });

  const routes: Route[] = embeddedIdentity(config) ? [login, callback, leave, logout, demo] : [login, callback, leave, logout];
  return router.use(serve(routes));
}

function redirect(response: Response, to: string): typeof sent {
  response.redirect(303, to);
  return sent;
}

/** Where a browser goes after signing out: to the provider's own sign-out where it has one, else home. */
async function afterSignOut(provider: ProviderClient | null, log: Logger, request: Request): Promise<string> {
  try {
    return (await provider?.endSession())?.href ?? "/";
  } catch (error) {
    log.warn({ err: error, requestId: request.id }, "the identity provider could not be asked");
    return "/";
  }
}

function sayTrouble(response: Response, trouble: keyof typeof troubles, returnTo: string | null): typeof sent {
  const { status, again, title, text } = troubles[trouble];
  const language = languageOfReader(response.req.headers);
  const { msg } = translatorFor(language);
  if (again !== null) response.set("retry-after", String(again));
  const retry = returnTo === null ? [] : [{ href: `/auth/login?return=${encodeURIComponent(returnTo)}`, label: msg("common.signIn") }];
  response
    .status(status)
    .type("html")
    .send(
      renderNotice({
        language,
        title: msg(title),
        text: [msg(text)],
        actions: [...retry, { href: "/courses", label: msg("page.readTheCourses") }],
      }),
    );
  return sent;
}

const isUnreachable = (error: unknown): boolean =>
  !(error instanceof errors.JOSEError) || error instanceof errors.JWKSTimeout || error.code === "ERR_JOSE_GENERIC";

function troubleOf(error: unknown): keyof typeof troubles {
  if (error instanceof AuthorizationResponseError && error.error === "access_denied") return "cancelled";
  if (error instanceof ProblemError || error instanceof TypeError || (error instanceof ClientError && error.code === "OAUTH_TIMEOUT"))
    return "unreachable";
  return "refused";
}

/** What of an error may be logged: its kind and the provider's error code, never tokens, codes or answers. */
function said(error: unknown): object {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) return { oauthError: error.error };
  if (error instanceof ClientError) return { oauthError: error.code, reason: error.message };
  return { reason: error instanceof Error ? error.message : "unknown" };
}
