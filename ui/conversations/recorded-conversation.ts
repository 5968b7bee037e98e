import type { Conversation } from "@colloquy/schemas/conversations/requests.ts";
import type { AccountStore } from "../store/account-store.ts";
import type { TraceRow } from "../store/rows.ts";
import { type Exchange, type LiveTurn, type RecordedExchanges, recordedExchanges, withLive } from "./exchanges.ts";

/** A conversation's record, with what this browser alone knows of its turns. */
export class RecordedConversation {
  readonly #store: AccountStore;
  readonly #conversationId: string;
  readonly #traces = new Map<string, TraceRow>();
  #record: Conversation | null = null;
  /** Computed on demand, and again after the record or a trace changed. */
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

  /** Reads the traces of a record's turns; without a record, all traces of the conversation. */
  async load(record: Conversation | null): Promise<void> {
    const traces = record ? await this.#store.traces.getMany(record.turns.map(({ turnId }) => turnId)) : await this.#ownTraces();
    for (const trace of traces) this.#traces.set(trace.key, trace);
    this.#exchanges = null;
  }

  /** Stores a trace and shows it at once. */
  async trace(trace: TraceRow): Promise<void> {
    this.#traces.set(trace.key, trace);
    this.#exchanges = null;
    await this.#store.traces.put(trace);
  }

  /** Deletes all traces of the conversation. */
  async deleteTraces(): Promise<void> {
    for (const { key } of await this.#ownTraces()) await this.#store.traces.delete(key);
  }

  async #ownTraces(): Promise<TraceRow[]> {
    return (await this.#store.traces.getAll()).filter(({ conversationId }) => conversationId === this.#conversationId);
  }
}
