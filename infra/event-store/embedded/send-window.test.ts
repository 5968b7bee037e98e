import { once } from "node:events";
import { connect } from "node:http2";
import { EventStoreDBClient, jsonEvent } from "@eventstore/db-client";
import shared from "@eventstore/db-client/generated/shared_pb.js";
import streams from "@eventstore/db-client/generated/streams_pb.js";
import { expect } from "chai";
import { numbers, temporaryFolder } from "../event-store.fixture.ts";
import { startEventStore } from "./server.ts";

describe("the embedded event store's answers to a read", () => {
  it("come with many events in one frame", async () => {
    const folder = temporaryFolder();
    const server = await startEventStore({ dataDir: folder.path, port: 0, insecure: true });
    const client = EventStoreDBClient.connectionString(server.url);
    const session = connect(`http://127.0.0.1:${server.port}`);
    try {
      const events = numbers(200).map((number) => jsonEvent({ type: "Noted", data: { number } }));
      await client.appendToStream("noted", events);
      const read = session.request({
        ":method": "POST",
        ":path": "/event_store.client.streams.Streams/Read",
        "content-type": "application/grpc",
        te: "trailers",
      });
      let frames = 0;
      let bytes = 0;
      read.on("data", (frame: Buffer) => {
        frames += 1;
        bytes += frame.length;
      });
      read.end(framed(readWholeStream("noted")));
      await once(read, "end");
      expect(bytes).to.be.greaterThan(events.length * 100);
      expect(frames).to.be.lessThan(events.length / 4);
    } finally {
      session.close();
      await client.dispose();
      await server.close();
      folder.remove();
    }
  });
});

function readWholeStream(name: string): Uint8Array {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(name));
  const stream = new streams.ReadReq.Options.StreamOptions();
  stream.setStreamIdentifier(identifier);
  stream.setStart(new shared.Empty());
  const options = new streams.ReadReq.Options();
  options.setStream(stream);
  options.setCount("1000");
  options.setNoFilter(new shared.Empty());
  const request = new streams.ReadReq();
  request.setOptions(options);
  return request.serializeBinary();
}

/** A message as gRPC sends it: not compressed, its length, its bytes. */
function framed(message: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}
