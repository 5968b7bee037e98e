import { plainLetters } from "./not-knowing.ts";

/**
 * Whether a text thanks, agrees, greets or says goodbye, and asks nothing, in the languages of the interface. Only whole phrases count, or
 * emoji alone: with any other word or sign it is a question.
 */
export function isSmallTalk(text: string): boolean {
  if (/[?؟？❓❔⁉🤔➕➖➗✖]/u.test(text)) return false;
  const words = plainLetters(text);
  // Each phrase is taken once, as it was matched: to try every way to cut a long text into phrases takes time without end.
  return words === "" ? emoji.test(text.trim()) : words.replaceAll(phrase, "") === "";
}

const phrases = [
  "good (?:morning|afternoon|evening|day|night)|(?:many )?thanks?(?: you)?(?: so| very)?(?: a)?(?: much| lot)?|thx|ty|cheers|ok|okay|okey|k{1,3}|i see|got it|i (?:get|got) it|understood|i understand|(?:that |it )?(?:makes sense|helps|helped)|(?:thats |that s |that is |its |it s |it is )?(?:all )?(?:very )?(?:clear|great|good|nice|fine|perfect|cool|helpful|interesting)|awesome|wow|alright|all right|right|sure|yes|yeah|yep|aha|ah|oh|now|well|never ?mind|no problem|hi|hello|hey|bye|goodbye|see you(?: later| soon)?",
  "danke(?: schön| sehr| dir| ihnen)?|dankeschön|(?:vielen|besten|herzlichen) dank|alles klar|klar|verstanden|(?:ich )?verstehe|(?:ich )?habe? (?:es |ich )?verstanden|super|prima|toll|(?:sehr )?gut|perfekt|genau|ja|ach so|achso|hallo|guten (?:morgen|tag|abend)|moin|servus|tschüss|auf wiedersehen|bis (?:bald|später|dann)|(?:das )?(?:hilft|hat geholfen|passt)|in ordnung|interessant",
  "شكرا(?: لك| لكم)?(?: جزيلا| كثيرا)?|حسنا|تمام|فهمت|مفهوم|واضح|رائع|ممتاز|جيد(?: جدا)?|نعم|طيب|صحيح|مرحبا|اهلا|السلام عليكم|مع السلامة|وداعا|اوكي",
].join("|");
const emoji = /^(?:[\s\p{Emoji_Presentation}\u200d]|\p{Extended_Pictographic}\ufe0f)+$/u;
const phrase = new RegExp(`(?:${phrases})(?: |$)`, "gu");
