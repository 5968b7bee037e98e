import { languageOf, queryTerms, type WeightedQuery } from "@colloquy/projections/passages/queries.ts";

/** An entry of a conversation as a client sends it. */
export interface HistoryEntry {
  role: "learner" | "assistant";
  text: string;
}

const english = languageOf("en");

/** Words of asking, in English, German and Arabic: a question of nothing else has no topic of its own. */
const wordsOfAsking = new Set(
  [
    "example sample explain explanation clarify elaborate summary summarise summarize sum overview remember recall main key important point idea takeaway page section chapter lesson",
    "passage text course topic part thing bit stuff sentence paragraph understand get got mean meaning again more detail deeper simple simpler simply short shorter word easy easier difficult hard hardest confused lost unclear",
    "why how what who when where which ok okay yes no sure true really please thanks thank sorry hmm continue go next previous last first else further step rephrase repeat differently way help tell give show say",
    "know want need can could would should does did matter practice practical use reason really exactly actually sense wrong right happen question answer learn teach read look see basically briefly quick quickly",
    "warum wieso weshalb wozu wie was wer wann wo beispiel beispiele erkläre erklär erklären erklärung zusammenfassung zusammenfassen fasse seite abschnitt nochmal noch mal mehr genauer einfacher kürzer verstehe",
    "sollte soll davon daraus schwierigsten schwierigste schritt schritte an am einem zusammen gedanke grundgedanke kern kurz gerade hier von im in ist",
    "versteh ich nicht das es dies diese dieser bitte danke und aber oder mir ein eine einen der die den zu auf merken wichtig wichtigste heißt bedeutet weiter",
    "لماذا كيف ماذا ما هل مثال اشرح شرح لخص ملخص الصفحة هذا هذه أكثر مرة أخرى لا أفهم لم أفهمه الذي ينبغي يجب أن أتذكره أتذكر من عن في هنا أصعب خطوة بمثال الفكرة الرئيسية أهم باختصار ببساطة",
  ]
    .join(" ")
    .split(" ")
    .flatMap((word) => [word, english.stem(word)]),
);

/** A reference to what was said before. */
const refersBack =
  /^\s*(?:and|but|so|then|ok|okay|also|or|why|how so|what about|how about|what if|und|aber|warum|wieso|was ist mit|و)\b|\b(?:it|its|that|this|these|those|they|them|their|there|same|such|one|ones|former|latter|above|previous|instead|else|dies\p{L}*|dabei|damit|davon|dafür|dazu|daran|darin|sein\p{L}*|ihr\p{L}*)\b/iu;

/** The words of a message that name a topic. */
function topicWords(message: string): string[] {
  return queryTerms(message, english).filter((term) => !wordsOfAsking.has(term) && !/^\p{P}+$/u.test(term));
}

/** Whether a message has no topic of its own ("why?", "Summarise this page", "I don't get it"). */
export const isVague = (message: string): boolean => topicWords(message).length === 0;

/** Weights of what was said before, for a question that leans on it and for a short one that may; each earlier turn counts `decay` of the next. */
const weights = { vague: 1, ownWhenVague: 0.2, leaning: 0.6, short: 0.3, decay: 0.45, answer: 0.6 };
/** Fewer topic words than this are a short question. */
const shortQuestion = 5;
/** Earlier questions that count. */
const remembered = 4;
/** Of an earlier answer its beginning is searched for. */
const answerLength = 600;

/** How much a message leans on what was said before, 0 to 1: a question with a topic of its own and no reference back leaves the topic. */
function leaning(message: string, history: readonly HistoryEntry[]): number {
  if (history.length === 0) return 0;
  const words = topicWords(message);
  if (words.length === 0) return weights.vague;
  if (refersBack.test(message)) return weights.leaning;
  return words.length < shortQuestion ? weights.short : 0;
}

/** Whether what was said before can say what a message is about. */
export const leansOnHistory = (message: string, history: readonly HistoryEntry[]): boolean => leaning(message, history) > 0;

/** What is searched for: the question and, as far as it leans on them, earlier questions with decay and the last answer. */
export function searchQueries(message: string, history: readonly HistoryEntry[]): WeightedQuery[] {
  const weight = leaning(message, history);
  const own: WeightedQuery = { text: message, weight: weight === weights.vague ? weights.ownWhenVague : 1 };
  return [own, ...topicQueries(message, history)];
}

/** The topic of the conversation, as far as a message leans on it; empty if it does not. */
export function topicQueries(message: string, history: readonly HistoryEntry[]): WeightedQuery[] {
  const weight = leaning(message, history);
  if (weight === 0) return [];
  const topics = history
    .filter(({ role, text }) => role === "learner" && !isVague(text))
    .slice(-remembered)
    .reverse();
  const earlier = topics.map(({ text }, turnsBack) => ({ text, weight: weight * weights.decay ** turnsBack }));
  const answer = history.findLast(({ role }) => role === "assistant")?.text;
  return [...earlier, ...(answer ? [{ text: answer.slice(0, answerLength), weight: weight * weights.answer }] : [])];
}
