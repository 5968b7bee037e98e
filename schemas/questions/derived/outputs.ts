/** Code of a course with what it prints or returns, as the course shows both. */
export interface ShownOutput {
  /** Of the block with the code, and of the one with what it gives. */
  blockIds: [code: string, output: string];
  language: string;
  code: string;
  /** What a program printed, or the source of a table. */
  output: string;
  isTable: boolean;
  /** What the course says before the code. */
  before: string;
}

/** What fits into a question, in lines and letters. */
const room = { codeLines: 12, outputLines: 11, letters: 420, typed: 24 };
/** Wrong choices of a question. */
const wrongChoices = 3;

const folded = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
const namesIn = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? []);
const partsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []);
const isSame = (one: string, other: string): boolean => folded(one).toLowerCase() === folded(other).toLowerCase();

const fits = ({ code, output }: ShownOutput): boolean =>
  folded(code) !== "" &&
  folded(output) !== "" &&
  Math.max(code.length, output.length) <= room.letters &&
  code.split("\n").length <= room.codeLines &&
  output.split("\n").length <= room.outputLines;

/** An output with other code that is known to give something else. */
export interface OutputChoices {
  right: ShownOutput;
  wrong: ShownOutput[];
}

/** Outputs of a page to be told apart, each with code of which one gave it, the most alike. */
export function outputChoices(shown: readonly ShownOutput[]): OutputChoices[] {
  // The same code may give another output at another time.
  const usable = shown.filter((of) => fits(of) && !shown.some((one) => one !== of && isSame(one.code, of.code)));
  return usable.flatMap((right): OutputChoices[] => {
    const wrong = mostAlike(right, usable);
    return wrong.length < wrongChoices ? [] : [{ right, wrong }];
  });
}

/** Empty where the right code alone has most of the words of the output: it would be found by comparing words. */
function mostAlike(right: ShownOutput, among: readonly ShownOutput[]): ShownOutput[] {
  const names = namesIn(right.output);
  const parts = partsOf(right.code);
  const named = ({ code }: ShownOutput): number => namesIn(code).intersection(names).size;
  const alike = ({ code }: ShownOutput): number => partsOf(code).intersection(parts).size / partsOf(code).union(parts).size;
  const wrong = among
    .filter((one) => one !== right && one.language === right.language && !isSame(one.output, right.output))
    .toSorted((one, other) => named(other) - named(one) || alike(other) - alike(one))
    .slice(0, wrongChoices);
  return wrong.some((one) => named(one) >= named(right)) ? wrong : [];
}

/** Words of languages that are no names of values. */
const reserved = new Set(
  (
    "and as assert async await break case class const continue def del do done elif else esac except false fi finally fn for from function " +
    "if import in is lambda let match mut nil none not null or pass raise return self then this true try var while with yield echo"
  ).split(" "),
);
const texts = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|#.*$|\/\/.*$/gm;
const assigned =
  /(?<![\w.])([A-Za-z_]\w*)(?=\s*(?:=(?!=)|<-))|\b(?:for|def|fn|function|let|mut|import|as)\s+([A-Za-z_]\w*)|(?<=,\s*)([A-Za-z_]\w*)(?=[^=\n()]*=(?!=))/g;

/** Whether short code says all that its output follows from: every name in it is given a value in it, or is called. */
export function canBeWorkedOut(shown: ShownOutput): boolean {
  const { code, output, isTable, language } = shown;
  if (!fits(shown) || isTable || output.includes("\n") || output.trim().length > room.typed || !programs.test(language)) return false;
  if (/\b(?:open|input|random|now|today|time|load\w*|read\w*)\b/.test(code) || /\.\.\.|…|0x/.test(output)) return false;
  const plain = code.replaceAll(texts, (text) => (/^["']/.test(text) ? '""' : ""));
  const known = new Set([...plain.matchAll(assigned)].flatMap((found) => found.slice(1).filter((name) => name !== undefined)));
  const used = [...plain.matchAll(/(?<![\w.])[A-Za-z_]\w*(?!\w|\s*\()/g)].map(([name]) => name);
  return used.every((name) => known.has(name) || reserved.has(name.toLowerCase()));
}

const programs = /^(?:python|py|javascript|js|typescript|ts|r|ruby|julia|java|rust|c|cpp|go|lua|php|scala|haskell|lean)\b/i;
