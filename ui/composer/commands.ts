import type { PlainMessageKey } from "@colloquy/messages/translator.ts";
import { msg } from "../messages/page.ts";
/** What can be written after a "/" at the beginning of the text. */
export type CommandName = "quiz" | "tutor" | "ask" | "model" | "help";

export interface Command {
  name: CommandName;
  /** What it does, in a line. */
  about: PlainMessageKey;
  /** What may be written after it; null when it acts at once and sends nothing. */
  takes: PlainMessageKey | null;
}

export const commands: readonly Command[] = [
  { name: "quiz", about: "composer.questionsCheckKnow", takes: "composer.whatAbout" },
  {
    name: "tutor",
    about: "composer.taughtStepStepQuestions",
    takes: "composer.wantAbleDo",
  },
  { name: "ask", about: "composer.questionWithoutCommand", takes: "composer.yourQuestion" },
  { name: "model", about: "composer.chooseWhoAnswers", takes: null },
  { name: "help", about: "composer.commandsAndKeys", takes: null },
];

/** Names that are not a question either: what people expect of them begins elsewhere. */
const elsewhere = new Map<string, PlainMessageKey>([["explain", "composer.filmsMadePageCourse"]]);

/** A text that begins with a command, as it is to be understood. */
export type ParsedCommand =
  | { kind: "send"; text: string; asked: boolean }
  /** Nothing is sent: the tutor is turned to, with this as the goal. */
  | { kind: "tutor"; goal: string }
  /** Nothing is sent: the composer acts. */
  | { kind: "act"; name: "model" | "help" }
  /** Nothing is sent, and this is why. */
  | { kind: "refuse"; words: string };

/**
 * What sending a text means; `asked`: a command says that it is a question, or a wish for a quiz, whatever else is going on. `/quiz` stays in it: the service and whoever reads the conversation later know it by that. Any other
 * word after a "/" (a path, say) is just text. Pure.
 */
export function parseCommand(text: string): ParsedCommand {
  const [, name = "", rest = ""] = /^\s*\/([a-z]+)(?=\s|$)\s*([\s\S]*)$/i.exec(text) ?? [];
  const command = name.toLowerCase();
  if (command === "model" || command === "help") return { kind: "act", name: command };
  if (command === "tutor") return { kind: "tutor", goal: rest.trim() };
  if (command === "ask")
    return rest.trim() ? { kind: "send", text: rest, asked: true } : { kind: "refuse", words: msg("composer.writeQuestionAfterAsk") };
  const refusal = elsewhere.get(command);
  return refusal ? { kind: "refuse", words: msg(refusal) } : { kind: "send", text, asked: command === "quiz" };
}

/** The commands whose name begins so. Pure. */
export const commandsLike = (query: string): Command[] => commands.filter(({ name }) => name.startsWith(query.toLowerCase()));
