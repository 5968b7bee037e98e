import type { JobState } from "./job.ts";

/** Whether a film waits to be made, or is being made. */
export const isUnderWay = ({ state }: { readonly state: JobState }): boolean => state === "queued" || state === "rendering";
