import { expect } from "chai";
import { z } from "zod";
import { issueWords } from "./issue-words.ts";

const said = (schema: z.ZodType, value: unknown): string | undefined =>
  schema.safeParse(value, { error: issueWords }).error?.issues[0]?.message;

describe("the words for what a schema finds wrong", () => {
  for (const [name, schema, value, words] of [
    ["a missing field", z.object({ title: z.string() }), {}, "this is missing"],
    ["a missing choice", z.union([z.string(), z.number()]), undefined, "this is missing"],
    ["another kind of value", z.string(), [1], "expected text, found a list"],
    ["nothing instead of a list", z.array(z.string()), null, "expected a list, found nothing"],
    ["too long a text", z.string().max(3), "four", "at most 3 characters, this has 4"],
    ["too short a text", z.string().min(3), "ab", "at least 3 characters, this has 2"],
    ["an empty text", z.string().min(1), "", "this must not be empty"],
    ["too many values", z.array(z.number()).max(1), [1, 2], "at most 1 of them, there are 2"],
    ["too large a number", z.number().max(3), 4, "at most 3"],
    ["a text of another form", z.string().regex(/^a/), "b", "this does not have the form that is expected here"],
    ["a date of another form", z.iso.datetime(), "today", "expected a date with a time, such as 2026-01-31T12:00:00Z"],
    ["a value that is not offered", z.enum(["one", "two"]), "three", "expected one of: one, two"],
    ["a field that is not known", z.strictObject({}), { b: 1 }, "this field is not known: b"],
    ["none of several forms", z.union([z.string(), z.number()]), true, "this is none of the forms that are possible here"],
  ] as const)
    it(`names ${name}`, () => expect(said(schema, value)).to.equal(words));
  it("leaves a schema's own words", () => expect(said(z.string().regex(/^a/, "begin with a"), "b")).to.equal("begin with a"));
});
