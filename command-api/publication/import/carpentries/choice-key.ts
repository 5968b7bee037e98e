import { bounds } from "@colloquy/schemas/bounds.ts";
import { type SourceLine, textOf, trimLines } from "../markdown/lines.ts";

/** A challenge whose solution clearly says which of its choices are right. */
export interface KeyedChoices {
  kind: "single" | "multiple";
  prompt: SourceLine[];
  choices: { lines: SourceLine[]; correct: boolean; feedback: SourceLine[] }[];
  explanation: SourceLine[];
}

interface Listed {
  before: SourceLine[];
  items: SourceLine[][];
  marks: string[];
}

/**
 * Reads a challenge that ends with numbered or lettered choices, and their key from its solution. A wrong key does more harm than a
 * question missed, so whatever could be read in two ways is refused. Choices are shown shuffled: the numbers in the solution are
 * replaced by the choices' texts.
 * @returns the reason if the challenge has choices but no clear key; null if it has no choices
 */
export function readKeyedChoices(task: readonly SourceLine[], solution: readonly SourceLine[]): KeyedChoices | string | null {
  const listed = closingList(task);
  const { min, max } = bounds.course.question.choices;
  if (!listed || listed.items.length < min || listed.items.length > max) return null;
  const texts = listed.items.map(textOf);
  const prompt = textOf(listed.before);
  if (!/\b(?:which|what|select|choose|pick|identify)\b/i.test(prompt) || /\b(?:each|every)\b/i.test(prompt)) return null;
  if (texts.some((text) => /\?\W*$/.test(text))) return null;
  if (texts.some((text) => /\bof the above\b|\bof these\b|\b(?:both|all|either|neither|none)\b/i.test(text)))
    return "one of its choices speaks of the others";
  if (new Set(texts.map((text) => text.replaceAll(/\s+/g, " ").trim())).size < texts.length) return "two of its choices are the same";
  return verdictsOf(listed, solution) ?? statementOf(listed, solution) ?? "its solution does not clearly name the right choice";
}

const itemMark = /^( {0,3})(\d{1,2}|[A-Za-z])[.)][ \t]+(?=\S)/;
const fenceMark = /^\s*(`{3,}(?=[^`]*$)|~{3,})/;

