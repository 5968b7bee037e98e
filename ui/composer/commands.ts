import { marked, msg, said } from "../messages/page.ts";
/** What can be written after a "/" at the beginning of the text. */
export type CommandName = "quiz" | "tutor" | "ask" | "model" | "help";

export interface Command {
  name: CommandName;
  /** What it does, in a line. */
  about: string;
  /** What may be written after it; null when it acts at once and sends nothing. */
  takes: string | null;
}

export const commands: readonly Command[] = [
  { name: "quiz", about: marked("Questions to check what you know"), takes: marked("what about") },
  {
    name: "tutor",
    about: marked("Be taught step by step, with questions that show what you know"),
    takes: marked("what you want to be able to do"),
  },
  { name: "ask", about: marked("A question, as without a command"), takes: marked("your question") },
  { name: "model", about: marked("Choose who answers"), takes: null },
  { name: "help", about: marked("Commands and keys"), takes: null },
];

/** Names that are not a question either: what people expect of them begins elsewhere. */
const elsewhere: Record<string, string> = {
  explain: marked(
    "Films are made from a page of a course: open it and choose “Make a film of this page”. Take /explain away, and this is sent as a question.",
  ),
};

/** A text that begins with a command, as it is to be understood. */
export type Commanded =
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
export function understand(text: string): Commanded {
  const [, name = "", rest = ""] = /^\s*\/([a-z]+)(?=\s|$)\s*([\s\S]*)$/i.exec(text) ?? [];
  const command = name.toLowerCase();
  if (command === "model" || command === "help") return { kind: "act", name: command };
  if (command === "tutor") return { kind: "tutor", goal: rest.trim() };
  if (command === "ask")
    return rest.trim() ? { kind: "send", text: rest, asked: true } : { kind: "refuse", words: msg("Write a question after /ask.") };
  const words = Object.hasOwn(elsewhere, command) ? said(elsewhere[command] ?? "") : undefined;
  return words === undefined ? { kind: "send", text, asked: command === "quiz" } : { kind: "refuse", words };
}

/** The commands whose name begins so. Pure. */
export const commandsLike = (query: string): Command[] => commands.filter(({ name }) => name.startsWith(query.toLowerCase()));
