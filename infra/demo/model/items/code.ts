import { seeded, shuffled } from "../facts.ts";
import { type Passage, segmentsOf } from "../segments.ts";
import { distinct, type Item } from "./item.ts";

/** A line of code with what the course says of it in a comment. */
interface Commented {
  passage: Passage;
  code: string;
  comment: string;
  kind: "type" | "value" | "printed" | "says";
}

/** Questions about lines of code that the course itself comments: what comes out, which type it has, which line does what. */
export function codeItems(passages: readonly Passage[]): Item[] {
  const lines = passages.flatMap(commentedLines);
  return lines.flatMap((line) => item(line, lines) ?? []);
}

const asked: Record<Commented["kind"], (code: string) => string> = {
  type: (code) => `What type does the course give for \`${code}\`?`,
  value: (code) => `What is the value of \`${code}\`?`,
  printed: (code) => `What does this line print? \`${code}\``,
  says: (code) => `Which comment does the course give this line? \`${code}\``,
};

function item(line: Commented, all: readonly Commented[]): Item | null {
  const { kind, code, comment, passage } = line;
  const alike = all.filter((other) => other.kind === kind && other !== line && other.code !== code);
  const prompt = asked[kind](code);
  // The same sort of answer as the right one: values beside values of about their length.
  const near = alike.toSorted((a, b) => distance(a, line) - distance(b, line));
  const wrong = distinct(
    near.map((other) => other.comment),
    [comment],
  ).slice(0, 3);
  if (wrong.length < 2 || prompt.length > 400) return null;
  const shown = (text: string) => (kind === "says" ? text : `\`${text}\``);
  const choices = [{ text: shown(comment), correct: true }, ...wrong.map((text) => ({ text: shown(text), correct: false }))];
  return {
    kind: "single",
    prompt,
    passage,
    text: `${code}  ${comment}`,
    choices: shuffled(choices, seeded(prompt)),
    explanation: `The course's code has \`${code}\` with the comment: ${comment}`,
  };
}

const distance = (a: Commented, b: Commented): number => Math.abs(a.comment.length - b.comment.length) + (a.passage === b.passage ? 0 : 4);

const withComment = /^\s*(\S.*?\S)\s{2,}(?:--|#|\/\/)\s+(\S.{0,100})$/;
const prose = /\b(?:the|is|are|as|of|same|see|note|error|this|like|to|output)\b/i;

function commentedLines(passage: Passage): Commented[] {
  return segmentsOf(passage).flatMap((segment) => {
    if (segment.kind !== "code") return [];
    return segment.text.split("\n").flatMap((line) => {
      const found = withComment.exec(line);
      const code = found?.[1];
      const comment = found?.[2]?.replace(/^output:\s*/i, "").trim();
      if (!code || !comment || code.includes("`") || comment.includes("`") || /^(?:--|#\s|\/\/)/.test(code)) return [];
      const result = !prose.test(comment) && !/["“]/.test(comment);
      if (/^#check\s/.test(code)) return result ? { passage, comment, kind: "type" as const, code: code.replace(/^#check\s+/, "") } : [];
      if (/^#(?:eval|reduce)\s/.test(code))
        return result ? { passage, comment, kind: "value" as const, code: code.replace(/^#\w+\s+/, "") } : [];
      if (/^(?:print|console\.log)\(/.test(code)) return result ? { passage, comment, kind: "printed" as const, code } : [];
      return /^[\p{Ll}"“]/u.test(comment) && comment.split(" ").length >= 3 ? { passage, comment, kind: "says" as const, code } : [];
    });
  });
}
