import type { AccountStore } from "../store/account-store.ts";

const key = "sides";

/** What of the workspace's sides is folded away on this device. A phone's sheets come and go and change nothing here. */
export class Sides {
  folded: boolean;
  readonly #store: Pick<AccountStore, "workspace">;

  private constructor(store: Pick<AccountStore, "workspace">, folded: boolean) {
    this.#store = store;
    this.folded = folded;
  }

  static async open(store: Pick<AccountStore, "workspace">): Promise<Sides> {
    const value = (await store.workspace.get(key))?.value as { folded?: unknown } | null | undefined;
    return new Sides(store, value?.folded === true);
  }

  async fold(folded: boolean): Promise<void> {
    this.folded = folded;
    await this.#store.workspace.put({ key, value: { folded }, savedAt: Date.now() });
  }
}