/** The text's only numbered or lettered list, if nothing follows it. */
function closingList(lines: readonly SourceLine[]): Listed | null {
  const before: SourceLine[] = [];
  const items: SourceLine[][] = [];
  const marks: string[] = [];
  let fence = "";
  let width = 0;
  let wasBlank = false;
  for (const line of trimLines(lines)) {
    const { text, number } = line;
    const mark = fence ? null : itemMark.exec(text);
    const last = items.at(-1);
    const isNext = mark && (items.length === 0 ? /^[1aA]$/.test(mark[2] ?? "") : isAfter(marks.at(-1), mark[2] ?? ""));
    const rest = mark && isNext ? text.slice(mark[0].length) : text;
    if (fence) {
      if (text.trim().startsWith(fence) && /^[`~]+$/.test(text.trim())) fence = "";
    } else fence = fenceMark.exec(rest)?.[1] ?? "";
    if (mark && isNext) {
      width = mark[0].length;
      marks.push(mark[2] ?? "");
      items.push([{ text: rest, number }]);
    } else if (!last) {
      if (mark) return null;
      before.push(line);
    } else if (text.trim() === "" || /^ {2}/.test(text)) {
      last.push({ text: text.slice(Math.min(width, text.length - text.trimStart().length)), number });
    } else if (wasBlank || mark || fence) return null;
    else last.push(line);
    wasBlank = text.trim() === "";
  }
  return items.length > 0 && !fence ? { before: trimLines(before), items: items.map(trimLines), marks } : null;
}

const isAfter = (before: string | undefined, mark: string): boolean =>
  before !== undefined &&
  (/^\d+$/.test(before) ? Number(mark) === Number(before) + 1 : mark.length === 1 && mark.charCodeAt(0) === before.charCodeAt(0) + 1);

const yes =
  /^(?:(?:yes|correct|right|true)(?=\s*(?:[.,:;!)–—-]|$))|(?:(?:this|it|that) )?(?:is|was) (?:the )?(?:correct|right)(?: answer| one| option| choice)?(?=\s*(?:[.,:;!]|$)))/i;
const no =
  /^(?:(?:no|incorrect|wrong|false|not correct|not right)(?=\s*(?:[.,:;!)–—-]|$))|(?:(?:this|it|that) )?(?:is|was) (?:incorrect|wrong|not (?:the )?(?:correct|right)))/i;
const praise = /\b(?:correct|right|yes|true|works?|also|same|equivalent|fine|good|valid|better|best|acceptable)\b/i;

/** A solution that judges each choice in a list of its own. */
function verdictsOf(listed: Listed, solution: readonly SourceLine[]): KeyedChoices | string | null {
  const judged = closingList(solution);
  if (!judged || judged.marks.join() !== listed.marks.join()) return null;
  const texts = judged.items.map((item) => textOf(item).replace(/^[*_]+(?=\w)/, ""));
  const right = texts.map((text) => yes.test(text));
  const wrong = texts.map((text) => no.test(text));
  const count = right.filter(Boolean).length;
  const unclear = texts.filter((_text, index) => !right[index] && !wrong[index]);
  if (count === 0 || count === texts.length) return null;
  if (unclear.some((text) => praise.test(text)) || (count > 1 && unclear.length > 0)) return "its solution leaves some choices open";
  if (texts.some((text, index) => right[index] && doubt.test(text.split(/(?<=[.!?])\s/, 2).join(" ")) && count === 1))
    return "its solution has more than one right answer";
  if (/\b(?:not|incorrect|wrong|false|except|invalid|fail)\b|n't\b/i.test(lastParagraph(listed.before)))
    return "it asks for what is not the case, and its solution says yes and no";
  const lead = named(judged.before, listed);
  const feedback = judged.items.map((item) => named(item, listed));
  if (!lead || feedback.some((one) => one === null)) return "its solution speaks of choices by their numbers";
  return {
    kind: count === 1 ? "single" : "multiple",
    prompt: listed.before,
    choices: listed.items.map((lines, index) => {
      const said = right[index] ? [] : (feedback[index] ?? []);
      return { lines, correct: right[index] === true, feedback: said };
    }),
    explanation: trimLines([...lead, ...feedback.flatMap((one, index) => (right[index] ? [blank(one ?? []), ...(one ?? [])] : []))]),
  };
}

const blank = (lines: readonly SourceLine[]): SourceLine => ({ text: "", number: lines[0]?.number ?? 0 });

const lastParagraph = (lines: readonly SourceLine[]): string =>
  textOf(lines)
    .trim()
    .split(/\n\s*\n/)
    .at(-1) ?? "";

const kinds = "(?:options?|answers?|choices?|numbers?|commands?|statements?|solutions?|items?)";
const mark = "[(\"'`*]{0,3}(\\d{1,2}|[A-Za-z])[.]?[)\"'`*]{0,3}";
const end = "(?=\\s*(?:$|[.,;:–—-](?!\\s*(?:\\d|and\\b|or\\b|[a-z]\\b[.,)]))|(?:because|since|as)\\b))";
const statements = [
  new RegExp(
    `^(?:the )?(?:(?:correct|right) (?:answer|solution|option|choice|one|command|statement)|answer|solution) is:? (?:${kinds} )?${mark}${end}`,
    "i",
  ),
  new RegExp(`^(?:the )?(?:correct |right )?(?:answer|solution): ?(?:${kinds} )?${mark}${end}`, "i"),
  new RegExp(`^(?:${kinds} )?${mark} is (?:the )?(?:correct|right|solution|answer)(?: answer| one| option| choice| solution)?${end}`, "i"),
];
/** Words of solutions that allow another answer, or only under a condition. */
const doubt =
  /\b(?:also|too|as well|both|either|equally|equivalent|alternatively|alternative|depend(?:s|ing)?|another (?:correct|right|possible|valid|way|answer|option|choice|solution)|partially|partly|almost|technically|mostly|not the only|acceptable|arguably|same (?:result|output|thing)|multiple|several)\b/i;

/** A solution that names the right choice by its number or letter. */
function statementOf(listed: Listed, solution: readonly SourceLine[]): KeyedChoices | string | null {
  const sentences = textOf(prose(solution))
    .split(/\n\s*\n/)
    .flatMap((paragraph) =>
      paragraph
        .replaceAll(/\s+/g, " ")
        .trim()
        .split(/(?<=[.!?][`"')*]{0,3})\s+(?=\S)/),
    )
    .map((sentence) => sentence.replace(/^[*_]+/, ""));
  const found = sentences.flatMap((sentence) => {
    const match = statements.map((pattern) => pattern.exec(sentence)).find((one) => one !== null);
    return match ? [match[1] ?? ""] : [];
  });
  const letters = listed.marks.map((one) => one.toLowerCase());
  const keys = new Set(found.map((one) => letters.indexOf(one.toLowerCase())));
  const [key = -1] = keys;
  if (keys.size === 0) return null;
  if (keys.size > 1 || key < 0) return "its solution names several choices, or none of its own";
  if (!/^\d/.test(listed.marks[0] ?? "") && found.some((one) => one === "a")) return "its key may be the word “a”";
  if (listed.items.some((item) => letters.includes(textOf(item).replaceAll(/\W/g, "").toLowerCase())))
    return "its choices are themselves numbers or letters";
  if (sentences.some((sentence) => doubt.test(sentence.replaceAll(/`[^`]*`/g, "")))) return "its solution may allow another answer";
  const said = named(withoutStatement(solution), listed) ?? null;
  const explanation = said && said.length > 0 ? said : said && named(solution, listed);
  if (!explanation || explanation.length === 0) return "its solution speaks of choices by their numbers";
  return {
    kind: "single",
    prompt: listed.before,
    choices: listed.items.map((lines, index) => ({ lines, correct: index === key, feedback: [] })),
    explanation,
  };
}

/** Without fenced code. */
function prose(lines: readonly SourceLine[]): SourceLine[] {
  let fence = "";
  return lines.map((line) => {
    if (fence) {
      if (line.text.trim() === fence) fence = "";
      return { ...line, text: "" };
    }
    fence = fenceMark.exec(line.text)?.[1] ?? "";
    return fence ? { ...line, text: "" } : line;
  });
}

/** A solution without a first sentence that says nothing but the key. */
function withoutStatement(solution: readonly SourceLine[]): SourceLine[] {
  const [first, ...rest] = trimLines(solution);
  if (!first) return [];
  const sentence = /^[\s\S]*?[.!](?=\s|$)[`"')*]{0,3}/.exec(first.text)?.[0] ?? (rest[0]?.text.trim() ? "" : first.text);
  const bare = sentence.trim().replace(/^[*_]+/, "");
  const isAlone = statements.some((pattern) => /^\W*$/.test(bare.slice(pattern.exec(bare)?.[0].length ?? 0)) && pattern.test(bare));
  return isAlone ? trimLines([{ ...first, text: first.text.slice(sentence.length).trimStart() }, ...rest]) : [first, ...rest];
}

const leftOver = new RegExp(
  `\\b${kinds}\\s+[(\`"']*(?:\\d{1,2}|[A-H])\\b|\\b(?:first|second|third|fourth|fifth|last|former|latter|next|previous)\\s+${kinds}|^[(\`*]*\\d{1,2}[.)]?[\`*]*\\s+(?:is|are|would|will|does|shows?|and)\\b|\\b(?:see|explanation) above\\b|\\b(?:above|below)\\b`,
  "im",
);

/** A text with the choices' own words in place of their numbers; null where that cannot be done. */
function named(lines: readonly SourceLine[], { items, marks }: Listed): SourceLine[] | null {
  const words = (given: string): string | null => {
    const index = marks.findIndex((one) => one.toLowerCase() === given.toLowerCase());
    const text = index < 0 ? "" : textOf(items[index] ?? []).trim();
    if (text === "" || text.includes("\n") || text.length > 120 || /^[`~]{3}/.test(text)) return null;
    return /^`[^`]+`$/.test(text) ? text : `“${text.replace(/\.$/, "")}”`;
  };
  let isLost = false;
  const replace = (given: string, whole: string): string => {
    const text = words(given);
    if (text === null) isLost = true;
    return text ?? whole;
  };
  const number = /^\d/.test(marks[0] ?? "") ? "\\d{1,2}" : "[A-Ha-h]";
  const spoken = new RegExp(`\\b${kinds} [(\`"']{0,2}(${number})(?![\\w.]\\w)[.]?[)\`"']{0,2}(?=\\W|$)`, "gi");
  const keyed = new RegExp(`\\b((?:answer|solution|one|option|choice) is:?) [(\`"'*]{0,3}(${number})[.]?[)\`"'*]{0,3}(?=\\W|$)`, "gi");
  const leading = new RegExp(`^([(\`*]{1,2})(${number})[.)]{0,2}[\`*)]{1,2}(?=\\s)`);
  let fence = "";
  const read = trimLines(lines).map((line) => {
    const opens = fenceMark.exec(line.text)?.[1] ?? "";
    if (fence || opens) {
      fence = fence ? (line.text.trim() === fence ? "" : fence) : opens;
      return line;
    }
    const text = line.text
      .replaceAll(keyed, (whole: string, said: string, given: string) => `${said} ${replace(given, whole)}`)
      .replaceAll(spoken, (whole: string, given: string) => replace(given, whole))
      .replace(leading, (whole: string, _open: string, given: string) => replace(given, whole));
    return { ...line, text };
  });
  return isLost || leftOver.test(textOf(prose(read)).replaceAll(/“[^”]*”/g, "")) ? null : read;
}
