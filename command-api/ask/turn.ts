import type { ResolvedReference } from "@colloquy/projections/passages/queries.ts";
import type { AskRequest } from "@colloquy/schemas/ask/ask.ts";

/** A request whose references were resolved. */
export type AskTurn = Omit<AskRequest, "references"> & { references: ResolvedReference[] };
