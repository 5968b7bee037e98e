import type { Topic } from "@colloquy/schemas/courses/authored.ts";
import { parseBlock } from "@colloquy/schemas/courses/parse.ts";

/**
 * Counts the words of a source page that stand in the imported topic. Reads pages its own, plain way, so that it does not share
 * the importers' mistakes: whatever is not known to be markup counts as words.
 */
export function wordsKept(
  source: string,
  topic: Topic,
  options: { hiddenPrefix?: string; saidByThePage?: RegExp } = {},
): { total: number; missing: string[] } {
  const wanted = countsOf(proseOf(source, options));
  const found = countsOf(textOfTopic(topic));
  const missing: string[] = [];
  let total = 0;
  for (const [word, count] of wanted) {
    total += count;
    for (let lost = found.get(word) ?? 0; lost < count; lost += 1) missing.push(word);
  }
  return { total, missing };
}

function proseOf(source: string, { hiddenPrefix, saidByThePage }: { hiddenPrefix?: string; saidByThePage?: RegExp }): string {
  let inCode = false;
  const lines = source
    .replace(/^---\n([\s\S]*?)\n---\n/, (_whole, yaml: string) => `${/^title:\s*(.*)$/m.exec(yaml)?.[1] ?? ""}\n`)
    .replaceAll(/<!--[\s\S]*?-->/g, "")
    .split("\n");
  const kept: string[] = [];
  for (const line of lines) {
    if (/^\s*```/.test(line)) inCode = !inCode;
    else if (inCode) kept.push(hiddenPrefix && line.startsWith(hiddenPrefix) ? "" : line);
    else if (!/^:{3,}/.test(line) && !/^\[[^\]]+\]:\s/.test(line) && !saidByThePage?.test(line)) kept.push(withoutAddresses(line));
  }
  return kept.join("\n");
}

function withoutAddresses(line: string): string {
  return line
    .replaceAll(/\]\((?:[^()\s]|\([^()\s]*\))*\)/g, "] ")
    .replaceAll(/\]\[[^\]]*\]/g, "] ")
    .replaceAll(/\{#[\w-]+\}/g, " ")
    .replaceAll(/\{alt=(['"])(.*)\1\}/g, " $2 ")
    .replaceAll(/<\/?kbd>/g, " ")
    .replaceAll(":numref:", "");
}

/** Every text of a topic that a reader can come to see. */
function textOfTopic(topic: Topic): string {
  const texts = [topic.title, topic.summary ?? "", ...topic.objectives.map((objective) => objective.text)];
  for (const block of topic.blocks) {
    const parsed = parseBlock(block);
    if (parsed.ok)
      texts.push(
        ...textsIn(parsed.block.data).map((text) =>
          parsed.block.type === "core.code" ? text : text.split("\n").map(withoutAddresses).join("\n"),
        ),
      );
  }
  return texts.join("\n");
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    ["kind", "role", "path", "language", "align"].includes(key) ? [] : textsIn(inner),
  );
}

function countsOf(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
