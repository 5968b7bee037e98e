import type { IncomingMessage } from "node:http";
import { meResponse } from "@colloquy/schemas/accounts/account.ts";
import type { Config } from "../../config.ts";
import { accountIds, type DemonstrationAccount, demonstrationAccounts, embeddedIssuer } from "../accounts.ts";

/** How long the query service may take to say who is signed in, in milliseconds. */
const answerMs = 2_000;

/** The account that a browser's session is of; null when there is none, or when that cannot be known now. */
export type SignedIn = (request: Pick<IncomingMessage, "headers">) => Promise<DemonstrationAccount | null>;

/** Asks the query service, which knows the sessions that were ended before their time as well. */
export function signedInHere(config: Config): SignedIn {
  const accountId = accountIds(config);
  return async ({ headers: { cookie } }) => {
    if (!cookie || !config.QUERY_API_PORT) return null;
    try {
      const response = await fetch(`http://127.0.0.1:${config.QUERY_API_PORT}/api/me`, {
        headers: { cookie },
        signal: AbortSignal.timeout(answerMs),
      });
      const { account } = meResponse.parse(await response.json());
      return demonstrationAccounts.find(({ key }) => account?.accountId === accountId(embeddedIssuer, key)) ?? null;
    } catch {
      return null;
    }
  };
}
