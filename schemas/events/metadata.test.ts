import { expect } from "chai";
import { readEventMetadata } from "./metadata.ts";

describe("the metadata of an event", () => {
  it("is what is ours of it and text, whoever wrote it", () => {
    const whole = { accountId: "a", requestId: "b", correlationId: "c", at: "2026-01-01T00:00:00Z", deviceId: "d" };
    expect(readEventMetadata(whole)).to.deep.equal(whole);
    expect(readEventMetadata({ accountId: 7, requestId: "b", correlationId: null, $causedBy: "x" })).to.deep.equal({ requestId: "b" });
    for (const nothing of [undefined, null, "text", 7, Uint8Array.of(1, 2), []]) expect(readEventMetadata(nothing)).to.deep.equal({});
  });
});
