import { contracts } from "@colloquy/schemas/contracts/index.ts";
import { expect } from "chai";
import fc from "fast-check";
import { z } from "zod";
import { type JsonSchema, valuesOf } from "./values.ts";

/** Of so many values made for a body, as many must be taken: what is always refused tries nothing behind the door. */
const made = 200;
const least = made / 10;
/** Bodies with rules between their fields, which their routes are sent whole examples of (`actors.ts`). */
const byExample = new Set<string>(["/api/course-editor/publish"]);

const known = { origin: ["https://elsewhere.example"], zone: ["Asia/Tokyo"], endpoint: ["https://push.example/send/2"] };

describe("values made from a schema", () => {
  for (const { method, path, request } of contracts)
    if (request && !byExample.has(path))
      it(`are often taken by ${method} ${path}`, () => {
        const values = fc.sample(valuesOf(z.toJSONSchema(request, { io: "input" }) as JsonSchema, known), { numRuns: made, seed: 5 });
        expect(values.filter((value) => request.safeParse(value).success).length).to.be.at.least(least);
      });
});
