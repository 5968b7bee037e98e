import { textLines } from "../markdown-text.ts";

/**
 * Takes the links to an address out of one line of a source and keeps their words. If the line defines the address for others, the definition
 * and all links that use it are taken out.
 * @param line from 1
 * @returns null where the line has no link to it that can be taken out by itself
 */
export function withoutLink(source: string, line: number, href: string): string | null {
  const lines = source.split("\n");
  const text = lines[line - 1];
  if (text === undefined) return null;
  const address = escaped(href);
  const [, label] = new RegExp(`^ {0,3}\\[(?!\\^)([^[\\]]+)\\]:[ \\t]*<?${address}>?(?:\\s|$)`).exec(text) ?? [];
  if (label !== undefined) return withoutDefinition(lines, line, label);
  const link = new RegExp(`(?<![!\\\\])\\[([^[\\]]+)\\]\\(\\s*<?${address}>?(?:\\s+"[^"]*")?\\s*\\)`, "g");
  const rest = text.replaceAll(link, "$1");
  return rest === text ? null : lines.with(line - 1, rest).join("\n");
}

/** Null if pictures use the definition too: without it they would be lost. */
function withoutDefinition(lines: string[], line: number, label: string): string | null {
  const name = escaped(label);
  if (new RegExp(`!(?:\\[[^[\\]]*\\])?\\[${name}\\]`, "i").test(lines.join("\n"))) return null;
  const use = new RegExp(`(?<!\\\\)\\[([^[\\]]+)\\]\\[${name}\\]|(?<!\\\\)\\[(${name})\\](?:\\[\\])?(?![[(:])`, "gi");
  const rest = [...lines];
  for (const { line: at } of textLines(lines.join("\n"))) {
    // Between code spans.
    const parts = (rest[at - 1] ?? "").split(/(`+[^`]*`+)/);
    rest[at - 1] = parts
      .map((part, index) => (index % 2 ? part : part.replaceAll(use, (_all, words?: string, own?: string) => words ?? own ?? "")))
      .join("");
  }
  rest.splice(line - 1, 1);
  const text = rest.join("\n");
  return text.trim() === "" ? null : lines.slice(line).join("").trim() === "" ? text.trimEnd() : text;
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
