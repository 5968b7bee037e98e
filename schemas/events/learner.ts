/** Stream `learner-<accountId>`: what an account chose, how far it read, what it reviewed. Nothing in it is a learner's own text. */
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
} as const;

/** Everything the account owned was deleted; what stood before it in the stream is cut away. */
export const learnerErased = "LearnerErased";
/** The change that devices are told of it by, in the domain `preferences`. */
export const erasedChange = "erased";

export const learnerStreamPrefix = "learner-";
export const learnerStream = (accountId: string): string => `${learnerStreamPrefix}${accountId}`;
