import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { inSpan } from "@colloquy/infra/telemetry/traces.ts";
import type { PassageLibrary, RankedPassage, ResolvedReference } from "@colloquy/projections/passages/queries.ts";
import type { SubmittedReference } from "@colloquy/schemas/ask/ask.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { throughout } from "./throughout.ts";

/** A passage as it stands in one turn's prompt: `key` ("s1", "s2", …) is the only name a model knows it by. */
export interface TurnPassage extends RankedPassage {
  key: string;
}

export interface RetrievalRequest {
  message: string;
  history: { role: "learner" | "assistant"; text: string }[];
  references: ResolvedReference[];
}

/** Share of the token budget that attached references may take, so that the rest of the course is never shut out. */
const attachedShare = 0.6;

/**
 * The passages of one turn: of the attached references first (from all over them when the message names nothing of them), then the best of the courses they belong to
 * (of every course when nothing is attached), within `bounds.ask.passageTokens` and `bounds.ask.passages`.
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
  const attached = found.length > 0 ? whole.toSorted((a, b) => place(a) - place(b)) : throughout(whole, bounds.ask.passages);
  const chosen = new Map<string, RankedPassage>();
  const budget = bounds.ask.passageTokens;
  let spent = take(chosen, attached, attached.length > 0 ? budget * attachedShare : 0, 0);
  spent = take(chosen, found, budget, spent);
  take(chosen, attached, budget, spent);
  return [...chosen.values()].map((passage, index) => ({ ...passage, key: `s${index + 1}` }));
}

/**
 * What the attached addresses lead to in the live revisions; a client's own labels play no part.
 * @throws {ProblemError} `unknown_reference`, naming each reference that leads nowhere.
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

/** A question that leans on the one before it ("and why is that?") is searched together with it. */
function searchQuery({ message, history }: RetrievalRequest): string {
  const previous = history.filter((entry) => entry.role === "learner").at(-1)?.text;
  const words = message.match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  const leans = words.length <= 3 || (words.length <= 9 && referringBack.test(message));
  return previous && leans ? `${message}\n${previous}` : message;
}
