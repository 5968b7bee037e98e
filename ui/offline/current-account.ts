import type { Account } from "@colloquy/schemas/accounts/account.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Api } from "../api/client.ts";
import { isAbort, RequestFailed } from "../api/problems.ts";
import { rememberAccount, rememberedAccount } from "./last-account.ts";

/**
 * The signed-in account; null for nobody. If the service does not answer in time, the account that was here last; the client then acts for
 * that account only, so nothing is sent for another one that signed in meanwhile.
 * @throws {RequestFailed} if the service does not answer and no account is remembered
 */
export async function currentAccount(api: Pick<Api, "me" | "setAccount">, signal: AbortSignal): Promise<Account | null> {
  const last = rememberedAccount();
  const asked = api.me(signal).then((account) => {
    rememberAccount(account);
    return account;
  });
  const fromHere = (): Account | null => {
    if (last) api.setAccount(last.accountId);
    return last;
  };
  if (!last) return asked;
  try {
    const late = new Promise<"late">((resolve) => setTimeout(resolve, bounds.offline.answerMs, "late"));
    const first = await Promise.race([asked, late]);
    if (first !== "late") return first;
    // A late refusal is noticed with the next refused request.
    asked.catch(() => undefined);
    return fromHere();
  } catch (error) {
    if (isAbort(error) || (error instanceof RequestFailed && error.problem.status > 0 && error.problem.status < 500)) throw error;
    return fromHere();
  }
}
