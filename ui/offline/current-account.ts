import type { Account } from "@colloquy/schemas/accounts/account.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Api } from "../api/client.ts";
import { isAbort, RequestFailed } from "../api/problems.ts";
import { rememberAccount, rememberedAccount } from "./last-account.ts";

/**
 * Who is signed in; null for nobody. Where the service does not answer, or not soon, it is whoever was here last, whose things are all in
 * this browser; the client acts for them and nobody else, so nothing of theirs goes out under another account that signed in meanwhile.
 * @throws {RequestFailed} when the service does not answer and nobody was here
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
    // What it says later is heard with the first request that is refused.
    asked.catch(() => undefined);
    return fromHere();
  } catch (error) {
    if (isAbort(error) || (error instanceof RequestFailed && error.problem.status > 0 && error.problem.status < 500)) throw error;
    return fromHere();
  }
}
