import type { Domain } from "../sync/changes.ts";
import { workspaceEntity } from "../sync/entities.ts";
import { annotationEventTypes, annotationStream, annotationStreamPrefix } from "./annotation.ts";
import { conversationEventTypes, conversationStream, conversationStreamPrefix } from "./conversation.ts";
import { erasedChange, learnerErased, learnerEventTypes, learnerStream, learnerStreamPrefix } from "./learner.ts";

/** A change without who made it, and when. */
export interface PersonalChange {
  domain: Domain;
  entityId: string;
  type: string;
  data: Record<string, unknown>;
}

/** An event of a personal domain. The text in it is untrusted data. */
export interface PersonalEvent {
  type: string;
  data: { schemaVersion: 1 } & Record<string, unknown>;
}

const eventTypes: Readonly<Record<Domain, Readonly<Record<string, string>>>> = {
  conversation: conversationEventTypes,
  annotation: annotationEventTypes,
  ...learnerEventTypes,
};

/** What an event of the account's own stream calls its entity. */
const entityFields: Partial<Record<Domain, string>> = { progress: "topicId", review: "itemId" };

const changesOfEvents = new Map<string, { domain: Domain; type: string }>([
  ...(Object.entries(eventTypes) as [Domain, Record<string, string>][]).flatMap(([domain, types]) =>
    Object.entries(types).map(([type, event]) => [event, { domain, type }] as const),
  ),
  [learnerErased, { domain: "preferences", type: erasedChange }],
]);

/** Every type of event that a change of a personal domain becomes, and the one that takes all of them away. */
export const personalEventTypes: readonly string[] = [...changesOfEvents.keys()];
export const personalStreamPrefixes: readonly string[] = [conversationStreamPrefix, annotationStreamPrefix, learnerStreamPrefix];

/** The stream a change belongs to: an entity's own where it holds text that can be deleted, otherwise the account's. */
export function streamOfChange(accountId: string, { domain, entityId }: Pick<PersonalChange, "domain" | "entityId">): string {
  if (domain === "conversation") return conversationStream(entityId);
  if (domain === "annotation") return annotationStream(entityId);
  return learnerStream(accountId);
}

/** The event a checked change becomes. */
export function eventOfChange({ domain, entityId, type, data }: PersonalChange): PersonalEvent {
  const field = entityFields[domain];
  return { type: eventTypes[domain][type] ?? "", data: { schemaVersion: 1, ...(field && { [field]: entityId }), ...data } };
}

/**
 * The change an event was; null for an event of another kind.
 * @throws {TypeError} for a version that is not known
 */
export function changeOfEvent(stored: { stream: string; type: string; data: unknown }): PersonalChange | null {
  const known = changesOfEvents.get(stored.type);
  if (!known) return null;
  const { schemaVersion, ...data } = stored.data as Record<string, unknown>;
  if (schemaVersion !== 1) throw new TypeError(`${stored.type} has the unknown version ${String(schemaVersion)}`);
  const field = entityFields[known.domain];
  if (!field) return { ...known, entityId: entityOf(known.domain, stored.stream), data };
  const { [field]: entityId, ...rest } = data;
  return { ...known, entityId: String(entityId), data: rest };
}

function entityOf(domain: Domain, stream: string): string {
  if (domain === "conversation") return stream.slice(conversationStreamPrefix.length);
  if (domain === "annotation") return stream.slice(annotationStreamPrefix.length);
  return workspaceEntity;
}
