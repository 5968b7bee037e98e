import { createHash, generateKeyPairSync } from "node:crypto";
import type { RequestListener, ServerResponse } from "node:http";
import { connectorScopeNames } from "@colloquy/schemas/assistants/assistant.ts";
import { connectorBounds } from "@colloquy/schemas/connector-bounds.ts";
import { errors, Provider } from "oidc-provider";
import type { Config } from "../../config.ts";
import { ProblemError } from "../../http/problem.ts";
import { type PublicFetch, publicFetch } from "../../http/public-fetch.ts";
import { rateLimitPerAccount } from "../../http/rate-limit.ts";
import { languageOfReader } from "../../http/reader-language.ts";
import { loadOrCreateSecret } from "../../secrets.ts";
import type { Logger } from "../../telemetry/log.ts";
import { demonstrationAccounts } from "../accounts.ts";
import { embeddedClientId, embeddedClientSecret, embeddedProviderUrl } from "../provider-client.ts";
import { assistantFeatures, assistantLifetimes, grantClaim, isRedirectUri, nameClaim } from "./assistants.ts";
import { answerInteraction, pageSecurity, troublePage } from "./interaction.ts";
import { type SignedIn, signedInHere } from "./signed-in.ts";
import { storeIn } from "./store.ts";

/** Lifetimes in seconds: long enough to sign in, no longer, for our own session is what lasts. */
const lifetimes = { AccessToken: 300, AuthorizationCode: 60, Grant: 600, IdToken: 300, Interaction: 600, Session: 60 };
const mountPath = "/oidc";
/** Of what assistants have the provider read: their metadata documents and keys. */
const outside = { bytes: 65_536, ms: 2_500 };

