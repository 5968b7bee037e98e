import { expect } from "chai";
import { z } from "zod";
import { type Described, typeText } from "./type-text.ts";

const text = (schema: z.ZodType): string => typeText(z.toJSONSchema(schema, { io: "input" }) as Described);

describe("typeText", () => {
  it("names fields, optional fields and bounds", () => {
    const schema = z.strictObject({
      schemaVersion: z.literal(1),
      title: z.string().max(80),
      times: z.array(z.int().min(1)).max(3).optional(),
    });
    expect(text(schema)).to.equal(
      ["{", "  schemaVersion: 1;", "  title: string; // at most 80 characters", "  times?: number[]; // at most 3 entries", "}"].join("\n"),
    );
  });

  it("writes unions, lists of unions, and records", () => {
    expect(text(z.union([z.literal("a"), z.null()]))).to.equal('"a" | null');
    expect(text(z.array(z.enum(["a", "b"])))).to.equal('("a" | "b")[]');
    expect(text(z.record(z.string(), z.boolean()))).to.equal("{\n  [name: string]: boolean;\n}");
  });
});
