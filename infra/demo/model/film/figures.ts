import { z } from "zod";
import { type Prompt, taggedJson } from "../prompt.ts";
import type { Passage } from "../segments.ts";
import { wordsOf } from "../select.ts";
import type { Line } from "./lines.ts";
import { spoken } from "./plain-math.ts";
import { titleOf } from "./points.ts";
import { type Candidate, candidate, placeOf } from "./scene.ts";

const picturesTag = z.array(z.object({ passage: z.string(), parts: z.array(z.string()), zoom: z.number() }));

/** The words in those pictures among a prompt's passages that can be read without a zoom, by passage. */
export function picturesIn(prompt: Prompt): ReadonlyMap<string, readonly string[]> {
  const told = picturesTag.safeParse(taggedJson(prompt, "pictures"));
  return new Map((told.success ? told.data : []).flatMap(({ passage, parts, zoom }) => (zoom > 1 ? [] : [[passage, parts] as const])));
}

const most = 5;
/** So many parts are pointed at, at least: one alone shows nothing of how they lie. */
const least = 2;

interface Said {
  text: string;
  quote: string;
  from: Passage;
}

/** The course's own pictures whose parts a sentence names: its description, its caption, or a sentence beside it. */
export function figureScenes(
  lines: readonly Line[],
  passages: readonly Passage[],
  pictures: ReadonlyMap<string, readonly string[]>,
): Candidate[] {
  return passages.flatMap((passage, index): Candidate[] => {
    const parts = pictures.get(passage.id) ?? [];
    const own = passage.text.split("\n").flatMap((row): Said[] => {
      const text = spoken(row.trim());
      return text === null || !isSentence.test(text)
        ? []
        : [{ text: /[.!?]$/.test(text) ? text : `${text}.`, quote: row.trim(), from: passage }];
    });
    const beside = lines
      .filter((line) => Math.abs(passages.indexOf(line.passage) - index) === 1)
      .map(({ said, quote, passage: from }): Said => ({ text: said, quote, from }));
    const [best] = [...own, ...beside]
      .filter(({ text, quote }) => wordsOf(text) <= 30 && quote.length <= 300)
      .map((said) => ({ ...said, named: namedIn(said.text, parts) }))
      .filter(({ named }) => named.length >= least)
      .toSorted((a, b) => b.named.length - a.named.length);
    if (!best) return [];
    return [
      candidate({
        layout: "figure",
        heading: titleOf(passage),
        narration: best.text,
        content: {
          figure: {
            passage: passage.id,
            drawnCue: best.text.split(" ").slice(1, 3).join(" "),
            zooms: [],
            callouts: best.named.map(({ part, cue }) => ({ part, label: part, cue })),
          },
        },
        quotes: [{ passage: best.from, quote: best.quote }],
        at: placeOf(passages, passage, 0),
        says: [best.text],
      }),
    ];
  });
}

const isSentence = /^\p{Lu}.*\s(?:is|are|has|have|holds?|contains?|shows?|leads?|lands?|makes?|becomes?|lies?|lie)\s/u;

/** The parts that a sentence names, in its order, with the words at which it does. */
function namedIn(text: string, parts: readonly string[]): { part: string; cue: string }[] {
  return parts
    .flatMap((part) => {
      const word = /\p{L}{2}/u.test(part)
        ? new RegExp(`(?<![\\p{L}\\p{N}/])${part.replace(/[$()*+.?[\\\]^{|}/-]/g, "\\$&")}(?![\\p{L}\\p{N}])`, "iu").exec(text)
        : null;
      return word ? [{ part, cue: text.slice(word.index).split(/\s+/).slice(0, 2).join(" "), at: word.index }] : [];
    })
    .toSorted((a, b) => a.at - b.at)
    .slice(0, most);
}
