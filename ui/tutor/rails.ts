import type { AccountStore } from "../store/account-store.ts";

export const railNames = ["path", "progress"] as const;
export type RailName = (typeof railNames)[number];

/** Which rails of one conversation's tutoring are folded away on this device. A phone's sheets come and go and change nothing here. */
export class Rails {
  readonly #store: Pick<AccountStore, "workspace">;
  readonly #key: string;
  #folded: ReadonlySet<RailName> = new Set();

  constructor(store: Pick<AccountStore, "workspace">, conversationId: string) {
    this.#store = store;
    this.#key = `rails-${conversationId}`;
  }

  isFolded(name: RailName): boolean {
    return this.#folded.has(name);
  }

  /** Reads what was kept. */
  async load(): Promise<void> {
    const value = (await this.#store.workspace.get(this.#key))?.value;
    if (Array.isArray(value)) this.#folded = new Set(railNames.filter((name) => value.includes(name)));
  }

  async turn(name: RailName): Promise<void> {
    const folded = new Set(this.#folded);
    if (!folded.delete(name)) folded.add(name);
    this.#folded = folded;
    if (folded.size) await this.#store.workspace.put({ key: this.#key, value: [...folded], savedAt: Date.now() });
    else await this.#store.workspace.delete(this.#key);
  }
}
