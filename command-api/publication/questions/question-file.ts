import { type Question, questionLevels, questionPlaces } from "@colloquy/schemas/courses/blocks.ts";
import { formatQuestion, parseQuestion } from "@colloquy/schemas/courses/parsers/question.ts";
import { QuestionRefused } from "./html.ts";

/** `objective`: the id or text of one, as the file names it. */
export interface ReadQuestion {
  question: Question;
  objective?: string;
}

/** What became of a file of another program's questions. */
export interface ReadQuestions {
  questions: ReadQuestion[];
  /** Questions not taken, or not wholly: their names, and why. */
  notes: { name: string; what: string; done: string }[];
}

/** What a file may say of a question's place in a course, each by its name in our headers; other programs keep it as tags or attributes. */
export type StatedFields = Readonly<Record<string, string>>;
export const statedFields = ({ objective, level, place }: Question): [string, string][] => [
  ...(objective === undefined ? [] : [["objective", objective] as [string, string]]),
  ["level", level],
  ["place", place],
];

/** A question of a course as another program states it. */
export type QuestionKey = Question extends infer Kind
  ? Kind extends Question
    ? Omit<Kind, "level" | "about" | "place" | "objective">
    : never
  : never;

/** Collects questions; what cannot be a question of a course is named with the reason. */
export function collectQuestions(): ReadQuestions & {
  take(name: string, stated: StatedFields, read: (note: (what: string, done: string) => void) => QuestionKey): void;
} {
  const questions: ReadQuestion[] = [];
  const notes: ReadQuestions["notes"] = [];
  return {
    questions,
    notes,
    take(name, { objective, level: statedLevel, place: statedPlace }, read) {
      const own: ReadQuestions["notes"] = [];
      try {
        const key = read((what, done) => own.push({ name, what, done }));
        const explanation = key.explanation?.trim() || undefined;
        if (key.kind !== "free" && !explanation)
          own.push({ name, what: "no explanation", done: "its right answer stands there; write one" });
        const said = explanation ?? (key.kind === "free" ? undefined : rightAnswer(key));
        const { explanation: _unread, ...rest } = key;
        const level = questionLevels.find((one) => one === statedLevel) ?? "recall";
        const place = questionPlaces.find((one) => one === statedPlace) ?? "bank";
        const whole = { ...rest, level, about: [], place, ...(said !== undefined && { explanation: said }) };
        const parsed = parseQuestion(formatQuestion(whole as Question));
        if (!parsed.ok) throw new QuestionRefused(parsed.errors[0]?.message ?? "it is no question");
        questions.push({ question: parsed.data, ...(objective && { objective }) });
        notes.push(...own);
      } catch (error) {
        if (!(error instanceof QuestionRefused)) throw error;
        notes.push({ name, what: error.message, done: "not taken" });
      }
    },
  };
}

/** The right answer, where nothing explains it. */
export function rightAnswer(key: QuestionKey): string {
  switch (key.kind) {
    case "single":
    case "multiple":
      return key.choices
        .filter(({ correct }) => correct)
        .map(({ markdown }) => `✓ ${markdown}`)
        .join("\n\n");
    case "text":
      return `✓ ${key.accepted[0] ?? ""}`;
    case "number":
      return `✓ ${key.value}`;
    case "gap":
      return `✓ ${key.gaps.map(([first = ""]) => first).join(", ")}`;
    case "order":
      return `✓ ${key.items.join(" → ")}`;
    case "match":
      return key.pairs.map(({ left, right }) => `✓ ${left} → ${right}`).join("\n\n");
    case "free":
      return "";
  }
}
