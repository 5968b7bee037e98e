import { z } from "zod";

/** `support`: for each claim of an answer (`c1`, `c2`, …) whether the passages it names carry it, and words of it that they do not. */
export const generatedSupport = z.strictObject({
  verdicts: z
    .array(
      z.strictObject({
        claim: z.string().regex(/^c[1-9][0-9]?$/, "expected the id of a claim, such as c1"),
        supported: z.boolean(),
        /** Taken from the claim; empty when it is supported. */
        missing: z.array(z.string().max(60)).max(6),
      }),
    )
    .max(60),
});
export type GeneratedSupport = z.infer<typeof generatedSupport>;
