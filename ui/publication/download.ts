import type { CourseDraft } from "@colloquy/schemas/publication/draft.ts";

/** Saves something as a JSON file, in the form in which a draft is taken in again. */
export function downloadJson(name: string, value: unknown): void {
  const href = URL.createObjectURL(new Blob([JSON.stringify(value, null, 1)], { type: "application/json" }));
  Object.assign(document.createElement("a"), { href, download: name }).click();
  // The browser has taken it over by then.
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

export const draftFileName = ({ courseId, savedAt }: Pick<CourseDraft, "courseId" | "savedAt">): string =>
  `${courseId}-draft-${savedAt.slice(0, 16).replaceAll(/[^\d]/g, "")}.json`;
