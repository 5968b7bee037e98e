import { conversationEventTypes } from "../conversations/event-types.ts";
import { annotationEventTypes } from "./annotation.ts";
import { explainerErased } from "./explainer.ts";
import { learnerErased } from "./learner.ts";
import type { TutorTextEvent } from "./tutor.ts";

const textsDeleted: TutorTextEvent["type"] = "TutorTextsDeleted";

/** Types after which everything before in the same stream must leave every disk at once: read models' files and other stores alike. */
export const purgingEventTypes: readonly string[] = [
  conversationEventTypes.deleted,
  annotationEventTypes.deleted,
  explainerErased,
  learnerErased,
  textsDeleted,
];
