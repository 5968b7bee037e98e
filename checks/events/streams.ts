import type { annotationEventTypes } from "@colloquy/schemas/events/annotation.ts";
import type { AssistantEvent } from "@colloquy/schemas/events/assistant.ts";
import type { AuditEventData } from "@colloquy/schemas/events/audit.ts";
import type { conversationEventTypes } from "@colloquy/schemas/events/conversation.ts";
import type { ExplainerEventData } from "@colloquy/schemas/events/explainer.ts";
import type { learnerEventTypes } from "@colloquy/schemas/events/learner.ts";
import type { CoursePublished } from "@colloquy/schemas/events/publication.ts";
import type { AccountSessionsEnded, SessionEnded } from "@colloquy/schemas/events/session.ts";
import type { TutorEventData, TutorTextEvent } from "@colloquy/schemas/events/tutor.ts";
import type { ChangeDataOf, Domain } from "@colloquy/schemas/sync/changes.ts";

type Types = typeof learnerEventTypes;
/** Event types by their data, from a domain's changes. */
type OfChanges<Names extends Record<string, string>, Of extends Domain> = {
  [Change in keyof Names & keyof ChangeDataOf<Of> as Names[Change]]: ChangeDataOf<Of>[Change];
};
/** The same where a stream holds many entities, whose id the event names. */
type Of<Events, Entity> = { [Type in keyof Events]: Events[Type] & Entity };
type OfUnion<Event extends { type: string; data: unknown }> = { [One in Event as One["type"]]: One["data"] };

/** Every kind of stream, by how its name is made, with its event types and their data: what docs/reports/events.md is made from. */
export interface Streams {
  /** A conversation: its turns, its title and where it is listed. */
  "conversation-<conversationId>": OfChanges<typeof conversationEventTypes, "conversation">;
  /** A drawing on a page. It has its own stream, because deleting it truncates the stream. */
  "annotation-<annotationId>": OfChanges<typeof annotationEventTypes, "annotation">;
  /** Preferences, reading progress and reviews of an account. It holds no text of the learner. */
  "learner-<accountId>": OfChanges<Types["preferences"], "preferences"> &
    Of<OfChanges<Types["progress"], "progress">, { topicId: string }> &
    Of<OfChanges<Types["review"], "review">, { itemId: string }> & { LearnerErased: Record<never, never> };
  /** A tutoring session. The learner's own words are in the stream of texts, named by `textId`. */
  "tutor-<sessionId>": TutorEventData;
  /** The learner's own words in a session, with the salts of their commitments. Truncated when they are deleted. */
  "tutortext-<sessionId>": OfUnion<TutorTextEvent>;
  /** A video, from its storyboard to its files. Private to its account. */
  "explainer-<jobId>": ExplainerEventData;
  /** The assistants that acted for an account, and those that it disconnected. */
  "assistant-<accountId>": OfUnion<AssistantEvent>;
  /** The accesses of an auditor, written before they are answered. It names no learner. */
  "audit-<accountId>": AuditEventData;
  /** The commit point of each revision of a course. The texts are in the object store. */
  "publication-<courseId>": { CoursePublished: CoursePublished };
  /** Sessions that a person or an operator ended early. */
  "sessions-ended": { SessionEnded: SessionEnded; AccountSessionsEnded: AccountSessionsEnded };
}
