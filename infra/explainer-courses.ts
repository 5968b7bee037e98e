import type { Config } from "./config.ts";

/** Whether films are made of a course. */
export const offersExplainers = ({ EXPLAINER_COURSE_IDS: list }: Pick<Config, "EXPLAINER_COURSE_IDS">, courseId: string): boolean =>
  list.includes("*") || list.includes(courseId);
