import { readFlowchart } from "@colloquy/schemas/text/flowchart.ts";
import { z } from "zod";
import { type Prompt, taggedJson } from "../prompt.ts";
import type { Passage } from "../segments.ts";
import { wordsOf } from "../select.ts";
import { spoken } from "./plain-math.ts";
import { titleOf } from "./points.ts";
import { type Candidate, type Content, candidate, placeOf } from "./scene.ts";

const diagramsTag = z.array(z.object({ passage: z.string(), mermaid: z.string() }));

/** The Mermaid text of the diagrams among a prompt's passages, by passage. */
export function diagramsIn(prompt: Prompt): ReadonlyMap<string, string> {
  const told = diagramsTag.safeParse(taggedJson(prompt, "diagrams"));
  return new Map((told.success ? told.data : []).map(({ passage, mermaid }) => [passage, mermaid]));
}

/** Scenes of the course's own diagrams: its boxes and arrows, and what it says of them. */
export function diagramScenes(passages: readonly Passage[], diagrams: ReadonlyMap<string, string>): Candidate[] {
  return passages.flatMap((passage): Candidate[] => {
    const content = flowchart(diagrams.get(passage.id) ?? "");
    const said = content && saidOf(passage);
    if (!content || !said) return [];
    return [
      candidate({
        layout: "diagram",
        heading: titleOf(passage),
        content,
        narration: said.text,
        quotes: [{ passage, quote: said.quote }],
        at: placeOf(passages, passage, 0),
        says: [said.text],
      }),
    ];
  });
}

/** Its caption where that is a sentence, else its description. */
function saidOf({ text }: Passage): { text: string; quote: string } | null {
  const rows = text.split("\n").toReversed();
  for (const quote of rows) {
    const said = spoken(quote);
    if (said !== null && /\.$/.test(said) && wordsOf(said) >= 9 && wordsOf(said) <= 34 && quote.length <= 300) return { text: said, quote };
  }
  return null;
}

/** More, and the boxes do not stand beside each other in a picture: tried with the layout. */
const most = { nodes: 7, edges: 10, letters: 100 };
/** Boxes and arrows of a Mermaid flowchart; null for one of another kind, with groups, or with more than a film can show. */
export function flowchart(mermaid: string): Content | null {
  const chart = readFlowchart(mermaid);
  if (!chart) return null;
  const { labels, edges } = chart;
  // Boxes of the same name stay apart in the course; here the arrows of both lead to one.
  const keys = new Map([...new Set(labels.values())].map((text, index) => [text, `n${index + 1}`]));
  const keyOf = (name: string): string => keys.get(labels.get(name) ?? "") ?? "";
  const fits = keys.size >= 2 && keys.size <= most.nodes && [...keys.keys()].join("").length <= most.letters;
  if (!fits || edges.length === 0 || edges.length > most.edges) return null;
  return {
    diagram: "flow",
    nodes: [...keys].map(([text, key]) => ({ key, label: text, cue: "" })),
    edges: edges.map(({ from, to, label }) => ({ from: keyOf(from), to: keyOf(to), label, cue: "", quote: "" })),
  };
}
