import { codeFits, outputFits, reserved, type ShownCode, withoutTexts } from "./shown-code.ts";
import { isGivenAway, typedName } from "./statements.ts";

/** Code of a page with one name left out that the page teaches. */
export interface CodeGap {
  of: ShownCode;
  /** The code with `[[1]]` in the place of the name, and `\[[` for brackets of its own. */
  code: string;
  /** The name, and other ways to write it. */
  accepted: string[];
  /** What the course says of the code, with "…" for the name; null where it says nothing that helps. */
  said: string | null;
}

/** Names that a page teaches, with what each counts: more when an objective has it. */
export type Taught = ReadonlyMap<string, number>;

/** What a name counts by where it stands; most where the paragraph before the code has it. */
const worth = { named: 5, objective: 4, keyPoint: 2, prose: 1 };
const inlineCode = /(?<!`)`([^`\n]{2,40})`(?!`)/g;

/** The names that the inline code of a page has; code that objectives and key points have counts more. */
export function taughtNames({ prose, points, objectives }: { prose: string; points: string; objectives: string }): Taught {
  const taught = new Map<string, number>();
  const spans = [...`${prose}\n${points}\n${objectives}`.matchAll(inlineCode)].flatMap(([, span = ""]) => typedName(span) ?? []);
  for (const name of new Set(spans)) {
    const word = new RegExp(`(?<![\\p{L}\\p{N}_])${RegExp.escape(name)}(?![\\p{L}\\p{N}_])`, "u");
    const counted = (word.test(objectives) ? worth.objective : 0) + (word.test(points) ? worth.keyPoint : 0);
    taught.set(name, counted || worth.prose);
  }
  return taught;
}

const shells = /^(?:bash|sh|shell|zsh|console|shell-session|terminal)$/i;
const databases = /sql|sqlite|mariadb/i;
/** What gives a name of the page's own its meaning. */
const defining = /(?<![\w.])([A-Za-z_][\w.]*)(?=\s*(?:=(?![=>])|<-))|\b(?:def|fn|function|class|for|let|mut|import|as)\s+([A-Za-z_]\w*)/g;
/** Which one is taken is a matter of taste. */
const editors = /^(?:nano|vim?|emacs|code|notepad|less|more)$/;
/** Questions that ask for the same name; names and code of a page that are looked at. */
const mostOfName = 2;
const most = { names: 200, codes: 200 };
/** Words from which a sentence says enough of code. */
const leastWords = 5;

/**
 * Code with the name left out that tells most of what the page teaches: none that stands twice in it, and none of the course's own
 * making, such as a variable.
 */
export function codeGaps(shown: readonly ShownCode[], taught: Taught): CodeGap[] {
  const codes = shown.slice(0, most.codes);
  const own = new Set(codes.flatMap(({ code }) => [...code.matchAll(defining)].flatMap((found) => found.slice(1).filter(Boolean))));
  const names = [...taught.keys()].filter((name) => !own.has(name) && !editors.test(name)).slice(0, most.names);
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
  const said = saidOf(of.before, name);
  const given = outputFits(of) ? (of.given?.text ?? "") : "";
  if (isGivenAway(name, `${given}\n${of.code.replace(name, " ")}`)) return null;
  // Without its output, other code may do what is said as well: another command of a shell, or whatever "this" is.
  if (given === "" && !said?.includes(left) && (said === null || !isTaught || shells.test(of.language) || !tellsPurpose(said))) return null;
  const [before, after] = [of.code.slice(0, at), of.code.slice(at + name.length)].map((part) => part.replaceAll("[[", "\\[["));
  const accepted = databases.test(of.language) ? [name, name.toLowerCase()] : [name];
  return { of, code: `${before}[[1]]${after}`, accepted: [...new Set(accepted)], said };
}

/** Where a name stands in code, if it stands there once and as what can be known: a command, an option, a function, a word of the language. */
function onlyPlace({ code, language }: ShownCode, name: string): number | null {
  const plain = withoutTexts(code);
  const places = [...plain.matchAll(new RegExp(`(?<![\\w.$-])${RegExp.escape(name)}(?![\\w-]|\\.\\w)`, "g"))];
  const at = places[0]?.index;
  if (at === undefined || places.length > 1 || code.split(name).length > 2) return null;
  const line = plain.slice(plain.lastIndexOf("\n", at - 1) + 1, at);
  const after = plain.slice(at + name.length);
  const isCommand = /^\s*(?:\$ |[%>] |PS> )?$|(?:[|;]|&&|\$\(|\bsudo)\s*$/.test(line);
  const isOption = /^--?[a-z]/i.test(name);
  const isSign = /^[^\w\s]{2,}$/.test(name) || /^%\S+%$/.test(name);
  const isKeyword = /^[A-Z]{2,}(?: [A-Z]{2,})*$/.test(name);
  // A table of a database may stand before brackets, too.
  const isCall = /^\(/.test(after) && (databases.test(language) ? /^[a-z]\w*$/ : /^[\w.]+$/).test(name);
  // Lines without a prompt are what the commands printed.
  if (shells.test(language) && /^\s*\$ /m.test(code) && !/^\s*[$>] /.test(line)) return null;
  // "podman container" of "podman container rm" is half of a command.
  const isHalf = name.includes(" ") && /^ [a-z]+\b(?!\.)/.test(after) && !/^ [a-z]+\b[./]/.test(after);
  if (shells.test(language)) return (isCommand && /^[a-z]/.test(name) && !isHalf) || isOption || isSign ? at : null;
  return isCall || isKeyword || isSign || reserved.has(name) ? at : null;
}

/** Sentences of what is said of code. */
const mostSentences = 3;
/** What stands in a sentence for the name that is asked for. */
const left = "`…`";
const oneOfSeveral = /`…`(?:,? (?:and|or)\b|, `|\/)|(?:`,? (?:and|or)|`,|\/) ?`…`/;
const tellsPurpose = (said: string): boolean => (said.match(/\p{L}+/gu)?.length ?? 0) > leastWords + 2 && !/\bthis\b\W*$/i.test(said);

/**
 * What is said right before code, with "…" for a name that stands there as code: its last sentence, or those from the one that has the
 * name. Null where it is short, begins within a sentence or has the name in other words.
 */
function saidOf(before: string, name: string): string | null {
  const text = before
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .replaceAll(/\s+/g, " ")
    .trim();
  const inCode = new RegExp(`\`${RegExp.escape(name)}(?:\\(\\w*\\))?\``, "gu");
  const sentences = text.split(/(?<=[.!?:]) (?=[\p{Lu}`])/u).slice(-mostSentences);
  const from = sentences.findLastIndex((sentence) => sentence.search(inCode) >= 0);
  const said = sentences
    .slice(from < 0 ? -1 : from)
    .join(" ")
    .replaceAll(inCode, left);
  const isWhole = !/^\p{Ll}|^(?:#{1,6}|[-*+>|]) |^\d+[.)] /u.test(said) && (said.match(/\p{L}+/gu)?.length ?? 0) >= leastWords;
  return isWhole && !/\?$/.test(said) && !isGivenAway(name, said) && !oneOfSeveral.test(said) ? said : null;
}
