import { expect } from "chai";
import type { StoredEvent } from "../../event-store/events.ts";
import { partitionOf } from "../layout.ts";
import { eventOf } from "../records.ts";
import { readMark, writeMark } from "../relay-mark.ts";
import { batchOf, withMark } from "./batch.ts";

const settings = { prefix: "test", partitions: 3 };
const nothing = { position: null, last: {} };
const event = (stream: string, position: number, type = "TurnRecorded", data: unknown = { schemaVersion: 1 }): StoredEvent => ({
  id: `id-${position}`,
  type,
  data,
  metadata: {},
  stream,
  revision: position,
  position: String(position),
  created: "2026-03-01T10:00:00.000Z",
});

describe("a batch of the relay", () => {
  it("names for each record the position of the one before it in its partition", () => {
    const events = [event("a-1", 1), event("b-1", 2), event("a-1", 3), event("a-2", 4), event("a-1", 5)];
    const first = batchOf(settings, nothing, events.slice(0, 3));
    const second = batchOf(settings, first.progress, events.slice(3));
    const chain = [first, second].flatMap(({ topics }) =>
      (topics.get("test.a") ?? [])
        .filter(({ partition }) => partition === partitionOf(settings, "a-1"))
        .map(({ value, headers }) => eventOf({ value: Buffer.from(value), headers: headers ?? {} }))
        .map((relayed) => [relayed?.event.position, relayed?.after]),
    );
    const own = events.filter(({ stream }) => stream.startsWith("a-") && partitionOf(settings, stream) === partitionOf(settings, "a-1"));
    expect(chain).to.deep.equal(own.map(({ position }, index) => [position, own[index - 1]?.position ?? null]));
    expect(second.progress.position).to.equal("5");
    expect(second.progress.last["test.b"]?.[partitionOf(settings, "b-1")]).to.equal("2");
    expect(first.progress.last["test.a"]).to.not.equal(second.progress.last["test.a"]);
  });

  it("ends before it is larger than a topic takes, and takes at least one event", () => {
    const large = { text: "x".repeat(900_000) };
    const events = [1, 2, 3].map((position) => event("a-1", position, "TurnRecorded", large));
    expect(batchOf(settings, nothing, events).taken).to.equal(2);
    expect(batchOf(settings, nothing, [event("a-1", 1, "TurnRecorded", { text: "x".repeat(1_040_000) })]).taken).to.equal(1);
    const many = Array.from({ length: 2_500 }, (_, index) => event("a-1", index + 1));
    expect(batchOf(settings, nothing, many).taken).to.equal(2_000);
  });

  it("counts bytes, of headers too, not characters", () => {
    const wide = { text: "漢".repeat(300_000) };
    const events = [1, 2, 3].map((position) => event("a-1", position, "TurnRecorded", wide));
    expect(batchOf(settings, nothing, events).taken).to.equal(2);
    const told = [1, 2, 3].map((position) => ({ ...event("a-1", position), metadata: { correlationId: "x".repeat(600_000) } }));
    expect(batchOf(settings, nothing, told).taken).to.equal(2);
  });

  it("knows where deletions stand", () => {
    const at = partitionOf(settings, "conversation-1");
    const same = Array.from({ length: 100 }, (_, index) => `conversation-x${index}`).find((one) => partitionOf(settings, one) === at);
    const events = [event("conversation-1", 1), event(same ?? "", 2), event("conversation-1", 3, "ConversationDeleted")];
    expect(batchOf(settings, nothing, events).deletions).to.deep.equal([{ topic: "test.conversation", partition: at, index: 2 }]);
  });

  it("takes every type after which text must be gone", () => {
    for (const type of ["ConversationDeleted", "AnnotationDeleted", "TutorTextsDeleted", "LearnerErased"])
      expect(batchOf(settings, nothing, [event("a-1", 1, type)]).deletions, type).to.have.length(1);
    expect(batchOf(settings, nothing, [event("a-1", 1, "TurnRecorded")]).deletions).to.deep.equal([]);
  });

  it("goes with a mark, which is read back as it was written, and nothing else is", () => {
    const { topics, progress } = batchOf(settings, nothing, [event("a-1", 1)]);
    const mark = { ...progress, acked: nothing, purges: { "test.a": { 1: { offset: 5, at: 9 } } } };
    const [record] = withMark(settings, topics, mark).get("test.relay.marks") ?? [];
    expect(readMark(Buffer.from(record?.value ?? ""))).to.deep.equal(mark);
    expect(readMark(Buffer.from(writeMark(mark)))).to.deep.equal(mark);
    for (const wrong of [null, Buffer.from("null"), Buffer.from("{}"), Buffer.from("{")])
      expect(() => readMark(wrong)).to.throw(SyntaxError);
  });
});
