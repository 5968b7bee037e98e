import { sessionEvents, signInEvents } from "../accounts/events.ts";
import { annotationEvents } from "../annotations/events.ts";
import { assistantEvents } from "../assistants/events.ts";
import { auditEvents } from "../audit/events.ts";
import { conversationEvents } from "../conversations/events.ts";
import { type EventInStream, UnreadableEvent } from "../define-events.ts";
import { explainerEvents } from "../explainers/events.ts";
import { learnerEvents } from "../learner/events.ts";
import { publicationEvents } from "../publication/events.ts";
import { reminderEvents } from "../reminders/events.ts";
import { tutorEvents, tutorTextEvents } from "../tutor/events.ts";
import { sweepEvents } from "./bookkeeping.ts";

/** Every kind of stream, by how its name is made. `docs/reports/events.md` is made from this. */
export const eventStreams = {
  /** A conversation: its turns, its title and where it is listed. */
  "conversation-<conversationId>": conversationEvents,
  /** A drawing on a page. It has its own stream, because deleting it truncates the stream. */
  "annotation-<annotationId>": annotationEvents,
  /** Preferences, reading progress and reviews of an account. It holds no text of the learner. */
  "learner-<accountId>": learnerEvents,
  /** A tutoring session. The learner's own words are in the stream of texts, named by `textId`. */
  "tutor-<sessionId>": tutorEvents,
  /** The learner's own words in a session, with the salts of their commitments. Truncated when they are deleted. */
  "tutortext-<sessionId>": tutorTextEvents,
  /** A video, from its storyboard to its files. Private to its account. */
  "explainer-<jobId>": explainerEvents,
  /** The assistants that acted for an account, and those that it disconnected. */
  "assistant-<accountId>": assistantEvents,
  /** The accesses of an auditor, written before they are answered. It names no learner. */
  "audit-<accountId>": auditEvents,
  /** The commit point of each revision of a course. The texts are in the object store. */
  "publication-<courseId>": publicationEvents,
  /** The browsers in which an account signed in, so that its person recognises its sessions. */
  "sign-ins-<accountId>": signInEvents,
  /** The browsers that are reminded of due reviews, and when they were. Its subscriptions are private. */
  "reminders-<accountId>": reminderEvents,
  /** Sessions that a person or an operator ended early. */
  "sessions-ended": sessionEvents,
  /** How far interrupted deletions were finished. */
  "sweep-deleted-conversations": sweepEvents,
} as const;

const registries = Object.values(eventStreams);

/**
 * Every event type that this version of the program writes or reads. Others are kept, counted and reported, never an error: they come from
 * a newer version, or an older one.
 */
export const knownEventTypes: ReadonlySet<string> = new Set(registries.flatMap(({ types }): readonly string[] => types));

/** Why a stored event of a known type cannot be read; null for one that can, and for a type that this version does not know. */
export function unreadableReason(stored: EventInStream): string | null {
  try {
    registries.find(({ has }) => has(stored.type))?.parse(stored);
    return null;
  } catch (error) {
    if (error instanceof UnreadableEvent) return error.message;
    throw error;
  }
}
