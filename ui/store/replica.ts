import type { Conversation, ConversationSummary } from "@colloquy/schemas/conversations/requests.ts";
import { comparePositions, laterPosition } from "@colloquy/schemas/positions.ts";
import { wordsOf } from "@colloquy/schemas/search/words.ts";
import type { Change } from "@colloquy/schemas/sync/changes.ts";
import { erasedChange } from "@colloquy/schemas/sync/entities.ts";
import type { RemoteChange } from "@colloquy/schemas/sync/protocol.ts";
import { BoundedMap } from "../rendering/bounded-map.ts";
import type { AccountStore } from "./account-store.ts";
import { Emitter } from "./emitter.ts";
import { type ConversationChange, recordAfter, summaryAfter } from "./fold.ts";
import { erasedDomains, type PersonalDomain, type PersonalStates, personalAfter, personalKey } from "./personal-fold.ts";
import {
  type OutboxRow,
  type PersonalRow,
  type RecordRow,
  type SummaryRow,
  type Tables,
  tutorAnswerPrefix,
  tutorQuestionPrefix,
  type WordsRow,
} from "./rows.ts";

type ReplicaEvents = {
  /** The history changed. */
  summaries: undefined;
  /** A record changed or was deleted. */
  record: { conversationId: string; record: Conversation | null };
  /** Something in these domains changed. */
  personal: { domains: ReadonlySet<PersonalDomain> };
  /** Everything of the account was deleted. */
  erased: undefined;
  /** Search words of conversations changed; null: deleted. */
  words: { rows: readonly { key: string; words: string | null }[] };
};

type ReplicaStore = Pick<AccountStore, keyof Tables | "atomically" | "persistent">;

/** Most records in memory. */
const cachedRecords = 60;

/**
 * The local copy of the account's data: the server's changes in their order, with local changes on top until the feed returns them.
 * Replicas that received the same changes are equal.
 */
export class Replica {
  readonly events = new Emitter<ReplicaEvents>();
  readonly #store: ReplicaStore;
  readonly #summaries = new Map<string, SummaryRow>();
  readonly #records = new BoundedMap<string, Conversation>(cachedRecords);
  readonly #personal = new Map<string, PersonalRow>();
  /** Local changes that the feed has not returned, in the order in which they were made. */
  #local: OutboxRow[] = [];
  #cursor = "0";
  /** Counts received batches, so that an outdated response can be recognised. */
  #received = 0;

  private constructor(store: ReplicaStore) {
    this.#store = store;
  }

  static async open(store: ReplicaStore): Promise<Replica> {
    const replica = new Replica(store);
    await replica.#read();
    return replica;
  }

