import { randomUUID } from "node:crypto";
import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { rateLimitPerAccount } from "@colloquy/infra/http/rate-limit.ts";
import { requireAccount } from "@colloquy/infra/identity/session.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { type AuditEvent, auditStream } from "@colloquy/schemas/events/audit.ts";
import type { Request } from "express";

type Looked = AuditEvent extends infer One
  ? One extends AuditEvent
    ? { type: One["type"]; data: Omit<One["data"], "schemaVersion"> }
    : never
  : never;

/**
 * Lets auditors in, nobody else, and writes down what one asks for before it is answered: what cannot be written is not answered.
 * Reading leaves a trace here, so a page of another site must not be able to make an auditor's browser leave one.
 */
export function auditAccess({ store, now = () => new Date().toISOString() }: { store: EventStore; now?: () => string }) {
  const limit = rateLimitPerAccount({ points: bounds.audit.requestsPerMinute, seconds: 60 });
  return async (request: Request, looked: Looked): Promise<void> => {
    const { accountId } = requireAuditor(request);
    if (request.get("sec-fetch-site") === "cross-site") throw new ProblemError("cross_site");
    await limit(accountId);
    const event = {
      // Never of the request's own id, which its sender chooses: asking twice is two events.
      id: randomUUID(),
      type: looked.type,
      data: { schemaVersion: 1, ...looked.data },
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
