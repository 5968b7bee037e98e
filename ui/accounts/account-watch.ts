import type { Account } from "@colloquy/schemas/accounts/account.ts";
import { rememberAccount } from "../offline/last-account.ts";
import { broadcastSignOut } from "./sign-out-broadcast.ts";

interface Options {
  accountId: string;
  /** The account that is signed in now; null for nobody. */
  me(signal: AbortSignal): Promise<Account | null>;
  /** Called when another account is signed in: the page must show nothing of this one any more. */
  onAccountChanged(): void;
  signal: AbortSignal;
}

export interface AccountWatch {
  /** Notifies other tabs that the account signed out here. */
  broadcastSignOut(): void;
  /** Checks which account is signed in. An expired session is no reason to leave, because unsaved work can still be saved. */
  check(): Promise<void>;
}

/**
 * Checks, whenever the tab becomes visible, that the browser still belongs to the account. The page itself listens to sign-outs in other
 * tabs (`onSignOutElsewhere`), before this module is loaded.
 */
export function watchAccount({ accountId, me, onAccountChanged, signal }: Options): AccountWatch {
  async function look(): Promise<void> {
    const account = await me(signal).catch(() => undefined);
    if (account !== undefined) rememberAccount(account);
    if (account && account.accountId !== accountId && !signal.aborted) onAccountChanged();
  }
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && void look(), { signal });
  return { check: look, broadcastSignOut: () => broadcastSignOut(accountId) };
}
