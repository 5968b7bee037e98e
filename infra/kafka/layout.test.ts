import { conversationStream } from "@colloquy/schemas/conversations/events.ts";
import { sweepStream } from "@colloquy/schemas/events/bookkeeping.ts";
import { publicationStream } from "@colloquy/schemas/publication/events.ts";
import { expect } from "chai";
import { categoryOf, isAt, isCopied, marksTopicOf, partitionOf, topicOf } from "./layout.ts";

const settings = { prefix: "colloquy", partitions: 6 };

describe("where an event is in Kafka", () => {
  it("is the topic of its category, the text before the first hyphen", () => {
    expect(topicOf(settings, categoryOf("conversation-a-b-c"))).to.equal("colloquy.conversation");
    expect(topicOf(settings, categoryOf("lonely"))).to.equal("colloquy.lonely");
  });

  it("is nowhere for the store's own streams and for the program's notes to itself", () => {
    expect([conversationStream("a"), publicationStream("a"), "lonely"].map(isCopied)).to.deep.equal([true, true, true]);
    expect(["$$conversation-a", "$settings", sweepStream].map(isCopied)).to.deep.equal([false, false, false]);
  });

  it("has a name that Kafka takes, and none that is the relay's own", () => {
    for (const category of ["relay.marks", "ünïcode", "", "x".repeat(400)]) {
      const topic = topicOf(settings, category);
      expect(topic).to.match(/^colloquy\.[A-Za-z0-9_-]{1,150}$/);
      expect(topic).not.to.equal(marksTopicOf(settings));
    }
  });

  it("is the partition every Kafka client finds for the key: Kafka's own test vectors of murmur2", () => {
    const vectors = {
      "21": -973932308,
      foobar: -790332482,
      "a-little-bit-long-string": -985981536,
      "a-little-bit-longer-string": -1486304829,
    };
    for (const [key, hash] of Object.entries(vectors))
      for (const partitions of [1, 6, 97, 0x7fffffff]) expect(partitionOf({ partitions }, key)).to.equal((hash & 0x7fffffff) % partitions);
  });

  it("is one place for each stream", () => {
    const stream = "conversation-1234";
    const partition = partitionOf(settings, stream);
    expect(isAt(settings, { topic: "colloquy.conversation", partition }, stream)).to.equal(true);
    expect(isAt(settings, { topic: "colloquy.publication", partition }, stream)).to.equal(false);
    expect(isAt(settings, { topic: "colloquy.conversation", partition: (partition + 1) % 6 }, stream)).to.equal(false);
  });
});
