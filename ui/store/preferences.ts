import type { AccountStore } from "./account-store.ts";
import { Emitter } from "./emitter.ts";
import type { PreferenceRow } from "./rows.ts";

/** The workspace's record: one entity of the personal domain `preferences`, the last writing wins. */
const workspaceKey = "workspace";

/** What the account prefers in this workspace. Kept in this browser; the row has what a change of the domain would carry. */
export class Preferences {
  readonly events = new Emitter<{ change: undefined }>();
  readonly #store: Pick<AccountStore, "preferences">;
  #row: PreferenceRow;

  private constructor(store: Pick<AccountStore, "preferences">, row: PreferenceRow) {
    this.#store = store;
    this.#row = row;
  }

  static async open(store: Pick<AccountStore, "preferences">): Promise<Preferences> {
    return new Preferences(store, (await store.preferences.get(workspaceKey)) ?? { key: workspaceKey, at: "", data: { hiddenModels: [] } });
  }

  /** Models left out of the picker, by id. What is not named is listed, so a new model appears by itself; routing knows nothing of this. */
  get hiddenModels(): ReadonlySet<string> {
    return new Set(this.#row.data.hiddenModels);
  }

  async hideModel(modelId: string, hidden: boolean): Promise<void> {
    const others = this.#row.data.hiddenModels.filter((id) => id !== modelId);
    this.#row = { key: workspaceKey, at: new Date().toISOString(), data: { hiddenModels: hidden ? [...others, modelId] : others } };
    this.events.emit("change");
    await this.#store.preferences.put(this.#row);
  }

  /** Another tab may have written meanwhile. */
  async reread(): Promise<void> {
    const row = await this.#store.preferences.get(workspaceKey);
    if (!row || row.at <= this.#row.at) return;
    this.#row = row;
    this.events.emit("change");
  }
}
