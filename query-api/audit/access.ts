import { randomUUID } from "node:crypto";
import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import type { Account } from "@colloquy/schemas/accounts/account.ts";
import { type AuditEvent, auditStream } from "@colloquy/schemas/audit/events.ts";

type AuditAction = AuditEvent extends infer One
  ? One extends AuditEvent
    ? { type: One["type"]; data: Omit<One["data"], "schemaVersion"> }
    : never
  : never;

interface Recorded {
  account: Account;
  requestId: string;
}

/** Records each access of an auditor before it is answered; without the record there is no answer. */
export function accessRecorder({ store, now = () => new Date().toISOString() }: { store: EventStore; now?: () => string }) {
  return async ({ account: { accountId }, requestId }: Recorded, action: AuditAction): Promise<void> => {
    const event = {
      // Not derived from the request id, which the sender chooses: two requests are two events.
      id: randomUUID(),
      type: action.type,
      data: { schemaVersion: 1, ...action.data },
      metadata: { accountId, requestId, correlationId: requestId, at: now() },
    };
    await store.append(auditStream(accountId), [event], "any");
  };
}
