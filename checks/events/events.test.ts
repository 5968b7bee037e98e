import { readFileSync } from "node:fs";
import { knownEventTypes } from "@colloquy/schemas/events/registry.ts";
import { expect } from "chai";
import { readCatalogue } from "./catalogue.ts";
import { eventsPage, pageFile, readExamples } from "./page.ts";

describe("the catalogue of events", function () {
  this.timeout(120_000);
  const streams = readCatalogue();

  it("has every known event type exactly once", () => {
    const named = streams.flatMap(({ events }) => events.map(({ name }) => name));
    expect(named.toSorted()).to.deep.equal([...knownEventTypes].toSorted());
  });

  it("matches docs/reports/events.md", () => {
    expect(readFileSync(pageFile, "utf8"), "run npm run docs:events").to.equal(eventsPage(streams, readExamples()));
  });

  it("describes every field of the examples", () => {
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
