import { expect } from "chai";
import { z } from "zod";
import { defineEvents, type EventOf, UnreadableEvent } from "./define-events.ts";

const noteEvents = defineEvents({
  NoteTaken: {
    version: 2,
    data: z.object({
      lines: z.array(z.string().max(10)),
      colour: z.enum(["red", "blue"]).optional(),
      by: z.strictObject({ name: z.string() }).optional(),
    }),
    upcast: {
      1: ({ text, ...rest }) => {
        if (typeof text !== "string") throw new TypeError("text is missing");
        return { ...rest, lines: text.split("\n") };
      },
    },
  },
  NoteDeleted: { version: 1, data: z.object({}) },
});
type NoteEvent = EventOf<typeof noteEvents>;

const stored = (type: string, data: unknown) => ({ stream: "note-1", revision: 4, type, data });

function unreadable(type: string, data: unknown): UnreadableEvent {
  try {
    noteEvents.parse(stored(type, data));
  } catch (error) {
    if (error instanceof UnreadableEvent) return error;
  }
  throw new Error("it was read");
}

describe("defineEvents", () => {
  it("lists the types in the order of their definitions", () => {
    expect(noteEvents.types).to.deep.equal(["NoteTaken", "NoteDeleted"]);
  });

  it("returns the stored data itself when it is of the newest version", () => {
    const data = { schemaVersion: 2, lines: ["a"], colour: "red" };
    const event: NoteEvent = noteEvents.parse(stored("NoteTaken", data));
    expect(event.type).to.equal("NoteTaken");
    expect(event.data).to.equal(data);
  });

  it("keeps fields that it does not know", () => {
    const data = { schemaVersion: 1, reason: "of a newer version" };
    expect(noteEvents.parse(stored("NoteDeleted", data)).data).to.deep.equal(data);
  });

  it("keeps fields within fields that it does not know", () => {
    const data = { schemaVersion: 2, lines: [], by: { name: "Mira", team: "of a newer version" } };
    expect(noteEvents.parse(stored("NoteTaken", data)).data).to.deep.equal(data);
  });

  it("reads a text that is longer than the bound of today", () => {
    const data = { schemaVersion: 2, lines: ["longer than ten"] };
    expect(noteEvents.parse(stored("NoteTaken", data)).data).to.equal(data);
  });

  it("upcasts an old version", () => {
    const event = noteEvents.parse(stored("NoteTaken", { schemaVersion: 1, text: "a\nb" }));
    expect(event).to.deep.equal({ type: "NoteTaken", data: { schemaVersion: 2, lines: ["a", "b"] } });
  });

  it("names stream, revision, type and field of data that does not fit", () => {
    const error = unreadable("NoteTaken", { schemaVersion: 2, lines: ["a", 7] });
    expect(error).to.include({ stream: "note-1", revision: 4, type: "NoteTaken", field: "lines.1" });
    expect(error.message).to.match(/^NoteTaken \(revision 4 of note-1\) cannot be read: lines\.1: /);
  });

  it("refuses a type that it does not know, also one of Object's own", () => {
    for (const type of ["NoteShared", "constructor"]) {
      const error = unreadable(type, { schemaVersion: 1 });
      expect(error.message).to.contain("does not know the type");
      expect(error.field).to.equal("");
    }
  });

  it("refuses a newer version", () => {
    expect(unreadable("NoteDeleted", { schemaVersion: 2 }).field).to.equal("schemaVersion");
  });

  it("refuses data that is no object", () => {
    for (const data of [null, undefined, "text", new Uint8Array(2)]) expect(unreadable("NoteDeleted", data).type).to.equal("NoteDeleted");
  });

  it("says why an old version could not be upcast", () => {
    const error = unreadable("NoteTaken", { schemaVersion: 1 });
    expect(error.message).to.contain("text is missing");
    expect(error.cause).to.be.instanceOf(TypeError);
  });
});
