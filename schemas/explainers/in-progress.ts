import type { JobState } from "./job.ts";

/** Whether a video is queued or rendering. */
export const isInProgress = ({ state }: { readonly state: JobState }): boolean => state === "queued" || state === "rendering";
