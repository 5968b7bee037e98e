import type { GroupCommit } from "../group-commit.ts";
import { linkData, linkType } from "../links.ts";
import type { Store } from "../store.ts";
import { metastreamOf } from "../streams.ts";
import { uuidBytes } from "../uuid.ts";
import type { GroupName } from "./definitions.ts";
import type { Message } from "./messages.ts";
import { parkedStreamOf } from "./source.ts";

/** The stream of a group's parked messages: links to the events, each with the reason and the time, as in EventStoreDB. */
export interface Parking {
  park(message: Message, reason: string, done: (parked: boolean) => void): void;
  /** Lets go of the parked messages below a revision. */
  truncate(before: number): void;
  remove(): void;
  /** Revisions of the messages there: from the first that is left to the next that will be. */
  range(): { from: number; end: number };
}

const none = new Uint8Array(0);
const newId = (): Uint8Array => uuidBytes(crypto.randomUUID()) ?? none;

/** `failed` hears of what could not be written. */
export function openParking(
  store: Pick<Store, "state">,
  commits: Pick<GroupCommit, "submit">,
  group: GroupName,
  failed: (error: unknown) => void,
): Parking {
  const stream = parkedStreamOf(group);

  function append(to: string, type: string, json: boolean, data: Uint8Array, metadata: Uint8Array, done: (written: boolean) => void): void {
    const events = [{ id: newId(), type, json, data, metadata }];
    commits.submit({ kind: "append", stream: to, expected: "any", events }, (settled) => {
      if (settled.kind === "failed") failed(settled.error);
      else if (settled.kind !== "written") failed(new Error(`${to}: ${settled.kind}`));
      done(settled.kind === "written");
    });
  }

  return {
    park({ resolved: { event, link } }, reason, done) {
      const written = event ?? link;
      if (!written) return done(true);
      const data = event ? linkData(event) : written.data;
      const subscriptionEventNumber = (link ?? written).revision;
      const metadata = Buffer.from(JSON.stringify({ added: new Date().toISOString(), reason, subscriptionEventNumber }));
      append(stream, linkType, false, data, metadata, done);
    },
    truncate(before) {
      append(metastreamOf(stream), "$metadata", true, Buffer.from(JSON.stringify({ $tb: before })), none, () => {});
    },
    remove() {
      commits.submit({ kind: "delete", stream, expected: "any" }, (settled) => {
        if (settled.kind === "failed") failed(settled.error);
      });
    },
    range() {
      const state = store.state(stream);
      return { from: state?.truncateBefore ?? 0, end: state?.next ?? 0 };
    },
  };
}
