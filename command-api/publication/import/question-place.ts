import { idFrom } from "./ids.ts";
import type { Builder } from "./markdown/builder.ts";

/** The objective that a question of a page is about: sure only where the page has one. */
export function objectiveOf({ page, objectives }: Builder): string | undefined {
  const [objective, ...further] = new Set(objectives);
  return objective === undefined || further.length > 0 ? undefined : idFrom("objective", page.file, objective);
}

/** What the report says of a question that was taken over. */
export const becameWords = (objective: string | undefined): string =>
  objective === undefined
    ? "became a self-check; choose its objective and take it off the page, and the tutor asks it"
    : "became a question";
