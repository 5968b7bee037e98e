import type { Conversation, ConversationSummary } from "@colloquy/schemas/conversations/requests.ts";
import { comparePositions, laterPosition } from "@colloquy/schemas/positions.ts";
import { wordsOf } from "@colloquy/schemas/search/words.ts";
import type { Change } from "@colloquy/schemas/sync/changes.ts";
import { erasedChange } from "@colloquy/schemas/sync/entities.ts";
import type { RemoteChange } from "@colloquy/schemas/sync/protocol.ts";
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
  type WordsRow,
} from "./rows.ts";

type ReplicaEvents = {
  /** The history changed. */
  summaries: undefined;
  /** A record changed or went away. */
  record: { conversationId: string; record: Conversation | null };
  /** Something of these domains changed. */
  personal: { domains: ReadonlySet<PersonalDomain> };
  /** Everything of the account was deleted. */
  erased: undefined;
  /** Words of conversations changed; null: it is gone. */
  words: { rows: readonly { key: string; words: string | null }[] };
};

type ReplicaStore = Pick<AccountStore, keyof Tables | "atomically" | "persistent">;

/** Records held ready. */
const cachedRecords = 60;

/**
 * The account's things as this browser has them: what the server has said, in its order, with this browser's own changes on top until
 * the server has sent them back. Two replicas that have heard the same are the same, whatever each did meanwhile.
 */
