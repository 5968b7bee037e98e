import type { Writable } from "node:stream";
import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import { waitForDrain } from "@colloquy/infra/http/drain.ts";
import { route, sent, serve } from "@colloquy/infra/http/route.ts";
import { exportLines } from "@colloquy/infra/ledger/export.ts";
import type { LedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import {
  type ConversationTables,
  getConversation,
  type HistoryCursor,
  listConversations,
} from "@colloquy/projections/conversations/queries.ts";
import { type ExplainerTables, explainerJobIds, getExplainerJob } from "@colloquy/projections/explainers/queries.ts";
import { personalChanges, type SyncTables } from "@colloquy/projections/sync/queries.ts";
import { getTutorSession, type TutorTables, tutorSessionIds } from "@colloquy/projections/tutor/queries.ts";
import type { Account } from "@colloquy/schemas/accounts/account.ts";
import { signInStream } from "@colloquy/schemas/accounts/events.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { downloadArchive } from "@colloquy/schemas/contracts/accounts.ts";
import { exportedConversation } from "@colloquy/schemas/conversations/export.ts";
import { reminderStream } from "@colloquy/schemas/reminders/events.ts";
import { conversationAsMarkdown, fileNameOf } from "@colloquy/ui/rendering/conversation-markdown.ts";
import type { Router } from "express";
import { strToU8, Zip, ZipDeflate } from "fflate";
import type { Kysely } from "kysely";
import type { AccountCards } from "../review/routes.ts";
import { ledgerRecords } from "../tutor/routes.ts";

type Tables = ConversationTables & ExplainerTables & SyncTables & TutorTables;
interface ArchiveNeeds {
  database: Kysely<Tables>;
  cards: AccountCards;
  store: EventStore;
  signer: LedgerSigner;
  publicUrl: string;
}
interface Needs extends ArchiveNeeds {
  /** How long a slow reader may block before it is disconnected. */
  slowMs?: number;
}
interface File {
  path: string;
  /** In pieces if it may be large. */
  text: string | AsyncIterable<string>;
}

/** Ids of sessions and jobs read at a time. */
const idsAtATime = 200;

const readme = `All data of this account.

conversations/   each conversation, as Markdown to read and as complete JSON
tutor/           each tutoring session with its messages, and its ledger (.ndjson), which can be verified
                 with: npm run audit -- verify <file> --keys tutor/ledger-keys.json
films/           the storyboard of each video, with your changes, reports and answer; save the video itself where you watch it
preferences.json, progress.json, annotations.json, reviews.json
                 every change to them, in order
review-cards.json
                 your review cards with the current text of the courses; reviews.json refers to cards by itemId
sign-ins.json    the browsers in which you signed in
reminders.json   the browsers that are reminded of reviews, with their addresses at push services, and the reminders
account.json     the account, and when this archive was made
`;

/** `GET /api/account/archive`: all data of an account as one zip file, streamed as it is written. */
export function archiveRoutes({ slowMs = bounds.archive.slowMs, ...needs }: Needs): Router {
  return serve([
    route(downloadArchive, async ({ account, response, signal }) => {
      const at = new Date().toISOString();
      response.set({
        "cache-control": "private, no-store, no-transform",
        "content-type": "application/zip",
        "content-disposition": `attachment; filename="colloquy-${at.slice(0, 10)}.zip"`,
      });
      await writeArchive(needs, account, response, () => waitForDrain(response, { signal, slowMs })).catch((error: unknown) => {
        // An incomplete zip has no central directory, so programs recognise it as damaged.
        response.destroy(error instanceof Error ? error : undefined);
      });
      return sent;
    }),
  ]);
}

/**
 * Writes the zip file of everything an account owns, until the output is destroyed.
 * @param taken resolves when the output takes more
 */
export async function writeArchive(needs: ArchiveNeeds, account: Account, output: Writable, taken: () => Promise<void>): Promise<void> {
  const zip = new Zip((error, chunk, final) => {
    if (error) output.destroy(error);
    else output.write(chunk);
    if (final) output.end();
  });
  for await (const { path, text } of filesOf(needs, account, new Date().toISOString())) {
    if (output.destroyed) return;
    const file = new ZipDeflate(path, { level: 6 });
    zip.add(file);
    if (typeof text === "string") file.push(strToU8(text), true);
    else {
      for await (const piece of text) {
        if (output.destroyed) return;
        file.push(strToU8(piece));
        await taken();
      }
      file.push(new Uint8Array(), true);
    }
    await taken();
  }
  zip.end();
}

async function* filesOf({ database, cards, store, signer, publicUrl }: ArchiveNeeds, account: Account, at: string): AsyncGenerator<File> {
  const { accountId } = account;
  yield { path: "README.txt", text: readme };
  yield { path: "account.json", text: json({ account, at }) };
  for (const [domain, name] of [
    ["preferences", "preferences"],
    ["progress", "progress"],
    ["annotation", "annotations"],
    ["review", "reviews"],
  ] as const)
    yield { path: `${name}.json`, text: jsonList("changes", personalChanges(database, accountId, domain)) };
  yield { path: "sign-ins.json", text: jsonList("signIns", eventsOf(store, signInStream(accountId))) };
  yield { path: "reminders.json", text: jsonList("reminders", eventsOf(store, reminderStream(accountId))) };
  const { cards: asked, retired } = await cards(accountId);
  yield { path: "review-cards.json", text: json({ cards: asked, retired }) };
  for (const state of ["active", "archived"] as const)
    for (let cursor: HistoryCursor | undefined, more = true; more; ) {
      const page = await listConversations(database, accountId, { state, cursor, limit: bounds.conversations.pageSize });
      for (const { conversationId } of page.conversations) {
        const conversation = await getConversation(database, accountId, conversationId);
        if (!conversation) continue;
        const exported = exportedConversation(conversation);
        const day = exported.createdAt?.slice(0, 10);
        const name = `conversations/${day ? `${day} ` : ""}${fileNameOf(conversation.title, conversationId.slice(-8))}`;
        yield { path: `${name}.md`, text: conversationAsMarkdown(conversation, publicUrl) };
        yield { path: `${name}.json`, text: json({ conversation: exported }) };
      }
      cursor = page.next ?? undefined;
      more = page.next !== null;
    }
  yield { path: "tutor/ledger-keys.json", text: json({ keys: signer.keys() }) };
  for (let after = "", more = true; more; ) {
    const ids = await tutorSessionIds(database, accountId, after, idsAtATime);
    for (const sessionId of ids) {
      const session = await getTutorSession(database, accountId, sessionId);
      if (!session) continue;
      yield { path: `tutor/${sessionId}.json`, text: json(session) };
      yield { path: `tutor/${sessionId}.ndjson`, text: exportLines(sessionId, await ledgerRecords(store, sessionId), signer, at) };
    }
    after = ids.at(-1) ?? "";
    more = ids.length === idsAtATime;
  }
  for (let after = "", more = true; more; ) {
    const ids = await explainerJobIds(database, accountId, idsAtATime, after);
    for (const jobId of ids) {
      const film = await getExplainerJob(database, accountId, jobId);
      if (film) yield { path: `films/${jobId}.json`, text: json({ job: film.job }) };
    }
    after = ids.at(-1) ?? "";
    more = ids.length === idsAtATime;
  }
}

async function* eventsOf(store: EventStore, stream: string): AsyncGenerator<object> {
  for await (const stored of store.read(stream)) yield { type: stored.type, ...(stored.data as object) };
}

/** Writes the same format as `json`, one entry at a time. */
async function* jsonList(name: string, entries: AsyncIterable<object>): AsyncGenerator<string> {
  let before = `{\n  "schemaVersion": 1,\n  "${name}": [`;
  let count = 0;
  for await (const entry of entries) {
    yield `${before}\n    ${JSON.stringify(entry, null, 2).replaceAll("\n", "\n    ")}`;
    before = ",";
    count += 1;
  }
  yield count ? "\n  ]\n}\n" : `${before}]\n}\n`;
}

const json = (value: object): string => `${JSON.stringify({ schemaVersion: 1, ...value }, null, 2)}\n`;
