import { plainLetters } from "./not-knowing.ts";

/**
 * Whether a text thanks, agrees, greets or says goodbye, and asks nothing, in the languages of the interface. Only whole phrases count:
 * with any other word it is a question.
 */
export const isSmallTalk = (text: string): boolean => !/[?؟]/.test(text) && pattern.test(plainLetters(text));

const phrases = [
  "(?:many )?thanks?(?: you)?(?: so| very)?(?: a)?(?: much| lot)?|thx|ty|cheers|ok|okay|okey|k+|i see|got it|i (?:get|got) it|understood|i understand|(?:that |it )?(?:makes sense|helps|helped)|(?:thats |that s |that is |its |it s |it is )?(?:all )?(?:very )?(?:clear|great|good|nice|fine|perfect|cool|helpful|interesting)|awesome|wow|alright|all right|right|sure|yes|yeah|yep|aha|ah|oh|now|well|never ?mind|no problem|hi|hello|hey|good (?:morning|afternoon|evening|day|night)|bye|goodbye|see you(?: later| soon)?",
  "danke(?: schön| sehr| dir| ihnen)?|dankeschön|(?:vielen|besten|herzlichen) dank|alles klar|klar|verstanden|(?:ich )?verstehe|(?:ich )?habe? (?:es |ich )?verstanden|super|prima|toll|(?:sehr )?gut|perfekt|genau|ja|ach so|achso|hallo|guten (?:morgen|tag|abend)|moin|servus|tschüss|auf wiedersehen|bis (?:bald|später|dann)|(?:das )?(?:hilft|hat geholfen|passt)|in ordnung|interessant",
  "شكرا(?: لك| لكم)?(?: جزيلا| كثيرا)?|حسنا|تمام|فهمت|مفهوم|واضح|رائع|ممتاز|جيد(?: جدا)?|نعم|طيب|صحيح|مرحبا|اهلا|السلام عليكم|مع السلامة|وداعا|اوكي",
].join("|");
const pattern = new RegExp(`^(?:(?:${phrases})(?: |$))*$`, "u");
