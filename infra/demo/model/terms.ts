import { LRUCache } from "lru-cache";
import { stemmer } from "stemmer";

/** Terms of texts read before, because every question compares the same passages of a course. */
const known = new LRUCache<string, readonly string[]>({ max: 20_000, maxSize: 4_000_000, sizeCalculation: (_, text) => text.length + 1 });

/**
 * The words a text is about: lower case, stemmed, without the words every sentence has. Flags (`-l`), variables (`$@`)
 * and short runs of symbols that stand alone (`|`, `>>`, `*`) count as words, because a course about code asks for them.
 */
export function terms(text: string): readonly string[] {
  const before = known.get(text);
  if (before) return before;
  const found = readTerms(text);
  known.set(text, found);
  return found;
}

function readTerms(text: string): string[] {
  const found: string[] = [];
  for (const match of text.toLowerCase().matchAll(tokens)) {
    const [token] = match;
    if (/^[\p{L}\p{N}]/u.test(token)) {
      const word = token.replace(/['’](s|re|ve|ll|d|m|t)$/, "").replaceAll(/['’]/g, "");
      if (word.length > 1 || /\d/.test(word)) {
        if (!stopWords.has(word)) found.push(stem(word));
      } else if (!/[ais]/.test(word)) found.push(word);
    } else {
      found.push(token);
      // A long flag is a word too: `-name`, `--help`.
      const word = token.replace(/^-+/, "");
      if (word.length > 2 && word !== token) found.push(stem(word));
    }
  }
  return found;
}

/** A word's stem; plain ASCII words only, everything else as it is. */
export function stem(word: string): string {
  if (!/^[a-z]{3,}$/.test(word)) return word;
  return irregular.get(word) ?? stemmer(word);
}

const tokens =
  /(?<=^|[\s`"'“(])--?[a-z][\w-]*|\$[@#*?\w]+|[\p{L}\p{N}_]+(?:['’][\p{L}]+)?|(?<=^|[\s`"'“])(?:\.\.?|[|<>*~&;$@∀∃→↔∧∨¬≤≥=]{1,3})(?=$|[\s`"'”?,.])/gu;

/** A map, so that "constructor" is a word as any other. */
const irregular: ReadonlyMap<string, string> = new Map(
  Object.entries({
    directories: "directori",
    proof: "prove",
    proofs: "prove",
    proven: "prove",
    proved: "prove",
    made: "make",
    ran: "run",
    chosen: "choos",
    written: "write",
    wrote: "write",
    shown: "show",
    found: "find",
    data: "data",
  }),
);

const stopWords = new Set(
  (
    "a an and are as at be been being but by can cannot could did do does doing done for from had has have having he her here him his how i if in into is it its itself just let lets " +
    "may me might must my no nor not of off on once only or other our out over own please same she should so some such than that the their them then there these they this those through to too " +
    "up upon very was we were what when where which while who whom whose why will with within would yes you your yours am about after again all also any because before between both down during each few " +
    "further more most now under until above below us dont doesnt isnt cant everything anything something nothing everyone else"
  ).split(" "),
);

/** Words of questions and of talking about a course: they tell little about what is asked. */
const weakWords = new Set(
  (
    "care waste use mean explain describe tell say course lesson topic page section chapter passage differ difference example show get give thing way make need want know happen understand learn call passage question answer statement claim " +
    "do define definition purpose reason kind compare versus vs first new several one two many much main important exactly actually really like look different correct right best better good possible " +
    "summar summari summarise summarize overview idea concept term word explanation begin put take go come see text read detail always never ever every usually often sometimes formula snippet code mention cover teach quiz test exam"
  )
    .split(" ")
    .map(stem),
);

/** How much a term of a question counts: names and rare words more than the words every question has. */
export function weightOf(term: string): number {
  if (weakWords.has(term)) return 0.25;
  if (!/[\p{L}\p{N}]/u.test(term) || term.startsWith("-") || term.startsWith("$")) return 1.4;
  return 1;
}

/** Words that stand for each other often enough for a course to use one where a learner uses the other. */
const groups = [
  "folder directory",
  "delete remove erase eliminate discard rid rm",
  "create make mkdir touch",
  "show list display print output",
  "copy duplicate cp",
  "rename move mv",
  "find search locate look",
  "repeat loop iterate iteration",
  "argument parameter",
  "hypothesis assumption premise assume",
  "equal equality",
  "terminal shell bash",
  "count number",
  "join concatenate combine merge link connect",
  "wildcard pattern glob",
  "stop quit exit cancel interrupt terminate",
  "error mistake wrong problem",
  "save store keep redirect",
  "change modify edit",
  "option flag switch",
  "sign symbol character",
  "begin start beginning",
  "end last final tail",
  "up parent above",
  "see view",
  "prove proof show establish",
  "function map",
  "benefit advantage",
  "path location place",
  "undo revert restore recover",
  "pick choose select",
  "turn convert transform",
  "sort arrange",
  "unique distinct",
];
const relatives = new Map<string, Set<string>>();
for (const group of groups) {
  const stems = group.split(" ").map(stem);
  for (const word of stems) {
    const known = relatives.get(word) ?? new Set<string>();
    for (const other of stems) if (other !== word) known.add(other);
    relatives.set(word, known);
  }
}
const none: ReadonlySet<string> = new Set();

/** Terms that may stand for a term, at less weight. */
export function related(term: string): ReadonlySet<string> {
  return relatives.get(term) ?? none;
}

/** What a relative of a term counts, against the term itself. */
export const relatedShare = 0.55;
