import { once } from "node:events";
import { parse } from "@colloquy/infra/http/problem.ts";
import { requireAccount } from "@colloquy/infra/identity/session.ts";
import {
  type ConversationTables,
  getConversation,
  type HistoryCursor,
  listConversations,
} from "@colloquy/projections/conversations/queries.ts";
import { personalChanges, type SyncTables } from "@colloquy/projections/sync/queries.ts";
import { getTutorSession, listTutorSessions, type TutorTables } from "@colloquy/projections/tutor/queries.ts";
import type { Account } from "@colloquy/schemas/account.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { noQuery } from "@colloquy/schemas/payload.ts";
import { conversationAsMarkdown, fileNameOf } from "@colloquy/ui/rendering/conversation-markdown.ts";
import { type Response, Router } from "express";
import { strToU8, Zip, ZipDeflate } from "fflate";
import type { Kysely } from "kysely";

type Tables = ConversationTables & SyncTables & TutorTables;
interface Needs {
  database: Kysely<Tables>;
  publicUrl: string;
}
interface File {
  path: string;
  text: string;
}

const about = `Everything this account owns, as the service has it.

conversations/   each conversation, as Markdown to read and as JSON with everything
tutor/           each tutoring session with what was said in it
preferences.json, progress.json, annotations.json, reviews.json
                 every change to them, in the order they were taken in
account.json     whose archive this is, and when it was made
`;

/** `GET /api/account/archive`: everything an account owns, as one zip file that is written while it is read. */
export function archiveRoutes({ database, publicUrl }: Needs): Router {
  return Router().get("/api/account/archive", async (request, response) => {
    const account = requireAccount(request);
    parse(noQuery, request.query);
    const at = new Date().toISOString();
    response.set({
      "cache-control": "private, no-store, no-transform",
      "content-type": "application/zip",
      "content-disposition": `attachment; filename="colloquy-${at.slice(0, 10)}.zip"`,
    });
    try {
      await send(response, filesOf(database, account, publicUrl, at));
    } catch (error) {
      // A zip that is cut off has no directory: nobody takes it for a whole one.
      response.destroy(error instanceof Error ? error : undefined);
    }
  });
}

async function send(response: Response, files: AsyncIterable<File>): Promise<void> {
  let waiting: Promise<unknown> | null = null;
  const zip = new Zip((error, chunk, final) => {
    if (error) response.destroy(error);
    else if (!response.write(chunk)) waiting ??= once(response, "drain");
    if (final) response.end();
  });
  for await (const { path, text } of files) {
    if (response.destroyed) return;
    const file = new ZipDeflate(path, { level: 6 });
    zip.add(file);
    file.push(strToU8(text), true);
    await waiting;
    waiting = null;
  }
  zip.end();
}

async function* filesOf(database: Kysely<Tables>, account: Account, publicUrl: string, at: string): AsyncGenerator<File> {
  const { accountId } = account;
  yield { path: "README.txt", text: about };
  yield { path: "account.json", text: json({ account, at }) };
  const changes = await personalChanges(database, accountId);
  for (const [domain, name] of [
    ["preferences", "preferences"],
    ["progress", "progress"],
    ["annotation", "annotations"],
    ["review", "reviews"],
  ] as const)
    yield { path: `${name}.json`, text: json({ changes: changes.filter((change) => change.domain === domain) }) };
  for (const state of ["active", "archived"] as const)
    for (let cursor: HistoryCursor | undefined, more = true; more; ) {
      const page = await listConversations(database, accountId, { state, cursor, limit: bounds.conversations.pageSize });
      for (const { conversationId } of page.conversations) {
        const conversation = await getConversation(database, accountId, conversationId);
        if (!conversation) continue;
        const name = `conversations/${conversation.createdAt.slice(0, 10)} ${fileNameOf(conversation.title, conversationId.slice(-8))}`;
        yield { path: `${name}.md`, text: conversationAsMarkdown(conversation, publicUrl) };
        yield { path: `${name}.json`, text: json({ conversation }) };
      }
      cursor = page.next ?? undefined;
      more = page.next !== null;
    }
  for (const { sessionId } of await listTutorSessions(database, accountId, {})) {
    const session = await getTutorSession(database, accountId, sessionId);
    if (session) yield { path: `tutor/${sessionId}.json`, text: json(session) };
  }
}

const json = (value: object): string => `${JSON.stringify({ schemaVersion: 1, ...value }, null, 2)}\n`;
