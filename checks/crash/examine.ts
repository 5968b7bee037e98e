import { isDeepStrictEqual } from "node:util";
import type { EventStore, StoredEvent } from "@colloquy/infra/event-store/client.ts";
import { conversationEventTypes } from "@colloquy/schemas/conversations/event-types.ts";
import { conversationStream } from "@colloquy/schemas/conversations/events.ts";
import type { Learner } from "../../journeys/learner.ts";
import type { Record, Sent } from "./device.ts";

export interface Findings {
  events: number;
  acknowledged: number;
  /** Acknowledged changes without an event. */
  lost: string[];
  /** Changes with two events. */
  doubled: string[];
  /** Everything else that must not be. */
  wrong: string[];
}

/** Holds what the devices were told against what the event store has, and against what their accounts read. */
export async function examine(
  store: EventStore,
  record: Record,
  accounts: readonly (Learner & { accountId: string })[],
): Promise<Findings> {
  const findings: Findings = { events: 0, acknowledged: record.acknowledged.size, lost: [], doubled: [], wrong: [] };
  const events = await Array.fromAsync(store.readAll({ prefixes: ["conversation-"] }));
  findings.events = events.length;
  const byChange = Map.groupBy(events, ({ metadata }) => metadata.requestId ?? "");
  const deleted = new Set(events.filter(({ type }) => type === conversationEventTypes.deleted).map(({ stream }) => stream));
  compareChanges(byChange, deleted, record, findings);
  for (const [stream, own] of Map.groupBy(events, (event) => event.stream)) {
    inOrder(stream, own, record, findings);
    if (deleted.has(stream) && own.length > 1) findings.wrong.push(`${stream} was deleted and has ${own.length} events`);
  }
  for (const account of accounts) await readsTheSame(account, events, findings);
  return findings;
}

function compareChanges(
  byChange: ReadonlyMap<string, StoredEvent[]>,
  deleted: ReadonlySet<string>,
  record: Record,
  { lost, doubled, wrong }: Findings,
): void {
  for (const [changeId, same] of byChange) {
    if (same.length > 1) doubled.push(`${changeId}: ${same.map(({ stream, revision }) => `${stream}@${revision}`).join(", ")}`);
    const sent = record.sent.get(changeId);
    if (!sent) wrong.push(`nobody sent ${changeId}`);
    else if (same.some((event) => !isOf(event, sent))) wrong.push(`${changeId} became something else`);
    if (record.refused.has(changeId)) wrong.push(`${changeId} was refused and is there`);
  }
  for (const [changeId, sent] of record.sent) {
    const gone = deleted.has(conversationStream(sent.conversation));
    const code = record.refused.get(changeId);
    if (code !== undefined) {
      // Refused is only what came after another device's deletion.
      if (code !== "not_found" || !gone) wrong.push(`${changeId} was refused: ${code}`);
    } else if (!record.acknowledged.has(changeId)) wrong.push(`${changeId} was never answered`);
    // What a deleted conversation held is gone on purpose; its marker is not.
    else if (!byChange.has(changeId) && !(gone && sent.type !== "deleted")) lost.push(`${changeId} (${sent.type} of ${sent.conversation})`);
  }
}

function isOf(event: StoredEvent, sent: Sent): boolean {
  const { schemaVersion: _, ...data } = event.data as { schemaVersion: number };
  return (
    event.stream === conversationStream(sent.conversation) &&
    event.type === (conversationEventTypes as { [type: string]: string })[sent.type] &&
    event.metadata.accountId === sent.accountId &&
    isDeepStrictEqual(data, sent.data)
  );
}

/** Revisions without a gap, and what each device did in the order it did it. */
function inOrder(stream: string, events: readonly StoredEvent[], record: Record, findings: Findings): void {
  const latest = new Map<string, number>();
  for (const [index, event] of events.entries()) {
    const before = events[index - 1];
    if (before && event.revision !== before.revision + 1)
      findings.wrong.push(`${stream} jumps from ${before.revision} to ${event.revision}`);
    const sent = record.sent.get(event.metadata.requestId ?? "");
    if (!sent) continue;
    if ((latest.get(sent.device) ?? 0) > sent.number) findings.wrong.push(`${stream}@${event.revision} is out of its device's order`);
    latest.set(sent.device, sent.number);
  }
}

/** An account's devices receive exactly the events of the account, in the order of commits. */
async function readsTheSame(account: Learner & { accountId: string }, events: readonly StoredEvent[], findings: Findings): Promise<void> {
  const received: string[] = [];
  for (let cursor = "0", more = true; more; ) {
    const { body } = await account.get(`/api/sync/pull?after=${cursor}`);
    const page = body as { changes: { changeId: string }[]; cursor: string; more: boolean };
    received.push(...page.changes.map(({ changeId }) => changeId));
    ({ cursor, more } = page);
  }
  const own = events.filter(({ metadata }) => metadata.accountId === account.accountId).map(({ metadata }) => metadata.requestId);
  const at = own.findIndex((changeId, index) => changeId !== received[index]);
  if (own.length !== received.length || at >= 0)
    findings.wrong.push(`${account.accountId} receives ${received.length} changes of ${own.length}, other from number ${at}`);
}
