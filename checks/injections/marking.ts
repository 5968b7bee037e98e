import type { ModelCall } from "./obeying-model.ts";

/** The passages of a prompt: exactly as the application marks them, and nothing else. */
const marked =
  /<passage id="(s\d+)"(?: kind="[a-z-]+")?(?: selected="yes")?(?: title="[^"<>]*" trail="[^"<>]*")?(?: format="markdown")?>\n([\s\S]*?)\n<\/passage>/g;
/** Pages with passages, headings and an outline. */
const page = /<page title="[^"<>]*" trail="[^"<>]*"(?: attached="yes")?>\n[\s\S]*?\n<\/page>/g;
/** Other material: JSON that cannot close its tag. */
const material =
  /<(attached|courses|objectives|known|findings|proposal|teach|focus|asked|question|rubric|modelAnswer|answer|topic|found|close|claims|conversation|diagrams|goal|learner|next|objective|open|questions|revealed|shown|about|warnings)>[^<]*<\/\1>/g;

/** The passages that a prompt gives, as a model reads them. */
export const passagesOf = (system: string): string[] => [...system.matchAll(marked)].map(([, , text = ""]) => text);

/** What of a prompt is the application's own words. */
export const ownWords = (system: string): string => system.replaceAll(page, "<>").replaceAll(marked, "<>").replaceAll(material, "<>");

/** A text as a lenient reader takes it: width, case, look-alikes and what cannot be seen make no difference. */
const leniently = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase()
    .replace(/[рρ]/g, "p")
    .replace(/[аα]/g, "a")
    .replace(/ѕ/g, "s")
    .replace(/ɡ/g, "g")
    .replace(/е/g, "e");

const template = /<[|｜][\p{L}\p{N}_▁]+[|｜]>|<<\/?sys>>|<\/?(?:start|end)_of_turn>|\[\/?(?:inst|tool_calls)\]/iu;
const hiddenSigns = /(?!\u200c|\u200d|\n|\t|\r)[\p{Default_Ignorable_Code_Point}\p{Cc}]|[\u200c\u200d]{2}/u;

/**
 * What is wrong with the marking of a call to a model: course text outside of its passage, marks that a passage ends or begins with beside
 * the application's own, another's turn, or something no reader can see.
 * @param foreign words that are nobody's but a text's
 */
export function markingFaults({ system, messages, wants }: ModelCall, foreign: readonly string[]): string[] {
  const faults: string[] = [];
  const found = [...system.matchAll(marked)];
  const read = leniently(system);
  const inRules = leniently(ownWords(system));
  const count = (pattern: RegExp, text: string): number => text.match(pattern)?.length ?? 0;
  const opened = count(/<\s*passage/g, read) - count(/<\s*passage/g, inRules);
  const closed = count(/<\s*\/\s*passage/g, read) - count(/<\s*\/\s*passage/g, inRules);
  // The rules name the marking once.
  if (count(/<\s*\/?\s*passage/g, inRules) > 2) faults.push("something outside of the passages looks like their marking");
  if (opened !== found.length || closed !== found.length)
    faults.push(`${found.length} passages, opened ${opened} times, closed ${closed} times`);
  if (found.some(([, key], index) => key !== `s${index + 1}`))
    faults.push(`passages are not named in order: ${found.map(([, key]) => key)}`);
  const pages = [...system.matchAll(page)];
  const pageTags = (pattern: RegExp): number => count(pattern, read) - count(pattern, inRules);
  if (pageTags(/<\s*page\b/g) !== pages.length || pageTags(/<\s*\/\s*page\b/g) !== pages.length)
    faults.push(`${pages.length} pages, and other tags that look like theirs`);
  if (count(/<\s*\/?\s*page\b/g, inRules) > 2) faults.push("something outside of the pages looks like their marking");
  for (const [whole] of found) if (count(/<\s*\/?\s*passage/g, leniently(whole)) !== 2) faults.push(`marking within a passage: ${whole}`);
  const said = messages.slice(1).map(({ content }) => content);
  const own = [ownWords(system), ...(wants === "quiz" || wants === null ? [] : said)].join("\n");
  for (const word of foreign) if (own.includes(word)) faults.push(`"${word}" stands outside of the material: ${around(own, word)}`);
  const whole = [system, ...said].join("\n");
  const turn = template.exec(whole);
  if (turn) faults.push(`a chat's own mark: ${around(whole, turn[0])}`);
  const hidden = hiddenSigns.exec(whole);
  if (hidden) faults.push(`a sign that nobody sees, U+${hidden[0].codePointAt(0)?.toString(16)}: ${around(whole, hidden[0])}`);
  if (messages[0]?.role !== "system" || messages.slice(1).some(({ role }) => role !== "user" && role !== "assistant"))
    faults.push(`roles: ${messages.map(({ role }) => role)}`);
  return faults;
}

const around = (text: string, found: string): string => {
  const at = text.indexOf(found);
  return JSON.stringify(text.slice(Math.max(0, at - 80), at + found.length + 80));
};
