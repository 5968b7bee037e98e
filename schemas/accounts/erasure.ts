import { z } from "zod";
import { id, payload } from "../payload.ts";

/** What a person types to delete everything, in the page's own language; the request says that it was typed. */
export const erasureRequest = payload({ requestId: id, confirmed: z.literal(true) });

/** `remaining`: more is left, and the same request goes on with it. */
export const erasureResponse = payload({ deleted: z.int().min(0), remaining: z.boolean() });
export type ErasureResponse = z.infer<typeof erasureResponse>;
