import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Finding } from "@colloquy/schemas/explainer/job.ts";
import { type QuestionKey, type Scene, scene } from "@colloquy/schemas/explainer/storyboard.ts";
import { sceneSeconds } from "@colloquy/schemas/explainer/timing.ts";
import type { GeneratedScene, GeneratedStoryboard } from "@colloquy/schemas/generation/storyboard.ts";
import { spaced } from "./checks/quotes.ts";
import type { KeyedPassage } from "./choose-passages.ts";

/** What a model filled, as the scenes of a film; or what of it is none. */
export type Filled = { sceneIds: string[] } & ({ ok: true; scenes: Scene[]; key: QuestionKey } | { ok: false; findings: Finding[] });

interface Making {
  passages: readonly KeyedPassage[];
  newId(): string;
  /** As `Math.random`: where the right choice stands. */
  random(): number;
}

export function filled({ scenes }: GeneratedStoryboard, { passages, newId, random }: Making): Filled {
  const sourceOf = new Map(passages.map(({ key, sourceId }) => [key, sourceId]));
  const findings: Finding[] = [];
  let key: QuestionKey | null = null;
  const sceneIds = scenes.map(() => newId());
  const made = scenes.flatMap((one, index): Scene[] => {
    const sceneId = sceneIds[index] ?? "";
    const refuse = (problem: Finding["problem"], detail: string) => {
      findings.push({ sceneId, problem, detail: detail.slice(0, bounds.explainer.findingLength), by: "application" });
      return [];
    };
    const unknown = [...one.passages, ...one.quotes.map(({ passage }) => passage)].filter((name) => !sourceOf.has(name));
    if (unknown.length > 0) return refuse("unsupported", `${unknown.join(", ")} is none of the passages.`);
    const source = (name: string): string => sourceOf.get(name) ?? "";
    const choices = shuffled(one.choices, random);
    if (one.layout === "question") {
      if (choices.filter(({ correct }) => correct).length !== 1) return refuse("unclear", "Exactly one choice has to be correct.");
      if (one.explanation.trim() === "") return refuse("unclear", "Nothing says why the right choice is right.");
      key = { right: choices.findIndex(({ correct }) => correct), explanation: one.explanation.trim() };
    }
    const parsed = scene.safeParse({
      ...{ sceneId, layout: one.layout, narration: spaced(one.narration), seconds: sceneSeconds(one) },
      content: contentOf(
        one,
        choices.map(({ text }) => text),
      ),
      sourceIds: [...new Set([...one.passages, ...one.quotes.map(({ passage }) => passage)].map(source))],
      quotes: one.quotes.map(({ passage, quote }) => ({ sourceId: source(passage), quote })),
    });
    if (parsed.success) return [parsed.data];
    const [issue] = parsed.error.issues;
    return refuse(
      "layout",
      `A scene of layout ${one.layout}: ${issue?.path.slice(1).join(".") || "content"}: ${issue?.message ?? "does not fit"}`,
    );
  });
  if (findings.length > 0) return { ok: false, sceneIds, findings };
  if (key) return { ok: true, sceneIds, scenes: made, key };
  return {
    ok: false,
    sceneIds,
    findings: [{ sceneId: null, problem: "order", detail: "There is no closing question.", by: "application" }],
  };
}

/** The fields its layout uses; the schema of the layout says whether they suffice. */
function contentOf(one: GeneratedScene, choices: string[]): object {
  const { heading } = one;
  switch (one.layout) {
    case "title":
      return { heading, subtitle: one.subtitle };
    case "points":
    case "recap":
      return { heading, points: one.points };
    case "formula":
      return { heading, terms: one.terms };
    case "diagram":
      return { heading, kind: one.diagram, nodes: one.nodes, edges: one.edges };
    case "code":
      return {
        heading,
        language: one.language.toLowerCase(),
        code: one.code.replaceAll("\r", "").replace(/^\n+|\s+$/g, ""),
        steps: one.steps,
      };
    case "compare":
      return { heading, left: one.left, right: one.right };
    case "plot": {
      const { xLabel, yLabel, from, to, functions, marks } = one.plot;
      return { heading, x: { label: xLabel, from, to }, yLabel, functions, marks };
    }
    case "question":
      return { question: one.question, choices };
  }
}

function shuffled<Value>(values: readonly Value[], random: () => number): Value[] {
  return values
    .map((value) => ({ value, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ value }) => value);
}
