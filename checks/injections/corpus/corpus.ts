import { assistantGroups } from "./assistants.ts";
import { courseGroups } from "./course.ts";
import type { Group } from "./injection.ts";
import { learnerGroups } from "./learner.ts";
import { modelGroups } from "./model.ts";

/** Every group, as a reader goes through them: by where they come in. */
export const corpus: readonly Group[] = [courseGroups, learnerGroups, modelGroups, assistantGroups].flatMap(
  (groups) => Object.values(groups) as Group[],
);
