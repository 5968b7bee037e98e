import type { BlockData, ParseResult } from "../blocks.ts";
import { remark } from "../remarks.ts";
import { optionalField, present, readSource, trimBlock, writeSource } from "./source.ts";

const mark = "`:::`";
const directive = /^:{3,}[ \t]*([a-z]*)(.*)$/s;

interface Section {
  kind: "hint" | "solution";
  title: string;
  line: number;
  lines: string[];
}

/**
 * `core.exercise`: header `title`; the task in Markdown; then hints and solutions, each from a line `::: hint` or
 * `::: solution <title>` to a line `:::`. A line of the text itself that begins with `:::` is written `\:::`.
 */
export function parseExercise(text: string): ParseResult<"core.exercise"> {
  const source = readSource(text, ["title"]);
  const { errors } = source;
  const task: string[] = [];
  const sections: Section[] = [];
  let open: Section | null = null;
  for (const [index, raw] of source.body.split("\n").entries()) {
    const line = source.bodyLine + index;
    const found = raw.startsWith(":::") ? directive.exec(raw.trimEnd()) : null;
    if (!found) {
      const kept = /^\\+:::/.test(raw) ? raw.slice(1) : raw;
      if (open) open.lines.push(kept);
      else if (sections.length === 0) task.push(kept);
      else if (raw.trim()) {
        errors.push({ line, ...remark("exercise-text") });
        break;
      }
      continue;
    }
    const name = found[1] ?? "";
    const title = (found[2] ?? "").trim();
    if (open) {
      if (name) {
        errors.push({ line, ...remark(`${open.kind}-within`, { line: open.line, mark }) });
        break;
      }
      open = null;
    } else if (name === "hint" || name === "solution") {
      if (name === "hint" && title) errors.push({ line, ...remark("hint-title", { hint: "`::: hint`" }) });
      open = { kind: name, title, line, lines: [] };
      sections.push(open);
    } else {
      errors.push({ line, ...remark("exercise-mark", { hint: "`::: hint`", solution: "`::: solution`", escaped: "`\\:::`" }) });
      break;
    }
  }
  if (open) errors.push({ line: open.line, ...remark(`${open.kind}-open`, { mark }) });
  const markdown = trimBlock(task.join("\n"));
  if (errors.length === 0 && !markdown) errors.push({ line: source.bodyLine, ...remark("exercise-empty") });
  const parts = sections.map((section) => ({ ...section, markdown: trimBlock(section.lines.join("\n")) }));
  if (errors.length === 0) for (const part of parts) if (!part.markdown) errors.push({ line: part.line, ...remark(`${part.kind}-empty`) });
  if (errors.length) return { ok: false, errors };
  const data: BlockData["core.exercise"] = {
    ...present("title", optionalField(source, "title")),
    markdown,
    hints: parts.filter((part) => part.kind === "hint").map((part) => part.markdown),
    solutions: parts
      .filter((part) => part.kind === "solution")
      .map((part) => ({ ...present("title", part.title || undefined), markdown: part.markdown })),
  };
  return { ok: true, data };
}

export function formatExercise({ title, markdown, hints, solutions }: BlockData["core.exercise"]): string {
  const parts = [
    escapeMarks(markdown),
    ...hints.map((hint) => `::: hint\n${escapeMarks(hint)}\n:::`),
    ...solutions.map(
      (solution) =>
        `::: solution${solution.title ? ` ${solution.title.replaceAll(/\s+/g, " ")}` : ""}\n${escapeMarks(solution.markdown)}\n:::`,
    ),
  ];
  return writeSource({ title }, parts.join("\n\n"));
}

const escapeMarks = (markdown: string): string => markdown.replaceAll(/^(?=\\*:::)/gm, "\\");
