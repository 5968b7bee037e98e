import { auditEventTypes } from "./audit.ts";
import { personalEventTypes } from "./personal.ts";
import { tutorEventTypes, tutorTextEventTypes } from "./tutor.ts";

/**
 * Every event type this version of the program writes or reads. Others are kept, counted and reported, never an error: they come from
 * a newer version, or an older one.
 */
export const knownEventTypes: ReadonlySet<string> = new Set([
  ...auditEventTypes,
  ...personalEventTypes,
  ...tutorEventTypes,
  ...tutorTextEventTypes,
  "CoursePublished",
  "DeletionsSwept",
  "SessionEnded",
]);
