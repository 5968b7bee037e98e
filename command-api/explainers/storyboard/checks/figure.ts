import { canonicalText } from "@colloquy/infra/ledger/chain.ts";
import type { SceneOf } from "@colloquy/schemas/explainers/storyboard.ts";
import type { CheckedPassage, Found } from "./found.ts";
import { bareWords } from "./quotes.ts";

/** The texts of a figure, and of the blocks directly before and after it. */
function textsAround(sourceId: string, passages: readonly CheckedPassage[]): string[] {
  const first = passages.findIndex((one) => one.sourceId === sourceId);
  const last = passages.findLastIndex((one) => one.sourceId === sourceId);
  const beside = [passages[first - 1]?.sourceId, sourceId, passages[last + 1]?.sourceId];
  return passages.filter((one) => beside.includes(one.sourceId)).map(({ text }) => text);
}

const saidIn = (label: string, text: string): boolean => ` ${bareWords(text).join(" ")} `.includes(` ${bareWords(label).join(" ")} `);

/**
 * The picture is one that a figure of the scene's sources has on the learner's page, and call-outs are words of its description or of the
 * text around it.
 * @param passages of the topic as learners see it, in reading order
 */
export function figureFindings({ sourceIds, content }: SceneOf<"figure">, passages: readonly CheckedPassage[]): Found[] {
  const { picture, callouts } = content;
  const figure = passages.find(({ sourceId }) => sourceId === picture.sourceId)?.picture;
  if (!sourceIds.includes(picture.sourceId))
    return [{ problem: "unsupported", detail: "It shows a figure without naming it as a source." }];
  if (!figure)
    return [{ problem: "unsupported", detail: "It shows what is no figure of this page, or none that a film can show: SVG, PNG or JPEG." }];
  if (canonicalText(figure) !== canonicalText(picture))
    return [{ problem: "unsupported", detail: "The picture is not the one that the page has now." }];
  const texts = textsAround(picture.sourceId, passages);
  return callouts
    .filter(({ label }) => bareWords(label).length === 0 || !texts.some((text) => saidIn(label, text)))
    .map(({ label }) => ({
      problem: "unsupported" as const,
      detail: `“${label}” stands neither in the description of the figure nor in the text around it.`,
    }));
}
