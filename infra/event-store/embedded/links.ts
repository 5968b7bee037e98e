import type { RecordedEvent } from "./records.ts";
import type { Store } from "./store.ts";

/** Links: events of type `$>` whose data, `revision@stream`, names the event that is meant. */
const linkType = "$>";

/** An event as a reader gets it. `link` is the event by which it was found, when that was a link; a link whose target is gone has no event. */
export interface ResolvedEvent {
  event: RecordedEvent | null;
  link: RecordedEvent | null;
}

interface LinkTarget {
  stream: string;
  revision: number;
}

/** What a link points to; null for an event that is no link, or whose data names nothing. */
export function linkTarget(event: Pick<RecordedEvent, "type" | "data">): LinkTarget | null {
  if (event.type !== linkType) return null;
  const text = Buffer.from(event.data).toString("utf8");
  const at = text.indexOf("@");
  const revision = at > 0 ? Number(text.slice(0, at)) : Number.NaN;
  const stream = text.slice(at + 1);
  return Number.isSafeInteger(revision) && revision >= 0 && stream ? { stream, revision } : null;
}

/** Follows a link, once: a link to a link gives the second link. */
export function resolveLink(store: Pick<Store, "state" | "reader">, event: RecordedEvent): ResolvedEvent {
  if (event.type !== linkType) return { event, link: null };
  const target = linkTarget(event);
  const state = target && store.state(target.stream);
  const [found] = state ? store.reader.stream(target.stream, state, target.revision, false, 1).events : [];
  return { event: found && found.revision === target?.revision ? found : null, link: event };
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
