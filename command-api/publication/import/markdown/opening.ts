import type { DraftTopic } from "./draft.ts";
import { withoutMarks } from "./marks.ts";
import { plainText } from "./plain-text.ts";

/** A course's summary: the description its authors gave, or the first sentence of the first pages that says something; and who wrote it. */
export function openingOf(book: { description?: string | undefined; authors: readonly string[] }, topics: readonly DraftTopic[]): string {
  const opening =
    book.description ??
    topics
      .slice(0, 3)
      .map(firstSentence)
      .find((sentence) => sentence.length > 60) ??
    "";
  const names = book.authors.map((name) => name.replace(/\s*<[^<>]*>$/, ""));
  const authors = names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names.join("");
  return [opening, authors && `By ${authors}.`].filter(Boolean).join(" ");
}

function firstSentence(topic: DraftTopic): string {
  const theory = topic.blocks.find((block) => block.type === "core.theory" && /^[^#\s]|\n\n[^#]/.test(block.data.markdown));
  const markdown = theory?.type === "core.theory" ? theory.data.markdown : "";
  const paragraph = markdown.split(/\n{2,}/).find((part) => /^[\p{L}*_]/u.test(part)) ?? "";
  return /^.*?[.!?](?=\s|$)/s.exec(plainText(withoutMarks(paragraph)))?.[0] ?? "";
}
