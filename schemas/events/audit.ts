/** Stream `audit-<accountId>`: what an auditor asked for, written before it was answered. Nothing in it names a learner. */
export interface AuditEventData {
  AuditSearched: { filters: Record<string, string> };
  AuditSessionOpened: { sessionId: string };
  AuditLedgerExported: { sessionId: string };
}

export type AuditEventType = keyof AuditEventData;
export type AuditEvent = { [Type in AuditEventType]: { type: Type; data: { schemaVersion: 1 } & AuditEventData[Type] } }[AuditEventType];

export const auditEventTypes = ["AuditSearched", "AuditSessionOpened", "AuditLedgerExported"] as const satisfies readonly AuditEventType[];

export const auditStream = (accountId: string): string => `audit-${accountId}`;
