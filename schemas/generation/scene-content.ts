import type { Timed } from "../explainers/timing.ts";
import type { GeneratedScene } from "./storyboard.ts";

/** What a scene that a model filled shows and says: the fields its layout uses. The schema of the layout says whether they suffice. Pure. */
export const sceneContent = (one: GeneratedScene): Timed =>
  ({ layout: one.layout, narration: one.narration, content: contentOf(one) }) as Timed;

function contentOf(one: GeneratedScene): object {
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
      return { question: one.question, choices: one.choices.map(({ text }) => text) };
  }
}