/** The embedded OpenID provider, answering everything under `/oidc`. Its clients are Colloquy itself and the assistants that register. */
export function embeddedProvider(
  config: Config,
  log: Logger,
  signedIn: SignedIn = signedInHere(config),
  read: PublicFetch = publicFetch(outside),
): RequestListener {
  const provider = new Provider(embeddedProviderUrl(config), {
    adapter: storeIn(config.DATA_DIR),
    fetch: (url, options) =>
      read(url instanceof Request ? url.url : url, { headers: options?.headers ?? {}, signal: options?.signal ?? null }),
    clients: [
      {
        client_id: embeddedClientId,
        client_secret: embeddedClientSecret(config),
        client_name: "Colloquy",
        redirect_uris: [`${config.publicUrl}/auth/callback`],
        response_types: ["code"],
        grant_types: ["authorization_code"],
        token_endpoint_auth_method: "client_secret_basic",
        id_token_signed_response_alg: "ES256",
      },
    ],
    jwks: { keys: [signingKey(config)] },
    cookies: {
      keys: [loadOrCreateSecret(config.DATA_DIR, "oidc-cookies")],
      long: { path: mountPath, sameSite: "lax", httpOnly: true, signed: true },
      // Without a path of their own these are kept per sign-in, so that two tabs do not disturb each other.
      short: { sameSite: "lax", httpOnly: true, signed: true },
    },
    responseTypes: ["code"],
    // The provider's one key is of this kind, so assistants that say nothing get it.
    clientDefaults: { id_token_signed_response_alg: "ES256" },
    scopes: ["openid", "profile", "offline_access", ...connectorScopeNames],
    claims: { openid: ["sub"], profile: ["name", "roles"] },
    // Name and roles stand in the id token, so that one exchange is enough.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    clientBasedCORS: (_context, origin) => config.CONNECTOR_ORIGINS.includes(origin),
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false }, ...assistantFeatures(config) },
    extraClientMetadata: {
      properties: ["redirect_uris"],
      validator(_context, _key, uris) {
        if (Array.isArray(uris) && !uris.every((uri) => typeof uri === "string" && isRedirectUri(uri)))
          throw new errors.InvalidRedirectUri("redirect_uris must be https, or lead back to this machine");
      },
    },
    extraTokenClaims: (context) => ({ ...nameClaim(context.oidc.client?.clientName), ...grantClaim(context.oidc.entities.Grant) }),
    issueRefreshToken: async (_context, client) => client.clientId !== embeddedClientId && client.grantTypeAllowed("refresh_token"),
    interactions: { url: (_context, interaction) => `${mountPath}/interaction/${interaction.uid}` },
    ttl: { ...lifetimes, ...assistantLifetimes(lifetimes) },
    expiresWithSession: async () => false,
    findAccount(_context, subject) {
      const found = demonstrationAccounts.find(({ key }) => key === subject);
      return found && { accountId: subject, claims: () => ({ sub: subject, name: found.name, roles: found.roles }) };
    },
    async loadExistingGrant(context) {
      const { client, session, result } = context.oidc;
      // An assistant has what its person has just agreed to. Colloquy asks on its own behalf, so nobody has to agree to anything.
      if (client?.clientId !== embeddedClientId) {
        const agreed = (result?.consent as { grantId?: string } | undefined)?.grantId;
        return agreed === undefined ? undefined : context.oidc.provider.Grant.find(agreed);
      }
      const grant = new context.oidc.provider.Grant({ accountId: session?.accountId ?? "", clientId: client?.clientId ?? "" });
      grant.addOIDCScope("openid profile");
      await grant.save();
      return grant;
    },
    renderError(context, _out, error) {
      log.warn({ reason: error.message }, "the embedded provider refused a request");
      context.type = "html";
      context.set("content-security-policy", pageSecurity(config));
      context.body = troublePage(languageOfReader(context.headers));
    },
  });
  provider.proxy = true;
  provider.on("server_error", (_context, error) => log.error({ err: error }, "the embedded provider failed"));
  const answer = provider.callback();
  const { host, protocol } = new URL(config.publicUrl);
  const registering = rateLimitPerAccount({ points: connectorBounds.registrationsPerMinute, seconds: 60 });

  return (request, response) => {
    // The provider has one address, whatever name the front door was reached by.
    request.headers["x-forwarded-host"] = host;
    request.headers["x-forwarded-proto"] = protocol.replace(":", "");
    const url = withinMount(request.url ?? "/");
    if (url !== mountPath && !url.startsWith(`${mountPath}/`)) return void response.writeHead(404).end();
    if (/^\/oidc\/interaction\/[\w-]+$/.test(url)) return void answerInteraction(provider, config, request, response, signedIn);
    Object.assign(request, { originalUrl: url });
    request.url = url.slice(mountPath.length) || "/";
    if (request.method !== "POST" || request.url.split("?", 1)[0] !== "/reg") return void answer(request, response);
    registering("anyone").then(
      () => answer(request, response),
      (error: unknown) => sayTooMany(response, error),
    );
  };
}

/** 429, in the shape that registration answers with (RFC 7591, section 3.2.2). */
function sayTooMany(response: ServerResponse, error: unknown): void {
  const seconds = (error instanceof ProblemError && error.retryAfterSeconds) || 60;
  response.writeHead(429, { "content-type": "application/json", "cache-control": "no-store", "retry-after": String(seconds) });
  response.end(JSON.stringify({ error: "temporarily_unavailable", error_description: `Too many registrations. Wait ${seconds} seconds.` }));
}

/** Metadata of an issuer with a path is asked for with the well-known part before the path, too (RFC 8414, section 3.1). */
const withinMount = (url: string): string =>
  url.replace(/^(\/\.well-known\/(?:oauth-authorization-server|openid-configuration))\/oidc$/, "/oidc$1");

/** The key that signs id tokens, made once. */
function signingKey(config: Config): Record<string, string> {
  const kept = loadOrCreateSecret(config.DATA_DIR, "oidc-signing-key", () =>
    JSON.stringify(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" })),
  );
  const kid = createHash("sha256").update(kept).digest("base64url").slice(0, 16);
  return { ...JSON.parse(kept), kid, use: "sig", alg: "ES256" };
}
