import { type Passage, sentencesOf } from "../segments.ts";
import { wordsOf } from "../select.ts";
import { isBalanced } from "./labels.ts";
import type { Narration } from "./piece.ts";
import { spoken } from "./plain-math.ts";

/** Sentences as they stand beside code, made to be said while the code is shown. */

/** What joins a sentence to the one before it, and is left out where it is said alone. */
const connective =
  /^(?:(?:but|and|so|or|now|then|also|well|finally|moreover|however|instead|similarly|alternatively|again|thus|hence|therefore|as a bonus|as a result|in fact|for (?:example|instance)|as another example|first|next|of course|otherwise|likewise|here(?=,)|notice that|note(?: also)? that|with (?:the following command|that in hand)|in the following (?:example|code)|as (?:you can|we) see)\b,?\s+)+(?=\S)/iu;
/** Points at another place of the page, at the lesson, or at people and things of its story. */
const elsewhere =
  /\b(?:above|below|following|previous(?:ly)?|earlier|later|episodes?|lessons?|chapters?|sections?|exercises?|challenges?|solutions?|workshops?|instructors?|figures?|diagram|tutorial|as before|(?:this|last|next|another|second|third|other) (?:example|episode|time|one|case)|she|he|her|his|him|hers|dr|i|i'm|my|me|again|as we saw|remember(?: that)?|recall|notes?|noted|right!|good!|hooray|all right|one more|one of|same error|either|both|latter|former|do(?:ing)? (?:that|this|so)|others|neither|another)\b/iu;
/** Ends without having said what. */
const openEnd =
  /\b(?:this|these|those|that|so|like|is|are|was|by|with|to|and|or|the|an?|way|follows?|here|try|type|run|running|get|do|does|says?|command|commands|form|enter|enters|of)$/iu;
const hanging =
  /^(?:it(?!(?:'s| is) (?:an?|good|important|possible|common|better|easy|hard|useful) )|its|they|their|this|these|those|that|such|there(?! is\b| are\b)|here(?! we have| is| are)|the (?:first|second|third|last|other|next|same) (?:is|was|one|reason|thing|step|way)|the (?:first|second|third|other|last) is)\b/iu;
/** What a pronoun can stand for: a name, or a noun with its article, before it in the sentence. */
const named =
  /(?:\brun(?:ning)? \S+|\b(?:the|an?|our|your|each|every|any|some|no|two|three|several)\s+[\p{L}\p{N}_.-]+|(?<!^)\b\p{Lu}[\p{L}\p{N}]+|^(?!If|When|Once|To|In|We|You|Let|As|By|For|On|After|Before|Now|Since|While|How|What|There|Here)\p{Lu}\p{L}+|\b\p{Ll}{3,}s\b(?=.* (?:they|them|their)\b))/u;
const pronoun = /\b(?:it|its|it's|they|them|their)\b/iu;

/** A sentence as it can be said beside code that is shown; null where it says nothing without its page. `follows`: another is said before it; `lines`: so many of code are shown. */
export function sayable(sentence: string, { follows = false, lines = 0 }: { follows?: boolean; lines?: number } = {}): string | null {
  const bare = sentence
    .trim()
    .replace(/(?: like this| as follows|,? which (?:we|you) can (?:see|check) by (?:running|typing))?[:,]$/, "")
    .replace(/^another\b(?= [\p{Ll} ]+ (?:is|are)\b)/iu, "One")
    .replace(/^(?:whoops|oops|aha|so far, so good): /i, "")
    .replace(/ again(?=[,.]|$)/, "")
    .replace(/\s+\((?:\p{L}|\d)[^()]{0,60}\)(?=[\s.,]|$)/gu, (found) => (/[_=[\]"'`]|\(\)/.test(found) ? found : ""));
  const said = spoken(follows ? bare : bare.replace(connective, ""));
  if (said === null || /[:?]|\.\.|\s-\s?\w+\s-\s|[()]\s*$/.test(said) || !isBalanced(said)) return null;
  const words = wordsOf(said);
  const text = /[.!]["'”’)]*$/.test(said) ? said : `${said}.`;
  if (words < 5 || words > 33 || elsewhere.test(said) || openEnd.test(said.replace(/[.!]["'”’)]*$/, ""))) return null;
  if ([...said.matchAll(/\blines? (\d+)(?:(?: and |[-–]| to )(\d+))?/g)].some(([, from, to]) => Number(to ?? from) > lines)) return null;
  if (/^(?:is|are|was|were|does|do|has|have|can|will|would|tells?|means?|produces?|returns?|prints?|gives?|works?)\b/iu.test(said))
    return null;
  if (/(?:^|, (?:and|but) )(?:if|when|once)\b[^,]*$|^other\b/iu.test(said)) return null;
  if (follows ? /^\p{Ll}/u.test(said) && !isCodeName(said) : hanging.test(said) || !isResolved(said)) return null;
  if (!follows && pointsBack(said)) return null;
  return capitalised(text);
}

/** Whether what is said of code in another way is a whole sentence that can be said alone. */
export const isSayable = (text: string): boolean => sayable(text, { lines: Number.MAX_SAFE_INTEGER }) !== null;

/** Whether “those changes” are none that the sentence has told of: “has been changed”. */
const pointsBack = (text: string): boolean =>
  [...text.matchAll(/\b(?:this|these|those)\b(?: (\p{L}+))?/giu)].some(
    ({ index, 1: noun = "" }) => noun.length < 4 || !text.slice(0, index).toLowerCase().includes(noun.slice(0, 5).toLowerCase()),
  );

/** A beginning of code keeps its small letters. */
const isCodeName = (text: string): boolean =>
  /^\p{Ll}*[^\p{Ll}\s'’,.;-]|^\p{Ll}+\(/u.test(text) ||
  /^(?:git|ls|cat|cd|grep|wc|sort|head|tail|echo|pwd|mkdir|cp|mv|rm|len|print|numpy)\b/.test(text);
const capitalised = (text: string): string => (isCodeName(text) ? text : text.charAt(0).toUpperCase() + text.slice(1));

/** Whether each pronoun has something in the sentence that it can stand for. */
function isResolved(text: string): boolean {
  const object = /\b(?:push|pull|run|try|do|use|add|open|read|save|call|see|make|get|fix|commit)\w* (?:it|them)\b/iu.exec(text);
  // What is done to something: not to whoever does it.
  if (object && !/\b(?:the|an?|our|your|each|every|some) \p{L}/u.test(text.slice(0, object.index))) return false;
  const at = text.search(pronoun);
  return at < 0 || /^it(?:'s| is) /i.test(text) || named.test(text.slice(0, at));
}

/** “If we run git status now:” and what the page goes on with below the code: one sentence. */
export function joinedAround(before: string, after: string): string | null {
  const condition = /^(?:(?:but|and|so|however|now),?\s+)?((?:if|when|once|after)\s[^:]{6,90}):$/iu.exec(before.trim())?.[1];
  if (!condition || !/^(?!and\b|but\b|or\b|so\b)\p{Ll}/u.test(after.trim()) || /[:?]$/.test(after.trim())) return null;
  const said = spoken(`${condition}, ${after.trim()}`);
  if (said === null || wordsOf(said) > 33 || elsewhere.test(said) || !isBalanced(said) || /[:?]/.test(said) || !/[.!]$/.test(said))
    return null;
  return capitalised(said.replace(/,,/g, ","));
}

/** What is shown of code, and what its names are. */
interface Beside {
  index: number;
  passages: readonly Passage[];
  /** Whether what the code prints is shown as well, which stands between it and the words behind it. */
  isPrinted: boolean;
  /** Whether a sentence names something that is shown. */
  names(text: string): boolean;
  /** Whether it names something that stood in the code before this as well, and nothing new. */
  isOfBefore(text: string): boolean;
}

/** So many sentences before and after code may be said of it. */
const near = 3;
/** Says that what was announced did not come about: the announcement alone would be wrong. */
const turns =
  /^(?:but|however|unfortunately|whoops|oops)\b|\b(?:won['’]t|can['’]t|cannot|didn['’]t|doesn['’]t|fails?|failed|errors?|wrong|unexpected\w*)\b/i;
const vague = /\b(?:right thing|usual|something|things?|stuff)\b/i;
const isAnnouncement = (text: string): boolean => /:$/.test(text);
/** Says what the output, or a part of the code, is. */
const ofOutput = /^(?:Here (?:we have|is|are) |The (?:output|result|error|message|slice|expression)\b)/;
/** Leads to what comes next. */
const leadsOn = /^(?:now,? |next,? |then |let['’]s|we can also|if |to |first,? |finally,? |we['’]ll )/i;

/** What can be said of code from the words around it, best first: the announcement before it, what is said of it after it, or both. */
export function narrationsAround({ index, passages, isPrinted, names, isOfBefore }: Beside): Narration[] {
  const isWords = (one: Passage | undefined): one is Passage =>
    one !== undefined && (one.kind === "prose" || one.kind === "") && one.title === passages[index]?.title;
  const [before, after] = [passages[index - 1], passages[index + (isPrinted ? 2 : 1)]];
  const sentences = (one: Passage | undefined): string[] =>
    isWords(one) ? one.text.split("\n").flatMap((row) => sentencesOf(row).map((text) => text.replace(/\s+/g, " ").trim())) : [];
  const [above, below] = [sentences(before), sentences(after)];
  const end = below.findIndex(isAnnouncement);
  const told = (end < 0 ? below : below.slice(0, end)).slice(0, near);
  const [first = ""] = told;
  const said = (text: string, parts: readonly (readonly [Passage | undefined, string])[]): Narration => ({
    text,
    quotes: parts.flatMap(([passage, quote]) => (passage ? [{ passage, quote: quote.slice(0, 300) }] : [])),
    says: parts.map(([, quote]) => quote),
    names: [],
  });
  // “For example:” leads on from the sentence before it.
  const at = /^for (?:example|instance)[:,]?$/i.test(above.at(-1) ?? "") ? -2 : -1;
  const last = above.at(at) ?? "";
  const lines = (passages[index]?.text ?? "").trimEnd().split("\n").length;
  const announced = sayable(last, { lines });
  const opens =
    announced !== null && (names(announced) || ((isAnnouncement(last) || at === -2) && wordsOf(announced) >= 6 && !vague.test(announced)))
      ? announced
      : null;
  const joined = joinedAround(last, below[0] ?? "");
  if (joined)
    return [
      said(joined, [
        [before, last],
        [after, below[0] ?? ""],
      ]),
    ];
  const closes = leadsOn.test(first) ? null : sayable(first, { follows: true, lines });
  const both = opens !== null && closes !== null && first !== "" && wordsOf(opens) + wordsOf(closes) <= 36;
  const alone = told.flatMap((text, place) => {
    const one = leadsOn.test(text) && place > 0 ? null : sayable(text, { lines });
    return one !== null && (names(one) || (isPrinted && place === 0 && ofOutput.test(one))) ? [said(one, [[after, text]])] : [];
  });
  // Between two pieces of code, what comes first is said of the first.
  const isBetween = passages[index - 2]?.kind === "code";
  const earlier = (isBetween ? [] : above.slice(-near, -1)).flatMap((text) => {
    const one = isAnnouncement(text) ? null : sayable(text, { lines });
    return one !== null && names(one) && !isOfBefore(one) ? [said(one, [[before, text]])] : [];
  });
  return [
    ...(both
      ? [
          said(`${opens} ${closes}`, [
            [before, last],
            [after, first],
          ]),
        ]
      : []),
    ...(opens !== null && !turns.test(below[0] ?? "") ? [said(opens, [[before, last]])] : []),
    ...alone,
    ...earlier.toReversed(),
  ];
}
