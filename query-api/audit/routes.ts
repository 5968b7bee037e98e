import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import { ProblemError, parse } from "@colloquy/infra/http/problem.ts";
import { exportLines } from "@colloquy/infra/ledger/export.ts";
import type { LedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import {
  type AuditTables,
  auditedAccounts,
  type FoundSession,
  findSession,
  type SearchCursor,
  searchSessions,
} from "@colloquy/projections/audit/queries.ts";
import type { ReadModels } from "@colloquy/projections/checkpoints/queries.ts";
import { liveTutorState, type TutorTables } from "@colloquy/projections/tutor/queries.ts";
import {
  type AuditedSession,
  type AuditedSessionsResponse,
  type AuditRecordResponse,
  auditQuery,
} from "@colloquy/schemas/audit/requests.ts";
import { id, readQuery, time, versioned } from "@colloquy/schemas/payload.ts";
import { tutorStream } from "@colloquy/schemas/tutor/events.ts";
import { type Request, Router } from "express";
import type { Kysely } from "kysely";
import { z } from "zod";
import { waitForProjection } from "../read-your-writes.ts";
import { ledgerRecords } from "../tutor/routes.ts";
import { auditAccess, requireAuditor } from "./access.ts";
import { auditRecordOf, readHistory } from "./record.ts";

const parameters = z.object({ sessionId: id });

interface Needs {
  database: Kysely<AuditTables & TutorTables> & ReadModels;
  store: EventStore;
  signer: LedgerSigner;
  /** See `learnerPseudonyms`. */
  pseudonymOf: (accountId: string) => string;
}

/** Read-only access of auditors to tutoring sessions, without names, accounts or learners' own texts. */
export function auditRoutes({ database, store, signer, pseudonymOf }: Needs): Router {
  const access = auditAccess({ store });
  const shown = ({ accountId, ...session }: FoundSession): AuditedSession => ({ ...session, learner: pseudonymOf(accountId) });

  async function accountOf(learner: string): Promise<string | undefined> {
    return (await auditedAccounts(database)).find((accountId) => pseudonymOf(accountId) === learner);
  }
  /** The session of an address. The access is recorded even if there is no such session. */
  async function sessionOf(request: Request, type: "AuditSessionOpened" | "AuditLedgerExported", after: string | undefined) {
    requireAuditor(request);
    const named = parameters.safeParse(request.params);
    if (!named.success) throw new ProblemError("not_found");
    await access(request, { type, data: named.data });
    for (const name of ["audit", "tutor"]) await waitForProjection(database, name, after);
    const found = await findSession(database, named.data.sessionId);
    if (!found) throw new ProblemError("not_found");
    return shown(found);
  }

  return Router()
    .get("/api/audit/sessions", async (request, response) => {
      requireAuditor(request);
      const { after, cursor, limit, learner, ...filters } = parse(auditQuery, request.query);
      const before = cursor === undefined ? undefined : readCursor(cursor);
      await access(request, { type: "AuditSearched", data: { filters: { ...given({ ...filters, learner }) } } });
      await waitForProjection(database, "audit", after);
      const accountId = learner === undefined ? undefined : ((await accountOf(learner)) ?? null);
      const { sessions, next } =
        accountId === null
          ? { sessions: [], next: null }
          : await searchSessions(database, { ...filters, accountId, cursor: before, limit });
      const body: AuditedSessionsResponse = versioned({ sessions: sessions.map(shown), cursor: next && writeCursor(next) });
      response.set("cache-control", "private, no-store").json(body);
    })
    .get("/api/audit/sessions/:sessionId", async (request, response) => {
      requireAuditor(request);
      const { after } = parse(readQuery, request.query);
      const session = await sessionOf(request, "AuditSessionOpened", after);
      const [live, history] = await Promise.all([
        liveTutorState(database, session.sessionId),
        readHistory(store.read(tutorStream(session.sessionId))),
      ]);
      const record = auditRecordOf({ session, history, live, signer, now: new Date().toISOString() });
      const body: AuditRecordResponse = versioned({ record });
      response.set("cache-control", "private, no-store").json(body);
    })
    .get("/api/audit/sessions/:sessionId/ledger", async (request, response) => {
      requireAuditor(request);
      const { after } = parse(readQuery, request.query);
      const { sessionId } = await sessionOf(request, "AuditLedgerExported", after);
      const lines = exportLines(sessionId, await ledgerRecords(store, sessionId), signer, new Date().toISOString());
      response
        .set({ "cache-control": "private, no-store", "content-disposition": `attachment; filename="ledger-${sessionId}.ndjson"` })
        .type("application/x-ndjson")
        .send(lines);
    });
}

const given = (filters: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).flatMap(([name, value]) => (value ? [[name, value]] : [])));

const cursorFields = z.tuple([time, id]);
const writeCursor = ({ updatedAt, sessionId }: SearchCursor): string =>
  Buffer.from(JSON.stringify([updatedAt, sessionId])).toString("base64url");

function readCursor(cursor: string): SearchCursor {
  try {
    const [updatedAt, sessionId] = cursorFields.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
    return { updatedAt, sessionId };
  } catch {
    throw new ProblemError("invalid_request", { fields: [{ path: "cursor", message: "expected a cursor of an earlier answer" }] });
  }
}