export class Replica {
  readonly events = new Emitter<ReplicaEvents>();
  readonly #store: ReplicaStore;
  readonly #summaries = new Map<string, SummaryRow>();
  readonly #records = new Map<string, Conversation>();
  readonly #personal = new Map<string, PersonalRow>();
  /** Own changes the server has not sent back, in the order they were made. */
  #own: OutboxRow[] = [];
  #cursor = "0";
  /** Counts what was taken in, so that an answer on its way can be seen to be out of date. */
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
      this.#own = await tables.outbox.getAll();
      this.#cursor = (await tables.meta.get("cursor"))?.value ?? "0";
    });
  }

  /** How far the server's changes have been taken in. */
  get cursor(): string {
    return this.#cursor;
  }
  get received(): number {
    return this.#received;
  }

  /** Every conversation, in no order; of `listed`, which the server has told apart from its changes, those that are not here yet. */
  summaries(listed: readonly ConversationSummary[] = []): ConversationSummary[] {
    const byEntity = this.#ownConversations();
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
    const own = this.#own.filter(({ change }) => change.domain === domain && change.entityId === entityId);
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
      ...this.#own.flatMap(({ change }) => (change.domain === domain ? [change.entityId] : [])),
    ]);
    return new Map(
      [...ids].flatMap((id) => {
        const state = this.personal(domain, id);
        return state ? [[id, state] as const] : [];
      }),
    );
  }

  /** A conversation that is held ready. */
  cached(conversationId: string): Conversation | null {
    const base = this.#records.get(conversationId) ?? null;
    const own = this.#ownConversations().get(conversationId);
    return own ? own.reduce(recordAfter, base) : base;
  }

  async record(conversationId: string): Promise<Conversation | null> {
    while (!this.#records.has(conversationId)) {
      const received = this.#received;
      const row = await this.#store.records.get(conversationId);
      // What was read while something was taken in may be out of date already.
      if (received !== this.#received || this.#records.has(conversationId)) continue;
      if (!row) break;
      this.#cache(row.record);
    }
    return this.cached(conversationId);
  }

  /** Takes in changes made here, which the outbox keeps. */
  async addLocalChanges(changes: readonly Change[]): Promise<void> {
    this.#own = [...this.#own, ...changes.map((change) => ({ key: change.changeId, change }))];
    await this.#tell(changes);
  }

  /** The server has changes of this browser, by a position; they stay on top until it sends them back. */
  async acknowledge(changeIds: readonly string[], position: string): Promise<void> {
    const ids = new Set(changeIds);
    const waiting = new Set(this.#own.map(({ key }) => key));
    this.#own = this.#own.map((row) => (ids.has(row.key) ? { ...row, acknowledged: position } : row));
    // What came back before the acknowledgement did has been let go of here; the outbox has just kept it again.
    await this.#store.outbox.deleteAll(changeIds.filter((id) => !waiting.has(id)));
    await this.#letGo([]);
  }

  /** A change the server will never take is taken back. */
  async reject(change: Change): Promise<void> {
    this.#own = this.#own.filter(({ key }) => key !== change.changeId);
    await this.#tell([change]);
  }

  /** Another tab has changed the outbox. */
  async reloadLocalChanges(): Promise<void> {
    const asked = new Set(this.#own.map(({ key }) => key));
    const kept = await this.#store.outbox.getAll();
    const stay = new Set(kept.map(({ key }) => key));
    const now = new Set(this.#own.map(({ key }) => key));
    const fresh = kept.filter(({ key }) => !asked.has(key));
    const gone = this.#own.filter(({ key }) => asked.has(key) && !stay.has(key));
    const since = this.#own.filter(({ key }) => !asked.has(key) && !stay.has(key));
    this.#own = [...gone, ...kept.filter(({ key }) => !asked.has(key) || now.has(key)), ...since];
    if (gone.length > 0) {
      await this.#reread(gone.map(({ change }) => change));
      const left = new Set(gone.map(({ key }) => key));
      this.#own = this.#own.filter(({ key }) => !left.has(key));
    }
    await this.#tell([...fresh, ...gone].map(({ change }) => change));
  }

  /**
   * Reads anew what is kept of what own changes were made to. They may be gone because the server sent them back to another tab, which
   * keeps its word with them: without it they would seem taken back here, until this tab's stream has come as far.
   */
  async #reread(changes: readonly Change[]): Promise<void> {
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

  /** Takes in the server's changes, which end at a cursor: all of it is kept together, or nothing. */
  async receive(changes: readonly RemoteChange[], cursor: string): Promise<void> {
    const own = new Set(this.#own.map(({ key }) => key));
    const { persistent } = this.#store;
    // What was made here is being read here: where nothing lasts it is kept in memory, or nobody would have it once it is let go of below.
    const used = new Set([...this.#records.keys(), ...this.#own.map(({ change }) => change.entityId)]);
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
    await this.#letGo(changes.map(({ changeId }) => changeId));
    await this.#tell(changes);
    if (changes.some(isErasure)) this.events.emit("erased");
    if (news.words.size > 0) this.events.emit("words", { rows: [...news.words].map(([key, row]) => ({ key, words: row?.words ?? null })) });
  }

  /** The server's record of a conversation, read on its own; older than what is here it changes nothing. */
  async putRecord(record: Conversation): Promise<void> {
    const { conversationId } = record;
    if (this.#store.persistent)
      await this.#store.atomically(async ({ records }) => {
        const before = await records.get(conversationId);
        if (!before || comparePositions(before.record.position, record.position) < 0) await records.put({ key: conversationId, record });
      });
    const cached = this.#records.get(conversationId);
    if (!cached || comparePositions(cached.position, record.position) < 0) this.#cache(record);
    this.events.emit("record", { conversationId, record: this.cached(conversationId) });
  }

  /** There is no such conversation on the server. */
  async removeConversation(conversationId: string): Promise<void> {
    this.#summaries.delete(conversationId);
    this.#records.delete(conversationId);
    await this.#store.atomically((tables) => deleteTexts(tables, [conversationId]));
    this.events.emit("summaries");
    this.events.emit("record", { conversationId, record: this.cached(conversationId) });
  }

  /** Whether changes of a conversation were made here that the service's own words do not hold yet. */
  hasLocalChanges(conversationId: string): boolean {
    return this.#own.some(({ change }) => change.domain === "conversation" && change.entityId === conversationId);
  }

  /** Begins anew without what the server has said, as after its restore from a backup. Own changes stay. */
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
    const own = this.#ownConversations().get(conversationId) ?? [];
    return own.reduce(summaryAfter, (this.#summaries.get(conversationId)?.summary ?? null) as ConversationSummary | null) !== null;
  }

  #ownConversations(): Map<string, Change[]> {
    const own = this.#own.flatMap(({ change }) => (change.domain === "conversation" ? [change] : []));
    return Map.groupBy(own, ({ entityId }) => entityId);
  }

  /** Own changes that the server has sent back, or whose place in its order has been passed, are the server's word now. */
  async #letGo(seen: readonly string[]): Promise<void> {
    const ids = new Set(seen);
    const gone = this.#own.filter(
      ({ key, acknowledged }) => ids.has(key) || (acknowledged !== undefined && comparePositions(acknowledged, this.#cursor) <= 0),
    );
    if (gone.length === 0) return;
    this.#own = this.#own.filter((row) => !gone.includes(row));
    await this.#store.outbox.deleteAll(gone.map(({ key }) => key));
  }

  #cache(record: Conversation): void {
    this.#records.delete(record.conversationId);
    this.#records.set(record.conversationId, record);
    if (this.#records.size > cachedRecords) this.#records.delete(this.#records.keys().next().value ?? "");
  }

  async #tell(changes: readonly Pick<Change, "domain" | "entityId">[]): Promise<void> {
    const conversations = new Set(changes.flatMap(({ domain, entityId }) => (domain === "conversation" ? [entityId] : [])));
    const domains = new Set(changes.flatMap(({ domain }) => (domain === "conversation" ? [] : [domain])));
    if (conversations.size > 0) this.events.emit("summaries");
    // Of a whole history that comes in, only what somebody shows is read.
    const shown = conversations.size > cachedRecords ? [...conversations].filter((id) => this.#records.has(id)) : conversations;
    for (const conversationId of shown) {
      const record = await this.record(conversationId);
      // A browser that keeps nothing may not have it any more; only what is gone from the history, too, is deleted.
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
 * What changes make of the rows they meet, written; null for rows that went. What a row has already is left out, and so is what comes
 * again from before the cursor: of what was deleted since, no row is left that could tell.
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

/** The different words of what a change says, added to those there are. The title is compared by itself. */
function addWords(row: WordsRow | null, change: ConversationChange): WordsRow | null {
  const key = change.entityId;
  if (change.type !== "turn_recorded") return row ?? { key, words: "" };
  const { question, answer } = change.data as { question: string; answer: string };
  const before = row?.words ? row.words.split(" ") : [];
  return { key, words: [...new Set([...before, ...wordsOf(question), ...wordsOf(answer)])].join(" ") };
}

/** Takes away every text this browser keeps of conversations. */
async function deleteTexts(tables: Tables, conversationIds: readonly string[]): Promise<void> {
  const ids = new Set(conversationIds);
  for (const table of [tables.summaries, tables.records, tables.words]) await table.deleteAll([...ids]);
  // Of whichever tab.
  await tables.drafts.deleteAll((await tables.drafts.getAll()).flatMap(({ key }) => (ids.has(key.split(" ")[0] ?? "") ? [key] : [])));
  await tables.workspace.deleteAll([...ids].map((id) => `${tutorAnswerPrefix}${id}`));
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
