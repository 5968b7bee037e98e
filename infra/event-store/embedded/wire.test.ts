import { StreamsService } from "@eventstore/db-client/generated/streams_grpc_pb.js";
import { expect } from "chai";
import fc from "fast-check";
import { encodeEvent } from "./encode-read.ts";
import { unresolved } from "./links.ts";
import type { RecordedEvent } from "./records.ts";
import { uuidBytes, uuidText } from "./uuid.ts";
import { varint, varintSize, writeVarint } from "./wire.ts";

describe("what the server puts on the wire", () => {
  it("encodes any event so that the generated code reads it back", () => {
    const event = fc.record<RecordedEvent>({
      id: fc.uint8Array({ minLength: 16, maxLength: 16 }),
      type: fc.string({ minLength: 1, unit: "grapheme" }),
      json: fc.boolean(),
      data: fc.uint8Array({ maxLength: 40_000 }),
      metadata: fc.uint8Array({ maxLength: 300 }),
      stream: fc.string({ minLength: 1, maxLength: 200, unit: "grapheme" }),
      revision: fc.maxSafeNat().filter((revision) => revision < Number.MAX_SAFE_INTEGER),
      position: fc.maxSafeNat(),
      created: fc.nat({ max: 4_000_000_000_000 }),
    });
    fc.assert(
      fc.property(event, (recorded) => {
        const read = StreamsService.read.responseDeserialize(encodeEvent(unresolved(recorded))).getEvent();
        const record = read?.getEvent();
        const metadata = record?.getMetadataMap();
        expect(record?.getId()?.getString()).to.equal(uuidText(recorded.id));
        expect(Buffer.from(record?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString()).to.equal(recorded.stream);
        expect(record?.getStreamRevision()).to.equal(String(recorded.revision));
        expect([record?.getCommitPosition(), record?.getPreparePosition(), read?.getCommitPosition()]).to.deep.equal(
          Array(3).fill(String(recorded.position)),
        );
        expect(metadata?.get("type")).to.equal(recorded.type);
        expect(metadata?.get("content-type")).to.equal(recorded.json ? "application/json" : "application/octet-stream");
        expect(BigInt(metadata?.get("created") ?? -1)).to.equal(BigInt(recorded.created) * 10_000n);
        expect(Buffer.from(record?.getData_asU8() ?? []).equals(Buffer.from(recorded.data))).to.equal(true);
        expect(Buffer.from(record?.getCustomMetadata_asU8() ?? []).equals(Buffer.from(recorded.metadata))).to.equal(true);
      }),
    );
  });

  it("puts a tombstone at the protocol's largest revision", () => {
    const data = new Uint8Array(0);
    const revision = Number.MAX_SAFE_INTEGER;
    const tombstone = {
      id: new Uint8Array(16),
      type: "$streamDeleted",
      json: true,
      data,
      metadata: data,
      stream: "s",
      revision,
      position: 7,
      created: 0,
    };
    expect(
      StreamsService.read
        .responseDeserialize(encodeEvent(unresolved(tombstone)))
        .getEvent()
        ?.getEvent()
        ?.getStreamRevision(),
    ).to.equal("9223372036854775807");
  });

  it("writes one number the same way in both places", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        const buffer = Buffer.alloc(10);
        const end = writeVarint(buffer, value, 0);
        expect(end).to.equal(varintSize(value));
        expect([...buffer.subarray(0, end)]).to.deep.equal([...varint(value)]);
      }),
    );
  });

  it("refuses ids that are no UUID", () => {
    expect(uuidBytes("not-a-uuid")).to.equal(null);
    expect(uuidText(uuidBytes("A0B1C2D3-0000-4000-8000-0123456789ab") ?? new Uint8Array(0))).to.equal(
      "a0b1c2d3-0000-4000-8000-0123456789ab",
    );
  });
});
