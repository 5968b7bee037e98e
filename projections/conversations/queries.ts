import { positionOf } from "@colloquy/infra/database/positions.ts";
import { prepared } from "@colloquy/infra/database/prepared.ts";
import { conversationExcerpt } from "@colloquy/schemas/conversations/excerpt.ts";
import type { Conversation, ConversationSummary } from "@colloquy/schemas/conversations/requests.ts";
import type { ModelSelection } from "@colloquy/schemas/models.ts";
import { containing, searchTerms } from "@colloquy/schemas/search/text.ts";
import type { AttachedReference, ConversationChangeData, ConversationMode, RecordedTurn } from "@colloquy/schemas/sync/changes.ts";
import { type Kysely, sql } from "kysely";
import type { ConversationTables } from "./tables.ts";

export { isAnsweredSince } from "./answers.ts";
export { type GivenQuiz, quizzesOf } from "./quizzes.ts";
export type { ConversationTables } from "./tables.ts";

export interface HistoryQuery {
  /** "active": not archived, pinned ones first. "pinned": pinned and not archived. */
  state: "active" | "pinned" | "archived";
  /** Words, each of which must occur in the title or in a turn. */
  q?: string | undefined;
  /** Where the previous page ended. */
  cursor?: HistoryCursor | undefined;
  limit: number;
}
export interface HistoryCursor {
  pinned: number;
  position: string;
}

/** One account's history, newest first; `next` is the cursor of the next page, null at the end. */
export async function listConversations(
  database: Kysely<ConversationTables>,
  accountId: string,
  { state, q, cursor, limit }: HistoryQuery,
): Promise<{ conversations: ConversationSummary[]; next: HistoryCursor | null }> {
  const terms = searchTerms(q ?? "");
  let query = database
    .selectFrom("conversations")
    .select(["conversation_id", "title", "mode", "archived", "pinned", "turns", "updated_at", "updated_position"])
    .where("account_id", "=", accountId)
    .where("deleted", "=", 0)
    .where("archived", "=", state === "archived" ? 1 : 0)
    .orderBy("pinned", "desc")
    .orderBy("updated_position", "desc")
    .limit(limit + 1);
  if (state === "pinned") query = query.where("pinned", "=", 1);
  if (cursor)
    query = query.where((where) =>
      where.or([
        where("pinned", "<", cursor.pinned),
        where.and([where("pinned", "=", cursor.pinned), where("updated_position", "<", cursor.position)]),
      ]),
    );
  for (const term of terms)
    query = query.where((where) =>
      where.or([
        like("title_search", term),
        where.exists(
          where
            .selectFrom("conversation_turns")
            .select("ordinal")
            .whereRef("conversation_turns.conversation_id", "=", "conversations.conversation_id")
            .where(like("search", term)),
        ),
      ]),
    );
  const rows = await query.execute();
  const page = rows.slice(0, limit);
  const matches = terms.length > 0 ? await matchesIn(database, page, terms) : new Map<string, string>();
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    conversations: page.map((row) => {
      const match = matches.get(row.conversation_id);
      return {
        conversationId: row.conversation_id,
        title: row.title,
        mode: row.mode as ConversationMode,
        state: row.archived ? "archived" : "active",
        pinned: row.pinned === 1,
        updatedAt: row.updated_at,
        turns: row.turns,
        ...(match !== undefined && { match }),
      };
    }),
    next: last ? { pinned: last.pinned, position: last.updated_position } : null,
  };
}

const like = (column: "title_search" | "search", term: string) => sql<boolean>`${sql.ref(column)} like ${containing(term)} escape '!'`;

/** For each conversation an excerpt of its first turn that matches; if only the title matches, the beginning of its first turn. */
async function matchesIn(
  database: Kysely<ConversationTables>,
  page: readonly { conversation_id: string }[],
  terms: readonly string[],
): Promise<Map<string, string>> {
  const ids = page.map((row) => row.conversation_id);
  if (ids.length === 0) return new Map();
  const found = sql<number>`min(case when ${sql.join(
    terms.map((term) => like("search", term)),
    sql` or `,
  )} then ordinal end)`;
  const first = database
    .selectFrom("conversation_turns")
    .select(({ fn }) => ["conversation_id as id", fn.coalesce(found, fn.min("ordinal")).as("ordinal")])
    .where("conversation_id", "in", ids)
    .groupBy("conversation_id");
  const rows = await database
    .selectFrom(first.as("first"))
    .innerJoin("conversation_turns as turn", (join) =>
      join.onRef("turn.conversation_id", "=", "first.id").onRef("turn.ordinal", "=", "first.ordinal"),
    )
    .select(["turn.conversation_id", "turn.data"])
    .execute();
  const matches = new Map<string, string>();
  for (const row of rows) {
    const match = conversationExcerpt([JSON.parse(row.data) as RecordedTurn], terms);
    if (match !== null) matches.set(row.conversation_id, match);
  }
  return matches;
}

const conversationOf = prepared(
  (tx: Kysely<ConversationTables>, { accountId, conversationId }: { accountId: string; conversationId: string }) =>
    tx
      .selectFrom("conversations")
      .selectAll()
      .where("conversation_id", "=", conversationId)
      .where("account_id", "=", accountId)
      .where("deleted", "=", 0),
);
const entriesIn = (table: "conversation_turns" | "conversation_attempts") =>
  prepared((tx: Kysely<ConversationTables>, { conversationId }: { conversationId: string }) =>
    tx.selectFrom(table).select(["at", "data"]).where("conversation_id", "=", conversationId).orderBy("ordinal"),
  );
const turnsOf = entriesIn("conversation_turns");
const attemptsOf = entriesIn("conversation_attempts");

/** A full conversation; null if there is none, if it was deleted, or if it belongs to another account. */
export async function getConversation(
  database: Kysely<ConversationTables>,
  accountId: string,
  conversationId: string,
): Promise<Conversation | null> {
  // One snapshot, so that no reader sees half of a change or of a deletion.
  const read = database.transaction().setIsolationLevel("repeatable read");
  return read.execute(async (tx) => {
    const [row] = (await conversationOf(tx, { accountId, conversationId })).rows;
    if (!row) return null;
    const { rows: turns } = await turnsOf(tx, { conversationId });
    const { rows: attempts } = await attemptsOf(tx, { conversationId });
    return {
      conversationId,
      version: row.version,
      title: row.title,
      mode: row.mode as ConversationMode,
      state: row.archived ? "archived" : "active",
      pinned: row.pinned === 1,
      model: JSON.parse(row.model) as ModelSelection,
      references: JSON.parse(row.attached) as AttachedReference[],
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      position: positionOf(row.position) ?? "0",
      turns: turns.map(({ at, data }) => ({ ...(JSON.parse(data) as RecordedTurn), at })),
      quizAttempts: attempts.map(({ at, data }) => ({ ...(JSON.parse(data) as ConversationChangeData["quiz_attempted"]), at })),
    };
  });
}
