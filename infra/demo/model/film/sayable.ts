import { type Passage, sentencesOf } from "../segments.ts";
import { wordsOf } from "../select.ts";
import { isBalanced } from "./labels.ts";
import type { Narration } from "./piece.ts";
import { spoken } from "./plain-math.ts";

/** Sentences as they stand beside code, made to be said while the code is shown. */

/** What joins a sentence to the one before it, and is left out where it is said alone. */
const connective =
  /^(?:(?:but|and|so|or|now|then|also|well|to (?:start|begin)(?: with)?|finally|moreover|however|instead(?! of)|similarly|alternatively|again|thus|hence|therefore|as a bonus|as a result|in fact|for (?:example|instance)|as another example|first|next|of course|otherwise|likewise|here(?=,)|notice that|note(?: also)? that|with (?:the following command|that in hand)|in the following (?:example|code)|as (?:you can|we) see|to see how (?:it|this|that) works|to do (?:so|this|that))\b,?\s+)+(?=\S)/iu;
/** A sentence that goes on with one before the code. */
const goesOn = /^(?:(?:and|but|or|so)\b(?! (?:we|you|let['’]s|if|when)\b)|(?:because|which|instead|then|while|even|since|rather)\b)/u;
/** Points at another place of the page, at the lesson, or at people and things of its story. */
const elsewhere =
  /\b(?:above|below|following|previous(?:ly)?|earlier|later|by extension|episodes?|lessons?|chapters?|sections?|exercises?|challenges?|solutions?|workshops?|instructors?|figures?|diagram|tutorial|as before|(?:this|last|next|another|second|third|other) (?:example|episode|time|one|case)|she|he|her|his|him|hers|i|i'm|my|me|again|as we saw|remember(?: that)?|recall|notes?|noted|right!|good!|hooray|all right|one more|one of (?!(?:our|its|your) \p{L}+s\b)|our (?:strategy|plan|goal|aim|approach|idea|task|problem|solution|hypothesis|guess|question)|same error|latter|former|do(?:ing)? (?:that|this|so))\b/iu;
/** Names nothing without the sentence before. */
const comparedWith = /\b(?:either(?! \S+ or\b)|both(?! (?:\p{Ll}+ )?\p{Ll}+s\b)|others|neither|another)\b/iu;
/** An entry of a list, or the end of a sentence: not a whole one. */
const continued = /^(?:the|an?|to|in|on|of|for|with|we|you)\s|^Examples? of\s/u;
/** Speaks of one line among several. */
const ofOneLine = /\b(?:first|second|third|last|next) line\b/i;
/** Says what goes wrong. */
const ofFailure = /\b(?:wrong|incorrect\w*|mistakes?|errors?|fail\w*)\b/i;
/** Ends without having said what. */
const openEnd =
  /\b(?:this|these|those|that|so|like|is|are|was|be|as|by|with|using|to|and|or|the|an?|way|follows?|here|try|type|run|running|get|do|does|says?|command|commands|form|enter|enters|of|called|even|e\.g)$/iu;
/** What is shown may be pointed at: code by its kind, and what it prints. */
const pointsAtCode =
  /\b(?:this|that|these) (?:query|command|code|statement|expression|script|snippet|program|statements|(?:does not|doesn['’]t) work)\b/giu;
/** “This query” is the query that is shown. */
const ofShown =
  /^(?:this|that|these|those) (query|command|code|statement|expression|script|snippet|program|lines|rows|patterns|commands)\b/iu;
const pointsAtOutput = /\b(?:we|you) (?:get|see) this(?=[.,]|$)|\blooks? like this(?=[.,]|$)/giu;
const hanging =
  /^(?:it(?!(?:'s| is) (?:an?|good|natural|important|possible|common|better|easy|hard|useful) )|its|they|their|this|these|those|that|such|there(?! is\b| are\b)|here(?! we have| is| are)|the (?:first|second|third|last|other|next|same) (?:is|was|one|reason|thing|step|way)|the (?:first|second|third|other|last) is)\b/iu;
/** What a pronoun can stand for: a name, or a noun with its article, before it in the sentence. */
const named =
  /(?:\brun(?:ning)? \S+|\b(?:the|an?|our|your|each|every|any|some|no|two|three|several)\s+[\p{L}\p{N}_.-]+|(?<!^)\b\p{Lu}[\p{L}\p{N}]+|^(?!If|When|Once|To|In|We|You|Let|As|By|For|On|After|Before|Now|Since|While|How|What|There|Here)\p{Lu}\p{L}+|\b\p{Ll}{3,}s\b(?=.* (?:they|them|their)\b))/u;
const pronoun = /\b(?:it|its|it's|they|them|their)\b/iu;

/** How a sentence stands beside code. */
interface Beside {
  /** Another is said before it. */
  follows?: boolean;
  /** So many lines of code are shown. */
  lines?: number;
  /** It announces code directly below it, or comes directly after code: “this query” is what is shown. */
  isAtCode?: boolean;
  /** What the code prints is shown: “we get this”. */
  isPrinted?: boolean;
}

/** A sentence as it can be said beside code that is shown; null where it says nothing without its page. */
export function sayable(sentence: string, { follows = false, lines = 0, isAtCode = false, isPrinted = false }: Beside = {}): string | null {
  const bare = worded(isAtCode ? namingShown(sentence) : sentence);
  if (!follows && (goesOn.test(bare) || continued.test(bare))) return null;
  const begun = follows ? bare : bare.replace(connective, "");
  const said = spoken(isAtCode ? begun.replace(ofShown, "The $1") : begun);
  if (said === null || /[:?]|\.\.|\s-\s?\w+\s-\s|(?<!\w\()[()]\s*$/.test(said) || !isBalanced(said)) return null;
  const words = wordsOf(said);
  const text = /[.!]["'”’)]*$/.test(said) ? said : `${said}.`;
  // What points at something that is shown is understood with it.
  const rest = said.replace(isAtCode ? pointsAtCode : /$^/, "the code").replace(isPrinted ? pointsAtOutput : /$^/, "the output appears");
  if (
    words < 5 ||
    words > 33 ||
    elsewhere.test(follows ? said.replace(/\bthe previous (?:query|command|code)\b/giu, "the code") : said) ||
    ofOneLine.test(said) ||
    (!follows && comparedWith.test(said)) ||
    /\bDr\b(?!-)/.test(said) ||
    (openEnd.test(rest.replace(/[.!]["'”’)]*$/, "")) && !/\b\p{Lu}{2,}[.!]?$/u.test(rest))
  )
    return null;
  if ([...said.matchAll(/\blines? (\d+)(?:(?: and |[-–]| to )(\d+))?/g)].some(([, from, to]) => Number(to ?? from) > lines)) return null;
  if (/^(?:is|are|was|were|does|do|has|have|can|will|would|tells?|means?|produces?|returns?|prints?|gives?|works?)\b/iu.test(said))
    return null;
  if (/(?:^|, (?:and|but) |^for (?:example|instance), )(?:if|when|once)\b[^,]*$|^to \p{Ll}+ [^,]*$|^other\b/iu.test(said)) return null;
  if (follows ? /^\p{Ll}/u.test(said) && !isCodeName(said) : hanging.test(rest) || !isResolved(rest)) return null;
  if (!follows && pointsBack(rest)) return null;
  return begun === bare && /^\p{Ll}/u.test(bare) ? text : capitalised(text);
}

/** “The following query:” is the query that is shown. */
const namingShown = (sentence: string): string =>
  sentence
    .trim()
    .replace(
      /^as (?:the|this|our) (?:\p{L}+ )?(?:example|query|command|code)(?: below)? (?:shows|demonstrates|illustrates), (\p{L})/iu,
      (_, first: string) => first.toUpperCase(),
    )
    .replace(
      /\b(the|this|these) following (?=(?:\p{L}+ )?(?:quer|command|code|statement|expression|script|snippet|program|line|function|rule))/giu,
      "$1 ",
    )
    .replace(/(?<=\b(?:query|command|code|statement|script|program)) below\b/giu, "");

/** A sentence of a page in the words in which it is heard. */
const worded = (sentence: string): string =>
  sentence
    .trim()
    .replace(/(?<=\b(?:writ(?:e|ing|ten)|query|code) (?:\p{Ll}+ ){0,3})as:$/u, "like this")
    .replace(/\bi\.e\.,?/g, "that is,")
    .replace(/(?:(?<!looks?),? like this| as follows|,? which (?:we|you) can (?:see|check) by (?:running|typing))?[:,]$/, "")
    .replace(/^another\b(?= [\p{Ll} ]+ (?:is|are)\b)/iu, "One")
    .replace(/^(?:whoops|oops|aha|so far, so good): /i, "")
    .replace(/(?<!\b(?:once|yet)) again(?=[,.]|$)/i, "")
    .replace(/(?<=\b(?:can|could|will)) (?:also|again)\b/i, "")
    .replace(/ \([\w .-]{1,12}\)(?=:?$)/, "")
    .replace(/\s+\((?:\p{L}|\d)[^()]{0,60}\)(?=[\s.,]|$)/gu, (found) =>
      /[_=[\]"'`]|\(\)/.test(found) && !found.startsWith(" (for ") ? found : "",
    );

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
  const object =
    /\b(?:push|pull|run|try|do|use|add|open|read|save|call|see|make|get|fix|commit|order|sort|print|store|change|remove)\w* (?:it|them)\b/iu.exec(
      text,
    );
  // What is done to something: not to whoever does it.
  if (object && !/\b(?:the|an?|our|your|each|every|some) \p{L}/u.test(text.slice(0, object.index))) return false;
  const at = text.search(pronoun);
  return at < 0 || /^it(?:'s| is) /i.test(text) || named.test(text.slice(0, at));
}

/** “If we run git status now:” and what the page goes on with below the code: one sentence. */
export function joinedAround(before: string, after: string, isPrinted = false): string | null {
  const [opens, closes] = [before.trim(), after.trim()];
  const words = /^(?:(?:but|and|so|however|now|for example),?\s+)?([^:]{6,120}):$/iu.exec(opens)?.[1];
  if (words === undefined || /[:?]$/.test(closes)) return null;
  const whole = `${words}, ${closes}`;
  if (/^(?:because|but|since|which)\b/u.test(closes) && !/^(?:if|when)\b/iu.test(words))
    return sayable(whole, { isAtCode: true, isPrinted });
  if (!/^(?:if|when|once|after)\s/iu.test(words) || !/^(?!and\b|but\b|or\b|so\b)\p{Ll}/u.test(closes)) return null;
  const said = spoken(whole);
  if (
    said === null ||
    wordsOf(said) > 33 ||
    elsewhere.test(said) ||
    comparedWith.test(said) ||
    !isBalanced(said) ||
    /[:?]/.test(said) ||
    !/[.!]$/.test(said)
  )
    return null;
  return capitalised(said.replace(/,,/g, ","));
}

/** An announcement that leans on the sentence before it, with that one. */
function pairOf(start: string, last: string, beside: Beside): string | null {
  const [one, other] = [isAnnouncement(start) ? null : sayable(start, beside), sayable(last, { ...beside, follows: true })];
  if (one === null || other === null || !(isAnnouncement(last) || leadsTo.test(last)) || vague.test(other)) return null;
  return wordsOf(one) + wordsOf(other) <= 36 ? `${one} ${other}` : null;
}

/** What is shown of code, and what its names are. */
interface Shown {
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
/** Says what is done now: code directly below does it. */
const leadsTo = /^(?:(?:now|next|then|finally|first),? )?(?:let['’]s|we(?:['’]ll| can| could| will)|to)\b/i;
/** Leads to what comes next. */
const leadsOn = /^(?:now,? |next,? |then |let['’]s|we can(?! see| tell| check)|if |to |first,? |finally,? |we['’]ll )/i;
/** Turns round what the sentence before it says. */
const turnsBack = /^(?:but|however|yet|unfortunately|actually|instead)\b|\bthough\b/i;

/** What can be said of code from the words around it, best first: the announcement before it, what is said of it after it, or both. */
export function narrationsAround({ index, passages, isPrinted, names, isOfBefore }: Shown): Narration[] {
  const isWords = (one: Passage | undefined): one is Passage =>
    one !== undefined && (one.kind === "prose" || one.kind === "") && one.title === passages[index]?.title;
  // A call-out or a picture may stand between an announcement and its code.
  const isApart = /^(?:callout|figure)$/.test(passages[index - 1]?.kind ?? "") && /:\s*$/.test(passages[index - 2]?.text ?? "");
  const [before, after] = [passages[index - (isApart ? 2 : 1)], passages[index + (isPrinted ? 2 : 1)]];
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
  const isAtCode = isAnnouncement(last) || /\bfollowing (?:\p{L}+ )?(?:query|commands?|code|statements?|program|script)\b/iu.test(last);
  const announced = sayable(last, { lines, isPrinted, isAtCode });
  const announces = isAnnouncement(last) || at === -2 || leadsTo.test(last);
  const opens =
    announced !== null && (names(announced) || (announces && wordsOf(announced) >= 6 && !vague.test(announced))) ? announced : null;
  // “we get two results, and if we select the others:” says first what the code above gives.
  const result = (below[0] ?? "").replace(/, (?:and|but) (?:if|when)\b[^,.:]*:$/iu, ".");
  const joined = joinedAround(last, result, isPrinted);
  if (joined)
    return [
      said(joined, [
        [before, last],
        [after, below[0] ?? ""],
      ]),
    ];
  // What comes last before another announcement leads on to that, unless it names what is shown.
  const isLast = end === 1 && !names(first);
  const closes = leadsOn.test(first) || isLast ? null : sayable(first, { follows: true, lines, isAtCode: true });
  const [start = ""] = above.slice(-2, -1);
  const begun = opens === null && at === -1 ? pairOf(start, last, { lines, isPrinted, isAtCode: isAnnouncement(last) }) : null;
  // Of code right behind other code, little stands between: what goes on with that one is said behind it.
  const isNext = /^(?:code|table)$/.test(passages[index - 2]?.kind ?? "") && above.length <= 3 && announces;
  const leaning =
    opens === null && begun === null && isNext && !/^if\b/i.test(last)
      ? sayable(last, { lines, isPrinted, isAtCode: true, follows: true })
      : null;
  const both = opens !== null && closes !== null && first !== "" && wordsOf(opens) + wordsOf(closes) <= 36;
  const alone = told.flatMap((text, place) => {
    if ((leadsOn.test(text) && (place > 0 || end >= 0)) || turnsBack.test(told[place + 1] ?? "")) return [];
    const one = sayable(text, { lines, isAtCode: place === 0 });
    // Code that is shown without what it prints does not show that it fails.
    if (one !== null && !isPrinted && ofFailure.test(one)) return [];
    return one !== null && (names(one) || (isPrinted && place === 0 && ofOutput.test(one))) ? [said(one, [[after, text]])] : [];
  });
  // Between two pieces of code, what comes first is said of the first.
  const isBetween = /^(?:code|table)$/.test(passages[index - 2]?.kind ?? "");
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
    ...(begun !== null && !turns.test(below[0] ?? "")
      ? [
          said(begun, [
            [before, start],
            [before, last],
          ]),
        ]
      : []),
    ...alone,
    ...earlier.toReversed(),
    ...(leaning !== null && !vague.test(leaning) && !turns.test(below[0] ?? "")
      ? [{ ...said(leaning, [[before, last]]), goesOn: true }]
      : []),
  ];
}
