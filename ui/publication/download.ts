import type { CourseDraft } from "@colloquy/schemas/publication/draft.ts";

/** Saves a value as a JSON file; drafts are imported from such files. */
export function downloadJson(name: string, value: unknown): void {
  const href = URL.createObjectURL(new Blob([JSON.stringify(value, null, 1)], { type: "application/json" }));
  Object.assign(document.createElement("a"), { href, download: name }).click();
  // By then the browser has read the blob.
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

export const draftFileName = ({ courseId, savedAt }: Pick<CourseDraft, "courseId" | "savedAt">): string =>
  `${courseId}-draft-${savedAt.slice(0, 16).replaceAll(/[^\d]/g, "")}.json`;
