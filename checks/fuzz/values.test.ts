import { routes } from "@colloquy/schemas/openapi/routes.ts";
import { expect } from "chai";
import fc from "fast-check";
import { z } from "zod";
import { type JsonSchema, valuesOf } from "./values.ts";

/** Of so many values made for a body, as many must be taken: what is always refused tries nothing behind the door. */
const made = 200;
const least = made / 10;
/** Bodies with rules between their fields, which their routes are sent whole examples of (`actors.ts`). */
const byExample = new Set<string>(["/api/course-editor/publish"]);

const known = { origin: ["https://elsewhere.example"] };

describe("values made from a schema", () => {
  for (const { method, path, body } of [...routes.query, ...routes.command])
    if (body && !byExample.has(path))
      it(`are often taken by ${method.toUpperCase()} ${path}`, () => {
        const values = fc.sample(valuesOf(z.toJSONSchema(body, { io: "input" }) as JsonSchema, known), { numRuns: made, seed: 5 });
        expect(values.filter((value) => body.safeParse(value).success).length).to.be.at.least(least);
      });
});
