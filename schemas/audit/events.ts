import { z } from "zod";
import { defineEvents, type EventOf } from "../define-events.ts";

const session = z.object({ sessionId: z.string() });

/** Stream `audit-<accountId>`: the accesses of an auditor, written before they are answered. Nothing in it names a learner. */
export const auditEvents = defineEvents({
  AuditSearched: { version: 1, data: z.object({ filters: z.record(z.string(), z.string()) }) },
  AuditSessionOpened: { version: 1, data: session },
  AuditLedgerExported: { version: 1, data: session },
});
export type AuditEvent = EventOf<typeof auditEvents>;

export const auditStream = (accountId: string): string => `audit-${accountId}`;
