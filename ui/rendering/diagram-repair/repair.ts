import { classLine, joinNotes, notesOutOfBodies } from "./class-lines.ts";
import { flowLine, quoteLabels } from "./flow-lines.ts";
import { relationLine, sequenceLine, sliceLine, stateLine } from "./other-lines.ts";

/**
 * Repairs common mistakes of models in Mermaid source, line by line. Only for source that the parser rejected: it could change the meaning of
 * valid source. The result is parsed again and drawn only if it is valid.
 */
export function repairDiagram(source: string): string {
  const lines = headed(withoutFences(straightQuotes(source)).split("\n").map(comment));
  const kind = kindOf(lines);
  switch (kind) {
    case "classDiagram":
      return notesOutOfBodies(joinNotes(lines).flatMap(classLine)).join("\n");
    case "flowchart":
    case "graph":
      return lines.flatMap(flowLine).join("\n");
    case "sequenceDiagram":
      return balanced(lines.map(sequenceLine), /^\s*(?:loop|alt|opt|par|critical|break|rect|box)\b/, /^\s*end\s*$/, "end").join("\n");
    case "stateDiagram":
    case "stateDiagram-v2":
      return balanced(notesLast(joinNotes(lines).map(stateLine)), /\{\s*$/, /^\s*\}\s*$/, "}").join("\n");
    case "erDiagram":
      return lines.map(relationLine).join("\n");
    case "pie":
      return lines.map(sliceLine).join("\n");
    case "mindmap":
      return lines.map(quoteLabels).join("\n");
    default:
      return lines.join("\n");
  }
}

/**
 * Repairs source that is valid but misread: a note inside a class's body would become a member. Null if there is none.
 */
export function misreadDiagram(source: string): string | null {
  const lines = source.split("\n");
  if (kindOf(lines) !== "classDiagram") return null;
  const moved = notesOutOfBodies(lines).join("\n");
  return moved === source ? null : moved;
}

const kinds = ["classDiagram", "flowchart", "graph", "sequenceDiagram", "stateDiagram-v2", "stateDiagram", "erDiagram", "pie", "mindmap"];

/** The line with the diagram type: the first one after front matter that is neither empty nor a comment. */
function headAt(lines: readonly string[]): number {
  const start = lines[0]?.trim() === "---" ? lines.indexOf("---", 1) + 1 : 0;
  return lines.findIndex((line, index) => index >= start && line.trim() !== "" && !line.trim().startsWith("%%"));
}

const kindOf = (lines: readonly string[]): string => /^\s*([\w-]+)/.exec(lines[headAt(lines)] ?? "")?.[1] ?? "";

/** Normalises the line with the diagram type: Mermaid's spelling, no `mermaid` line before it, nothing after it. */
function headed(given: string[]): string[] {
  const lines = given.filter((line, index) => !(index === headAt(given) && /^\s*mermaid\s*$/i.test(line)));
  const at = headAt(lines);
  const head = lines[at] ?? "";
  const word = kindOf(lines);
  const known = kinds.find((kind) => kind.toLowerCase() === word.toLowerCase());
  if (!known) return lines;
  const [, direction, rest] = /^(\s+(?:TB|TD|BT|RL|LR))\s+([^\s;%].*)$/.exec(head.trim().slice(word.length)) ?? [];
  return lines.toSpliced(at, 1, ...(direction && rest ? [known + direction, rest] : [head.replace(word, known)]));
}

const straightQuotes = (text: string): string => text.replace(/[“”„«»]/g, '"').replace(/[‘’‚]/g, "'");

const withoutFences = (text: string): string =>
  text
    .split("\n")
    .filter((line) => !/^\s*(?:```|~~~)/.test(line))
    .join("\n");

const comment = (line: string): string => line.replace(/^(\s*)\/\/+/, "$1%%");

/** Moves notes to the end: a note on a state that is not declared yet cannot be drawn. */
function notesLast(lines: string[]): string[] {
  const isNote = (line: string) => /^note (?:right|left) of \w+ : /.test(line.trimStart());
  return lines.some((line) => line.includes("{")) ? lines : [...lines.filter((line) => !isNote(line)), ...lines.filter(isNote)];
}

/** Removes surplus block ends and adds missing ones. */
function balanced(lines: string[], open: RegExp, close: RegExp, end: string): string[] {
  let depth = 0;
  const kept = lines.filter((line) => {
    if (open.test(line)) depth += 1;
    else if (close.test(line)) {
      if (depth === 0) return false;
      depth -= 1;
    }
    return true;
  });
  return [...kept, ...Array.from({ length: depth }, () => end)];
}