  async #read(): Promise<void> {
    await this.#store.atomically(async (tables) => {
      for (const row of await tables.summaries.getAll()) this.#summaries.set(row.key, row);
      for (const row of await tables.personal.getAll()) this.#personal.set(row.key, row);
      this.#local = await tables.outbox.getAll();
      this.#cursor = (await tables.meta.get("cursor"))?.value ?? "0";
    });
  }

  /** The position up to which the server's changes were applied. */
  get cursor(): string {
    return this.#cursor;
  }
  get received(): number {
    return this.#received;
  }

  /** All conversations, unordered; adds those of `listed` (a page of the server's history) that were not received yet. */
  summaries(listed: readonly ConversationSummary[] = []): ConversationSummary[] {
    const byEntity = this.#localConversations();
    const others = listed.filter(({ conversationId }) => !this.#summaries.has(conversationId));
    const all = [...[...this.#summaries.values()].map(({ summary }) => summary), ...others].flatMap((summary) => {
      const own = byEntity.get(summary.conversationId);
      byEntity.delete(summary.conversationId);
      return (own ? own.reduce(summaryAfter, summary as ConversationSummary | null) : summary) ?? [];
    });
    const begun = [...byEntity.values()].flatMap((own) => own.reduce(summaryAfter, null as ConversationSummary | null) ?? []);
    return [...all, ...begun];
  }

  /** An entity of a personal domain; null when there is none. */
  personal<Of extends PersonalDomain>(domain: Of, entityId: string): PersonalStates[Of] | null {
    const row = this.#personal.get(personalKey({ domain, entityId }));
    const own = this.#local.filter(({ change }) => change.domain === domain && change.entityId === entityId);
    return own.reduce<PersonalStates[Of] | null>(
      (state, { change }) => personalAfter(domain, state, change),
      (row?.state as PersonalStates[Of] | undefined) ?? null,
    );
  }

  /** Every entity of a personal domain, by id. */
  allPersonal<Of extends PersonalDomain>(domain: Of): Map<string, PersonalStates[Of]> {
    const prefix = personalKey({ domain, entityId: "" });
    const ids = new Set([
      ...[...this.#personal.keys()].filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length)),
      ...this.#local.flatMap(({ change }) => (change.domain === domain ? [change.entityId] : [])),
    ]);
    return new Map(
      [...ids].flatMap((id) => {
        const state = this.personal(domain, id);
        return state ? [[id, state] as const] : [];
      }),
    );
  }

  /** A conversation's record if it is in memory. */
  cached(conversationId: string): Conversation | null {
    const base = this.#records.get(conversationId) ?? null;
    const own = this.#localConversations().get(conversationId);
    return own ? own.reduce(recordAfter, base) : base;
  }

  async record(conversationId: string): Promise<Conversation | null> {
    while (!this.#records.has(conversationId)) {
      const received = this.#received;
      const row = await this.#store.records.get(conversationId);
      // A change arrived while the record was read: read again.
      if (received !== this.#received || this.#records.has(conversationId)) continue;
      if (!row) break;
      this.#records.set(conversationId, row.record);
    }
    return this.cached(conversationId);
  }

  /** Applies local changes, which the outbox stores. */
  async addLocalChanges(changes: readonly Change[]): Promise<void> {
    this.#local = [...this.#local, ...changes.map((change) => ({ key: change.changeId, change }))];
    await this.#notify(changes);
  }

  /** The server has stored these local changes; they stay on top until the feed returns them. */
  async acknowledge(changeIds: readonly string[], position: string): Promise<void> {
    const ids = new Set(changeIds);
    const waiting = new Set(this.#local.map(({ key }) => key));
    this.#local = this.#local.map((row) => (ids.has(row.key) ? { ...row, acknowledged: position } : row));
    // The feed may return a change before its acknowledgement arrives; the outbox has then just stored it again.
    await this.#store.outbox.deleteAll(changeIds.filter((id) => !waiting.has(id)));
    await this.#dropConfirmed([]);
  }

  /** Reverts a change that the server rejected. */
  async reject(change: Change): Promise<void> {
    this.#local = this.#local.filter(({ key }) => key !== change.changeId);
    await this.#notify([change]);
  }

  /** Another tab changed the outbox. */
  async reloadLocalChanges(): Promise<void> {
    const asked = new Set(this.#local.map(({ key }) => key));
    const kept = await this.#store.outbox.getAll();
    const stay = new Set(kept.map(({ key }) => key));
    const now = new Set(this.#local.map(({ key }) => key));
    const fresh = kept.filter(({ key }) => !asked.has(key));
    const gone = this.#local.filter(({ key }) => asked.has(key) && !stay.has(key));
    const since = this.#local.filter(({ key }) => !asked.has(key) && !stay.has(key));
    this.#local = [...gone, ...kept.filter(({ key }) => !asked.has(key) || now.has(key)), ...since];
    if (gone.length > 0) {
      await this.#readStored(gone.map(({ change }) => change));
      const left = new Set(gone.map(({ key }) => key));
      this.#local = this.#local.filter(({ key }) => !left.has(key));
    }
    await this.#notify([...fresh, ...gone].map(({ change }) => change));
  }

  /**
   * Reads the stored rows that missing local changes belong to. The feed may have returned the changes to another tab, which stored the
   * result; without reading it, the changes would seem reverted until this tab's stream catches up.
   */
  async #readStored(changes: readonly Change[]): Promise<void> {
    const { summaries, records, personal } = this.#store;
    const ids = [...new Set(changes.flatMap(({ domain, entityId }) => (domain === "conversation" ? [entityId] : [])))];
    const keys = [...new Set(changes.flatMap((change) => (change.domain === "conversation" ? [] : [personalKey(change)])))];
    for (;;) {
      const received = this.#received;
      const [rows, held, personalRows] = await Promise.all([summaries.getMany(ids), records.getMany(ids), personal.getMany(keys)]);
      if (received !== this.#received) continue;
      const byKey = <Row extends { key: string }>(all: Row[]) => new Map(all.map((row) => [row.key, row]));
      const [rowOf, recordOf, personalOf] = [byKey(rows), byKey(held), byKey(personalRows)];
      for (const key of keys) setOrDelete(this.#personal, key, personalOf.get(key) ?? null);
      for (const id of ids) {
        setOrDelete(this.#summaries, id, rowOf.get(id) ?? null);
        const record = recordOf.get(id)?.record;
        if (!rowOf.has(id)) this.#records.delete(id);
        else if (record && this.#records.has(id)) this.#records.set(id, record);
      }
      return;
    }
  }

  /** Applies a batch of the server's changes up to a cursor, in one transaction. */
  async receive(changes: readonly RemoteChange[], cursor: string): Promise<void> {
    const own = new Set(this.#local.map(({ key }) => key));
    const { persistent } = this.#store;
    // Records with local changes are in use. Without persistent storage they are kept in memory, or they would be lost once the local
    // changes are dropped below.
    const used = new Set([...this.#records.keys(), ...this.#local.map(({ change }) => change.entityId)]);
    const news = await this.#store.atomically(async (tables) => {
      const before = (await tables.meta.get("cursor"))?.value ?? "0";
      const taken = await applyRemoteChanges(tables, changes, before, (id) => persistent || used.has(id));
      await tables.meta.put({ key: "cursor", value: laterPosition(before, cursor) });
      await tables.outbox.deleteAll(changes.flatMap(({ changeId }) => (own.has(changeId) ? [changeId] : [])));
      return taken;
    });
    this.#received += 1;
    this.#cursor = laterPosition(this.#cursor, cursor);
    for (const [id, row] of news.summaries) setOrDelete(this.#summaries, id, row);
    for (const [id, row] of news.personal) setOrDelete(this.#personal, id, row);
    for (const [id, row] of news.records) {
      if (!row) this.#records.delete(id);
      else if (this.#records.has(id)) this.#records.set(id, row.record);
    }
    await this.#dropConfirmed(changes.map(({ changeId }) => changeId));
    await this.#notify(changes);
    if (changes.some(isErasure)) this.events.emit("erased");
    if (news.words.size > 0) this.events.emit("words", { rows: [...news.words].map(([key, row]) => ({ key, words: row?.words ?? null })) });
  }

  /** Stores the server's record of a conversation unless the stored one is newer. */
  async putRecord(record: Conversation): Promise<void> {
    const { conversationId } = record;
    if (this.#store.persistent)
      await this.#store.atomically(async ({ records }) => {
        const before = await records.get(conversationId);
        if (!before || comparePositions(before.record.position, record.position) < 0) await records.put({ key: conversationId, record });
      });
    const cached = this.#records.get(conversationId);
    if (!cached || comparePositions(cached.position, record.position) < 0) this.#records.set(conversationId, record);
    this.events.emit("record", { conversationId, record: this.cached(conversationId) });
  }

  /** The server has no such conversation. */
  async removeConversation(conversationId: string): Promise<void> {
    this.#summaries.delete(conversationId);
    this.#records.delete(conversationId);
    await this.#store.atomically((tables) => deleteTexts(tables, [conversationId]));
    this.events.emit("summaries");
    this.events.emit("record", { conversationId, record: this.cached(conversationId) });
  }

  /** Whether there are local changes of a conversation that the feed has not returned. */
  hasLocalChanges(conversationId: string): boolean {
    return this.#local.some(({ change }) => change.domain === "conversation" && change.entityId === conversationId);
  }

  /** Discards everything received, as after the server's restore from a backup. Local changes stay. */
  async reset(): Promise<void> {
    this.#cursor = "0";
    for (const kept of [this.#summaries, this.#records, this.#personal]) kept.clear();
    await this.#store.atomically(async (tables) => {
      await tables.meta.delete("cursor");
      for (const table of [tables.summaries, tables.records, tables.words, tables.personal])
        await table.deleteAll((await table.getAll()).map(({ key }) => key));
    });
  }

  #isListed(conversationId: string): boolean {
    const own = this.#localConversations().get(conversationId) ?? [];
    return own.reduce(summaryAfter, (this.#summaries.get(conversationId)?.summary ?? null) as ConversationSummary | null) !== null;
  }

  #localConversations(): Map<string, Change[]> {
    const own = this.#local.flatMap(({ change }) => (change.domain === "conversation" ? [change] : []));
    return Map.groupBy(own, ({ entityId }) => entityId);
  }

  /** Drops local changes that the feed has returned or passed. */
  async #dropConfirmed(seen: readonly string[]): Promise<void> {
    const ids = new Set(seen);
    const gone = this.#local.filter(
      ({ key, acknowledged }) => ids.has(key) || (acknowledged !== undefined && comparePositions(acknowledged, this.#cursor) <= 0),
    );
    if (gone.length === 0) return;
    this.#local = this.#local.filter((row) => !gone.includes(row));
    await this.#store.outbox.deleteAll(gone.map(({ key }) => key));
  }

  async #notify(changes: readonly Pick<Change, "domain" | "entityId">[]): Promise<void> {
    const conversations = new Set(changes.flatMap(({ domain, entityId }) => (domain === "conversation" ? [entityId] : [])));
    const domains = new Set(changes.flatMap(({ domain }) => (domain === "conversation" ? [] : [domain])));
    if (conversations.size > 0) this.events.emit("summaries");
    // When a whole history arrives, only records that are shown are read.
    const shown = conversations.size > cachedRecords ? [...conversations].filter((id) => this.#records.has(id)) : conversations;
    for (const conversationId of shown) {
      const record = await this.record(conversationId);
      // Without persistent storage a record may be missing; only one that is not in the history either was deleted.
      if (record || !this.#isListed(conversationId)) this.events.emit("record", { conversationId, record });
    }
    if (domains.size > 0) this.events.emit("personal", { domains });
  }
}

function setOrDelete<Row>(rows: Map<string, Row>, key: string, row: Row | null): void {
  if (row) rows.set(key, row);
  else rows.delete(key);
}

/**
 * Applies changes to the affected rows and writes them; returns null for deleted rows. Skips changes that a row already has, and repeated
 * changes from before the cursor, for which a deleted row could not tell.
 */
async function applyRemoteChanges(
  tables: Tables,
  changes: readonly RemoteChange[],
  cursor: string,
  isKept: (conversationId: string) => boolean,
) {
  const ofConversations = changes.filter(({ domain }) => domain === "conversation");
  const ids = [...new Set(ofConversations.map(({ entityId }) => entityId))];
  const records = await readRows<RecordRow>(tables.records, ids);
  const summaries = await readRows<SummaryRow>(tables.summaries, ids);
  const words = await readRows<WordsRow>(tables.words, ids);
  for (const change of ofConversations) {
    const { entityId: key, cursor: position } = change;
    const summaryRow = summaries.get(key) ?? null;
    if (!summaryRow && comparePositions(position, cursor) <= 0) {
      for (const rows of [summaries, records, words]) rows.set(key, null);
      continue;
    }
    if (!summaryRow || comparePositions(summaryRow.position, position) < 0) {
      const summary = summaryAfter(summaryRow?.summary ?? null, change);
      summaries.set(key, summary && { key, summary, position });
      words.set(key, summary && addWords(words.get(key) ?? null, change));
    }
    const before = records.get(key)?.record ?? null;
    if (before && comparePositions(before.position, position) >= 0) continue;
    const after = recordAfter(before, change);
    const version = before ? before.version + 1 : 0;
    if (after && isKept(key)) records.set(key, { key, record: { ...after, position, version } });
    else if (!after) records.set(key, null);
  }
  await writeRows(tables.summaries, summaries);
  await writeRows(tables.records, records);
  await writeRows(tables.words, words);
  const gone = ids.filter((id) => summaries.get(id) === null);
  if (gone.length > 0) await deleteTexts(tables, gone);
  return { summaries, records, words, personal: await applyPersonalChanges(tables, changes, cursor) };
}

const isErasure = ({ domain, type }: RemoteChange): boolean => domain === "preferences" && type === erasedChange;

async function applyPersonalChanges(tables: Tables, changes: readonly RemoteChange[], cursor: string): Promise<Rows<PersonalRow>> {
  const ofDomains = changes.filter(({ domain }) => domain !== "conversation");
  if (ofDomains.length === 0) return new Map();
  const rows = await readRows<PersonalRow>(tables.personal, [...new Set(ofDomains.map(personalKey))]);
  for (const change of ofDomains) {
    const domain = change.domain as PersonalDomain;
    const { cursor: position } = change;
    if (isErasure(change)) {
      const stored = (await tables.personal.getAll()).map((row) => [row.key, row] as const);
      for (const [key, row] of [...stored, ...rows])
        if (row && erasedDomains.includes(row.domain) && comparePositions(row.position, position) < 0) rows.set(key, null);
      continue;
    }
    const key = personalKey(change);
    const row = rows.get(key);
    if (!row && comparePositions(position, cursor) <= 0) {
      rows.set(key, null);
      continue;
    }
    if (row && comparePositions(row.position, position) >= 0) continue;
    const state = personalAfter(domain, row?.state ?? null, change);
    rows.set(key, state && ({ key, domain, state, position } as PersonalRow));
  }
  await writeRows(tables.personal, rows);
  return rows;
}

/** Adds the distinct words of a turn. Titles are compared separately. */
function addWords(row: WordsRow | null, change: ConversationChange): WordsRow | null {
  const key = change.entityId;
  if (change.type !== "turn_recorded") return row ?? { key, words: "" };
  const { question, answer } = change.data as { question: string; answer: string };
  const before = row?.words ? row.words.split(" ") : [];
  return { key, words: [...new Set([...before, ...wordsOf(question), ...wordsOf(answer)])].join(" ") };
}

/** Deletes every text of conversations that this browser stores. */
async function deleteTexts(tables: Tables, conversationIds: readonly string[]): Promise<void> {
  const ids = new Set(conversationIds);
  for (const table of [tables.summaries, tables.records, tables.words]) await table.deleteAll([...ids]);
  // Of all tabs.
  await tables.drafts.deleteAll((await tables.drafts.getAll()).flatMap(({ key }) => (ids.has(key.split(" ")[0] ?? "") ? [key] : [])));
  await tables.workspace.deleteAll([...ids].flatMap((id) => [`${tutorAnswerPrefix}${id}`, `${tutorQuestionPrefix}${id}`]));
  for (const table of [tables.traces, tables.quizzes, tables.running])
    await table.deleteAll((await table.getAll()).flatMap(({ key, conversationId }) => (ids.has(conversationId) ? [key] : [])));
}

type Rows<Row> = Map<string, Row | null>;

async function readRows<Row extends { key: string }>(
  table: { getMany(keys: string[]): Promise<Row[]> },
  keys: string[],
): Promise<Rows<Row>> {
  return new Map((await table.getMany(keys)).map((row) => [row.key, row]));
}

async function writeRows<Row extends { key: string }>(
  table: { putAll(rows: Row[]): Promise<void>; deleteAll(keys: string[]): Promise<void> },
  rows: Rows<Row>,
): Promise<void> {
  await table.putAll([...rows.values()].filter((row) => row !== null));
  await table.deleteAll([...rows].flatMap(([key, row]) => (row ? [] : [key])));
}
