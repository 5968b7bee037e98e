import { exportedConversation } from "@colloquy/schemas/conversations/export.ts";
import type { Conversation } from "@colloquy/schemas/conversations/requests.ts";
import { keyText, questionMarkdown } from "@colloquy/schemas/questions/key-text.ts";
import type { Quiz } from "@colloquy/schemas/quiz/quiz.ts";

/** A conversation as Markdown: its questions, answers with their sources, quizzes with their keys. Pure. `origin`: of the site, for the links. */
export function conversationAsMarkdown(conversation: Conversation, origin: string): string {
  const { title, createdAt, turns } = exportedConversation(conversation);
  const replaced = new Set(turns.flatMap((turn) => turn.replaces ?? []));
  const parts = turns
    .filter(({ turnId }) => !replaced.has(turnId))
    .map(({ question, answer, citations, artifact, outcome, at }) => {
      const sources = citations.map(
        ({ number, title: name, href, quote }) => `[^${number}]: [${plain(name)}](${origin}${href}): “${oneLine(quote)}”`,
      );
      return [
        `## ${plain(question)}`,
        at ? `*${at.slice(0, 16).replace("T", " ")} UTC*` : "",
        answer.trim(),
        artifact ? quizWithKey(artifact) : "",
        outcome === "stopped" ? "*(stopped)*" : "",
        sources.join("\n"),
      ]
        .filter(Boolean)
        .join("\n\n");
    });
  const begun = createdAt ? `*Begun ${createdAt.slice(0, 10)}*\n\n` : "";
  return `# ${plain(title)}\n\n${begun}${parts.join("\n\n---\n\n")}\n`;
}

function quizWithKey({ title, questions }: Quiz): string {
  const asked = questions.map((question, index) => {
    if ("key" in question) {
      const { key } = question;
      const parts = [questionMarkdown(key), keyText(key), key.explanation ?? ""].filter(Boolean);
      return `${index + 1}. ${parts.map(indented).join("\n\n   ")}`;
    }
    const { prompt, choices, correct, explanation } = question;
    const lines = choices.map(({ choiceId, text }) => `   - [${correct.includes(choiceId) ? "x" : " "}] ${indented(text)}`);
    return `${index + 1}. ${indented(prompt)}\n${lines.join("\n")}\n\n   ${indented(explanation)}`;
  });
  return `**${title}**\n\n${asked.join("\n\n")}`;
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
/** Escapes Markdown and HTML, so that titles and questions appear as typed. */
const plain = (text: string): string => oneLine(text).replace(/[\\`*_[\]<>#&|~$]/g, "\\$&");
const indented = (text: string): string => text.replace(/\n/g, "\n     ");

/** A name for a file: letters and digits of the title, or a word where there are none. */
export function fileNameOf(title: string, ending: string): string {
  const words = title
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .match(/[\p{L}\p{N}]+/gu);
  return `${(words ?? ["conversation"]).join("-").slice(0, 60)}.${ending}`;
}
