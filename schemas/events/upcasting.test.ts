import { expect } from "chai";
import { type Upcasters, upcast } from "./upcasting.ts";

/** An invented past: a note once had a `body`, then a `text`, then a list of `lines`; before all that it was called otherwise. */
const registry: Upcasters = {
  NoteTaken: { 1: ({ data }) => ({ type: "Noted", data }) },
  Noted: {
    1: ({ data: { body, ...rest } }) => ({ data: { ...rest, schemaVersion: 2, text: body } }),
    2: ({ data: { text, ...rest } }) => {
      if (typeof text !== "string") throw new TypeError("text is missing");
      return { data: { ...rest, schemaVersion: 3, lines: text.split("\n") } };
    },
  },
  Circular: { 1: ({ data }) => ({ data }) },
};

describe("bringing an old event up to date", () => {
  const now = { type: "Noted", data: { schemaVersion: 3, lines: ["a", "b"] } };
  it("goes version by version, over a new name too", () => {
    expect(upcast({ type: "Noted", data: { schemaVersion: 1, body: "a\nb" } }, registry)).to.deep.equal(now);
    expect(upcast({ type: "Noted", data: { schemaVersion: 2, text: "a\nb" } }, registry)).to.deep.equal(now);
    expect(upcast({ type: "NoteTaken", data: { schemaVersion: 1, body: "a\nb" } }, registry)).to.deep.equal(now);
  });
  it("leaves alone what is of the present version, of no version, of another type, or of no shape it knows", () => {
    for (const data of [now.data, { body: "a" }, { schemaVersion: 9 }, null, "text", new Uint8Array(2)])
      expect(upcast({ type: "Noted", data }, registry).data).to.equal(data);
    const other = { schemaVersion: 1 };
    expect(upcast({ type: "Other", data: other }, registry).data).to.equal(other);
    expect(upcast({ type: "constructor", data: other }, registry).data).to.equal(other);
    expect(upcast(now)).to.deep.equal(now);
  });
  it("says so when it cannot", () => {
    expect(() => upcast({ type: "Noted", data: { schemaVersion: 2 } }, registry)).to.throw("text is missing");
    expect(() => upcast({ type: "Circular", data: { schemaVersion: 1 } }, registry)).to.throw("circle");
  });
});
