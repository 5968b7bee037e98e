import type { AccountStore } from "../store/account-store.ts";

const railNames = ["path", "progress"] as const;
export type RailName = (typeof railNames)[number];

/** What else stands beside the lesson when it was opened: what was asked meanwhile. */
const questions = "questions" as const;

/**
 * Which rails of one conversation's tutoring are folded away on this device, and whether questions stand beside the lesson. A phone's
 * sheets come and go and change nothing here.
 */
export class Rails {
  readonly #store: Pick<AccountStore, "workspace">;
  readonly #key: string;
  /** What is not as it is at first. */
  #toggled: ReadonlySet<RailName | typeof questions> = new Set();
  /** What was turned before it was read how it stood: that is turned then. */
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

  /** Reads what was kept. */
  async load(): Promise<void> {
    this.#toggledWhileLoading = [];
    const value = (await this.#store.workspace.get(this.#key))?.value;
    const early = this.#toggledWhileLoading;
    this.#toggledWhileLoading = null;
    if (!Array.isArray(value)) return;
    this.#toggled = new Set([...railNames, questions].filter((name) => value.includes(name)));
    for (const name of early) await this.toggle(name);
  }

  /** Opens or closes the questions. */
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
