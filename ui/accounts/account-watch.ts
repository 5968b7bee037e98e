import type { Account } from "@colloquy/schemas/accounts/account.ts";
import { rememberAccount } from "../offline/last-account.ts";
import { broadcastSignOut } from "./sign-out-broadcast.ts";

interface Options {
  accountId: string;
  /** Who is signed in in this browser now; null for nobody. */
  me(signal: AbortSignal): Promise<Account | null>;
  /** The page must show nothing of the account any more: another one is signed in. */
  onAccountChanged(): void;
  signal: AbortSignal;
}

export interface AccountWatch {
  /** Tells the other tabs that the account signed out here. */
  broadcastSignOut(): void;
  /** Asks who is signed in now. A sign-in that merely ran out is no reason to leave: what is unsaved can still be saved. */
  check(): Promise<void>;
}

/**
 * Watches, for a page that shows an account's things, that the browser still belongs to it: looks whenever the tab is shown again.
 * A sign-out in another tab is listened for by the page itself (`onLeftElsewhere`), from before this is loaded.
 */
export function watchAccount({ accountId, me, onAccountChanged: onLeft, signal }: Options): AccountWatch {
  async function look(): Promise<void> {
    const account = await me(signal).catch(() => undefined);
    if (account !== undefined) rememberAccount(account);
    if (account && account.accountId !== accountId && !signal.aborted) onLeft();
  }
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && void look(), { signal });
  return { check: look, broadcastSignOut: () => broadcastSignOut(accountId) };
}
