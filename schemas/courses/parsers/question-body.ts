import type { QuestionKind, SourceError } from "../blocks.ts";
import { remark } from "../remarks.ts";
import { fenceTracker } from "./fences.ts";
import { quoted, trimBlock } from "./source.ts";

/** The body of a question: its prompt, the lines of its key and its sections (`::: hint` … `:::`). Nothing in fenced code is a mark. */

export interface KeyItem {
  line: number;
  /** As written, such as `- [x] `. */
  mark: string;
  /** Without the mark, and without the indentation of further lines. */
  lines: string[];
}

export const sectionNames = ["hint", "explanation", "rubric", "answer"] as const;
export type SectionName = (typeof sectionNames)[number];

export interface Section {
  name: SectionName;
  line: number;
  lines: string[];
}

export interface QuestionBody {
  prompt: string;
  promptLine: number;
  items: KeyItem[];
  sections: Section[];
}

/** How a line of the key begins, by kind; how it is shown to authors; and whether indented lines may follow it. */
export const keyForms: Record<QuestionKind, { mark: RegExp; form: string; indent: number } | null> = {
  single: { mark: /^[-*+] \[[ xX]\](?:[ \t]+|$)/, form: "`- [ ] …`", indent: 2 },
  multiple: { mark: /^[-*+] \[[ xX]\](?:[ \t]+|$)/, form: "`- [ ] …`", indent: 2 },
  text: { mark: /^=(?:[ \t]+|$)/, form: "`= …`", indent: 0 },
  number: { mark: /^=(?:[ \t]+|$)/, form: "`= …`", indent: 0 },
  order: { mark: /^\d{1,9}[.)](?:[ \t]+|$)/, form: "`1. …`", indent: 3 },
  match: { mark: /^[-*+][ \t]+(?=(?:[^\n]*[^\\])?=>)/, form: "`- … => …`", indent: 0 },
  gap: null,
  free: null,
};

const sectionMark = /^:{3,}[ \t]*([a-z]*)(.*)$/s;
const closing = quoted(":::");
export const opening = (name: SectionName): string => quoted(`::: ${name}`);
const sectionOrigin = /^\\+:::/;

/** @param sections those that the kind of question may have */
export function readQuestionBody(
  body: string,
  bodyLine: number,
  kind: QuestionKind,
  sections: readonly SectionName[],
  errors: SourceError[],
): QuestionBody {
  const form = keyForms[kind];
  const prompt: string[] = [];
  const read: QuestionBody = { prompt: "", promptLine: bodyLine, items: [], sections: [] };
  const fences = fenceTracker();
  let fenceLine = 0;
  let open: Section | null = null;
  let last: Section | null = null;

  /** Takes a line that is no mark. */
  const take = (text: string, line: number): SourceError | null => {
    const item = read.items.at(-1);
    if (open) open.lines.push(text);
    else if (last) return text.trim() === "" ? null : { line, ...remark("section-text", { open: opening(last.name) }) };
    else if (!item) prompt.push(text);
    else if (text.trim() === "" || (form && form.indent > 0 && /^(?: {2}|\t)/.test(text)))
      item.lines.push(dedented(text, form?.indent ?? 0));
    else return { line, ...remark("question-line", { form: form?.form ?? "" }) };
    return null;
  };

  for (const [index, raw] of body.split("\n").entries()) {
    const line = bodyLine + index;
    const wasOpen = fences.isOpen();
    const isMark = !wasOpen && (raw.startsWith(":::") || (!open && !last && form?.mark.test(raw)));
    if (!isMark) {
      const text = wasOpen || !isEscaped(raw, open || last || read.items.length > 0 ? null : (form?.mark ?? null)) ? raw : raw.slice(1);
      fences.next(text);
      if (!wasOpen && fences.isOpen()) fenceLine = line;
      const wrong = take(text, line);
      if (wrong) {
        errors.push(wrong);
        return read;
      }
      continue;
    }
    if (!raw.startsWith(":::")) {
      const mark = form?.mark.exec(raw)?.[0] ?? "";
      fences.next(raw);
      if (fences.isOpen()) fenceLine = line;
      read.items.push({ line, mark, lines: [raw.slice(mark.length)] });
      continue;
    }
    const [, name = "", rest = ""] = sectionMark.exec(raw.trimEnd()) ?? [];
    if (open) {
      if (name) {
        errors.push({ line, ...remark("section-within", { open: opening(open.name), line: open.line, mark: closing }) });
        return read;
      }
      open = null;
      continue;
    }
    const known = sections.find((section) => section === name);
    if (!known) {
      errors.push({ line, ...remark("section-mark", { marks: sections.map(opening).join(", "), escaped: quoted("\\:::") }) });
      return read;
    }
    if (rest.trim()) errors.push({ line, ...remark("section-title", { open: opening(known) }) });
    if (known !== "hint" && read.sections.some((section) => section.name === known))
      errors.push({ line, ...remark("section-twice", { open: opening(known) }) });
    open = { name: known, line, lines: [] };
    last = open;
    read.sections.push(open);
  }
  if (fences.isOpen()) errors.push({ line: fenceLine, ...remark("fence-open", { mark: quoted("```") }) });
  else if (open) errors.push({ line: open.line, ...remark("section-open", { open: opening(open.name), mark: closing }) });
  read.prompt = trimBlock(prompt.join("\n"));
  read.promptLine =
    bodyLine +
    Math.max(
      prompt.findIndex((text) => text.trim() !== ""),
      0,
    );
  return read;
}

function isEscaped(line: string, mark: RegExp | null): boolean {
  return sectionOrigin.test(line) || (mark !== null && /^\\/.test(line) && mark.test(line.replace(/^\\+/, "")));
}

const dedented = (line: string, indent: number): string =>
  line.startsWith("\t") ? line.slice(1) : line.replace(/^ +/, (run) => run.slice(indent));

/** A text with a backslash before each line that would be a mark; of the key's mark, too, for a prompt. */
export function escapeMarks(markdown: string, mark: RegExp | null): string {
  const fences = fenceTracker();
  return markdown
    .split("\n")
    .map((line) => {
      if (fences.next(line)) return line;
      const bare = line.replace(/^\\+/, "");
      return bare.startsWith(":::") || mark?.test(bare) ? `\\${line}` : line;
    })
    .join("\n");
}
