import type { Translator } from "@colloquy/messages/translator.ts";
import { translatorFor } from "@colloquy/messages/translators.ts";
import { isLanguage, type Language, sourceLanguage } from "@colloquy/schemas/languages.ts";
import type { Prompt } from "./prompt.ts";

const german =
  /^(?:aber|alle|als|am|auch|auf|bei|beim|bitte|danke|das|dem|der|des|dich|dir|du|ein|eine|einem|einen|einer|erklär\p{L}*|es|für|gib|gibt|hallo|ich|im|ist|kann|kannst|kein\p{L}*|man|mich|mir|mit|muss|nicht|noch|oder|sich|sie|sind|und|vom|von|warum|wann|was|welch\p{L}*|wenn|wer|werden|weshalb|wie|wieso|wird|wo|wofür|wozu|zu|zum|zur|zwischen)$|[äöüß]/u;
const english = /^(?:what|why|how|when|where|which|who|is|are|does|do|can|the|of|a|an|to|it|i|me|my)$/;

/** The language of a text by its script and small words; null where they do not tell. */
function languageOfText(text: string): Language | null {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  if (words.filter((word) => /\p{Script=Arabic}/u.test(word)).length > words.length / 2) return "ar";
  const count = (pattern: RegExp): number => words.filter((word) => pattern.test(word)).length;
  const [ofGerman, ofEnglish] = [count(german), count(english)];
  return ofGerman === ofEnglish ? null : ofGerman > ofEnglish ? "de" : "en";
}

/** The languages of a question and of the course's passages where both can be told and differ; else null. */
export function languagesApart({
  question,
  passages,
}: Pick<Prompt, "question" | "passages">): { question: Language; course: Language } | null {
  const [asked, course] = [languageOfText(question), languageOfText(passages.map(({ text }) => text).join(" "))];
  return asked && course && asked !== course ? { question: asked, course } : null;
}

/**
 * The language of what the model says in its own words: of a question in German or Arabic, else of the learner's interface, which the
 * instructions name. What it quotes stays in the language of the course.
 */
function languageOf({ question, whole }: Pick<Prompt, "question" | "whole">): Language {
  const asked = languageOfText(question);
  if (asked !== null && asked !== sourceLanguage) return asked;
  const named = /learner's interface is in [^\n()]{1,40} \((\w+)\)/.exec(whole)?.[1];
  return isLanguage(named) ? named : sourceLanguage;
}

/** The translator of what the model says in its own words; see `languageOf`. */
export const translatorOf = (prompt: Pick<Prompt, "question" | "whole">): Translator => translatorFor(languageOf(prompt));

/** The translator of words that stand between those of the course. */
export const courseTranslatorOf = ({ passages }: Pick<Prompt, "passages">): Translator =>
  translatorFor(languageOfText(passages.map(({ text }) => text).join(" ")) ?? sourceLanguage);
