import {
  type AnnotationEvent,
  annotationEvents,
  annotationEventTypes,
  annotationIdOf,
  annotationStream,
  annotationStreamPrefix,
} from "../annotations/events.ts";
import { conversationEventTypes } from "../conversations/event-types.ts";
import {
  type ConversationEvent,
  conversationEvents,
  conversationIdOf,
  conversationStream,
  conversationStreamPrefix,
} from "../conversations/events.ts";
import { type EventInStream, UnreadableEvent } from "../define-events.ts";
import {
  type LearnerEvent,
  learnerErased,
  learnerEvents,
  learnerEventTypes,
  learnerStream,
  learnerStreamPrefix,
} from "../learner/events.ts";
import type { Domain } from "../sync/changes.ts";
import { erasedChange, workspaceEntity } from "../sync/entities.ts";

/** A change without who made it, and when. */
export interface PersonalChange {
  domain: Domain;
  entityId: string;
  type: string;
  data: Record<string, unknown>;
}

/** An event of a personal domain. The text in it is untrusted data. */
export type PersonalEvent = ConversationEvent | AnnotationEvent | LearnerEvent;

const eventTypes: Readonly<Record<Domain, Readonly<Record<string, string>>>> = {
  conversation: conversationEventTypes,
  annotation: annotationEventTypes,
  ...learnerEventTypes,
};

/** What an event of the account's own stream calls its entity. */
const entityFields: Partial<Record<Domain, string>> = { progress: "topicId", review: "itemId" };

const changesOfEvents = new Map<string, { domain: Domain; type: string }>([
  ...(Object.keys(eventTypes) as Domain[]).flatMap((domain) =>
    Object.entries(eventTypes[domain]).map(([type, event]) => [event, { domain, type }] as const),
  ),
  [learnerErased, { domain: "preferences", type: erasedChange }],
]);

/** Every type of event that a change of a personal domain becomes, and the one that erases all of them. */
export const personalEventTypes: readonly PersonalEvent["type"][] = [
  ...conversationEvents.types,
  ...annotationEvents.types,
  ...learnerEvents.types,
];
export const personalStreamPrefixes: readonly string[] = [conversationStreamPrefix, annotationStreamPrefix, learnerStreamPrefix];

/** The stream a change belongs to: an entity's own where it holds text that can be deleted, otherwise the account's. */
export function streamOfChange(accountId: string, { domain, entityId }: Pick<PersonalChange, "domain" | "entityId">): string {
  if (domain === "conversation") return conversationStream(entityId);
  if (domain === "annotation") return annotationStream(entityId);
  return learnerStream(accountId);
}

/** The event that a change becomes. @throws {UnreadableEvent} for a change that was not checked */
export function eventOfChange(accountId: string, { domain, entityId, type, data }: PersonalChange): PersonalEvent {
  const field = entityFields[domain];
  return parsePersonalEvent({
    stream: streamOfChange(accountId, { domain, entityId }),
    revision: -1,
    type: eventTypes[domain][type] ?? "",
    data: { schemaVersion: 1, ...(field && { [field]: entityId }), ...data },
  });
}

/** @throws {UnreadableEvent} */
function parsePersonalEvent(stored: EventInStream): PersonalEvent {
  if (conversationEvents.has(stored.type)) return conversationEvents.parse(stored);
  if (annotationEvents.has(stored.type)) return annotationEvents.parse(stored);
  return learnerEvents.parse(stored);
}

/** The change that an event was. @throws {UnreadableEvent} also for an event of another kind */
export function changeOfEvent(stored: EventInStream): PersonalChange {
  const event = parsePersonalEvent(stored);
  const change = changesOfEvents.get(event.type);
  if (!change) throw new UnreadableEvent(stored, "no change becomes an event of this type");
  const { schemaVersion: _, ...data } = event.data;
  const { domain } = change;
  if (domain === "conversation") return { ...change, entityId: conversationIdOf(stored.stream), data };
  if (domain === "annotation") return { ...change, entityId: annotationIdOf(stored.stream), data };
  if ("topicId" in data) {
    const { topicId, ...rest } = data;
    return { ...change, entityId: topicId, data: rest };
  }
  if ("itemId" in data) {
    const { itemId, ...rest } = data;
    return { ...change, entityId: itemId, data: rest };
  }
  return { ...change, entityId: workspaceEntity, data };
}
