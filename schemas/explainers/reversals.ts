/** How sentences begin that turn round what stands before them, in English, German and Arabic. */
const turned = new Map<string, RegExp>([
  [
    "wrong",
    /^(?:(?:but|yet|however|no|alas|unfortunately|actually|in fact|aber|doch|leider|tatsächlich|لكن|غير أن)[,:]?\s+)?(?:(?:this|that|it|which|both|these|they|das|dies|es|beides|هذا|ذلك|هذه)\s+(?:(?:is|are|was|would be|seems|sounds|looks|ist|sind|wäre|klingt)\s+)?(?:(?:a|an|the|ein|eine|einer|der)\s+)?(?:(?:very|quite|simply|plainly|most|common|usual|frequent|typical|widespread|popular|well-known|häufiger?|verbreiteter?|typischer?|weit)\s+)*|(?:a|an|the|ein|eine)\s+(?:(?:very|common|usual|frequent|typical|widespread|häufiger?|verbreiteter?|typischer?)\s+)*)(?:wrong|false|untrue|incorrect|not true|not so|not correct|not right|not the case|mistake|mistaken|error|myth|fallacy|misconception|misunderstanding|illusion|trap|falsch|unwahr|unrichtig|nicht wahr|nicht so|nicht richtig|fehler|irrtum|mythos|missverständnis|trugschluss|خطأ|خاطئ|غير صحيح|ليس صحيحا|ليس كذلك|خرافة|وهم)(?!\p{L})/iu,
  ],
  [
    "but",
    /^(?:but|however|yet|instead|nevertheless|nonetheless|on the contrary|in reality|in truth|actually|unfortunately|aber|doch|jedoch|dennoch|trotzdem|stattdessen|im gegenteil|in wahrheit|tatsächlich|leider|allerdings|لكن|ولكن|غير أن|بل|إلا أن|على العكس|في الحقيقة|مع ذلك)(?!\p{L})/iu,
  ],
]);

/** Whether a sentence reverses the one before: explicitly ("But this is wrong"), by its first word, or not at all. */
export const reversalOf = (sentence: string): "wrong" | "but" | null => {
  const bare = sentence.replace(/^[\s"“„«'(*_>-]+/u, "");
  for (const [kind, pattern] of turned) if (pattern.test(bare)) return kind as "wrong" | "but";
  return null;
};
