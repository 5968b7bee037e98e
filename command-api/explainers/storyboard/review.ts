import { ProblemError } from "@colloquy/infra/http/problem.ts";
import type { Finding, Review } from "@colloquy/schemas/explainers/review.ts";
import { type QuestionKey, type Scene, type Storyboard, storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import { filmSeconds } from "@colloquy/schemas/explainers/timing.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import type { GeneratedReview } from "@colloquy/schemas/generation/storyboard.ts";
import type { WrittenBy } from "@colloquy/schemas/models.ts";
import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import { type AcceptedBoard, isAccepted, isRearranged } from "./accepted.ts";
import { claimWarnings, isHint } from "./checks/claims/claims.ts";
import { emphasisFindings } from "./checks/emphasis.ts";
import { spaced } from "./checks/quotes.ts";
import { sceneFindings } from "./checks/scenes.ts";
import { type KeyedPassage, passagesAround } from "./choose-passages.ts";
import { emitStatus, type ModelRequests, requestReview } from "./model-requests.ts";
import { numbered, reviewPrompt } from "./prompts.ts";
import { proposalOf } from "./proposal.ts";
import type { FilmTopic } from "./topics.ts";

/** Finds what does not fit into a scene, measured with the real fonts. Answers within `filmBounds.layoutMs`. */
export type CheckLayout = (scenes: readonly Scene[], film: { language: string }) => Promise<{ sceneId: string; detail: string }[]>;

interface Board extends Pick<Storyboard, "storyboardId" | "title" | "emphasis"> {
  scenes: readonly Scene[];
}

/** A storyboard that can be made, and who wrote and reviewed it. */
export interface ReviewedStoryboard {
  storyboard: Storyboard;
  questionKey: QuestionKey;
  review: Review;
  by: WrittenBy;
  reviewedBy: WrittenBy;
}

/** The application's findings: of the rules, or of the layout if no rule is broken. */
export async function findingsOf(board: Board, topic: FilmTopic, checkLayout: CheckLayout): Promise<Finding[]> {
  const found = [...sceneFindings(board.scenes, topic.passages), ...emphasisFindings(board.scenes, board.emphasis, topic)].slice(
    0,
    filmBounds.findings,
  );
  if (found.length > 0) return found;
  const layout = await checkLayout(board.scenes, { language: topic.language });
  return layout.map(({ sceneId, detail }) => ({ sceneId, problem: "layout", detail, by: "application" }));
}

/** The storyboard of scenes that passed, with the sources that they cite. */
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

/**
 * A separate model call reviews a storyboard, with the passages that it cites and those around them.
 * @param accepted the storyboard that was edited: what is found with a scene that stands there unchanged does not refuse it
 */
export async function reviewStoryboard(
  requests: ModelRequests,
  board: Board,
  topic: FilmTopic,
  { key, repaired, accepted = null }: { key: QuestionKey | null; repaired: boolean; accepted?: AcceptedBoard | null },
): Promise<{ review: Review; by: WrittenBy }> {
  const { scenes, emphasis } = board;
  const passages: KeyedPassage[] = passagesAround(topic, emphasis, new Set(scenes.flatMap(({ sourceIds }) => sourceIds)));
  const warned = claimWarnings(scenes, topic.passages, accepted);
  const warnings = numbered(
    warned,
    scenes.map(({ sceneId }) => sceneId),
  );
  const system = reviewPrompt(topic, emphasis, passages, {
    proposal: proposalOf({ title: board.title, scenes, accepted }, passages, key),
    warnings,
  });
  emitStatus(requests, "reviewing", { sources: passages.length, ...(repaired && { repairing: true }) });
  const { object, by } = await requestReview(requests, system, repaired);
  const untrue = pictureFindings(object, scenes);
  const named = object.findings.map(
    ({ scene, problem, detail }): Finding => ({ sceneId: scenes[scene - 1]?.sceneId ?? null, problem, detail, by: "model" }),
  );
  const findings = [...untrue, ...named];
  const standing = new Set(scenes.flatMap((scene) => (isAccepted(scene, accepted) ? scene.sceneId : [])));
  const isRenamed = accepted !== null && !isRearranged(scenes, accepted);
  const stands = ({ sceneId, problem }: Finding): boolean =>
    sceneId !== null && standing.has(sceneId) && (isRenamed || !ofOrder.has(problem));
  const approved = object.approved ? untrue.every(stands) : findings.length > 0 && findings.every(stands);
  if (!object.approved && findings.length === 0)
    findings.push({ sceneId: null, problem: "unclear", detail: "The review did not approve it, and did not say why.", by: "model" });
  // A finding that the model took over from the warnings is listed once.
  for (const { kind, ...warning } of warned)
    if (!isHint({ kind }) && !findings.some(({ sceneId, detail }) => sceneId === warning.sceneId && detail === warning.detail))
      findings.push(warning);
  const told = new Set(findings.map(({ sceneId }) => sceneId));
  const kept = (accepted?.findings ?? []).filter(({ sceneId }) => sceneId !== null && standing.has(sceneId) && !told.has(sceneId));
  return { review: { approved, repaired, findings: [...findings, ...kept].slice(0, filmBounds.findings) }, by };
}

/** What another scene's change can do to a scene that stayed as it was. */
const ofOrder: ReadonlySet<Finding["problem"]> = new Set(["order", "prerequisite"]);

/** Pictures that do not show what is said, and those that the reviewer did not answer for: a video is not made with any of them. */
const pictureFindings = ({ pictures }: GeneratedReview, scenes: readonly Scene[]): Finding[] =>
  scenes.flatMap(({ sceneId }, index): Finding[] => {
    const answer = pictures.find(({ scene }) => scene === index + 1);
    if (answer?.showsWhatIsSaid) return [];
    const detail = answer?.detail.trim() || "The review does not say that this picture shows what is said.";
    return [{ sceneId, problem: "picture", detail, by: "model" }];
  });

/** An edited storyboard that keeps the answer key of its closing question. */
interface EditedBoard {
  before: readonly Scene[];
  /** It was already edited before. */
  edited: boolean;
}

/**
 * Hides findings that would give away the answer of the closing question. An owner could put a choice into the question's narration and
 * learn from any finding whether it is right; then no finding about it is shown.
 */
export function withoutAnswer(
  review: Review,
  scenes: readonly Scene[],
  key: QuestionKey | null,
  rewritten: EditedBoard | null = null,
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

/** A storyboard that did not pass, with what was found. */
export class StoryboardRejected extends ProblemError {
  readonly findings: Finding[];
  constructor(findings: readonly Finding[]) {
    super("storyboard_rejected");
    this.findings = findings.slice(0, filmBounds.findings);
  }
}
