/**
 * Why an event store that answers cannot write. The embedded server sends these texts and the typed client recognises them, because the
 * protocol has no field for the reason and the official client keeps only the text of an unknown error.
 */
export const notWritable = {
  disk_full: "The disk of the event store is full. Nothing can be saved until there is room on it; reading goes on.",
  disk_refuses:
    "The disk of the event store does not take what is written: it is read-only, or failing. Nothing can be saved until that is mended; reading goes on.",
} as const;

export type WhyNotWritable = keyof typeof notWritable;

/** The reason that an error of the official client states; null for other errors. */
export function whyNotWritable(error: unknown): WhyNotWritable | null {
  if (!(error instanceof Error)) return null;
  const reasons = Object.keys(notWritable) as WhyNotWritable[];
  return reasons.find((reason) => error.message.includes(notWritable[reason])) ?? null;
}
