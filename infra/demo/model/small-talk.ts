/** What the demonstration model says of itself. It never claims to understand. */
const about =
  "I am the demonstration model: a small program that runs on this machine, without a network and without a language model. " +
  "I look through the passages of the course that were found for a question and put together the sentences that answer it, each with its source.";
const can =
  "Ask me what something is, how something is done, why, what the difference between two things is, or to summarise the page you attached. " +
  "I can also make a quiz from the course. I cannot reason, calculate or know anything the passages do not say; a provider's credential in the configuration brings a real model.";

const replies: [RegExp, string][] = [
  [/^(?:hi|hey|hello|hallo|good (?:morning|afternoon|evening|day)|greetings)\b[^?]{0,40}$/i, `Hello. ${about}\n\n${can}`],
  [
    /^(?:(?:many )?thanks?(?: you)?|thank you|thx|cheers|great|perfect|nice|good|ok(?:ay)?|got it|i see|understood|cool)\b[^?]{0,40}$/i,
    "You are welcome. Ask about anything else in the course.",
  ],
  [/^(?:bye|goodbye|good ?night|see you)\b[^?]{0,30}$/i, "Goodbye. Your conversation stays in the history."],
  [
    /\b(?:what (?:can|do) you do|how do you work|how can you help|what are you able to do|can you help)(?: me| here| for me)?[?.! ]*$/i,
    `${about}\n\n${can}`,
  ],
  [
    /\b(?:who|what) are you\b|\bare you (?:an? )?(?:ai|a\.i\.|robot|bot|human|real|chatgpt|language model|llm|person)\b|\bwhich (?:ai )?model (?:are you|is this)\b|\bwhat model (?:are you|is this)\b/i,
    about,
  ],
  [/^help[.!?]*$/i, `${about}\n\n${can}`],
  [/\bhow are you\b/i, `I am a program, so there is nothing to report. ${can}`],
];

/** An honest reply to a greeting, thanks or a question about the model itself; null when the question is about something else. */
export function smallTalk(question: string): string | null {
  const said = question.replace(/\s+/g, " ").trim();
  if (said.length > 120) return null;
  return replies.find(([pattern]) => pattern.test(said))?.[1] ?? null;
}
