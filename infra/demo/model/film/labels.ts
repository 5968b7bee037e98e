import { wordsOf } from "../select.ts";
import { terms } from "../terms.ts";

/** Labels on screen: a few words that stand by themselves, never a sentence that was cut off. */

const longest = { words: 8, characters: 56 };

const poorBeginning =
  /^(?:and|but|or|nor|so|because|which|that|whose|who|if|when|while|where|as|it|its|this|these|those|they|them|their|then|there|to|in|on|at|of|for|with|by|from|into|than|like|such|not|is|are|was|be|has|have|can|will|would|may|also|even|only|just|both|either|each|we|you|he|she|let|our|your|worth|whatever|once|doesn't|don't|isn't|aren't|won't|after|before|first|second|next|last|again|still)\b/i;
const poorEnd =
  /(?:\b(?:the|an?|of|to|in|is|are|was|were|and|or|for|with|by|that|which|can|it|as|from|on|at|be|not|its|into|when|if|has|have|than|but|so|we|you|every|each|some|any|no|their|this|these|only|makes?|will|would|may|one|gets?|lets?|what|how|does|do|did|whose|where|while|use|used|call|called|more|most|very|about|between|through|called|tells?|says?|gives?|takes?|puts?|indicates?|shows?|returns?|prints?|states?|allows?|requires?|means?|matches|runs?|creates?|removes?|using|without|within|because|should|could|must|might|had|been|around|easier|harder|guarantees?|\p{L}+n['’]t)|[-–—,;:(=+*/|<>])$/iu;

/** Small raised and lowered signs, which only formulas are set with. */
export const setInFormulas = /[\u1d00-\u1dbf\u2070-\u209f]/u;

/** The same of German, as far as no English word is written so. */
const poorInGerman =
  /^(?:und|oder|aber|dass|weil|obwohl|sondern|denn|wie|sich|nicht|auch|dem|des|zum|zur|mit|von|bei|nach|ist|sind|wird)\b|\b(?:und|oder|aber|dass|weil|wie|sich|nicht|der|das|dem|den|des|ein|eine|einen|einem|einer|ist|sind|wird|von|mit|zu|zum|zur|auf|im|dann|auch|doch)$/i;

/** Whether words can stand on screen by themselves. */
export function isLabel(text: string, least = 2): boolean {
  const words = Math.max(wordsOf(text), text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0);
  if (words < least || words > longest.words || text.length > longest.characters) return false;
  if (poorBeginning.test(text) || poorEnd.test(text) || poorInGerman.test(text) || terms(text).length === 0) return false;
  // One thing alone says nothing of it.
  if (/^(?:the|an?)\s+\S+$/i.test(text)) return false;
  // "Slightly more complicated" says nothing of anything, and what somebody "amounts to knowing" would come after it.
  if (/^(?:slightly|somewhat|rather|quite|very|fairly|more|less|much)\s/i.test(text) || /\bto \p{L}+ing$/u.test(text)) return false;
  // What stands in brackets, or behind a dash, was said beside something else.
  if (/^(?:\(|[-–—]\s)/.test(text)) return false;
  if (/[.?!…](?:\s|$)/.test(text) || /[$\\`]/.test(text) || setInFormulas.test(text) || /\b(?:we|you|it|they)\b|:=|=>/.test(text))
    return false;
  return isBalanced(text);
}

/** Brackets and quotation marks come in pairs. */
export function isBalanced(text: string): boolean {
  const count = (sign: RegExp) => text.match(sign)?.length ?? 0;
  return (
    count(/\(/g) === count(/\)/g) &&
    count(/\[/g) === count(/\]/g) &&
    count(/\{/g) === count(/\}/g) &&
    count(/“/g) === count(/”/g) &&
    count(/"/g) % 2 === 0 &&
    count(/(?<![\p{L}\d])'/gu) === count(/'(?![\p{L}\d])/gu)
  );
}

/** With a capital letter, unless it begins with a name of code or a sign. */
export const capital = (text: string): string =>
  /^(?:\p{Ll}{2,}(?=[\s,:-]|$)|a \p{Ll}{2})/u.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;

/**
 * The longest beginning that is a label and ends where a phrase does. A condition is never cut off: "A map is linear" is not what "A map is
 * linear when …" says.
 */
export function trimmed(text: string): string | null {
  const places = [
    ...text.matchAll(
      /\s+(?=(?:which|because|by which|whose|so that|and then|as soon as|such as)\b)|\s+(?=\()|,\s(?!(?:if|when|unless|where)\b)/g,
    ),
  ];
  for (const { index } of places.toReversed()) {
    const part = text.slice(0, index).replace(/[,;:]$/, "");
    if (isLabel(part, 3) && !conditional.test(text.slice(index, index + 12))) return part;
  }
  return null;
}

const conditional = /^[\s,]*(?:if|when|unless|where|while|until|without|rather than|instead of|exactly|only)\b/;

/** What a predicate says, without its verb where that is a form of "to be": "is the factor by which …" is "factor by which …". */
export function predicateLabel(predicate: string): string | null {
  const bare = (predicate.split(/[;:]\s/)[0] ?? "").replace(/[.!]["'”’)]*$/, "");
  const noun = /^(?:is|are|means?|denotes?|refers to|stands for)\s+(?:called\s+)?(?:(?:an?|the)\s+)?(.+)$/i.exec(bare)?.[1];
  for (const text of [noun, bare]) {
    if (!text || /^(?:not|n't|also|never|no)\b/.test(text)) continue;
    const label = isLabel(text, 2) ? text : trimmed(text);
    if (label) return capital(label);
  }
  return null;
}

/** A sentence that says what something is, as a note: "Columns of a matrix: images of the basis vectors". Null where it says something else. */
export function noted(text: string): string | null {
  const [, defined = "", name = ""] = called.exec(text) ?? [];
  const [, subject = "", rest = ""] = being.exec(text) ?? [];
  const note = name ? `${capital(name)}: ${defined}` : rest ? `${capital(subject)}: ${rest}` : "";
  return note === "" || note.length > noteLength ? null : note;
}

const noteLength = 90;
const called = /^(?:an?|the) ([^;:,]+) (?:is|are) called (?:(?:an?|the) )?([^;:,]+)$/iu;
const being =
  /^(?:(?:the|an?) )?([^\s,;:]+(?: [^\s,;:]+){0,6}?) (?:is|are|means?) (?:(?:the|an?) |(?=what |one |\p{Ll}+ when ))([^;:]+)$/iu;
