import { createHmac } from "node:crypto";
import type { PlainMessageKey } from "@colloquy/messages/translator.ts";
import { type Account, type Role, roles } from "@colloquy/schemas/accounts/account.ts";
import type { Config } from "../config.ts";
import { deriveKey, loadOrCreateSecret } from "../secrets.ts";

export interface DemonstrationAccount {
  /** What `GET /auth/demo?as=` and the embedded provider call the account. */
  key: string;
  name: string;
  roles: Role[];
  /** What the sign-in page says about it. */
  about: PlainMessageKey;
}

/** The accounts of the embedded identity provider. */
export const demonstrationAccounts: DemonstrationAccount[] = [
  { key: "learner", name: "Mira", roles: ["learner"], about: "page.learner" },
  { key: "learner2", name: "Tomas", roles: ["learner"], about: "page.anotherLearner" },
  { key: "owner", name: "Ada", roles: ["learner", "owner"], about: "page.ownerCourses" },
  { key: "auditor", name: "Nils", roles: ["auditor"], about: "page.auditor" },
];

/** Stands for the embedded provider in account ids, so that they stay the same when the address or the port changes. */
export const embeddedIssuer = "embedded";

type SecretConfig = Pick<Config, "ACCOUNT_SECRET" | "DATA_DIR">;

/** Names an account by a pseudonym that says nothing of the provider's subject. */
export const accountIds = (config: SecretConfig): ((issuer: string, subject: string) => string) => pseudonyms(config, "acc", "account ids");

/** Names a session of the identity provider by a pseudonym. */
export const providerSessions = (config: SecretConfig): ((issuer: string, sid: string) => string) =>
  pseudonyms(config, "ps", "sessions of the provider");

/** Names a browser by a pseudonym, another one for each account that signs in there. */
export const accountDevices = (config: SecretConfig): ((accountId: string, deviceId: string) => string) =>
  pseudonyms(config, "dev", "devices");

/** The prefix and 22 characters of an HMAC-SHA256 under a key for one purpose. */
function pseudonyms(config: SecretConfig, prefix: string, purpose: string) {
  const key = deriveKey(config.ACCOUNT_SECRET ?? loadOrCreateSecret(config.DATA_DIR, "account"), purpose);
  return (scope: string, name: string): string =>
    `${prefix}_${createHmac("sha256", key).update(`${scope}|${name}`).digest("base64url").slice(0, 22)}`;
}

/** The account of a demonstration person, or null when there is none of that name. */
export function demonstrationAccount(key: string, accountId: ReturnType<typeof accountIds>): Account | null {
  const found = demonstrationAccounts.find((account) => account.key === key);
  return found ? { accountId: accountId(embeddedIssuer, found.key), name: found.name, roles: found.roles } : null;
}

/**
 * The roles in a claim: an array, or words separated by commas or spaces. Names we do not know are ignored.
 * Somebody the provider knows and gives no role is a learner.
 */
export function rolesOf(claim: unknown): Role[] {
  const given = Array.isArray(claim) ? claim : typeof claim === "string" ? claim.split(/[\s,]+/) : [];
  const known = roles.filter((role) => given.includes(role));
  return known.length ? known : ["learner"];
}

/** A claim by name; a dotted name (`realm_access.roles`) leads into objects. */
export function claimAt(claims: Record<string, unknown>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = Reflect.get(value, part);
  }
  return value;
}
