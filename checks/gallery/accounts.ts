import { readConfig } from "@colloquy/infra/config.ts";
import { sessions } from "@colloquy/infra/identity/session.ts";
import type { Account as SignedIn } from "@colloquy/schemas/accounts/account.ts";
import type { Response } from "express";

export type Account = SignedIn;

/** What signs the sessions of the gallery's programs, so that a scene can have an account that has nothing but its own things. */
export const sessionSecret = "the gallery signs its own sessions, for nobody else";

const account = (roles: Account["roles"], who: string, name: string): Account => ({ accountId: `acc_gallery${who}`, name, roles });

/** A learner of one scene, or of several that name the same. @param who lower-case letters and digits */
export const learnerOf = (who: string): Account => account(["learner"], who, "Mira");
export const ownerOf = (who: string): Account => account(["learner", "owner"], who, "Ada");
export const auditorOf = (who: string): Account => account(["learner", "auditor"], who, "Nils");

/** The cookie of an account's session, as `name=value`. */
export async function sessionOf(url: string, who: Account): Promise<string> {
  let cookie = "";
  const response = { cookie: (name: string, value: string) => (cookie = `${name}=${value}`) } as unknown as Response;
  await sessions(readConfig({ SESSION_SECRET: sessionSecret, PUBLIC_URL: url })).issue(response, who);
  return cookie;
}
