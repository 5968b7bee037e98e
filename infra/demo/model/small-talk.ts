import type { PlainMessageKey, Translator } from "@colloquy/messages/translator.ts";

/** What the demonstration model says of itself. It never claims to understand. */
const replies: [RegExp, PlainMessageKey[]][] = [
  [
    /^(?:hi|hey|hello|hallo|guten (?:morgen|tag|abend)|good (?:morning|afternoon|evening|day)|greetings|servus|مرحب\p{L}*|أهلا|السلام عليكم)(?!\p{L})[^?]{0,40}$/iu,
    ["demoModel.hello", "demoModel.about", "demoModel.can"],
  ],
  [
    /^(?:(?:many )?thanks?(?: you)?|thank you|thx|cheers|great|perfect|nice|good|ok(?:ay)?|got it|i see|understood|cool|danke|vielen dank|super|verstanden|شكر\p{L}*)(?!\p{L})[^?]{0,40}$/iu,
    ["demoModel.welcome"],
  ],
  [/^(?:bye|goodbye|good ?night|see you|tschüss|auf wiedersehen|مع السلامة)(?!\p{L})[^?]{0,30}$/iu, ["demoModel.goodbye"]],
  [
    /\b(?:what (?:can|do) you do|how do you work|how can you help|what are you able to do|can you help|was kannst du|was können sie)(?: me| here| for me| tun)?[?.! ]*$|ماذا تستطيع/i,
    ["demoModel.about", "demoModel.can"],
  ],
  [
    /\b(?:who|what) are you\b|\bare you (?:an? )?(?:ai|a\.i\.|robot|bot|human|real|chatgpt|language model|llm|person)\b|\bwhich (?:ai )?model (?:are you|is this)\b|\bwhat model (?:are you|is this)\b|\bwer (?:bist du|sind sie)\b|من أنت/i,
    ["demoModel.about"],
  ],
  [/^(?:help|hilfe|مساعدة)[.!?]*$/i, ["demoModel.about", "demoModel.can"]],
  [/\bhow are you\b|\bwie geht(?:'s| es)\b|كيف حالك/i, ["demoModel.wellBeing", "demoModel.can"]],
];

/** An honest reply to a greeting, thanks or a question about the model itself; null when the question is about something else. */
export function smallTalk(question: string, { msg }: Translator): string | null {
  const said = question.replace(/\s+/g, " ").trim();
  if (said.length > 120) return null;
  const keys = replies.find(([pattern]) => pattern.test(said))?.[1];
  return keys?.map((key) => msg(key)).join("\n\n") ?? null;
}
