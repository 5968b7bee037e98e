import { bounds } from "@colloquy/schemas/bounds.ts";
import type { QuestionResponse } from "@colloquy/schemas/questions/response.ts";
import { type LearningClock, learningClock, ownZone } from "@colloquy/schemas/review/learning-clock.ts";
import type { RetiredCard, ReviewAnswerReply, ReviewAsk, ReviewCard } from "@colloquy/schemas/review/requests.ts";
import { workspaceEntity } from "@colloquy/schemas/sync/entities.ts";
import type { Api } from "../api/client.ts";
import { call } from "../api/http.ts";
import { isAbort, problemOfThrown } from "../api/problems.ts";
import type { AccountStore } from "../store/account-store.ts";
import { Emitter } from "../store/emitter.ts";
import type { Library } from "../store/library.ts";
import { type Queue, type QueueOptions, queueOf, type ReviewItem } from "./queue.ts";
import { type Grade, type Interval, intervalsAfter } from "./schedule.ts";

interface ReviewingNeeds {
  api: Pick<Api, "review" | "send">;
  store: Pick<AccountStore, "review" | "meta">;
  library: Pick<Library, "commitPersonal" | "connection" | "events" | "loaded"> & {
    replica: Pick<Library["replica"], "allPersonal" | "cursor" | "personal">;
  };
  /** Milliseconds since the epoch. */
  now?: () => number;
  /** IANA name. */
  zone?: string;
}

/** An action that can be undone. */
export type UndoableAction = { itemId: string } & ({ kind: "rated"; changeId: string } | { kind: "buried" | "suspended" });

/**
 * An account's review: the cards last received, their states on all devices, and the queue computed from both. Works offline: cards are
 * stored in the browser, ratings go through the outbox. Independent of elements.
 */
export class Reviewing {
  readonly events = new Emitter<{ change: undefined }>();
  readonly clock: LearningClock;
  /** Null until loaded. */
  cards: readonly ReviewCard[] | null = null;
  retired: readonly RetiredCard[] = [];
  /** Why reading the cards failed. */
  problem: string | null = null;
  readonly now: () => number;
  readonly #needs: ReviewingNeeds;
  readonly #stop = new AbortController();
  #actions: UndoableAction[] = [];
  #queue: Queue | null = null;
  /** The other devices' ratings were never read, so no cards are asked yet. */
  #isBehind: boolean;

  constructor(needs: ReviewingNeeds) {
    this.#needs = needs;
    this.#isBehind = needs.library.replica.cursor === "0" && !isSyncedOrOffline(needs.library);
    this.now = needs.now ?? Date.now;
    this.clock = learningClock(needs.zone ?? ownZone());
    const release = needs.library.events.on("personal", ({ domains }) => {
      if (domains.has("review") || domains.has("preferences")) this.#changed();
    });
    this.#stop.signal.addEventListener("abort", release);
    for (const event of ["summaries", "connection"] as const)
      this.#stop.signal.addEventListener(
        "abort",
        needs.library.events.on(event, () => this.#catchUp()),
      );
  }

  dispose(): void {
    this.#stop.abort();
  }

  /** Shows the stored cards, then reads from the service. */
  async open(): Promise<void> {
    await this.openCached();
    await this.refresh();
  }

  /** Shows the stored cards without a request. */
  async openCached(): Promise<void> {
    const kept = await this.#needs.store.review.get("cards");
    if (kept && !this.cards) this.#setCards(kept);
  }

  /** Reads the cards from the service; `after`: a position of tutoring. On failure the stored cards stay. */
  async refresh(after?: string): Promise<void> {
    try {
      const { cards, retired } = await this.#needs.api.review(after === undefined ? {} : { after }, this.#stop.signal);
      this.problem = null;
      this.#setCards({ cards, retired });
      await this.#needs.store.review.put({ key: "cards", cards, retired });
    } catch (error) {
      if (isAbort(error)) return;
      this.problem = problemOfThrown(error).title;
      this.#changed();
    }
  }

