import type { AccountStore } from "../store/account-store.ts";
import { chosenPrefix } from "../store/rows.ts";

/** What the learner has chosen or written for the question that waits, and not confirmed yet. */
export interface Chosen {
  itemId: string;
  choiceIds: readonly string[];
  text: string;
}

/** How long a pause in writing is before what is written is kept. */
const idleMs = 250;

/** Keeps in this browser what is chosen and not confirmed, so that a reload or a crash loses nothing of it. */
export class KeptChoice {
  readonly #store: Pick<AccountStore, "workspace">;
  readonly #key: string;
  #waiting: Chosen | null | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #flush = () => void this.flush();

  constructor(store: Pick<AccountStore, "workspace">, conversationId: string) {
    this.#store = store;
    this.#key = `${chosenPrefix}${conversationId}`;
  }

  /** What was chosen for a question before; null if that was for another. */
  async read(itemId: string): Promise<Chosen | null> {
    const value = (await this.#store.workspace.get(this.#key))?.value as Partial<Chosen> | undefined;
    const { choiceIds, text } = value ?? {};
    if (value?.itemId !== itemId || !Array.isArray(choiceIds) || typeof text !== "string") return null;
    return { itemId, choiceIds: choiceIds.filter((id) => typeof id === "string"), text };
  }

  /** Keeps it after a short pause, and at once when the page is left; null: there is nothing to keep any more. */
  write(chosen: Chosen | null): void {
    if (this.#waiting === undefined) addEventListener("pagehide", this.#flush);
    this.#waiting = chosen;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#flush, idleMs);
  }

  async flush(): Promise<void> {
    const chosen = this.#waiting;
    if (chosen === undefined) return;
    this.#waiting = undefined;
    clearTimeout(this.#timer);
    removeEventListener("pagehide", this.#flush);
    if (chosen) await this.#store.workspace.put({ key: this.#key, value: { ...chosen }, savedAt: Date.now() });
    else await this.#store.workspace.delete(this.#key);
  }
}
