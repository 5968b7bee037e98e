import { randomUUID } from "node:crypto";
import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { rateLimitPerAccount } from "@colloquy/infra/http/rate-limit.ts";
import { requireAccount } from "@colloquy/infra/identity/session.ts";
import { type AuditEvent, auditStream } from "@colloquy/schemas/audit/events.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Request } from "express";

type AuditAction = AuditEvent extends infer One
  ? One extends AuditEvent
    ? { type: One["type"]; data: Omit<One["data"], "schemaVersion"> }
    : never
  : never;

/**
 * Admits only auditors, and records each access before it is answered; without the record there is no answer.
 * Requests from other sites are rejected, because a foreign page must not be able to create records in an auditor's name.
 */
export function auditAccess({ store, now = () => new Date().toISOString() }: { store: EventStore; now?: () => string }) {
  const limit = rateLimitPerAccount({ points: bounds.audit.requestsPerMinute, seconds: 60 });
  return async (request: Request, action: AuditAction): Promise<void> => {
    const { accountId } = requireAuditor(request);
    if (request.get("sec-fetch-site") === "cross-site") throw new ProblemError("cross_site");
    await limit(accountId);
    const event = {
      // Not derived from the request id, which the sender chooses: two requests are two events.
      id: randomUUID(),
      type: action.type,
      data: { schemaVersion: 1, ...action.data },
      metadata: { accountId, requestId: request.id, correlationId: request.id, at: now() },
    };
    await store.append(auditStream(accountId), [event], "any");
  };
}

/** @throws {ProblemError} `sign_in_required`, `not_allowed` */
export function requireAuditor(request: Request) {
  const account = requireAccount(request);
  if (!account.roles.includes("auditor")) throw new ProblemError("not_allowed");
  return account;
}
