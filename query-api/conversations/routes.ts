import { ProblemError, parse } from "@colloquy/infra/http/problem.ts";
import { perAccount } from "@colloquy/infra/http/rate-limit.ts";
import { requireAccount } from "@colloquy/infra/identity/session.ts";
import type { ReadModels } from "@colloquy/projections/checkpoints/queries.ts";
import {
  type ConversationTables,
  getConversation,
  type HistoryCursor,
  listConversations,
} from "@colloquy/projections/conversations/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { type ConversationResponse, type ConversationsResponse, conversationsQuery } from "@colloquy/schemas/conversations/requests.ts";
import { id, readQuery, versioned } from "@colloquy/schemas/payload.ts";
import { Router } from "express";
import type { Kysely } from "kysely";
import { z } from "zod";
import { holdBack } from "../sync/read-your-writes.ts";

const parameters = z.object({ conversationId: id });

/** `GET /api/conversations` and `GET /api/conversations/:conversationId`: the signed-in learner's own, nobody else's. */
export function conversationsRoutes({ database }: { database: Kysely<ConversationTables> & ReadModels }): Router {
  const router = Router();
  const limitSearches = perAccount({ points: bounds.conversations.searchesPerMinute, seconds: 60 });

  router.get("/api/conversations", async (request, response) => {
    const { accountId } = requireAccount(request);
    const { after, cursor, ...query } = parse(conversationsQuery, request.query);
    if (query.q) await limitSearches(accountId);
    await holdBack(database, "conversations", after);
    const { conversations, next } = await listConversations(database, accountId, { ...query, cursor: readCursor(cursor) });
    const body: ConversationsResponse = versioned({ conversations, cursor: next && writeCursor(next) });
    response.set("cache-control", "private, no-store").json(body);
  });

  router.get("/api/conversations/:conversationId", async (request, response) => {
    const { accountId } = requireAccount(request);
    const { after } = parse(readQuery, request.query);
    // An address that cannot be an id leads nowhere, like any other that is not there.
    const named = parameters.safeParse(request.params);
    if (!named.success) throw new ProblemError("not_found");
    await holdBack(database, "conversations", after);
    const conversation = await getConversation(database, accountId, named.data.conversationId);
    if (!conversation) throw new ProblemError("not_found");
    const body: ConversationResponse = versioned({ conversation });
    response.set("cache-control", "private, no-store").json(body);
  });

  return router;
}

const writeCursor = ({ pinned, position }: HistoryCursor): string => `${pinned}-${position}`;

function readCursor(cursor: string | undefined): HistoryCursor | undefined {
  if (cursor === undefined) return undefined;
  const [, pinned, position] = /^([01])-(\d{20})$/.exec(cursor) ?? [];
  if (!pinned || !position)
    throw new ProblemError("invalid_request", { fields: [{ path: "cursor", message: "expected a cursor of an earlier answer" }] });
  return { pinned: Number(pinned), position };
}
