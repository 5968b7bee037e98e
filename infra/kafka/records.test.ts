import { expect } from "chai";
import type { StoredEvent } from "../event-store/events.ts";
import { eventOf, filler, isFiller, recordOf } from "./records.ts";

const event: StoredEvent = {
  id: "0b5d3a5e-8a59-4ef2-9d2f-0d5d0a6a7c11",
  type: "TurnRecorded",
  data: { schemaVersion: 1, question: "Was ist ein „Rohr“? 😀" },
  metadata: { accountId: "acc_test0001", requestId: "change-1", correlationId: "request-1" },
  stream: "conversation-a",
  revision: 7,
  position: "18446744073709551615",
  created: "2026-03-01T10:00:00.000Z",
};
const sent = (one: StoredEvent, after: string | null = null) => {
  const { value, headers } = recordOf(one, after);
  return { value: Buffer.from(value), headers };
};

describe("an event as a record of Kafka", () => {
  it("has its stream as key, and type, id and position as headers", () => {
    const { key, headers } = recordOf(event, "12");
    expect(key).to.equal("conversation-a");
    expect(headers).to.include({ type: event.type, id: event.id, position: event.position });
  });

  it("comes back as it was, with the position of the one before it", () => {
    expect(eventOf(sent(event, "12"))).to.deep.equal({ event, after: "12" });
    expect(eventOf(sent(event))).to.deep.equal({ event, after: null });
  });

  it("may be bytes that are no JSON", () => {
    const bytes = { ...event, data: new Uint8Array([0, 255, 10]) };
    const back = eventOf(sent(bytes));
    expect(Buffer.from(back?.event.data as Uint8Array)).to.deep.equal(Buffer.from([0, 255, 10]));
  });

  it("is told from whatever else may stand in a topic", () => {
    const good = sent(event);
    expect(eventOf({ ...good, value: null })).to.equal(null);
    expect(eventOf({ ...good, value: Buffer.from("{") })).to.equal(null);
    for (const [name, wrong] of Object.entries({ position: "soon", about: "{}", type: "", id: "" }))
      expect(eventOf({ ...good, headers: { ...good.headers, [name]: wrong } }), name).to.equal(null);
    expect(eventOf({ value: Buffer.from(filler.value), headers: filler.headers })).to.equal(null);
    expect(isFiller(filler)).to.equal(true);
    expect(isFiller(good)).to.equal(false);
  });
});
