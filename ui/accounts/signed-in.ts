import type { Account } from "@colloquy/schemas/accounts/account.ts";
import type { Api } from "../api/client.ts";
import { type AccountStore, openAccountStore } from "../store/account-store.ts";
import { Emitter } from "../store/emitter.ts";
import { Library } from "../store/library.ts";
import { Preferences } from "../store/preferences.ts";
import { type AccountWatch, watchAccount } from "./account-watch.ts";

/** The signed-in account, shared by the pages of the shell: local store, library, preferences. */
export class SignedIn {
  readonly events = new Emitter<{ expired: undefined; leaving: undefined }>();
  /** Called before unsaved work is counted: each stores what is not stored yet. */
  readonly flushers = new Set<() => Promise<void>>();
  readonly account: Account;
  readonly store: AccountStore;
  readonly library: Library;
  readonly preferences: Preferences;
  readonly watch: AccountWatch;
  /** The session has expired: the account has to sign in again. */
  expired = false;
  readonly #closed = new AbortController();
  #started = false;

  private constructor(api: Api, account: Account, store: AccountStore, library: Library, onAccountChanged: () => void) {
    this.account = account;
    this.store = store;
    this.library = library;
    this.preferences = new Preferences(library);
    this.watch = watchAccount({
      accountId: account.accountId,
      me: (signal) => api.me(signal),
      onAccountChanged: onAccountChanged,
      signal: this.#closed.signal,
    });
    api.onSignedOut = () => void this.watch.check();
    library.events.on("signed-out", () => {
      this.expired = true;
      this.events.emit("expired");
    });
  }

  /** @param onAccountChanged called when another account is signed in */
  static async open(api: Api, account: Account, onAccountChanged: () => void): Promise<SignedIn> {
    const store = await openAccountStore(account.accountId);
    return new SignedIn(api, account, store, await Library.open(api, store), onAccountChanged);
  }

  /** Starts sending local changes and following the feed, once. */
  start(): void {
    if (this.#started) return;
    this.#started = true;
    void this.library.start();
  }

  /** Stores all unsaved work in this browser. */
  async flush(): Promise<void> {
    await Promise.all([...this.flushers].map((flush) => flush()));
  }

  /** The account has signed out: nothing of it may be stored any more. */
  leave(): void {
    this.events.emit("leaving");
    this.library.stop();
  }

  close(): void {
    this.#closed.abort();
    this.library.stop();
    this.store.close();
  }
}
