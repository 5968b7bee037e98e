import { codeFits, outputFits, reserved, type ShownOutput, withoutStringsAndComments } from "./shown-code.ts";

/** Letters of an output that is to be typed. */
const mostTyped = 24;
/** Wrong choices of a question. */
const wrongChoices = 3;

const folded = (text: string): string => text.replaceAll(/\s+/g, " ").trim().toLowerCase();
const firstLine = (text: string): string => text.split("\n", 1)[0] ?? "";
const namesIn = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? []);
const partsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []);

const fits = (shown: ShownOutput): boolean => codeFits(shown) && outputFits(shown);

/** An output with other code that is known to give something else. */
export interface OutputChoices {
  right: ShownOutput;
  wrong: ShownOutput[];
}

/** Whether one code has every line of another: what it gives may come from those alone, as after an editor was opened. */
const hasAllLines = (one: string, other: string): boolean => {
  const lines = new Set(one.split("\n").map(folded));
  return other.split("\n").every((line) => lines.has(folded(line)));
};

/** Outputs of a page that are compared with each other. */
const compared = 80;

/** Outputs of a page to be told apart, each with code of which one gave it, the most alike. */
export function outputChoices(shown: readonly ShownOutput[]): OutputChoices[] {
  const fitting = shown.filter(fits).slice(0, compared);
  const times = Map.groupBy(fitting, ({ code }) => folded(code));
  // The same code may give another output at another time.
  const usable = fitting.filter(({ code }) => times.get(folded(code))?.length === 1);
  const words = new Map(usable.map((one) => [one, { names: namesIn(one.code), parts: partsOf(one.code), output: folded(one.given.text) }]));
  return usable.flatMap((right): OutputChoices[] => {
    const own = words.get(right);
    if (!own) return [];
    const shownNames = namesIn(right.given.text);
    const named = (one: ShownOutput): number => words.get(one)?.names.intersection(shownNames).size ?? 0;
    const isLikeIt = (one: ShownOutput): boolean =>
      right.given.isTable && one.given.isTable && firstLine(one.given.text) === firstLine(right.given.text);
    const alike = (one: ShownOutput): number => {
      const { parts = new Set<string>() } = words.get(one) ?? {};
      return parts.intersection(own.parts).size / parts.union(own.parts).size;
    };
    const wrong = usable
      .filter((one) => one !== right && one.language === right.language && words.get(one)?.output !== own.output)
      .filter((one) => !hasAllLines(one.code, right.code) && !hasAllLines(right.code, one.code))
      .map((one) => ({ one, isLikeIt: isLikeIt(one), named: named(one), alike: alike(one) }))
      .toSorted((one, other) => Number(other.isLikeIt) - Number(one.isLikeIt) || other.named - one.named || other.alike - one.alike)
      .slice(0, wrongChoices);
    // Where the right code alone has most of the words of the output, it would be found by comparing words.
    if (wrong.length < wrongChoices || wrong.every((one) => one.named < named(right))) return [];
    // So would a table whose columns no other has.
    if (right.given.isTable && !wrong.some((one) => one.isLikeIt)) return [];
    return [{ right, wrong: wrong.map(({ one }) => one) }];
  });
}

/** What every program can call. */
const builtIn = new Set(
  (
    "print println printf cat echo paste len length nchar str int float bool list tuple set dict range abs max min sum round sorted reversed type " +
    "enumerate zip seq rep sqrt mean c"
  ).split(" "),
);
const assigned =
  /(?<![\w.])([A-Za-z_]\w*)(?=\s*(?:=(?!=)|<-))|\b(?:for|def|fn|function|let|mut|import|as)\s+([A-Za-z_]\w*)|(?<=,\s*)([A-Za-z_]\w*)(?=[^=\n()]*=(?!=))/g;

/** Whether short code says all that its output follows from: every name in it gets its value there, or is known everywhere. */
export function canBeWorkedOut(shown: ShownOutput): boolean {
  const { code, language } = shown;
  const { text: output, isTable } = shown.given;
  if (!fits(shown) || isTable || output.includes("\n") || output.trim().length > mostTyped || !programs.test(language)) return false;
  if (/\b(?:open|input|random|now|today|time|load\w*|read\w*)\b/.test(code) || /\.\.\.|…|0x/.test(output)) return false;
  const plain = withoutStringsAndComments(shown);
  const known = new Set([...plain.matchAll(assigned)].flatMap((found) => found.slice(1).filter((name) => name !== undefined)));
  const used = [...plain.matchAll(/(?<![\w.])([A-Za-z_]\w*)(\s*\()?/g)];
  return used.every(
    ([, name = "", call]) => known.has(name) || reserved.has(name.toLowerCase()) || (call !== undefined && builtIn.has(name)),
  );
}

const programs = /^(?:python|py|javascript|js|typescript|ts|r|ruby|julia|java|rust|c|cpp|go|lua|php|scala|haskell|lean)\b/i;
