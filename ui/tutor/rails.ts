import type { AccountStore } from "../store/account-store.ts";

const railNames = ["path", "progress"] as const;
export type RailName = (typeof railNames)[number];

/** The side questions beside the lesson. */
const questions = "questions" as const;

/**
 * Which rails of one conversation are folded on this device, and whether side questions are open. Sheets on narrow screens do not
 * change this.
 */
export class Rails {
  readonly #store: Pick<AccountStore, "workspace">;
  readonly #key: string;
  /** The parts that differ from the default. */
  #toggled: ReadonlySet<RailName | typeof questions> = new Set();
  /** Parts toggled before the stored state was read; applied to it afterwards. */
  #toggledWhileLoading: (RailName | typeof questions)[] | null = null;

  constructor(store: Pick<AccountStore, "workspace">, conversationId: string) {
    this.#store = store;
    this.#key = `rails-${conversationId}`;
  }

  isFolded(name: RailName): boolean {
    return this.#toggled.has(name);
  }

  get questionsOpen(): boolean {
    return this.#toggled.has(questions);
  }

  /** Reads the stored state. */
  async load(): Promise<void> {
    this.#toggledWhileLoading = [];
    const value = (await this.#store.workspace.get(this.#key))?.value;
    const early = this.#toggledWhileLoading;
    this.#toggledWhileLoading = null;
    if (!Array.isArray(value)) return;
    this.#toggled = new Set([...railNames, questions].filter((name) => value.includes(name)));
    for (const name of early) await this.toggle(name);
  }

  /** Opens or closes the side questions. */
  async openQuestions(open: boolean): Promise<void> {
    if (open !== this.questionsOpen) await this.toggle(questions);
  }

  async toggle(name: RailName | typeof questions): Promise<void> {
    this.#toggledWhileLoading?.push(name);
    const turned = new Set(this.#toggled);
    if (!turned.delete(name)) turned.add(name);
    this.#toggled = turned;
    if (turned.size) await this.#store.workspace.put({ key: this.#key, value: [...turned], savedAt: Date.now() });
    else await this.#store.workspace.delete(this.#key);
  }
}
