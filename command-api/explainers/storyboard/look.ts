import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Finding, Review } from "@colloquy/schemas/explainers/review.ts";
import { type QuestionKey, type Scene, type Storyboard, storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import { filmSeconds } from "@colloquy/schemas/explainers/timing.ts";
import type { WrittenBy } from "@colloquy/schemas/models.ts";
import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import { type Asking, askForReview, tellStatus } from "./asking.ts";
import { claimWarnings } from "./checks/claims/claims.ts";
import { spaced } from "./checks/quotes.ts";
import { sceneFindings } from "./checks/scenes.ts";
import { type KeyedPassage, passagesAround } from "./choose-passages.ts";
import { numbered, reviewPrompt } from "./prompts.ts";
import { proposalOf } from "./proposal.ts";
import type { FilmTopic } from "./topics.ts";

/** What of a scene does not fit its picture, measured with the fonts films are set in; it answers within `bounds.explainer.layoutMs`. */
export type CheckLayout = (scenes: readonly Scene[], film: { language: string }) => Promise<{ sceneId: string; detail: string }[]>;

export interface Board extends Pick<Storyboard, "storyboardId" | "title" | "emphasis"> {
  scenes: readonly Scene[];
}

/** What the application finds by itself: the rules first, then, on what keeps them, the layout. */
export async function findingsOf(board: Board, topic: FilmTopic, checkLayout: CheckLayout): Promise<Finding[]> {
  const found = sceneFindings(board.scenes, topic.passages);
  if (found.length > 0) return found;
  const layout = await checkLayout(board.scenes, { language: topic.language });
  return layout.map(({ sceneId, detail }) => ({ sceneId, problem: "layout", detail, by: "application" }));
}

/** The storyboard of scenes that passed, with the sources they stand on. */
export function storyboardOf({ storyboardId, title, emphasis, scenes }: Board, topic: FilmTopic): Storyboard {
  return storyboard.parse({
    type: "storyboard",
    storyboardId,
    title,
    emphasis,
    language: topic.language,
    seconds: filmSeconds(scenes),
    scenes,
    sources: sourcesOf(scenes, topic),
  });
}

/** Every source of the scenes, numbered in order of first use, with the first words quoted of it. */
function sourcesOf(scenes: readonly Scene[], { passages, revisionId }: FilmTopic): Citation[] {
  const quotes = scenes.flatMap((scene) => scene.quotes);
  return [...new Set(scenes.flatMap(({ sourceIds }) => sourceIds))].flatMap((sourceId, index) => {
    const passage = passages.find((one) => one.sourceId === sourceId);
    if (!passage) return [];
    const { href, title, trail } = passage.source;
    const quote = quotes.find((one) => one.sourceId === sourceId)?.quote ?? "";
    return [{ number: index + 1, sourceId, href, title, trail, revisionId, quote }];
  });
}

/** The separate look of a model at a storyboard, with the passages it stands on and those around them. */
export async function reviewed(
  asking: Asking,
  board: Board,
  topic: FilmTopic,
  { key, repaired }: { key: QuestionKey | null; repaired: boolean },
): Promise<{ review: Review; by: WrittenBy }> {
  const { scenes, emphasis } = board;
  const passages: KeyedPassage[] = passagesAround(topic, emphasis, new Set(scenes.flatMap(({ sourceIds }) => sourceIds)));
  const warned = claimWarnings(scenes, topic.passages);
  const warnings = numbered(
    warned,
    scenes.map(({ sceneId }) => sceneId),
  );
  const system = reviewPrompt(topic, emphasis, passages, { proposal: proposalOf(board.title, scenes, passages, key), warnings });
  tellStatus(asking, "reviewing", { sources: passages.length, ...(repaired && { repairing: true }) });
  const { object, by } = await askForReview(asking, system, repaired);
  const findings = object.findings.map(
    ({ scene, problem, detail }): Finding => ({ sceneId: scenes[scene - 1]?.sceneId ?? null, problem, detail, by: "model" }),
  );
  if (!object.approved && findings.length === 0)
    findings.push({ sceneId: null, problem: "unclear", detail: "The review did not approve it, and did not say why.", by: "model" });
  // What the model took over from the warnings is told once.
  for (const { kind: _, ...warning } of warned)
    if (!findings.some(({ sceneId, detail }) => sceneId === warning.sceneId && detail === warning.detail)) findings.push(warning);
  return { review: { approved: object.approved, repaired, findings: findings.slice(0, bounds.explainer.findings) }, by };
}

/** What an owner made of a storyboard that keeps the key of its closing question. */
export interface Rewritten {
  before: readonly Scene[];
  /** It had been edited before this already. */
  edited: boolean;
}

/**
 * A review as whoever has not answered the closing question may read it: what a model says of that does not give its answer away. An owner
 * may try a choice in the question's narration, and learn from any word on it whether that is right: then none is told, nor its kind.
 */
export function withoutAnswer(
  review: Review,
  scenes: readonly Scene[],
  key: QuestionKey | null,
  rewritten: Rewritten | null = null,
): Review {
  const question = scenes.at(-1);
  if (!key || question?.layout !== "question") return review;
  const told = [question.content.choices[key.right] ?? "", key.explanation].map(plain);
  const isTried = rewritten !== null && rewritten.before.at(-1)?.narration !== question.narration;
  const isOwn = isTried || rewritten?.edited === true;
  const tells = ({ sceneId, detail }: Finding): boolean =>
    (isOwn && sceneId === question.sceneId) ||
    (isTried && sceneId === null) ||
    ((sceneId === null || sceneId === question.sceneId) &&
      (byNumber.test(detail) || told.some((answer) => answer !== "" && plain(detail).includes(answer))));
  const findings = review.findings.map((finding) =>
    finding.by === "model" && tells(finding)
      ? { ...finding, problem: "unclear" as const, detail: "What was found with the closing question would give its answer away." }
      : finding,
  );
  return { ...review, findings };
}

/** A choice named by its number or letter, in the languages of the product; films letter their choices أ ب ج د where one reads from the right. */
const byNumber =
  /(?<!\p{L})(?:[Cc]hoices?|[Oo]ption(?:s|en)?|[Aa]nswers?|[Aa]ntwort(?:en)?|[Mm]öglichkeit(?:en)?|(?:ال)?(?:خيار|إجابة|جواب|اختيار))\s*(?:[Nn]r\.?|[Nn]umber|[Nn]ummer|رقم)?\s*[#(„“"]*(?:\p{Nd}|[A-Dأبجد](?!\p{L}))/u;
const plain = (text: string): string => spaced(text).toLowerCase();
