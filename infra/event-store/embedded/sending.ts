import { encodeEvent } from "./encode-read.ts";
import type { CallError } from "./errors.ts";
import type { ResolvedEvent } from "./links.ts";
import type { PacedStream } from "./paced-stream.ts";
import type { RecordedEvent } from "./records.ts";

/** What reads and subscriptions share: how events are shown and sent. */

/** The call ends with an error rather than an answer: the stream was tombstoned, or the caller may not read it. */
export class Refused extends Error {
  readonly error: CallError;
  constructor(error: CallError) {
    super(error.details);
    this.error = error;
  }
}

/** How an event is shown to this reader: as it stands, or with its link followed. */
export type Show = (event: RecordedEvent, options?: { live: boolean }) => ResolvedEvent;

/** Sends events; false once the reader is gone. */
export async function send(
  events: readonly RecordedEvent[],
  show: Show,
  output: PacedStream,
  options?: { live: boolean },
): Promise<boolean> {
  for (const event of events) {
    const room = output.write(encodeEvent(show(event, options)));
    if (room !== true && !(await room)) return false;
  }
  return true;
}
