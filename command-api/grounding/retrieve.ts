import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { inSpan } from "@colloquy/infra/telemetry/traces.ts";
import type { PassageLibrary, RankedPassage, ResolvedReference } from "@colloquy/projections/passages/queries.ts";
import type { SubmittedReference } from "@colloquy/schemas/ask/ask.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";

/** A passage in the prompt of one turn, where its id is `key` ("s1", "s2", …). */
export interface TurnPassage extends RankedPassage {
  key: string;
}

export interface RetrievalRequest {
  message: string;
  history: { role: "learner" | "assistant"; text: string }[];
  references: ResolvedReference[];
}

/** Share of the token budget for attached references, so that passages of the rest of the course fit too. */
const attachedShare = 0.6;

/**
 * The passages of one turn, within `bounds.ask.passageTokens` and `bounds.ask.passages`: first those of the attached references (spread over
 * them if the search finds nothing), then the best of their courses, or of every course if nothing is attached.
 */
export function retrieve(library: PassageLibrary, request: RetrievalRequest): Promise<TurnPassage[]> {
  return inSpan("retrieval", { attributes: { "colloquy.references": request.references.length } }, async (span) => {
    const passages = await choosePassages(library, request);
    span.set({ "colloquy.passages": passages.length });
    return passages;
  });
}

async function choosePassages(library: PassageLibrary, request: RetrievalRequest): Promise<TurnPassage[]> {
  const { references } = request;
  const query = searchQuery(request);
  const courseIds = [...new Set(references.map((reference) => reference.courseId))];
  const found = await library.search(query, { limit: 40, ...(courseIds.length > 0 && { courseIds }) });
  const rank = new Map(found.map((passage, index) => [passage.passageId, index]));
  const whole = references.flatMap((reference) => reference.passages);
  const place = ({ passageId }: RankedPassage): number => rank.get(passageId) ?? found.length;
  const attached = found.length > 0 ? whole.toSorted((a, b) => place(a) - place(b)) : wholePage(whole, bounds.ask.passages);
  const chosen = new Map<string, RankedPassage>();
  const budget = bounds.ask.passageTokens;
  let spent = take(chosen, attached, attached.length > 0 ? budget * attachedShare : 0, 0);
  spent = take(chosen, found, budget, spent);
  take(chosen, attached, budget, spent);
  return [...chosen.values()].map((passage, index) => ({ ...passage, key: `s${index + 1}` }));
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

const explanatoryRoles: ReadonlySet<RankedPassage["role"]> = new Set(["prose", "key-points", "callout", "table", "math"]);

/**
 * All passages of a page, reordered so that the first `most` cover it from beginning to end: the longest explanatory passage of each of
 * `most` stretches. The beginning of a long page alone would hold its duration, objectives and program output.
 */
export function wholePage<P extends Pick<RankedPassage, "role" | "text">>(passages: readonly P[], most: number): P[] {
  if (passages.length <= most) return [...passages];
  const explanatory = passages.filter(({ role }) => explanatoryRoles.has(role));
  const stretches = Math.min(most, explanatory.length);
  const edge = (index: number): number => Math.floor((index * explanatory.length) / stretches);
  const first = Array.from({ length: stretches }, (_, index) =>
    explanatory
      .slice(edge(index), edge(index + 1))
      .reduce((longest, passage) => (passage.text.length > longest.text.length ? passage : longest)),
  );
  return [...first, ...passages.filter((passage) => !first.includes(passage))];
}

/** Adds passages while they fit; returns the tokens spent so far. */
function take(chosen: Map<string, RankedPassage>, passages: RankedPassage[], budget: number, spent: number): number {
  let total = spent;
  for (const passage of passages) {
    if (chosen.size >= bounds.ask.passages) break;
    const tokens = estimateTokens(passage.text);
    if (chosen.has(passage.passageId) || total + tokens > budget) continue;
    chosen.set(passage.passageId, passage);
    total += tokens;
  }
  return total;
}

/** Tokens of a text, estimated at four characters each (the usual rule of thumb for English). */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

const referringBack = /\b(it|its|that|this|these|those|they|them|why|how so|more|again|example|else)\b/i;

/** A question that refers to the previous one ("and why is that?") is searched together with it. */
function searchQuery({ message, history }: RetrievalRequest): string {
  const previous = history.filter((entry) => entry.role === "learner").at(-1)?.text;
  const words = message.match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  const refersBack = words.length <= 3 || (words.length <= 9 && referringBack.test(message));
  return previous && refersBack ? `${message}\n${previous}` : message;
}
