/** Message between tabs: the stored draft of a course changed. */
export interface DraftMessage {
  courseId: string;
  /** Version of the draft; null if it was removed. */
  version: number | null;
}

/** Two channels in one tab also receive each other's messages. */
export const openDraftChannel = (): BroadcastChannel => new BroadcastChannel("colloquy-course-drafts");
