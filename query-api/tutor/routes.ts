import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import { knownEvent } from "@colloquy/infra/event-store/known-event.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { route, sent, serve } from "@colloquy/infra/http/route.ts";
import { exportLines, type LedgerRecord } from "@colloquy/infra/ledger/export.ts";
import type { LedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import { xapiStatements } from "@colloquy/infra/ledger/xapi.ts";
import type { ReadModels } from "@colloquy/projections/checkpoints/queries.ts";
import type { CourseCatalogue } from "@colloquy/projections/courses/queries.ts";
import type { RevisionChanges } from "@colloquy/projections/passages/queries.ts";
import { getTutorSession, listTutorSessions, type TutorTables } from "@colloquy/projections/tutor/queries.ts";
import * as contracts from "@colloquy/schemas/contracts/tutor.ts";
import { tutorEvents, tutorStream } from "@colloquy/schemas/tutor/events.ts";
import type { Router } from "express";
import type { Kysely } from "kysely";
import { waitForProjection } from "../read-your-writes.ts";

interface Needs {
  database: Kysely<TutorTables> & ReadModels;
  store: EventStore;
  catalogue: CourseCatalogue;
  changes: RevisionChanges;
  signer: LedgerSigner;
  publicUrl: string;
}

/** A learner's own tutoring sessions and their ledgers, and the public keys of the ledgers' signatures. */
export function tutorSessionRoutes({ database, store, catalogue, changes, signer, publicUrl }: Needs): Router {
  const sessionOf = async (accountId: string, sessionId: string) => {
    const found = await getTutorSession(database, accountId, sessionId);
    if (!found) throw new ProblemError("not_found");
    return found;
  };

  return serve([
    route(contracts.listTutorSessions, async ({ account: { accountId }, query: { after, ...query } }) => {
      await waitForProjection(database, "tutor", after);
      return { sessions: await listTutorSessions(database, accountId, query) };
    }),
    route(contracts.readTutorSession, async ({ account: { accountId }, parameters: { sessionId }, query: { after } }) => {
      await waitForProjection(database, "tutor", after);
      const { session, position, sources } = await sessionOf(accountId, sessionId);
      const { courseId, courseRevisionId } = session;
      const live = (await catalogue.get(courseId))?.revisionId ?? null;
      const changed = live === null || live === courseRevisionId ? null : await changes(courseId, courseRevisionId, live);
      const goesOn = live === courseRevisionId || (changed !== null && !sources.some((id) => changed.has(id)));
      return { session, position, live, goesOn };
    }),
    route(contracts.exportLedger, async ({ account: { accountId }, parameters, query: { after, format }, response }) => {
      await waitForProjection(database, "tutor", after);
      const { session } = await sessionOf(accountId, parameters.sessionId);
      const { sessionId } = session;
      const records = await ledgerRecords(store, sessionId);
      const extension = format === "xapi" ? "json" : "ndjson";
      response.set("content-disposition", `attachment; filename="ledger-${sessionId}.${extension}"`);
      if (format === "xapi") {
        const entries = records.flatMap((record) => ("entry" in record ? record.entry : []));
        response.type("application/json").send(JSON.stringify(xapiStatements(entries, { publicUrl, learner: accountId, session })));
      } else response.type("application/x-ndjson").send(exportLines(sessionId, records, signer, new Date().toISOString()));
      return sent;
    }),
    route(contracts.listLedgerKeys, () => ({ keys: signer.keys() })),
  ]);
}

/** Ledger entries and checkpoints from a session's stream. */
export async function ledgerRecords(store: EventStore, sessionId: string): Promise<LedgerRecord[]> {
  const records: LedgerRecord[] = [];
  for await (const stored of store.read(tutorStream(sessionId))) {
    const event = knownEvent(tutorEvents, stored, { reader: "tutor ledger" });
    if (event?.type === "EvidenceRecorded") records.push({ entry: event.data.entry });
    if (event?.type === "CheckpointSigned") records.push({ checkpoint: event.data.checkpoint });
  }
  return records;
}
