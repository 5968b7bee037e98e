import type { AccountStore } from "../store/account-store.ts";
import { isLockHeld, tabLock } from "../store/locks.ts";
import type { WorkspaceRow } from "../store/rows.ts";
import type { Layout } from "./layout/layout.ts";
import { fromStored, toStored } from "./layout/stored.ts";

/** Shortest interval between writes: dragging a separator changes the layout with every frame. */
const idleMs = 300;
const prefix = "layout-";
const setAside = "set-aside";

/**
 * Stores this browser tab's layout in the account's store. A new tab adopts the layout of a closed one; open tabs never overwrite each
 * other's.
 */
export class LayoutKeeper {
  /** The stored layout, if it was valid. */
  readonly restored: Layout | null;
  /** The stored layout was invalid; it was set aside in the store. */
  readonly broken: boolean;
  readonly #store: Pick<AccountStore, "workspace">;
  readonly #key: string;
  readonly #flush = () => void this.flush();
  #waiting: Layout | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(store: Pick<AccountStore, "workspace">, key: string, restored: Layout | null, broken: boolean) {
    this.#store = store;
    this.#key = key;
    this.restored = restored;
    this.broken = broken;
    addEventListener("pagehide", this.#flush);
    document.addEventListener("visibilitychange", this.#flush);
  }

  static async open(store: Pick<AccountStore, "workspace">, tabId: string): Promise<LayoutKeeper> {
    const key = `${prefix}${tabId}`;
    const row = (await store.workspace.get(key)) ?? (await leftByAnother(store));
    const restored = row ? fromStored(row.value) : null;
    if (row && !restored) await store.workspace.put({ ...row, key: setAside });
    if (row && row.key !== key) await store.workspace.delete(row.key);
    if (row && restored) await store.workspace.put({ ...row, key });
    if (row && !restored) await store.workspace.delete(key);
    return new LayoutKeeper(store, key, restored, row !== null && row !== undefined && !restored);
  }

  keep(layout: Layout): void {
    this.#waiting = layout;
    if (this.#timer !== undefined) return;
    // At once, so that an immediate reload finds it.
    void this.flush();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.flush();
    }, idleMs);
  }

  async flush(): Promise<void> {
    const layout = this.#waiting;
    this.#waiting = null;
    if (!layout) return;
    const value = toStored(layout);
    if (value) await this.#store.workspace.put({ key: this.#key, value, savedAt: Date.now() });
    else await this.#store.workspace.delete(this.#key);
  }

  close(): void {
    clearTimeout(this.#timer);
    removeEventListener("pagehide", this.#flush);
    document.removeEventListener("visibilitychange", this.#flush);
  }
}

/** The newest layout of a closed tab; deletes older ones. */
async function leftByAnother(store: Pick<AccountStore, "workspace">): Promise<WorkspaceRow | null> {
  const rows = (await store.workspace.getAll())
    .filter(({ key }) => key.startsWith(prefix))
    .sort((one, other) => other.savedAt - one.savedAt);
  let newest: WorkspaceRow | null = null;
  for (const row of rows) {
    if (await isLockHeld(tabLock(row.key.slice(prefix.length)))) continue;
    if (newest) await store.workspace.delete(row.key);
    else newest = row;
  }
  return newest;
}