  /** Resolves when the other devices' changes are here, or cannot be read. */
  caughtUp(): Promise<void> {
    return new Promise((resolve) => {
      if (!this.#isBehind) return resolve();
      const release = this.events.on("change", () => {
        if (this.#isBehind) return;
        release();
        resolve();
      });
    });
  }

  #catchUp(): void {
    if (!this.#isBehind || !isSyncedOrOffline(this.#needs.library)) return;
    this.#isBehind = false;
    this.#changed();
  }

  get retention(): number {
    return this.#choices.reviewRetention ?? bounds.review.retention.usual;
  }
  get newPerDay(): number {
    return this.#choices.reviewNewPerDay ?? bounds.review.newPerDay.usual;
  }
  get #choices() {
    return this.#needs.library.replica.personal("preferences", workspaceEntity)?.choices ?? {};
  }

  /** Today's queue; null until the cards and their states are known. */
  get queue(): Queue | null {
    if (!this.cards || this.#isBehind) return null;
    this.#queue ??= queueOf(this.cards, this.#needs.library.replica.allPersonal("review"), this.#options);
    return this.#queue;
  }
  get #options(): QueueOptions {
    return { clock: this.clock, retention: this.retention, now: this.now(), newPerDay: this.newPerDay };
  }

  /** Recomputes the queue, because cards may have become due. */
  tick(): void {
    this.#changed();
  }

  /** A card's next interval for each rating. */
  intervals({ state }: ReviewItem): Record<Grade, Interval> {
    return intervalsAfter(state.reviews, this.now(), this.#options);
  }

  get lastAction(): UndoableAction | null {
    return this.#actions.at(-1) ?? null;
  }

  /** @param elapsedMs from the question to the rating */
  async rate({ card }: ReviewItem, rating: Grade, elapsedMs: number): Promise<void> {
    const { itemId, courseId } = card;
    const data = { courseId, rating, elapsedMs: Math.max(0, Math.min(86_400_000, Math.round(elapsedMs))) };
    const [changeId = ""] = await this.#needs.library.commitPersonal([{ domain: "review", entityId: itemId, type: "reviewed", data }]);
    this.#rememberAction({ kind: "rated", itemId, changeId });
  }

  /**
   * Has the answer to a card's question marked; the service records it as evidence.
   * @param requestId the same when it is sent again
   * @param confirmed it is marked as it stands, however it is spelled
   * @throws {RequestFailed}
   */
  answer(
    { card }: ReviewItem,
    ask: ReviewAsk,
    response: QuestionResponse,
    { requestId, confirmed }: { requestId: string; confirmed: boolean },
  ): Promise<ReviewAnswerReply> {
    const { courseId, itemId: objectiveId } = card;
    const { blockId, digest } = ask;
    const body = { requestId, courseId, objectiveId, blockId, digest, response, ...(confirmed && { confirmed }) };
    return call(this.#needs.api.send, "POST /api/review/answers", { body }, { signal: this.#stop.signal });
  }

  /** Where drafts of answers are kept. */
  get meta(): AccountStore["meta"] {
    return this.#needs.store.meta;
  }

  /** Postpones a card to tomorrow. */
  async putOff({ card: { itemId } }: ReviewItem): Promise<void> {
    await this.#needs.library.commitPersonal([{ domain: "review", entityId: itemId, type: "buried", data: {} }]);
    this.#rememberAction({ kind: "buried", itemId });
  }

  /** Suspends a card until it is resumed. */
  async suspend({ card: { itemId } }: ReviewItem): Promise<void> {
    await this.#needs.library.commitPersonal([{ domain: "review", entityId: itemId, type: "suspended", data: {} }]);
    this.#rememberAction({ kind: "suspended", itemId });
  }

  async resume(itemId: string): Promise<void> {
    await this.#needs.library.commitPersonal([{ domain: "review", entityId: itemId, type: "resumed", data: {} }]);
  }

  /** Undoes the last action; returns the card's id. */
  async undo(): Promise<string | null> {
    const done = this.#actions.pop();
    if (!done) return null;
    const { itemId } = done;
    if (done.kind !== "rated") await this.resume(itemId);
    else {
      const data = { changeId: done.changeId };
      await this.#needs.library.commitPersonal([{ domain: "review", entityId: itemId, type: "taken_back", data }]);
    }
    this.#changed();
    return itemId;
  }

  async saveSetting(data: { reviewRetention: number } | { reviewNewPerDay: number }): Promise<void> {
    await this.#needs.library.commitPersonal([{ domain: "preferences", entityId: workspaceEntity, type: "chosen", data }]);
  }

  #rememberAction(done: UndoableAction): void {
    this.#actions.push(done);
    this.#changed();
  }

  #setCards({ cards, retired }: { cards: readonly ReviewCard[]; retired: readonly RetiredCard[] }): void {
    this.cards = cards;
    this.retired = retired;
    this.#changed();
  }

  #changed(): void {
    this.#queue = null;
    this.events.emit("change");
  }
}

/** Everything is synced, or the service is unreachable. */
const isSyncedOrOffline = ({ loaded, connection }: Pick<Library, "connection" | "loaded">): boolean => loaded || connection === "waiting";
