import { labelsOf } from "@colloquy/schemas/explainers/labels.ts";
import type { Finding } from "@colloquy/schemas/explainers/review.ts";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { filmSeconds, screenSeconds, unreadSeconds } from "@colloquy/schemas/explainers/timing.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { seen } from "@colloquy/schemas/text/strip-invisible.ts";
import { contentFindings } from "./content.ts";
import type { CheckedPassage, Found } from "./found.ts";
import { bareWords, containsQuote, minQuoteLength } from "./quotes.ts";

const { scenes: count, seconds, findings: most, findingLength, titleLength } = filmBounds;

/**
 * The application's own checks of scenes, without a model. Every finding must be repaired. Pure.
 * @param passages all of the topic
 */
export function sceneFindings(scenes: readonly Scene[], passages: readonly CheckedPassage[]): Finding[] {
  const texts = Map.groupBy(passages, ({ sourceId }) => sourceId);
  const textsOf = (sourceId: string): string[] => (texts.get(sourceId) ?? []).map(({ text }) => text);
  const ofScenes = scenes.flatMap((scene) =>
    [...sourceFindings(scene, textsOf), ...wordFindings(scene), ...contentFindings(scene, scene.sourceIds.flatMap(textsOf), passages)].map(
      (found) => finding(scene.sceneId, found),
    ),
  );
  return [...orderFindings(scenes), ...ofScenes].slice(0, most);
}

const finding = (sceneId: string | null, { problem, detail }: Found): Finding => ({
  sceneId,
  problem,
  detail: detail.slice(0, findingLength),
  by: "application",
});

function orderFindings(scenes: readonly Scene[]): Finding[] {
  const found: Finding[] = [];
  const order = (detail: string) => found.push(finding(null, { problem: "order", detail }));
  if (scenes[0]?.layout !== "title") order("The first scene is not the title.");
  if (scenes.at(-1)?.layout !== "question") order("The last scene is not the closing question.");
  const between = scenes.slice(1, -1);
  const stray = between.find(({ layout }) => layout === "title" || layout === "question");
  if (stray) found.push(finding(stray.sceneId, { problem: "order", detail: "A title or a question stands in the middle." }));
  if (scenes.length < count.min || scenes.length > count.max)
    order(`Between title and question stand ${between.length} scenes, not ${count.min - 2} to ${count.max - 2}.`);
  if (new Set(scenes.map(({ sceneId }) => sceneId)).size < scenes.length) order("A scene stands twice.");
  const lasts = filmSeconds(scenes);
  const allowed = `and a film lasts ${seconds.min} to ${seconds.max}`;
  if (lasts > seconds.max) found.push(finding(null, { problem: "too_long", detail: `Its words take ${lasts} seconds, ${allowed}.` }));
  if (lasts < seconds.min)
    found.push(finding(null, { problem: "too_short", detail: `To say and to read it takes ${lasts} seconds, ${allowed}.` }));
  return found;
}

function sourceFindings({ sourceIds, quotes }: Scene, textsOf: (sourceId: string) => string[]): Found[] {
  const found: Found[] = [];
  for (const sourceId of sourceIds)
    if (textsOf(sourceId).length === 0) found.push({ problem: "unsupported", detail: "It names a source that the topic does not have." });
  for (const { sourceId, quote } of quotes)
    if (!sourceIds.includes(sourceId)) found.push({ problem: "misquoted", detail: "It quotes a source that it does not name." });
    else if (quote.trim().length < minQuoteLength) found.push({ problem: "misquoted", detail: `“${quote}” is too short for a quote.` });
    else if (!textsOf(sourceId).some((text) => containsQuote(quote, text)))
      found.push({ problem: "misquoted", detail: `“${quote}” does not stand so in its source.` });
  return found;
}

/** A label of this many words that is spoken literally only repeats the narration on screen. */
const longLabel = 9;
const sentenceEnd = /[.!?…。！？؟।]["'”’»)\]]*$/u;

function wordFindings(scene: Scene): Found[] {
  const { narration, layout } = scene;
  const found: Found[] = [];
  if (!sentenceEnd.test(narration)) found.push({ problem: "unclear", detail: "The narration does not end with a whole sentence." });
  if ([narration, ...labelsOf(scene)].some(hasHidden)) found.push({ problem: "unclear", detail: "A text has signs that cannot be seen." });
  if (layout === "title" && [...scene.content.heading].length > titleLength)
    found.push({
      problem: "too_long",
      detail: `The title has ${[...scene.content.heading].length} signs, and at most ${titleLength} are read at a glance.`,
    });
  const unread = unreadSeconds(scene);
  if (unread > 0) {
    const [takes, has] = [screenSeconds(scene), screenSeconds(scene) - unread].map((seconds) => seconds.toFixed(1));
    const detail = `What it shows takes ${takes} seconds to read, and while it is spoken of there are ${has}: show less, or say more of it.`;
    found.push({ problem: "too_long", detail });
  }
  const said = bareWords(narration).join(" ");
  const repeated = (layout === "question" ? [] : labelsOf(scene)).find((label) => {
    const words = bareWords(label);
    return words.length > 2 && (words.join(" ") === said || (words.length >= longLabel && ` ${said} `.includes(` ${words.join(" ")} `)));
  });
  if (repeated !== undefined) found.push({ problem: "redundant", detail: `The screen says what is said: “${repeated}”.` });
  return found;
}

/** Invisible characters could make a text look like another; tabs and line ends are invisible too, because texts are shown in one line. */
const hasHidden = (text: string): boolean => seen(text) !== text || /[\t\r\n]/.test(text);
