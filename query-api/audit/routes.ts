import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { type Call, route, sent, serve } from "@colloquy/infra/http/route.ts";
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
import type { AuditedSession } from "@colloquy/schemas/audit/requests.ts";
import * as contracts from "@colloquy/schemas/contracts/audit.ts";
import { id, time } from "@colloquy/schemas/payload.ts";
import { tutorStream } from "@colloquy/schemas/tutor/events.ts";
import type { Router } from "express";
import type { Kysely } from "kysely";
import { z } from "zod";
import { waitForProjection } from "../read-your-writes.ts";
import { ledgerRecords } from "../tutor/routes.ts";
import { accessRecorder } from "./access.ts";
import { auditRecordOf, readHistory } from "./record.ts";

interface Needs {
  database: Kysely<AuditTables & TutorTables> & ReadModels;
  store: EventStore;
  signer: LedgerSigner;
  /** See `learnerPseudonyms`. */
  pseudonymOf: (accountId: string) => string;
}

type SessionCall = Call<typeof contracts.readAuditRecord>;

/** Read-only access of auditors to tutoring sessions, without names, accounts or learners' own texts. */
export function auditRoutes({ database, store, signer, pseudonymOf }: Needs): Router {
  const record = accessRecorder({ store });
  const shown = ({ accountId, ...session }: FoundSession): AuditedSession => ({ ...session, learner: pseudonymOf(accountId) });

  async function accountOf(learner: string): Promise<string | undefined> {
    return (await auditedAccounts(database)).find((accountId) => pseudonymOf(accountId) === learner);
  }
  /** The session of an address. The access is recorded even if there is no such session. */
  async function openSession(
    { account, requestId, parameters, query }: Pick<SessionCall, "account" | "requestId" | "parameters" | "query">,
    type: "AuditSessionOpened" | "AuditLedgerExported",
  ): Promise<AuditedSession> {
    await record({ account, requestId }, { type, data: parameters });
    for (const name of ["audit", "tutor"]) await waitForProjection(database, name, query.after);
    const found = await findSession(database, parameters.sessionId);
    if (!found) throw new ProblemError("not_found");
    return shown(found);
  }

  return serve([
    route(contracts.searchAuditedSessions, async (call) => {
      const { after, cursor, limit, learner, ...filters } = call.query;
      const before = cursor === undefined ? undefined : readCursor(cursor);
      await record(call, { type: "AuditSearched", data: { filters: given({ ...filters, learner }) } });
      await waitForProjection(database, "audit", after);
      const accountId = learner === undefined ? undefined : ((await accountOf(learner)) ?? null);
      if (accountId === null) return { sessions: [], cursor: null };
      const { sessions, next } = await searchSessions(database, { ...filters, accountId, cursor: before, limit });
      return { sessions: sessions.map(shown), cursor: next && writeCursor(next) };
    }),
    route(contracts.readAuditRecord, async (call) => {
      const session = await openSession(call, "AuditSessionOpened");
      const [live, history] = await Promise.all([
        liveTutorState(database, session.sessionId),
        readHistory(store.read(tutorStream(session.sessionId))),
      ]);
      return { record: auditRecordOf({ session, history, live, signer, now: new Date().toISOString() }) };
    }),
    route(contracts.exportAuditedLedger, async (call) => {
      const { sessionId } = await openSession(call, "AuditLedgerExported");
      const lines = exportLines(sessionId, await ledgerRecords(store, sessionId), signer, new Date().toISOString());
      call.response
        .set("content-disposition", `attachment; filename="ledger-${sessionId}.ndjson"`)
        .type("application/x-ndjson")
        .send(lines);
      return sent;
    }),
  ]);
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
