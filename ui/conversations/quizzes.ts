import type { Conversation } from "@colloquy/schemas/conversations/requests.ts";
import type { ConversationChangeData } from "@colloquy/schemas/sync/changes.ts";
import type { QuizAttempt, QuizDraft } from "../quiz/progress.ts";
import type { AccountStore } from "../store/account-store.ts";
import type { Library } from "../store/library.ts";

/** The learner's state in a quiz. */
export interface QuizState {
  /** Oldest first. */
  attempts: readonly QuizAttempt[];
  draft: QuizDraft | null;
}
export type QuizStates = ReadonlyMap<string, QuizState>;

/** The quizzes of one conversation: recorded attempts and unfinished answers of this browser. */
export class Quizzes {
  readonly #store: AccountStore;
  readonly #conversationId: string;
  readonly #drafts = new Map<string, QuizDraft>();
  #states: { record: Conversation | null; states: QuizStates } | null = null;

  constructor(store: AccountStore, conversationId: string) {
    this.#store = store;
    this.#conversationId = conversationId;
  }

  /** Reads the stored answers. */
  async load(): Promise<void> {
    for (const row of await this.#store.quizzes.getAll())
      if (row.conversationId === this.#conversationId && !this.#drafts.has(row.key)) this.#drafts.set(row.key, row.draft);
    this.#states = null;
  }

  /** Stores unfinished answers; `null` deletes them. */
  keep(quizId: string, draft: QuizDraft | null): Promise<void> {
    this.#states = null;
    if (draft) this.#drafts.set(quizId, draft);
    else this.#drafts.delete(quizId);
    if (!draft) return this.#store.quizzes.delete(quizId);
    return this.#store.quizzes.put({ key: quizId, conversationId: this.#conversationId, draft, savedAt: Date.now() });
  }

  /** Records a finished attempt, on all devices. */
  async record(attempt: ConversationChangeData["quiz_attempted"], library: Pick<Library, "commit">): Promise<void> {
    await library.commit([{ conversationId: this.#conversationId, type: "quiz_attempted", data: attempt }]);
    // Afterwards, so that there is always an attempt or a draft.
    await this.keep(attempt.quizId, null);
  }

  /** Deletes all unfinished answers. */
  clear(): void {
    for (const quizId of [...this.#drafts.keys()]) void this.keep(quizId, null);
  }

  /** States by quiz id; the same object until something changes. */
  of(record: Conversation | null): QuizStates {
    if (this.#states?.record === record) return this.#states.states;
    const states = new Map<string, QuizState>();
    for (const quizId of new Set([...this.#drafts.keys(), ...(record?.quizAttempts ?? []).map((attempt) => attempt.quizId)]))
      states.set(quizId, {
        attempts: (record?.quizAttempts ?? []).filter((attempt) => attempt.quizId === quizId),
        draft: this.#drafts.get(quizId) ?? null,
      });
    this.#states = { record, states };
    return states;
  }
}
