import { isAuditorOnly } from "@colloquy/schemas/accounts/account.ts";
import { type ConnectorScope, connectorScopeNames } from "@colloquy/schemas/assistants/assistant.ts";
import { connectorBounds } from "@colloquy/schemas/connector-bounds.ts";
import { seen } from "@colloquy/schemas/text/strip-invisible.ts";
import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from "jose";
import { type Config, embeddedIdentity } from "../config.ts";
import { unavailable } from "../http/problem.ts";
import { accountIds, claimAt, demonstrationAccounts, embeddedIssuer, rolesOf } from "./accounts.ts";
import { connectorAudience, grantedAtClaim } from "./connector-address.ts";
import { embeddedProviderUrl } from "./provider-client.ts";

/** Whom an access token for the connector stands for, and what it allows. */
export interface AccessToken {
  accountId: string;
  clientId: string;
  /** What the assistant calls itself; its id where the token does not say. */
  clientName: string;
  scopes: ConnectorScope[];
  /** Whether its account is an auditor's and nothing else, as far as the provider says so; the scopes are those to read then. */
  onlyReads: boolean;
  /** Seconds since 1970; of what its person agreed to, where the provider says when that was: renewed tokens are no newer than that. */
  issuedAt: number;
  expiresAt: number;
}

export interface AccessTokens {
  /** The issuer that gives them out, as its metadata names it. */
  issuer: string;
  /** Null for a token that is altered, expired, of another issuer, or for another audience. @throws {ProblemError} `unavailable` */
  open(token: string): Promise<AccessToken | null>;
}

/** Never a secret shared with the provider, and never none. */
const algorithms = ["ES256", "ES384", "ES512", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "EdDSA", "Ed25519"];
const timeoutMs = 5_000;
const toleranceSeconds = 5;

/** Checks access tokens (RFC 9068) against the provider's published keys; null where nobody can sign in. */
export function accessTokens(config: Config): AccessTokens | null {
  const embedded = embeddedIdentity(config);
  const issuer = embedded ? embeddedProviderUrl(config) : config.OIDC_ISSUER;
  if (issuer === undefined) return null;
  const accountId = accountIds(config);
  let keys: Promise<ReturnType<typeof createRemoteJWKSet>> | null = null;

  function keySet(): Promise<ReturnType<typeof createRemoteJWKSet>> {
    keys ??= findKeys(config, issuer ?? "", embedded).catch((error: unknown) => {
      keys = null;
      throw unavailable(error);
    });
    return keys;
  }

  return {
    issuer,
    async open(token) {
      try {
        const { payload } = await jwtVerify(token, await keySet(), {
          issuer,
          audience: connectorAudience(config),
          algorithms,
          clockTolerance: toleranceSeconds,
          requiredClaims: ["exp", "iat", "sub"],
          // The embedded provider marks its access tokens; not every other one does.
          ...(embedded && { typ: "at+jwt" }),
        });
        const clientId = clientOf(payload);
        if (clientId === null || payload.sub === undefined) return null;
        return {
          accountId: accountId(embedded ? embeddedIssuer : issuer, payload.sub),
          clientId,
          clientName: assistantName(payload.client_name) || clientId.slice(0, connectorBounds.clientNameLength),
          ...reading(scopesOf(payload), embedded ? rolesAtDemonstration(payload.sub) : claimAt(payload, config.OIDC_ROLES_CLAIM)),
          issuedAt: Math.min(payload.iat ?? 0, grantedAt(payload)),
          expiresAt: payload.exp ?? 0,
        };
      } catch (error) {
        if (!(error instanceof errors.JOSEError)) throw error;
        if (error instanceof errors.JWKSTimeout || error.code === "ERR_JOSE_GENERIC") throw unavailable(error);
        return null;
      }
    },
  };
}

/** Where the provider's keys are: at its inner port for the embedded one, else as its metadata says. */
async function findKeys(config: Config, issuer: string, embedded: boolean): Promise<ReturnType<typeof createRemoteJWKSet>> {
  const options = { timeoutDuration: timeoutMs, [customFetch]: fetchKeys };
  if (embedded)
    return createRemoteJWKSet(
      new URL(config.IDENTITY_PORT ? `http://127.0.0.1:${config.IDENTITY_PORT}/oidc/jwks` : `${issuer}/jwks`),
      options,
    );
  const response = await fetch(`${issuer.replace(/\/+$/, "")}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(timeoutMs),
  });
  const metadata: unknown = await response.json();
  const { issuer: named, jwks_uri } = metadata as { issuer?: unknown; jwks_uri?: unknown };
  if (named !== issuer || typeof jwks_uri !== "string") throw new Error("the provider's metadata names another issuer, or no keys");
  return createRemoteJWKSet(new URL(jwks_uri), options);
}

/** A provider that cannot be reached says nothing about a token. */
async function fetchKeys(url: string, options: RequestInit): Promise<Response> {
  try {
    return await fetch(url, options);
  } catch (error) {
    throw unavailable(error);
  }
}

/** The client, as RFC 9068 names it, or as providers before it do. */
function clientOf(payload: JWTPayload): string | null {
  for (const claim of [payload.client_id, payload.azp, payload.cid])
    if (typeof claim === "string" && claim !== "" && claim.length <= connectorBounds.clientIdLength) return claim;
  return null;
}

/** What an assistant calls itself, as its person may read it: a label, with nothing in it that turns other words around or hides. */
export const assistantName = (said: unknown): string =>
  typeof said === "string" ? seen(said).trim().slice(0, connectorBounds.clientNameLength).toWellFormed() : "";

function scopesOf(payload: JWTPayload): ConnectorScope[] {
  const given = payload.scope ?? payload.scp;
  const words = Array.isArray(given) ? given : typeof given === "string" ? given.split(" ") : [];
  return connectorScopeNames.filter((scope) => words.includes(scope));
}

/** The roles of a demonstration account as they are now, whatever they were when the token was given out. */
const rolesAtDemonstration = (subject: string): unknown => demonstrationAccounts.find(({ key }) => key === subject)?.roles;

function reading(scopes: ConnectorScope[], roles: unknown): Pick<AccessToken, "scopes" | "onlyReads"> {
  const readsOnly = roles !== undefined && isAuditorOnly({ roles: rolesOf(roles) });
  return { scopes: readsOnly ? scopesToRead(scopes) : scopes, onlyReads: readsOnly };
}

/** Those of an auditor's assistant, which reads as its auditor does. */
export const scopesToRead = (scopes: readonly ConnectorScope[]): ConnectorScope[] => scopes.filter((scope) => scope.endsWith(":read"));

function grantedAt({ [grantedAtClaim]: at }: JWTPayload): number {
  return typeof at === "number" ? at : Number.POSITIVE_INFINITY;
}
