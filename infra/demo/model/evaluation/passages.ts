import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { looksLikeCode, type Passage } from "../segments.ts";
import { terms } from "../terms.ts";

/** A course folder cut into passages, much as a published revision is: for trying the demonstration model without a server. */
export function coursePassages(folder: string): Passage[] {
  return markdownFiles(folder).flatMap((file) => cut(readFileSync(file, "utf8"), file.split("/").at(-1) ?? file));
}

/** The passages a search would put into a prompt for a question: the best by BM25, named s1, s2, …. */
export function search(passages: readonly Passage[], query: string, limit = 10): Passage[] {
  const documents = passages.map((passage) => terms(`${passage.title} ${passage.title} ${passage.trail.join(" ")} ${passage.text}`));
  const mean = documents.reduce((sum, words) => sum + words.length, 0) / Math.max(1, documents.length);
  const wanted = [...new Set(terms(query))];
  const frequency = new Map(wanted.map((term) => [term, documents.filter((words) => words.includes(term)).length]));
  return passages
    .map((passage, index) => {
      const words = documents[index] ?? [];
      let score = 0;
      for (const term of wanted) {
        const count = words.filter((word) => word === term).length;
        const n = frequency.get(term) ?? 0;
        score +=
          (Math.log(1 + (documents.length - n + 0.5) / (n + 0.5)) * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * words.length) / mean));
      }
      return { passage, score };
    })
    .filter((entry) => entry.score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ passage }, index) => ({ ...passage, id: `s${index + 1}` }));
}

function markdownFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .toSorted()
    .flatMap((name) => {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) return markdownFiles(path);
      return name.endsWith(".md") && !/^(?:license|summary|title_page|readme)/i.test(name) ? [path] : [];
    });
}

function cut(source: string, file: string): Passage[] {
  const title =
    /^title:\s*(.+)$/m.exec(source.slice(0, 400))?.[1]?.replace(/^["']|["']$/g, "") ?? /^#?\s*(.+)\n=+$/m.exec(source)?.[1] ?? file;
  const lines = source
    .replace(/^---\n[\s\S]*?\n---\n/, "")
    .replace(/^<!--[\s\S]*?-->$/gm, "")
    .split("\n");
  const passages: Passage[] = [];
  let heading = title;
  let open: string[] = [];
  const close = () => {
    const text = open.join("\n").trim();
    open = [];
    if (text) for (const part of parts(text)) passages.push({ id: "", title: heading, trail: [title], text: part });
  };
  let fence = false;
  for (const [index, line] of lines.entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) fence = !fence;
    const named = fence
      ? null
      : (/^#{1,6}\s+(.+)$/.exec(line)?.[1] ?? (/^[-=]{4,}\s*$/.test(lines[index + 1] ?? "") && line.trim() ? line.trim() : null));
    if (named !== null) {
      close();
      heading = named.replace(/\s*\{#.*\}$/, "");
    } else if (!fence && /^(?::{3,}|[-=]{4,}\s*$)/.test(line)) close();
    else open.push(line);
  }
  close();
  return passages;
}

/** At most 1,400 characters each, cut between paragraphs. */
function parts(text: string): string[] {
  const paragraphs = text.split(/\n{2,}(?=(?:[^`]|`(?!``))*(?:(?:```(?:[^`]|`(?!``))*```)(?:[^`]|`(?!``))*)*$)/);
  const result: string[] = [];
  for (const paragraph of paragraphs) {
    const last = result.at(-1);
    if (last !== undefined && (last.length + paragraph.length < 1_300 || (looksLikeCode(paragraph) && last.length < 1_000)))
      result[result.length - 1] = `${last}\n\n${paragraph}`.slice(0, 1_400);
    else result.push(paragraph.slice(0, 1_400));
  }
  return result;
}
