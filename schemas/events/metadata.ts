import { z } from "zod";
import { id } from "../payload.ts";

/** What every event carries beside its data. `accountId` is a pseudonym. */
export const eventMetadata = z.object({
  accountId: id,
  requestId: id,
  correlationId: id,
  causationId: id.optional(),
  /** When the person did it, by their own device; the store's own time says when it was written. */
  at: z.iso.datetime().optional(),
  deviceId: id.optional(),
});
export type EventMetadata = z.infer<typeof eventMetadata>;
