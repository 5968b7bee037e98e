/**
 * Why an event store that answers cannot write. The embedded server says it in these words and the typed client knows it by them:
 * the protocol has no field for it, and the official client keeps only the text of an error it does not know.
 */
export const notWritable = {
  disk_full: "The disk of the event store is full. Nothing can be saved until there is room on it; reading goes on.",
  disk_refuses:
    "The disk of the event store does not take what is written: it is read-only, or failing. Nothing can be saved until that is mended; reading goes on.",
} as const;

export type WhyNotWritable = keyof typeof notWritable;

/** The reason an error of the official client gives, null when it is about something else. */
export function whyNotWritable(error: unknown): WhyNotWritable | null {
  if (!(error instanceof Error)) return null;
  const reasons = Object.keys(notWritable) as WhyNotWritable[];
  return reasons.find((reason) => error.message.includes(notWritable[reason])) ?? null;
}
