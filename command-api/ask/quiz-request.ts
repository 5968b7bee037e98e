import { bounds } from "@colloquy/schemas/bounds.ts";

/** A learner's explicit request for a quiz. */
export interface QuizRequest {
  /** How many questions. */
  count: number;
  /** The message without the request itself; empty when no topic is named. */
  topic: string;
}

/**
 * Detects an explicit request for a quiz, in English, German or Arabic; a mention ("what was in the quiz?") is no request. By patterns instead of
 * a model, so that the rule is readable and deterministic. The request must begin a sentence, after polite words at most: "explain pipes,
 * then quiz me" stays a question.
 * @param isCommand the `command` field asks for a quiz
 */
export function detectQuizRequest(message: string, isCommand: boolean): QuizRequest | null {
  const count = countIn(message);
  const command = /^\s*\/quiz\b/i.exec(message);
  if (command) return { count, topic: withoutCount(message.slice(command[0].length)) };
  for (const sentence of sentencesOf(message)) {
    const asking = requestPatterns.map((pattern) => pattern.exec(sentence)).find((match) => match !== null);
    if (!asking || isAboutAQuiz.test(sentence) || isAboutQuizSoftware.test(sentence)) continue;
    const about = `${sentence.slice(asking[0].length)} ${message.replace(sentence, " ")}`;
    return { count, topic: withoutCount(about) };
  }
  return isCommand ? { count, topic: withoutCount(message) } : null;
}

const politeness =
  "(?:(?:please|pls|ok|okay|so|now|hey|hi|hello|well|great|good|thanks|thank you|and|alright|right|cool|yes|yeah|just|bitte|jetzt|nun|dann|also|danke|und|gut|ja|hallo),?!? +)*";
const you =
  "(?:(?:can|could|would|will) you +(?:please +|now +|just +)*|i(?:'d| would) like (?:you )?to +|i want (?:you )?to +|i need (?:you )?to +|let'?s +|let us +|go ahead and +)?";
const article = "(?:an?|another|one more|some|the next|a new|new)";
/** Words that may stand before "quiz" or "questions". */
const kinds =
  "(?:(?:short|quick|little|small|brief|long|longer|new|practice|mini|final|easy|hard|harder|difficult|fun|pop|good|more|revision|review|test|exam|self-test|multiple[- ]choice|single[- ]choice|\\d{1,3}(?:[- ]questions?)?|[a-z]+[- ]question) +){0,3}";
const number =
  "(?:\\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|a dozen|some|a few|a couple of|several)";
const german =
  "(?:(?:kannst|könntest|würdest|willst) du +(?:bitte +|mir +|jetzt +)*|ich (?:möchte|will|würde gern|hätte gern)e? +(?:bitte +|jetzt +)*|lass uns +)?";
const germanKinds = "(?:(?:kurzes|kleines|schnelles|neues|weiteres|langes|schweres|leichtes|einfaches|\\d{1,3}-fragen-) *){0,2}";
const subject = "(?: +(?:(?:on|about|over|for|from|covering|with|of|zu|zum|zur|über)\\b|(?:في|عن|حول)(?= )))?";

