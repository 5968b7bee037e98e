import { assistantEventTypes } from "./assistant.ts";
import { auditEventTypes } from "./audit.ts";
import { explainerEventTypes } from "./explainer.ts";
import { personalEventTypes } from "./personal.ts";
import { tutorEventTypes, tutorTextEventTypes } from "./tutor.ts";

/**
 * Every event type this version of the program writes or reads. Others are kept, counted and reported, never an error: they come from
 * a newer version, or an older one.
 */
export const knownEventTypes: ReadonlySet<string> = new Set([
  ...assistantEventTypes,
  ...auditEventTypes,
  ...explainerEventTypes,
  ...personalEventTypes,
  ...tutorEventTypes,
  ...tutorTextEventTypes,
  "AccountSessionsEnded",
  "CoursePublished",
  "DeletionsSwept",
  "SessionEnded",
]);
