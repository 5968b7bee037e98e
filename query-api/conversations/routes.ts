import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { route, serve } from "@colloquy/infra/http/route.ts";
import type { ReadModels } from "@colloquy/projections/checkpoints/queries.ts";
import {
  type ConversationTables,
  getConversation,
  type HistoryCursor,
  listConversations,
} from "@colloquy/projections/conversations/queries.ts";
import * as contracts from "@colloquy/schemas/contracts/conversations.ts";
import type { Router } from "express";
import type { Kysely } from "kysely";
import { waitForProjection } from "../read-your-writes.ts";

/** The account's own conversations. */
export function conversationsRoutes({ database }: { database: Kysely<ConversationTables> & ReadModels }): Router {
  return serve([
    route(contracts.listConversations, async ({ account: { accountId }, query: { after, cursor, ...query } }) => {
      await waitForProjection(database, "conversations", after);
      const { conversations, next } = await listConversations(database, accountId, { ...query, cursor: readCursor(cursor) });
      return { conversations, cursor: next && writeCursor(next) };
    }),
    route(contracts.readConversation, async ({ account: { accountId }, parameters: { conversationId }, query: { after } }) => {
      await waitForProjection(database, "conversations", after);
      const conversation = await getConversation(database, accountId, conversationId);
      if (!conversation) throw new ProblemError("not_found");
      return { conversation };
    }),
  ]);
}

const writeCursor = ({ pinned, position }: HistoryCursor): string => `${pinned}-${position}`;

function readCursor(cursor: string | undefined): HistoryCursor | undefined {
  if (cursor === undefined) return undefined;
  const [, pinned, position] = /^([01])-(\d{20})$/.exec(cursor) ?? [];
  if (!pinned || !position)
    throw new ProblemError("invalid_request", { fields: [{ path: "cursor", message: "expected a cursor of an earlier answer" }] });
  return { pinned: Number(pinned), position };
}
