import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import { knownEvent } from "@colloquy/infra/event-store/known-event.ts";
import { ProblemError, parse } from "@colloquy/infra/http/problem.ts";
import { requireAccount } from "@colloquy/infra/identity/session.ts";
import { exportLines, type LedgerRecord } from "@colloquy/infra/ledger/export.ts";
import type { LedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import { xapiStatements } from "@colloquy/infra/ledger/xapi.ts";
import type { ReadModels } from "@colloquy/projections/checkpoints/queries.ts";
import type { CourseCatalogue } from "@colloquy/projections/courses/queries.ts";
import type { RevisionChanges } from "@colloquy/projections/passages/queries.ts";
import { getTutorSession, listTutorSessions, type TutorTables } from "@colloquy/projections/tutor/queries.ts";
import { id, noQuery, readQuery, versioned } from "@colloquy/schemas/payload.ts";
import { tutorEvents, tutorStream } from "@colloquy/schemas/tutor/events.ts";
import {
  ledgerQuery,
  type TutorSessionResponse,
  type TutorSessionsResponse,
  tutorSessionsQuery,
} from "@colloquy/schemas/tutor/requests.ts";
import { type Request, Router } from "express";
import type { Kysely } from "kysely";
import { z } from "zod";
import { waitForProjection } from "../read-your-writes.ts";

const parameters = z.object({ sessionId: id });

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
  const sessionOf = async (request: Request, accountId: string) => {
    const named = parameters.safeParse(request.params);
    const found = named.success ? await getTutorSession(database, accountId, named.data.sessionId) : null;
    if (!found) throw new ProblemError("not_found");
    return found;
  };

  return Router()
    .get("/api/tutor/sessions", async (request, response) => {
      const { accountId } = requireAccount(request);
      const { after, ...query } = parse(tutorSessionsQuery, request.query);
      await waitForProjection(database, "tutor", after);
      const body: TutorSessionsResponse = versioned({ sessions: await listTutorSessions(database, accountId, query) });
      response.set("cache-control", "private, no-store").json(body);
    })
    .get("/api/tutor/sessions/:sessionId", async (request, response) => {
      const { accountId } = requireAccount(request);
      const { after } = parse(readQuery, request.query);
      await waitForProjection(database, "tutor", after);
      const { session, position, sources } = await sessionOf(request, accountId);
      const { courseId, courseRevisionId } = session;
      const live = (await catalogue.get(courseId))?.revisionId ?? null;
      const changed = live === null || live === courseRevisionId ? null : await changes(courseId, courseRevisionId, live);
      const goesOn = live === courseRevisionId || (changed !== null && !sources.some((id) => changed.has(id)));
      const body: TutorSessionResponse = versioned({ session, position, live, goesOn });
      response.set("cache-control", "private, no-store").json(body);
    })
    .get("/api/tutor/sessions/:sessionId/ledger", async (request, response) => {
      const { accountId } = requireAccount(request);
      const { after, format } = parse(ledgerQuery, request.query);
      await waitForProjection(database, "tutor", after);
      const { session } = await sessionOf(request, accountId);
      const { sessionId } = session;
      const records = await ledgerRecords(store, sessionId);
      response.set({
        "cache-control": "private, no-store",
        "content-disposition": `attachment; filename="ledger-${sessionId}.${format === "xapi" ? "json" : "ndjson"}"`,
      });
      if (format === "xapi") {
        const entries = records.flatMap((record) => ("entry" in record ? record.entry : []));
        response.type("application/json").send(JSON.stringify(xapiStatements(entries, { publicUrl, learner: accountId, session })));
      } else response.type("application/x-ndjson").send(exportLines(sessionId, records, signer, new Date().toISOString()));
    })
    .get("/api/tutor/ledger-keys", (request, response) => {
      parse(noQuery, request.query);
      response.set("cache-control", "public, max-age=60").json(versioned({ keys: signer.keys() }));
    });
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
