import { z } from "zod";

/** `support`: for each claim of an answer (`c1`, `c2`, …) whether its passages support it, and its words that they lack. */
export const generatedSupport = z.strictObject({
  verdicts: z
    .array(
      z.strictObject({
        claim: z.string().regex(/^c[1-9][0-9]?$/, "expected the id of a claim, such as c1"),
        supported: z.boolean(),
        /** Words of the claim; empty if it is supported. */
        missing: z.array(z.string().max(60)).max(6),
      }),
    )
    .max(60),
});
export type GeneratedSupport = z.infer<typeof generatedSupport>;
