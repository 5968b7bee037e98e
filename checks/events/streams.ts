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
  /** A conversation: what was asked and answered in it, its name and where it is listed. */
  "conversation-<conversationId>": OfChanges<typeof conversationEventTypes, "conversation">;
  /** A mark or a drawing on a page. It has a stream of its own, because deleting it means cutting the stream. */
  "annotation-<annotationId>": OfChanges<typeof annotationEventTypes, "annotation">;
  /** What an account chose, how far it read, what it reviewed. Nothing in it is a learner's own text. */
  "learner-<accountId>": OfChanges<Types["preferences"], "preferences"> &
    Of<OfChanges<Types["progress"], "progress">, { topicId: string }> &
    Of<OfChanges<Types["review"], "review">, { itemId: string }> & { LearnerErased: Record<never, never> };
  /** A tutoring session. Learner's own words are never in it: `textId` names them in the stream of texts. */
  "tutor-<sessionId>": TutorEventData;
  /** The learner's own words of a session, with the salts of their commitments. Truncated when they are deleted. */
  "tutortext-<sessionId>": OfUnion<TutorTextEvent>;
  /** A film, from its storyboard to its artifacts. Private to its account. */
  "explainer-<jobId>": ExplainerEventData;
  /** The assistants that were used on an account's behalf, and those it has let go of. */
  "assistant-<accountId>": OfUnion<AssistantEvent>;
  /** What an auditor asked for, written before it was answered. Nothing in it names a learner. */
  "audit-<accountId>": AuditEventData;
  /** The commit point of each revision of a course. The texts lie in the object store, never here. */
  "publication-<courseId>": { CoursePublished: CoursePublished };
  /** Sessions that their owners, or an operator, ended before their time. */
  "sessions-ended": { SessionEnded: SessionEnded; AccountSessionsEnded: AccountSessionsEnded };
}
