import { annotationEventTypes } from "../annotations/events.ts";
import { conversationEventTypes } from "../conversations/event-types.ts";
import { explainerErased } from "../explainers/events.ts";
import { learnerErased } from "../learner/events.ts";
import type { TutorTextEvent } from "../tutor/events.ts";

const textsDeleted: TutorTextEvent["type"] = "TutorTextsDeleted";

/** Types after which everything before in the same stream must leave every disk at once: read models' files and other stores alike. */
export const purgingEventTypes: readonly string[] = [
  conversationEventTypes.deleted,
  annotationEventTypes.deleted,
  explainerErased,
  learnerErased,
  textsDeleted,
];
