import { canonicalText, sha256 } from "@colloquy/infra/ledger/chain.ts";
import type { Finding } from "@colloquy/schemas/explainers/review.ts";
import { type QuestionKey, type Scene, scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { sceneSeconds } from "@colloquy/schemas/explainers/timing.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { type GeneratedStoryboard, sceneContent } from "@colloquy/schemas/generation/storyboard.ts";
import { extendQuotes } from "./checks/extend-quotes.ts";
import { spaced } from "./checks/quotes.ts";
import type { KeyedPassage } from "./choose-passages.ts";
import { draftedFigure } from "./drafted-figure.ts";

/** A model's answer as scenes, or findings why it is not valid. */
type FilledScenes = { sceneIds: string[] } & ({ ok: true; scenes: Scene[]; key: QuestionKey } | { ok: false; findings: Finding[] });

interface Making {
  passages: readonly KeyedPassage[];
  newId(): string;
}

export function fillScenes({ scenes }: GeneratedStoryboard, { passages, newId }: Making): FilledScenes {
  const sourceOf = new Map(passages.map(({ key, sourceId }) => [key, sourceId]));
  const findings: Finding[] = [];
  let key: QuestionKey | null = null;
  const sceneIds = scenes.map(() => newId());
  const made = scenes.flatMap((one, index): Scene[] => {
    const sceneId = sceneIds[index] ?? "";
    const refuse = (problem: Finding["problem"], detail: string) => {
      findings.push({ sceneId, problem, detail: detail.slice(0, filmBounds.findingLength), by: "application" });
      return [];
    };
    const unknown = [...one.passages, ...one.quotes.map(({ passage }) => passage)].filter((name) => !sourceOf.has(name));
    if (unknown.length > 0) return refuse("unsupported", `${unknown.join(", ")} is none of the passages.`);
    const source = (name: string): string => sourceOf.get(name) ?? "";
    const choices = shuffled(one.question, one.choices);
    if (one.layout === "question") {
      if (choices.filter(({ correct }) => correct).length !== 1) return refuse("unclear", "Exactly one choice has to be correct.");
      if (one.explanation.trim() === "") return refuse("unclear", "Nothing says why the right choice is right.");
      key = { right: choices.findIndex(({ correct }) => correct), explanation: one.explanation.trim() };
    }
    const figure = one.layout === "figure" ? draftedFigure(one, passages) : null;
    if (figure && "problem" in figure) return refuse("unsupported", figure.problem);
    const drafted = sceneContent({ ...one, choices, narration: spaced(one.narration) });
    const named = [...one.passages, ...one.quotes.map(({ passage }) => passage)].map(source);
    const parsed = scene.safeParse({
      sceneId,
      ...drafted,
      ...(figure && { content: { heading: one.heading, ...figure.content } }),
      seconds: 0,
      sourceIds: [...new Set([...named, ...(figure ? [figure.sourceId] : [])])],
      quotes: one.quotes.map(({ passage, quote }) => ({ sourceId: source(passage), quote })),
    });
    if (parsed.success) return [{ ...parsed.data, seconds: sceneSeconds(parsed.data) }];
    const [issue] = parsed.error.issues;
    return refuse(
      "layout",
      `A scene of layout ${one.layout}: ${issue?.path.slice(1).join(".") || "content"}: ${issue?.message ?? "does not fit"}`,
    );
  });
  if (findings.length > 0) return { ok: false, sceneIds, findings };
  if (key) return { ok: true, sceneIds, scenes: extendQuotes(made, passages), key };
  return {
    ok: false,
    sceneIds,
    findings: [{ sceneId: null, problem: "order", detail: "There is no closing question.", by: "application" }],
  };
}

/**
 * Choices in an order derived from the texts alone, so that the same question gives the same video and the order does not reveal the
 * right choice.
 */
export function shuffled<Choice extends { text: string }>(question: string, choices: readonly Choice[]): Choice[] {
  const place = ({ text }: Choice): string => sha256(canonicalText({ question, text }));
  return choices
    .map((choice) => ({ choice, at: place(choice) }))
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ choice }) => choice);
}
