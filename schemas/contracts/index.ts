import * as accounts from "./accounts.ts";
import * as annotations from "./annotations.ts";
import * as ask from "./ask.ts";
import * as assistants from "./assistants.ts";
import * as audit from "./audit.ts";
import type { Contract } from "./contract.ts";
import * as conversations from "./conversations.ts";
import * as courses from "./courses.ts";
import * as embed from "./embed.ts";
import * as explainers from "./explainers.ts";
import * as operations from "./operations.ts";
import * as pages from "./pages.ts";
import * as publication from "./publication.ts";
import * as reminders from "./reminders.ts";
import * as review from "./review.ts";
import * as sync from "./sync.ts";
import * as tutor from "./tutor.ts";
import * as workers from "./workers.ts";

const features = {
  operations,
  accounts,
  conversations,
  annotations,
  sync,
  courses,
  ask,
  review,
  reminders,
  tutor,
  audit,
  explainers,
  workers,
  assistants,
  publication,
  embed,
  pages,
};
type Features = typeof features;

/** One contract of the program, with its own type. */
export type AnyContract = { [Feature in keyof Features]: Features[Feature][keyof Features[Feature]] }[keyof Features];

/**
 * Every route of the program. Not among them are those with a protocol of their own: the assistants' connector (`/mcp`,
 * `/.well-known/oauth-protected-resource`) and the embedded identity provider (`/oidc`).
 */
export const contracts: readonly Contract[] = Object.values(features).flatMap((feature) => Object.values<Contract>(feature));

/** Those that pages of other sites (`EMBED_ORIGINS`) may call. */
export const embedContracts: readonly Contract[] = contracts.filter(({ embed: allowed }) => allowed !== undefined);

const matchers = embedContracts.map((one) => ({ one, pattern: new RegExp(`^${one.path.replaceAll(/:\w+/g, "[^/]+")}$`) }));

/** The contract of a request from another site's page, or null where no such page may send it. */
export function embedContractOf(method: string, path: string): Contract | null {
  const asked = method === "HEAD" ? "GET" : method;
  return matchers.find(({ one, pattern }) => one.method === asked && pattern.test(path))?.one ?? null;
}
