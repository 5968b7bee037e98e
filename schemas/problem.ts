import { z } from "zod";
import { baseRevision } from "./courses/revision.ts";
import { type ErrorCode, errorCodes } from "./errors.ts";
import { payload } from "./payload.ts";

export const errorCode = z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]);

/** `Problem` of `errors.ts`, as the OpenAPI document shows it. */
export const problem = payload({
  status: z.int().min(400).max(599),
  code: errorCode,
  title: z.string(),
  detail: z.string().optional(),
  requestId: z.string(),
  retryable: z.boolean(),
  fields: z
    .array(
      z.strictObject({
        path: z.string(),
        message: z.string(),
        remark: z.string().optional(),
        values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
      }),
    )
    .optional(),
  live: baseRevision.optional(),
});
