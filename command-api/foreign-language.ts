import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const load = createRequire(import.meta.url);
let detector: typeof import("eld/extrasmall").eld | null = null;

/** Loads the detector of languages: 30 MB in 0.3 s, at the first question unless it is called before. */
export function loadLanguageDetector(): typeof import("eld/extrasmall").eld {
  // The package offers itself to `import` only.
  detector ??= (load(fileURLToPath(import.meta.resolve("eld/extrasmall"))) as typeof import("eld/extrasmall")).eld;
  return detector;
}

/** What is written alike in every language: code, options, addresses, numbers and names of files. */
const withoutCode = (text: string): string =>
  text
    .replaceAll(/```[\s\S]*?(?:```|$)|`[^`]*`|\$[^$\n]+\$|https?:\S+/g, " ")
    .replaceAll(/(?<![\p{L}\p{N}])(?:--?[\w-]+|\S*[\\/_|<>=$~^*]\S*|\S+\.\w{1,5}(?![\p{L}\p{N}])|\S*\d\S*)/gu, " ")
    .trim();

/** The detector's score of the language must be at least this, and this much above that of the course's language; more for two words. */
const least = { score: 0.65, margin: 0.1, marginOfFewWords: 0.2, words: 2, fewWords: 3 };
/** Scripts whose words are not parted by spaces. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/**
 * The language of a question (ISO 639-1) if it is surely none of the courses' languages; null otherwise, in doubt, and for questions that
 * are too short to tell.
 */
export function foreignLanguage(question: string, courseLanguages: readonly string[]): string | null {
  const text = withoutCode(question);
  const words = text.match(/\p{L}{2,}/gu) ?? [];
  if (words.length < least.words && !unspaced.test(text)) return null;
  const detected = loadLanguageDetector().detect(text);
  const scores = detected.getScores();
  const score = scores[detected.language] ?? 0;
  if (!detected.isReliable() || score < least.score || courseLanguages.includes(detected.language)) return null;
  const ofCourse = Math.max(0, ...courseLanguages.map((language) => scores[language] ?? 0));
  const margin = words.length <= least.fewWords && !/[^\p{Script=Latin}\P{L}]/u.test(text) ? least.marginOfFewWords : least.margin;
  return score - ofCourse >= margin ? detected.language : null;
}
