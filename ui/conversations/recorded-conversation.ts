import type { Conversation } from "@colloquy/schemas/conversations/requests.ts";
import type { AccountStore } from "../store/account-store.ts";
import type { TraceRow } from "../store/rows.ts";
import { type Exchange, type LiveTurn, type RecordedExchanges, recordedExchanges, withLive } from "./exchanges.ts";

/** What is recorded of one conversation, with this browser's own knowledge of how each answer came about. */
export class RecordedConversation {
  readonly #store: AccountStore;
  readonly #conversationId: string;
  readonly #traces = new Map<string, TraceRow>();
  #record: Conversation | null = null;
  /** Computed when first asked for, and anew when the record or a trace changed. */
  #exchanges: RecordedExchanges | null = null;

  constructor(store: AccountStore, conversationId: string) {
    this.#store = store;
    this.#conversationId = conversationId;
  }

  get record(): Conversation | null {
    return this.#record;
  }
  set record(record: Conversation | null) {
    this.#record = record;
    this.#exchanges = null;
  }

  exchanges(live: LiveTurn | null): Exchange[] {
    this.#exchanges ??= recordedExchanges(this.#record, this.#traces);
    return withLive(this.#exchanges, live);
  }

  /** Reads the traces that were kept for the turns of a record; without one those of the conversation, by reading all there are. */
  async load(record: Conversation | null): Promise<void> {
    const traces = record ? await this.#store.traces.getMany(record.turns.map(({ turnId }) => turnId)) : await this.#ownTraces();
    for (const trace of traces) this.#traces.set(trace.key, trace);
    this.#exchanges = null;
  }

  /** Keeps how an answer came about: shown at once. */
  async trace(trace: TraceRow): Promise<void> {
    this.#traces.set(trace.key, trace);
    this.#exchanges = null;
    await this.#store.traces.put(trace);
  }

  /** Lets go of every trace, here and in the store. */
  async deleteTraces(): Promise<void> {
    for (const { key } of await this.#ownTraces()) await this.#store.traces.delete(key);
  }

  async #ownTraces(): Promise<TraceRow[]> {
    return (await this.#store.traces.getAll()).filter(({ conversationId }) => conversationId === this.#conversationId);
  }
}
