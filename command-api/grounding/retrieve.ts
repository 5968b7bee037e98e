import { ProblemError } from "@colloquy/infra/http/problem.ts";
import type { PassageLibrary, RankedPassage, ResolvedReference } from "@colloquy/projections/passages/queries.ts";
import type { SubmittedReference } from "@colloquy/schemas/ask/ask.ts";

/** A passage in the prompt of one turn, where its id is `key` ("s1", "s2", …). */
export interface TurnPassage extends RankedPassage {
  key: string;
}

/**
 * Resolves attached addresses in the live revisions; labels of clients are ignored.
 * @throws {ProblemError} `unknown_reference`, naming each reference that cannot be resolved.
 */
export async function resolveReferences(library: PassageLibrary, submitted: SubmittedReference[]): Promise<ResolvedReference[]> {
  const resolved = await Promise.all(
    submitted.map((reference) =>
      library.resolve({
        href: reference.href,
        ...(reference.sourceId !== undefined && { sourceId: reference.sourceId }),
        ...(reference.revisionId !== undefined && { revisionId: reference.revisionId }),
      }),
    ),
  );
  const fields = submitted.flatMap((reference, index) =>
    resolved[index] ? [] : [{ path: `references.${index}`, message: `${reference.href} does not lead to a place in a published course` }],
  );
  if (fields.length > 0) throw new ProblemError("unknown_reference", { fields });
  return resolved.filter((reference) => reference !== null);
}

/** Tokens of a text, estimated at four characters each (the usual rule of thumb for English). */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
