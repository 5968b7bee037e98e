import type { PlainMessageKey } from "@colloquy/messages/translator.ts";
import { msg } from "../messages/page.ts";
/** Commands that can be typed after "/" at the beginning of the text. */
export type CommandName = "quiz" | "tutor" | "ask" | "model" | "help";

export interface Command {
  name: CommandName;
  /** A one-line description. */
  about: PlainMessageKey;
  /** The argument's description; null for commands that act at once and send nothing. */
  takes: PlainMessageKey | null;
}

export const commands: readonly Command[] = [
  { name: "quiz", about: "composer.questionsCheckKnow", takes: "composer.whatAbout" },
  {
    name: "tutor",
    about: "composer.taughtStepStepQuestions",
    takes: "composer.whatWantLearn",
  },
  { name: "ask", about: "composer.questionWithoutCommand", takes: "composer.yourQuestion" },
  { name: "model", about: "composer.chooseModel", takes: null },
  { name: "help", about: "composer.commandsAndKeys", takes: null },
];

export const commandNames: readonly CommandName[] = commands.map(({ name }) => name);

/** Names of features that are elsewhere: typing them shows where. */
const elsewhere = new Map<string, PlainMessageKey>([["explain", "composer.filmsMadePageCourse"]]);

/** A parsed text. */
export type ParsedCommand =
  | { kind: "send"; text: string; asked: boolean }
  /** Sends nothing: switches to the tutor with this goal. */
  | { kind: "tutor"; goal: string }
  /** Sends nothing: the composer acts. */
  | { kind: "act"; name: "model" | "help" }
  /** Sends nothing, for this reason. */
  | { kind: "refuse"; words: string };

/**
 * Parses a text to be sent. `asked`: a command marks it as a question or a quiz request, even during tutoring. `/quiz` stays in the text,
 * because the service and later readers recognise it. Other words after "/" (such as paths) are plain text. Pure.
 * @param offered the commands that work here; others are refused
 */
export function parseCommand(text: string, offered: readonly CommandName[] = commandNames): ParsedCommand {
  const [, name = "", rest = ""] = /^\s*\/([a-z]+)(?=\s|$)\s*([\s\S]*)$/i.exec(text) ?? [];
  const command = name.toLowerCase();
  const known = commandNames.find((one) => one === command);
  if (known && !offered.includes(known)) return { kind: "refuse", words: msg("composer.commandNotHere") };
  if (command === "model" || command === "help") return { kind: "act", name: command };
  if (command === "tutor") return { kind: "tutor", goal: rest.trim() };
  if (command === "ask")
    return rest.trim() ? { kind: "send", text: rest, asked: true } : { kind: "refuse", words: msg("composer.writeQuestionAfterAsk") };
  const refusal = elsewhere.get(command);
  return refusal ? { kind: "refuse", words: msg(refusal) } : { kind: "send", text, asked: command === "quiz" };
}

/** The commands that begin with this text. Pure. */
export const commandsLike = (query: string): Command[] => commands.filter(({ name }) => name.startsWith(query.toLowerCase()));
