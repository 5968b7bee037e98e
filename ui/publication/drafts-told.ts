/** What the tabs of a browser tell each other of a course's draft. */
export interface Told {
  courseId: string;
  /** Of the draft now; null where it is gone. */
  version: number | null;
}

/** Where they tell it. A tab hears what it says in another part of itself, too. */
export const draftsTold = (): BroadcastChannel => new BroadcastChannel("colloquy-course-drafts");
