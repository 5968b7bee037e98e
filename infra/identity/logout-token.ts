import { errors, type JWTVerifyGetKey, jwtVerify } from "jose";
import { LRUCache } from "lru-cache";

/** What an OpenID provider says about the end of one of its sessions, or of all of a person. */
export interface Logout {
  subject: string | null;
  sid: string | null;
}

const eventName = "http://schemas.openid.net/event/backchannel-logout";
const algorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"];
/** A token may be so old, and a clock so wrong. */
const tokenAge = { maxTokenAge: "10 minutes", clockTolerance: 60 };
const used = new LRUCache<string, true>({ max: 10_000, ttl: 15 * 60_000 });

/**
 * Checks a logout token as OpenID Connect Back-Channel Logout 1.0, 2.6 demands: signature, issuer, audience, times, the event, a subject or a
 * session, no nonce (an id token has one), and that it was not used before.
 * @throws {JOSEError} for a token that is not valid, or when the keys cannot be fetched
 */
export async function readLogoutToken(
  token: string,
  { issuer, clientId, keys }: { issuer: string; clientId: string; keys: JWTVerifyGetKey },
): Promise<Logout> {
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    issuer,
    audience: clientId,
    algorithms,
    requiredClaims: ["iss", "aud", "iat", "exp", "jti", "events"],
    ...tokenAge,
  });
  const refuse = (why: string): never => {
    throw new errors.JWTClaimValidationFailed(why, payload);
  };
  const { typ } = protectedHeader;
  if (typ !== undefined && !/^(application\/)?(logout\+jwt|jwt)$/i.test(typ)) refuse("the token is of another type");
  const { events, sub, sid, jti = "", nonce } = payload;
  const event = typeof events === "object" && events !== null ? Reflect.get(events, eventName) : undefined;
  if (typeof event !== "object" || event === null) refuse("the token is about no logout");
  if (nonce !== undefined) refuse("the token has a nonce, as id tokens have");
  if (sid !== undefined && typeof sid !== "string") refuse("the session is no text");
  if (sub === undefined && sid === undefined) refuse("the token names neither a subject nor a session");
  const name = `${issuer} ${jti}`;
  if (used.has(name)) refuse("the token was used before");
  used.set(name, true);
  return { subject: sub ?? null, sid: typeof sid === "string" ? sid : null };
}
