import { codeFits, isDatabase, isShell, outputFits, reserved, type ShownCode, withoutStringsAndComments } from "./shown-code.ts";
import { isGivenAway, typedName, withoutLinks } from "./statements.ts";

/** Code of a page with one name left out that the page teaches. */
export interface CodeGap {
  of: ShownCode;
  /** The code with `[[1]]` in the place of the name, and `\[[` for brackets of its own. */
  code: string;
  /** The name, and other ways to write it. */
  accepted: string[];
  /** What the course says right before the code, with "…" for the name; null where it says nothing that helps. */
  sentence: string | null;
}

/** Names that a page teaches, with what each counts: more when an objective has it. */
export type Taught = ReadonlyMap<string, number>;

/** What a name counts by where it stands; most where the paragraph before the code has it. */
const worth = { named: 5, objective: 4, keyPoint: 2, prose: 1 };
/** Names and code of a page that are looked at, and letters of what is said of one. */
const most = { names: 200, codes: 200, sentence: 320 };
const inlineCode = /(?<!`)`([^`\n]{2,40})`(?!`)/g;

/** The names that the inline code of a page has; code that objectives and key points have counts more. */
export function taughtNames({ prose, points, objectives }: { prose: string; points: string; objectives: string }): Taught {
  const taught = new Map<string, number>();
  const spans = [...`${prose}\n${points}\n${objectives}`.matchAll(inlineCode)].flatMap(([, span = ""]) => typedName(span) ?? []);
  for (const name of [...new Set(spans)].slice(0, most.names)) {
    const word = new RegExp(`(?<![\\p{L}\\p{N}_])${RegExp.escape(name)}(?![\\p{L}\\p{N}_])`, "u");
    const counted = (word.test(objectives) ? worth.objective : 0) + (word.test(points) ? worth.keyPoint : 0);
    taught.set(name, counted || worth.prose);
  }
  return taught;
}

/** What gives a name of the page's own its value, or declares it. */
const assigning = /(?<![\w.])([A-Za-z_][\w.]*)(?=\s*(?:=(?![=>])|<-))/g;
const declaring = /\b(?:def|fn|function|class|for|let|mut|import|as)\s+([A-Za-z_]\w*)/g;
/** Which one is taken is a matter of taste. */
const editors = /^(?:nano|vim?|emacs|code|notepad|less|more)$/;
/** Questions that ask for the same name. */
const mostOfName = 2;
/** Words from which a sentence says enough of code. */
const minWords = 5;

/**
 * Code with the name left out that tells most of what the page teaches: none that stands twice in it, and none of the course's own
 * making, such as a variable.
 */
export function codeGaps(shown: readonly ShownCode[], taught: Taught): CodeGap[] {
  const codes = shown.slice(0, most.codes);
  const namesBy = (pattern: RegExp): Set<string> =>
    new Set(codes.flatMap(({ code }) => [...code.matchAll(pattern)].flatMap(([, name]) => name ?? [])));
  const [values, declared] = [namesBy(assigning), namesBy(declaring)];
  // "trees.describe" is of the page's own trees; "numpy.mean" of what it imports.
  const isOwn = (name: string): boolean => values.has(name) || declared.has(name) || values.has(name.split(".", 1)[0] ?? "");
  const names = [...taught.keys()].filter((name) => !isOwn(name) && !editors.test(name));
  const holding = new Map(names.map((name) => [name, codes.filter(({ code }) => code.includes(name)).length]));
  const counts = new Map<string, number>();
  const isFree = (name: string): boolean => (counts.get(name) ?? 0) < mostOfName;
  const isNamed = (name: string, { before }: ShownCode): boolean => before.includes(`\`${name}\``) || before.includes(`\`${name}(`);
  const value = (name: string, of: ShownCode): number =>
    (taught.get(name) ?? 0) + (isNamed(name, of) ? worth.named : 0) + 1 / (holding.get(name) || 1);
  /** What half of a page's code has, and nothing says, is what the learner knows already. */
  const isWorthAsking = (name: string, of: ShownCode): boolean =>
    (taught.get(name) ?? 0) > worth.prose || isNamed(name, of) || (holding.get(name) ?? 0) <= mostOfName + 1;
  return [...new Map(codes.filter(codeFits).map((one) => [one.code.trim(), one])).values()].flatMap((of): CodeGap[] => {
    const made = names
      .filter((name) => isFree(name) && isWorthAsking(name, of))
      .toSorted((one, other) => value(other, of) - value(one, of))
      .flatMap((name) => gapOf(of, name, (taught.get(name) ?? 0) > worth.prose) ?? []);
    const [best] = made;
    if (!best) return [];
    const name = best.accepted[0] ?? "";
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return [best];
  });
}

function gapOf(of: ShownCode, name: string, isTaught: boolean): CodeGap | null {
  const at = onlyPlace(of, name);
  if (at === null) return null;
  const sentence = sentenceBefore(of, name);
  const given = outputFits(of) ? (of.given?.text ?? "") : "";
  if (isGivenAway(name, `${given}\n${of.code.replace(name, " ")}`)) return null;
  // Else other code may do as well: another command of a shell with the same output, or whatever "this" is.
  const isNamed = sentence?.includes(left) === true;
  const tells = given !== "" || (sentence !== null && isTaught && tellsPurpose(sentence));
  if (!isNamed && (isShell(of) || !tells)) return null;
  const [before, after] = [of.code.slice(0, at), of.code.slice(at + name.length)].map((part) => part.replaceAll("[[", "\\[["));
  return { of, code: `${before}[[1]]${after}`, accepted: waysToWrite(name, of), sentence };
}

/** A name, and what means the same in its language. */
function waysToWrite(name: string, of: ShownCode): string[] {
  const same = Object.entries({ "!=": isDatabase(of) ? "<>" : "", "<>": "!=", "<-": "=", TRUE: "T", FALSE: "F" })
    .filter(([one]) => one === name)
    .map(([, other]) => other);
  const lower = name.toLowerCase();
  const capitals = lower.replaceAll(/\b\w/g, (letter) => letter.toUpperCase());
  const cases = isDatabase(of) ? [lower, name.toUpperCase(), capitals, lower.replace(/^\w/, (letter) => letter.toUpperCase())] : [];
  return [...new Set([name, ...cases, ...same])].filter(Boolean);
}

/** Where a name stands in code, if it stands there once and as what can be known: a command, an option, a function, a word of the language. */
function onlyPlace(of: ShownCode, name: string): number | null {
  const { code } = of;
  const plain = withoutStringsAndComments(of);
  const places = [...plain.matchAll(new RegExp(`(?<![\\w.$\\\\-])${RegExp.escape(name)}(?![\\w-]|\\.\\w)`, "g"))];
  const at = places[0]?.index;
  if (at === undefined || places.length > 1 || code.split(name).length > 2) return null;
  const line = plain.slice(plain.lastIndexOf("\n", at - 1) + 1, at);
  const after = plain.slice(at + name.length);
  const isCommand = /^\s*(?:\$ |[%>] |PS> )?$|(?:[|;]|&&|\$\(|\bsudo)\s*$/.test(line);
  const isOption = /^--?[a-z]/i.test(name);
  const isSign = /^[^\w\s]{2,}$/.test(name) || /^%\S+%$/.test(name);
  const isKeyword = /^[A-Z]{2,}(?: [A-Z]{2,})*$/.test(name);
  // A table of a database may stand before brackets, too.
  const isCall = /^\(/.test(after) && (isDatabase(of) ? /^[a-z]\w*$/ : /^[\w.]+$/).test(name);
  // Lines without a prompt are what the commands printed.
  if (isShell(of) && /^\s*\$ /m.test(code) && !/^\s*[$>] /.test(line)) return null;
  // "podman container" of "podman container rm" is half of a command.
  const isHalf = name.includes(" ") && /^ [a-z]+\b(?!\.)/.test(after) && !/^ [a-z]+\b[./]/.test(after);
  if (isShell(of)) return (isCommand && /^[a-z]/.test(name) && !isHalf) || isOption || isSign ? at : null;
  return isCall || isKeyword || isSign || reserved.has(name) ? at : null;
}

/** Sentences of what stands before code. */
const mostSentences = 3;
/** What stands in a sentence for the name that is asked for. */
const left = "`…`";
const isOneOfSeveral = /`…`(?:,? (?:and|or)\b|, `|\/)|(?:`,? (?:and|or)|`,|\/) ?`…`/;
const tellsPurpose = (sentence: string): boolean =>
  (sentence.match(/\p{L}+/gu)?.length ?? 0) > minWords + 2 && !/\bthis\b\W*$/i.test(sentence);

/**
 * The last sentence before code, or those from the one that has the name as code, with "…" for it. Null where they are short or long,
 * begin within a sentence or have the name in other words.
 */
function sentenceBefore({ before }: ShownCode, name: string): string | null {
  const text = withoutLinks(before).replaceAll(/\s+/g, " ").trim();
  const inCode = new RegExp(`\`${RegExp.escape(name)}(?:\\(\\w*\\))?\``, "gu");
  const sentences = text.split(/(?<=[.!?:]) (?=[\p{Lu}`])/u).slice(-mostSentences);
  const from = sentences.findLastIndex((sentence) => sentence.search(inCode) >= 0);
  const sentence = sentences
    .slice(from < 0 ? -1 : from)
    .join(" ")
    .replaceAll(inCode, left);
  const isWhole = !/^\p{Ll}|^(?:#{1,6}|[-*+>|]) |^\d+[.)] |\?$/u.test(sentence);
  const isOfLength = (sentence.match(/\p{L}+/gu)?.length ?? 0) >= minWords && sentence.length <= most.sentence;
  return isWhole && isOfLength && !isGivenAway(name, sentence) && !isOneOfSeveral.test(sentence) ? sentence : null;
}
