import { readFileSync } from "node:fs";
import { knownEventTypes } from "@colloquy/schemas/events/known.ts";
import { expect } from "chai";
import { readCatalogue } from "./catalogue.ts";
import { eventsPage, pageFile, readExamples } from "./page.ts";

describe("the catalogue of events", function () {
  this.timeout(120_000);
  const streams = readCatalogue();
  /** A note the program makes for itself, which nobody reads. */
  const bookkeeping = ["DeletionsSwept"];

  it("has every type the program knows, once, and no other", () => {
    const named = streams.flatMap(({ events }) => events.map(({ name }) => name));
    expect([...named, ...bookkeeping].toSorted()).to.deep.equal([...knownEventTypes].toSorted());
  });

  it("stands in docs/reports/events.md as the types and their comments have it", () => {
    expect(readFileSync(pageFile, "utf8"), "run npm run docs:events").to.equal(eventsPage(streams, readExamples()));
  });

  it("has examples whose fields are all described", () => {
    const wrong: string[] = [];
    for (const [type, example] of Object.entries(readExamples())) {
      const event = streams.flatMap(({ events }) => events).find(({ name }) => name === type);
      if (!event) continue;
      const fields = new Set(["schemaVersion", ...event.fields.map(({ name }) => name)]);
      for (const name of Object.keys(example as object)) if (!fields.has(name)) wrong.push(`${type}.${name}`);
    }
    expect(wrong).to.deep.equal([]);
  });
});
