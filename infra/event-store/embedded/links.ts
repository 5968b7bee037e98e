import { endOfStream } from "./limits.ts";
import type { RecordedEvent } from "./records.ts";
import type { Store } from "./store.ts";

/** Links: events of type `$>` whose data, `revision@stream`, names the event that is meant. */
const linkType = "$>";

/** An event as a reader gets it. `link` is the event by which it was found, when that was a link; a link whose target is gone has no event. */
export interface ResolvedEvent {
  event: RecordedEvent | null;
  link: RecordedEvent | null;
}

/** What a link points to; -1 means the last event. */
export interface LinkTarget {
  stream: string;
  revision: bigint;
}

/** "text" for data that does not begin with a number, "broken" for a number without a stream. Null for an event that is no link. */
export function linkTarget(event: Pick<RecordedEvent, "type" | "data">): LinkTarget | "text" | "broken" | null {
  if (event.type !== linkType) return null;
  const [number = "", ...rest] = Buffer.from(event.data).toString("utf8").split("@");
  const digits = /^[\t-\r ]*([+-]?\d+)[\t-\r \0]*$/.exec(number)?.[1];
  const revision = digits === undefined ? null : BigInt(digits.replace("+", ""));
  if (revision === null || revision > endOfStream || revision < -endOfStream - 1n) return "text";
  const stream = rest.join("@");
  return stream && revision >= -1n ? { stream, revision } : "broken";
}

/**
 * Follows a link, once: a link to a link gives the second link. A link whose data is no link's is read as it stands; live subscriptions take it
 * for one that leads nowhere.
 */
export function resolveLink(store: Pick<Store, "state" | "reader">, event: RecordedEvent, { live = false } = {}): ResolvedEvent {
  const target = linkTarget(event);
  if (target === null || (target === "text" && !live)) return unresolved(event);
  if (target === "text" || target === "broken") return { event: null, link: event };
  const state = store.state(target.stream);
  if (state?.condition !== "live") return { event: null, link: event };
  const revision = target.revision < 0n ? state.next - 1 : Number(target.revision);
  return { event: store.reader.event(target.stream, state, revision), link: event };
}

/** What somebody gets to see who may not read every stream: a link to one they may not read leads nowhere. */
export function visible(resolved: ResolvedEvent, mayRead: (stream: string) => boolean): ResolvedEvent {
  const { event, link } = resolved;
  return link && event && !mayRead(event.stream) ? { event: null, link } : resolved;
}

/** The event as it stands, link or not. */
export const unresolved = (event: RecordedEvent): ResolvedEvent => ({ event, link: null });

/** What was written to be read: the link, or the event itself when there is none. It carries the position and the id that readers count by. */
export function original({ event, link }: ResolvedEvent): RecordedEvent {
  const read = link ?? event;
  if (!read) throw new Error("A resolved event has neither an event nor a link.");
  return read;
}
