import { expect } from "chai";
import fc from "fast-check";
import { z } from "zod";
import { predicateOf } from "./predicate.ts";
import { checkpointLine, evidenceEntry } from "./tutor/ledger.ts";

const hash = "0123456789abcdef".repeat(4);
const entry = {
  schemaVersion: 1,
  index: 3,
  entryId: "entry-0001",
  at: "2026-01-01T00:00:00.000Z",
  kind: "plan",
  objectiveIds: ["objective-1"],
  itemId: "item-0001",
  response: { choiceIds: ["choice-01"] },
  correct: true,
  aided: false,
  gradedBy: "application",
  model: "p1/one",
  sourceIds: ["source-01"],
  courseRevisionId: "revision-01",
  masteryBefore: { "objective-1": 0.25 },
  masteryAfter: {},
  level: 1,
  selection: "single",
  choices: 4,
  itemDigest: hash,
  decision: "advance",
  reason: "mastered",
  stepId: "step-0001",
  phase: "planning",
  steps: [{ stepId: "step-0001", title: "One", objectiveIds: ["objective-1"], sourceIds: [], prerequisites: [] }],
  carriedFrom: { sessionId: "session-1", entryId: "entry-0000" },
  previousHash: hash,
  hash,
};
const checkpoint = {
  origin: "colloquy/tutor-ledger/1",
  sessionId: "session-1",
  previous: hash,
  size: 4,
  rootHash: hash,
  at: entry.at,
  final: true,
  keyId: hash.slice(0, 16),
  publicKey: "A".repeat(43),
  signature: "b".repeat(86),
};
const line = { schemaVersion: 1, checkpoint };

/** Every place in a value where something may be put instead. */
function* placesIn(value: unknown, before: readonly string[] = []): Generator<readonly string[]> {
  yield before;
  if (typeof value === "object" && value !== null)
    for (const [name, inner] of Object.entries(value)) yield* placesIn(inner, [...before, name]);
}

function changedAt(value: unknown, [name, ...rest]: readonly string[], put: (there: unknown) => unknown): unknown {
  if (name === undefined) return put(value);
  const copy = structuredClone(value) as Record<string, unknown>;
  const made = changedAt(copy[name], rest, put);
  if (made === undefined) delete copy[name];
  else copy[name] = made;
  return copy;
}

describe("a schema as a plain test", () => {
  for (const [name, schema, value] of [
    ["entries", evidenceEntry, entry],
    ["checkpoints", checkpointLine, line],
  ] as const)
    it(`says of a ledger's ${name} what the schema says, whatever stands where`, () => {
      const fits = predicateOf(schema);
      expect(fits(value)).to.equal(true);
      expect(schema.safeParse(value).success).to.equal(true);
      const puts: ((there: unknown) => unknown)[] = [
        () => undefined,
        () => null,
        (there) => (typeof there === "object" && there !== null ? { ...there, more: 1 } : [there]),
        (there) => (typeof there === "string" ? `${there}!` : 0.5),
        (there) => (Array.isArray(there) ? Array.from({ length: 200 }, () => there[0]) : -1),
      ];
      for (const place of placesIn(value))
        for (const put of puts) {
          const changed = changedAt(value, place, put);
          expect(fits(changed), `${place.join(".")}: ${JSON.stringify(changed)}`).to.equal(schema.safeParse(changed).success);
        }
      const place = fc.constantFrom(...placesIn(value));
      fc.assert(
        fc.property(place, fc.jsonValue(), (where, other) => {
          const changed = changedAt(value, where, () => other);
          expect(fits(changed)).to.equal(schema.safeParse(changed).success);
        }),
        { numRuns: 500 },
      );
    });

  it("is refused for what it would not test", () => {
    expect(() => predicateOf(z.string().refine((text) => text === ""))).to.throw(TypeError);
    expect(() => predicateOf(z.object({ a: z.string() }))).to.throw(TypeError);
    expect(() => predicateOf(z.string().trim())).to.throw(TypeError);
    expect(() => predicateOf(z.date())).to.throw(TypeError);
  });
});
