import { z } from "zod";
import { defineEvents, type EventOf } from "../define-events.ts";
import { id } from "../payload.ts";
import {
  preferenceChoices,
  preferencesChangeData as preferences,
  progressChangeData as progress,
  reviewChangeData as review,
} from "../sync/changes.ts";

const topic = { topicId: id };
const item = { itemId: id };

/** Stream `learner-<accountId>`: what an account chose, how far it read, what it reviewed. Nothing in it is a learner's own text. */
export const learnerEvents = defineEvents({
  PreferencesChosen: { version: 1, data: preferenceChoices },
  ModelHidden: { version: 1, data: preferences.model_hidden },
  ModelShown: { version: 1, data: preferences.model_shown },
  TopicReadTo: { version: 1, data: progress.read_to.extend(topic) },
  TopicFinished: { version: 1, data: progress.finished.extend(topic) },
  TopicReopened: { version: 1, data: progress.reopened.extend(topic) },
  ItemReviewed: { version: 1, data: review.reviewed.extend(item) },
  ReviewTakenBack: { version: 1, data: review.taken_back.extend(item) },
  ItemBuried: { version: 1, data: review.buried.extend(item) },
  ItemSuspended: { version: 1, data: review.suspended.extend(item) },
  ItemResumed: { version: 1, data: review.resumed.extend(item) },
  /** Everything that the account owned was deleted; the stream is truncated here. */
  LearnerErased: { version: 1, data: z.object({}) },
});
export type LearnerEvent = EventOf<typeof learnerEvents>;
export const isLearnerEvent = (event: { type: string }): event is LearnerEvent => learnerEvents.has(event.type);

export const learnerEventTypes = {
  preferences: { chosen: "PreferencesChosen", model_hidden: "ModelHidden", model_shown: "ModelShown" },
  progress: { read_to: "TopicReadTo", finished: "TopicFinished", reopened: "TopicReopened" },
  review: {
    reviewed: "ItemReviewed",
    taken_back: "ReviewTakenBack",
    buried: "ItemBuried",
    suspended: "ItemSuspended",
    resumed: "ItemResumed",
  },
} as const satisfies {
  preferences: Record<keyof typeof preferences, LearnerEvent["type"]>;
  progress: Record<keyof typeof progress, LearnerEvent["type"]>;
  review: Record<keyof typeof review, LearnerEvent["type"]>;
};

export const learnerErased = "LearnerErased" satisfies LearnerEvent["type"];

export const learnerStreamPrefix = "learner-";
export const learnerStream = (accountId: string): string => learnerStreamPrefix + accountId;
