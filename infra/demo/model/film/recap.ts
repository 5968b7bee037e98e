import type { Passage } from "../segments.ts";
import { wordsOf } from "../select.ts";
import { terms } from "../terms.ts";
import { noted } from "./labels.ts";
import type { Line } from "./lines.ts";
import { type Candidate, candidate, placeOf } from "./scene.ts";
import { hasMostOf } from "./shows-what-is-said.ts";
import { isOfName, repeats, type Statement, statementsOf } from "./statements.ts";

/** A key point as it is said and as it is shown. */
interface Recalled {
  said: string;
  shown: string;
  quotes: Candidate["quotes"];
  says: string[];
}

/** What is said may be longer than what is shown. */
const saidWords = 16;
/** A label that is spoken literally repeats the narration if it is longer. */
const literal = 8;

/** Key points that were written to be kept: each is said while a shorter form of it appears. */
export function recapScenes(lines: readonly Line[], passages: readonly Passage[], heading: string): Candidate[] {
  return passages.flatMap((passage) => {
    const known = statementsOf(passage, saidWords).flatMap((statement) => recalled(statement, lines) ?? []);
    return groupsOf(known.slice(0, 8))
      .filter((kept) => kept.length > 1 && new Set(kept.map(({ said }) => said)).size === kept.length)
      .map((kept) =>
        candidate({
          layout: "recap",
          heading,
          content: { points: kept.map(({ shown }) => shown) },
          narration: kept.map(({ said }) => said).join(" "),
          quotes: kept.flatMap(({ quotes }) => quotes),
          at: placeOf(passages, passage, 999),
          says: kept.flatMap(({ says }) => says),
          whole: true,
        }),
      );
  });
}

/** Every choice of up to four, in their order. */
function groupsOf([first, ...others]: readonly Recalled[]): Recalled[][] {
  if (!first) return [[]];
  const groups = groupsOf(others);
  return [...groups.filter(({ length }) => length < 4).map((group) => [first, ...group]), ...groups];
}

function recalled({ passage, text, quote, terms: own }: Statement, lines: readonly Line[]): Recalled | null {
  const said = `${text}.`;
  const quotes = [{ passage, quote }];
  const says = [text];
  // Of a command, what it takes is shown and not said.
  const command = /^([\w-]+)(?: \[[^\]]+\])+ (?=\p{Ll})/u.exec(text);
  if (command) return { said: `${command[1]} ${said.slice(command[0].length)}`, shown: text, quotes, says };
  if (/[|[\]]/.test(text)) return null;
  if ((text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) <= literal) return { said, shown: text, quotes, says };
  const note = noted(text);
  if (note) return { said, shown: note, quotes, says };
  const explained = lines.find(
    (line) =>
      line.passage !== passage &&
      !repeats(text, line.said) &&
      isOfName(text, line.said) &&
      line.words <= wordsOf(text) * 2 &&
      hasMostOf(terms(line.said), own) &&
      hasMostOf(own, terms(line.said)),
  );
  if (!explained) return null;
  return {
    said: explained.said,
    shown: text,
    quotes: [{ passage: explained.passage, quote: explained.quote }, ...quotes],
    says: [explained.fact.text, ...says],
  };
}
