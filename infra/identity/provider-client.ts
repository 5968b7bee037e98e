import { createRemoteJWKSet, type JWTVerifyGetKey } from "jose";
import * as openid from "openid-client";
import { type Config, embeddedIdentity } from "../config.ts";
import { loadOrCreateSecret } from "../secrets.ts";
import { claimAt, embeddedIssuer, rolesOf } from "./accounts.ts";
import { type Logout, readLogoutToken } from "./logout-token.ts";

/** How long the provider may take to answer one request. */
const providerTimeoutSeconds = 10;

/** At a sign-in that must be fresh, so long ago a person may have proved who they are. */
const freshSeconds = 300;

export const embeddedClientId = "colloquy";

/** What is stored while the browser is at the provider. */
export interface SignInRequest {
  state: string;
  nonce: string;
  verifier: string;
  /** Whether the person had to prove who they are, also with a session at the provider. */
  again?: boolean | undefined;
}

/** The verified identity of a person. */
export interface SignInResult {
  issuer: string;
  subject: string;
  name: string;
  roles: ReturnType<typeof rolesOf>;
  /** The provider's name of its session. */
  sid: string | null;
  /** When the person proved who they are, in seconds since 1970, where the provider says so. */
  authenticatedAt: number | undefined;
}

export interface ProviderClient {
  /** The provider's address to send a browser to, for a new sign-in. */
  departure(options?: { again?: boolean }): Promise<{ url: URL; departure: SignInRequest }>;
  /** Verifies the callback and exchanges its code. Throws the errors of `openid-client`. */
  arrival(callback: URL, departure: SignInRequest): Promise<SignInResult>;
  /** What a logout token says. @throws {JOSEError} for one that is not valid */
  logout(token: string): Promise<Logout>;
  /** The provider's address that ends its own session too, or null when it has none. */
  endSession(): Promise<URL | null>;
}

/** Where the embedded provider is seen from outside. */
export function embeddedProviderUrl(config: Pick<Config, "publicUrl">): string {
  return `${config.publicUrl}/oidc`;
}

export function embeddedClientSecret(config: Pick<Config, "DATA_DIR">): string {
  return loadOrCreateSecret(config.DATA_DIR, "oidc-client");
}

/** The OpenID Connect code flow with PKCE against the configured provider, or null when there is none to sign in at. */
export function providerClient(config: Config): ProviderClient | null {
  const embedded = embeddedIdentity(config);
  if (!embedded && !config.OIDC_ISSUER) return null;
  const redirectUri = `${config.publicUrl}/auth/callback`;
  let discovered: Promise<openid.Configuration> | null = null;
  let keys: JWTVerifyGetKey | null = null;

  function provider(): Promise<openid.Configuration> {
    discovered ??= (embedded ? discoverEmbedded(config) : discoverExternal(config)).catch((error: unknown) => {
      discovered = null;
      throw error;
    });
    return discovered;
  }

  return {
    async departure({ again = false } = {}) {
      const departure = {
        state: openid.randomState(),
        nonce: openid.randomNonce(),
        verifier: openid.randomPKCECodeVerifier(),
        ...(again && { again }),
      };
      const url = openid.buildAuthorizationUrl(await provider(), {
        redirect_uri: redirectUri,
        scope: "openid profile",
        state: departure.state,
        nonce: departure.nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(departure.verifier),
        code_challenge_method: "S256",
        ...(again && { prompt: "login", max_age: String(freshSeconds) }),
      });
      return { url, departure };
    },
    async arrival(callback, departure) {
      const tokens = await openid.authorizationCodeGrant(await provider(), callback, {
        expectedState: departure.state,
        expectedNonce: departure.nonce,
        pkceCodeVerifier: departure.verifier,
        idTokenExpected: true,
        ...(departure.again && { maxAge: freshSeconds }),
      });
      const identity = tokens.claims();
      if (!identity) throw new Error("the provider sent no id token");
      const claims = await withUserInfo(await provider(), tokens.access_token, identity, config.OIDC_ROLES_CLAIM);
      return {
        issuer: embedded ? embeddedIssuer : identity.iss,
        subject: identity.sub,
        name: nameOf(claims),
        roles: rolesOf(claimAt(claims, config.OIDC_ROLES_CLAIM)),
        sid: typeof identity.sid === "string" ? identity.sid : null,
        authenticatedAt: identity.auth_time,
      };
    },
    async logout(token) {
      const { issuer, jwks_uri = "" } = (await provider()).serverMetadata();
      keys ??= createRemoteJWKSet(new URL(jwks_uri), { timeoutDuration: providerTimeoutSeconds * 1000 });
      const clientId = embedded ? embeddedClientId : (config.OIDC_CLIENT_ID ?? "");
      return readLogoutToken(token, { issuer, clientId, keys });
    },
    async endSession() {
      if (embedded) return null;
      const found = await provider();
      if (!found.serverMetadata().end_session_endpoint) return null;
      return openid.buildEndSessionUrl(found, { post_logout_redirect_uri: `${config.publicUrl}/` });
    },
  };
}

function discoverExternal(config: Config): Promise<openid.Configuration> {
  const issuer = new URL(config.OIDC_ISSUER ?? "");
  return openid.discovery(
    issuer,
    config.OIDC_CLIENT_ID ?? "",
    undefined,
    config.OIDC_CLIENT_SECRET ? openid.ClientSecretBasic(config.OIDC_CLIENT_SECRET) : openid.None(),
    {
      timeout: providerTimeoutSeconds,
      // Plain HTTP is for trying things out on one machine.
      execute: issuer.protocol === "http:" && config.development ? [openid.allowInsecureRequests] : [],
    },
  );
}

/** The embedded provider is asked at its inner port: the address people type may not be reachable from here (a proxy, a container). */
function discoverEmbedded(config: Config): Promise<openid.Configuration> {
  const outside = embeddedProviderUrl(config);
  const inside = config.IDENTITY_PORT ? `http://127.0.0.1:${config.IDENTITY_PORT}/oidc` : outside;
  return openid.discovery(new URL(outside), embeddedClientId, undefined, openid.ClientSecretBasic(embeddedClientSecret(config)), {
    timeout: providerTimeoutSeconds,
    execute: [openid.allowInsecureRequests],
    // This client sends forms or nothing.
    [openid.customFetch]: (url, { body, ...options }) =>
      fetch(url.startsWith(`${outside}/`) ? inside + url.slice(outside.length) : url, {
        ...options,
        body: body instanceof URLSearchParams ? body : null,
      }),
  });
}

/** The id token's claims, completed by the user-info answer where it says nothing of name or roles. */
async function withUserInfo(
  provider: openid.Configuration,
  accessToken: string,
  identity: openid.IDToken,
  rolesClaim: string,
): Promise<Record<string, unknown>> {
  const told = typeof identity.name === "string" && claimAt(identity, rolesClaim) !== undefined;
  if (told || !provider.serverMetadata().userinfo_endpoint) return identity;
  return { ...(await openid.fetchUserInfo(provider, accessToken, identity.sub)), ...identity };
}

/** The name to greet a person by: at most 200 characters, never empty. */
function nameOf(claims: Record<string, unknown>): string {
  for (const claim of ["name", "given_name", "preferred_username", "nickname"]) {
    const value = claims[claim];
    if (typeof value === "string" && value.trim()) return value.trim().slice(0, 200);
  }
  return "Signed in";
}
