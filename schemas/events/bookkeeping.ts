import { z } from "zod";
import { defineEvents } from "../define-events.ts";
import { position } from "../payload.ts";

/** Stream `sweep-deleted-conversations`: the position up to which deletions were finished; holds one event. */
export const sweepEvents = defineEvents({
  DeletionsSwept: { version: 1, data: z.object({ position }) },
});

/** Streams that the program writes for itself. Nobody subscribes to them, so they are not copied anywhere. */
const bookkeepingPrefix = "sweep-";
export const sweepStream = `${bookkeepingPrefix}deleted-conversations`;
export const isBookkeeping = (stream: string): boolean => stream.startsWith(bookkeepingPrefix);
