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
const box = /([A-Za-z][\w-]*)\s*(?:\[\[?"?([^\]"]+)"?\]?\]|\(\(?"?([^)"]+)"?\)?\)|\{"?([^}"]+)"?\})?/y;
const arrow = /\s*(?:-->|---|-\.->|==>)\s*(?:\|"?([^|"]*)"?\|)?\s*/y;

/** Boxes and arrows of a Mermaid flowchart; null for one of another kind, with groups, or with more than a film can show. */
export function flowchart(mermaid: string): Content | null {
  const [first = "", ...rows] = mermaid.split("\n").map((row) => row.trim());
  if (!/^(?:flowchart|graph)\b/.test(first)) return null;
  const labels = new Map<string, string>();
  const edges: { from: string; to: string; label: string }[] = [];
  for (const row of rows) {
    if (row === "" || row.startsWith("%%") || /^(?:classDef|class|style|linkStyle)\b/.test(row)) continue;
    let at = 0;
    let from: string | null = null;
    let label = "";
    while (at < row.length) {
      box.lastIndex = at;
      const [whole, name, ...texts] = box.exec(row) ?? [];
      if (whole === undefined || name === undefined || name === "subgraph" || name === "end") return null;
      at += whole.length;
      const text = texts.find((one) => one !== undefined);
      if (text !== undefined || !labels.has(name)) labels.set(name, text?.trim() ?? name);
      if (from !== null) edges.push({ from, to: name, label });
      if (at >= row.length) break;
      arrow.lastIndex = at;
      const found = arrow.exec(row);
      if (!found) return null;
      at += found[0].length;
      label = found[1]?.trim() ?? "";
      from = name;
    }
  }
  // Boxes of the same name stay apart in the course; here the arrows of both lead to one.
  const keys = new Map([...new Set(labels.values())].map((text, index) => [text, `n${index + 1}`]));
  const keyOf = (name: string): string => keys.get(labels.get(name) ?? "") ?? "";
  const fits = keys.size >= 2 && keys.size <= most.nodes && [...keys.keys()].join("").length <= most.letters;
  if (!fits || edges.length === 0 || edges.length > most.edges) return null;
  return {
    diagram: "flow",
    nodes: [...keys].map(([text, key]) => ({ key, label: text })),
    edges: edges.map(({ from, to, label }) => ({ from: keyOf(from), to: keyOf(to), label })),
  };
}