const requestPatterns = [
  // Quiz me. Could you quiz me on pipes?
  `${politeness}${you}quiz (?:me|us)\\b`,
  // Test me on pipes. I want to test my understanding.
  `${politeness}${you}test (?:me|us)(?= *$| +(?:on|about|with|over|now|again|please)\\b)`,
  `${politeness}${you}test (?:my|our) (?:own )?(?:understanding|knowledge|memory|grasp|recall|comprehension|learning)\\b`,
  `${politeness}${you}check (?:my|our) (?:understanding|knowledge)(?: of [^,:]{1,80})? (?:with|by) (?:a |some |asking )`,
  // Make me a short quiz. Let's do another quiz.
  `${politeness}${you}(?:make|create|write|generate|give|build|prepare|set|do|start|run|take|try|have|play|show) +(?:me +|us +)?(?:up +)?(?:${article} +)?${kinds}quiz\\b`,
  // I want a quiz. Can I have another quiz?
  `${politeness}(?:i(?:'d| would) (?:like|love)|i want|i need|(?:can|could|may|shall) (?:i|we) (?:have|get|take|do|try)) +(?:${article} +)?${kinds}quiz\\b`,
  // I'd like some practice questions please. Could I get three exam questions on pipes?
  `${politeness}(?:i(?:'d| would) (?:like|love)|i want|i need|(?:can|could|may|shall) (?:i|we) (?:have|get|do|try)) +(?:to (?:have|get|do|try) +)?(?:${number} +|(?:some|a few) +more +)?(?:(?:more|short|quick|easy|hard|good) +)*(?:quiz|test|practi[cs]e|review|revision|exam|self-test|multiple[- ]choice|single[- ]choice) +questions\\b`,
  // Ask me five questions about pipes. Give me three practice questions.
  `${politeness}${you}ask (?:me|us) +(?:${number} +)?${kinds}questions?\\b(?! *(?:if|when|whenever|before|first))`,
  `${politeness}${you}(?:give|write|make|create|set) +(?:me +|us +)?(?:${number} +)?(?:(?:short|quick|easy|hard|good) +)?(?:quiz|test|practi[cs]e|review|revision|exam|multiple[- ]choice|single[- ]choice) +questions\\b`,
  // Some practice questions, please.
  `${politeness}(?:${number}|(?:some|a few) more) +(?:(?:more|short|quick|easy|hard|good) +)*(?:quiz|test|practi[cs]e|review|revision|exam|multiple[- ]choice) +questions?(?= *$| *[,.:!]| +(?:on|about|please|now)\\b)`,
  `${politeness}${you}give (?:me|us) +${number} +questions? +(?:on|about|from|over)\\b`,
  // Another quiz on pipes, please.
  `${politeness}(?:${article} +)?${kinds}quiz(?= *$| *[,:]| +(?:me|on|about|over|covering|please|time|now|again|bitte|zu|zum|zur|über)\\b)`,
  // Frag mich ab. Prüfe mein Verständnis. Mach mir ein kurzes Quiz.
  `${politeness}(?:frage?|quizze) mich\\b(?=.*\\b(?:ab|aus)\\b|.*\\bquiz)|${politeness}quizze mich\\b`,
  `${politeness}(?:prüfe?|teste?|überprüfe?) +(?:bitte +|jetzt +)?(?:mich(?= *$| +(?:zu|zum|zur|über|in|bitte|jetzt|mit)\\b)|(?:mein|unser)e? +(?:verständnis|wissen|kenntnisse|lernstand)\\b)`,
  `${politeness}${german}(?:mein|unser)e? +(?:verständnis|wissen|kenntnisse)\\b(?=.* (?:prüfen|testen|überprüfen|abfragen)\\b)`,
  `${politeness}(?:kannst|könntest|würdest) du mich +(?:bitte +|jetzt +)?(?=.*\\b(?:abfragen|testen|prüfen|quizzen)\\b)`,
  `${politeness}${german}(?:mache?|erstelle?|gib|schreibe?|starte|bereite)? *(?:mir +|uns +)?(?:bitte +)?(?:ein|noch ein|das nächste) +${germanKinds}quiz\\b`,
  `${politeness}(?:ich (?:möchte|hätte gern|brauche|will)e?|(?:kann|könnte) ich|gib mir|hast du) +(?:bitte +)?(?:noch +)?(?:\\d{1,3} +|ein paar +|einige +|[a-zäöüß]+ +)?(?:übungs|prüfungs|quiz|test)fragen\\b`,
  // Stelle mir Quizfragen zu Pipes.
  `${politeness}stelle? +(?:mir|uns) +(?:bitte +)?(?:\\d{1,3} +|ein paar +|einige +)?(?:quiz|übungs|prüfungs|test)fragen\\b`,
  `${politeness}stelle? +(?:mir|uns) +(?:bitte +)?(?:\\d{1,3} +|ein paar +|[a-zäöüß]+ +)?(?:\\p{L}+ +)?fragen +(?:zu|zum|zur|über)\\b`,
  // اختبرني في …: `\b` knows no Arabic letters.
  "(?:من فضلك،? +)?(?:اختبرني|امتحنني|أسئلة اختبار)(?= |[.!؟]| *$)",
].map((pattern) => new RegExp(`^(?:${pattern})${subject}`, "iu"));

/** Statements about a quiz: it was, it had, it is about. */
const isAboutAQuiz =
  /\bquiz(?:zes)?\b[^?]*\b(?:was|were|is|are|has|had|did|does|said|says|asked|mentioned|contains|works?|war|ist|hat|hatte)\b/i;
/** Quiz software or parts of it: a question about the course, not a request. */
const isAboutQuizSoftware =
  /\bquiz(?:zes)?[- ]+(?:questions? +\d+|program(?:me)?s?|apps?|scripts?|games?|functions?|websites?|class(?:es)?|bots?|engines?|forms?|pages?|results?|scores?|solutions?|answers?|formats?|features?|masters?|programm|ergebnisse?|skript)\b/i;

/** Sentences without quotations and code, whose requests are not the learner's. */
function sentencesOf(message: string): string[] {
  return message
    .replace(/`[^`]*`|"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»/g, " … ")
    .replaceAll("’", "'")
    .split(/(?<=[.!?;])\s+|\n+/)
    .map((sentence) => sentence.trim().slice(0, 400))
    .filter(Boolean);
}

const numberWords: Record<string, number> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  dozen: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
  twenty: 20,
  eine: 1,
  zwei: 2,
  drei: 3,
  vier: 4,
  fünf: 5,
  sechs: 6,
  sieben: 7,
  acht: 8,
  neun: 9,
  zehn: 10,
  zwölf: 12,
  fünfzehn: 15,
  zwanzig: 20,
};
const counted = new RegExp(
  `(?<![\\p{L}\\p{N}])(\\d{1,4}|${Object.keys(numberWords).join("|")})[ -]+(?:(?:${"short|quick|easy|hard|good|quiz|test|practice|review|exam|more|new|multiple[- ]choice|single[- ]choice|different|kurze|leichte|schwere|neue"})[ -]+){0,2}(?:questions?|items?|fragen?)(?![\\p{L}\\p{N}])`,
  "iu",
);

/** How many questions a message asks for, within the bounds. */
function countIn(message: string): number {
  const { min, max, usual } = bounds.quiz.questions;
  const said = counted.exec(message)?.[1]?.toLowerCase() ?? /^\s*\/quiz\s+(\d{1,4})\b/i.exec(message)?.[1];
  if (said === undefined) return usual;
  return Math.min(max, Math.max(min, numberWords[said] ?? Number(said)));
}

function withoutCount(text: string): string {
  return text
    .replace(counted, " ")
    .replace(/^\s*\d{1,4}\b/, " ")
    .replace(/\b(?:please|bitte)\b/gi, " ")
    .replace(/\s+/g, " ")
    .replace(/^[\s,.:;!?-]*(?:(?:on|about|over|of|from|zu|zum|zur|über)\s+)?/i, "")
    .replace(/[\s,.:;!?-]+$/, "");
}
