/** How a wish to learn begins and ends, in the interface's languages: what it is about stands beside it. */
const wishes: readonly RegExp[] = [
  /^ ?(?:please,? )?(?:(?:i(?:['’]d| would)? (?:want|like|need|wish|hope|have) to|help me(?: to)?|teach me|let me|to|get(?:ting)?(?: (?:better|comfortable|familiar))?|be able to) )*(?:(?:really|finally|better|fully|properly) )*(?:(?:understand(?:ing)?|learn(?:ing)?|know|study|master|grasp|comprehend|review|revise) )?(?:(?:about|at|with) )?/iu,
  /^ ?(?:ich (?:will|möchte|muss|würde gern) )?(?=.* (?:verstehen|lernen|kennenlernen|begreifen) ?[.!]?$)/iu,
  / (?:verstehen|lernen|kennenlernen|begreifen) ?[.!]?$/iu,
  /^ ?(?:(?:pass|take|sit|prepare for|get ready for|get through|go through|finish|complete) )?(?:the |my |an? )?(?:(?:whole|entire|final|next) )?(?:exam|examination|test|quiz|course|class) (?:on|in|about|of) /iu,
  /^ ?(?:أريد أن )?(?:أفهم|فهم|أتعلم|تعلم|أدرس|دراسة) /u,
];
/** "What a basis is" and "What is a basis?" ask for a basis. */
const whatItIs = /^what (?:(?:is|are) (.+?)|(.+) (?:is|are|means?)) ?[.?!]?$/iu;
/** What a goal leaves out: ", not eigenvectors". */
const exclusion = / ?(?:, ?(?:but )?not|,? ?but not|,? ?except(?: for)?|,? ?rather than|,? ?instead of|, ?(?:aber )?nicht|,? ?außer) .+$/iu;

/** A goal that is about all that there is, in the interface's languages. */
const wholeCourse =
  /^(?:(?:all|everything) (?:of|in|about) )?(?:the |this )?(?:(?:whole|entire|full|complete) )?course[.!]?$|^(?:everything|(?:das )?alles|(?:den |der )?(?:ganzen? )?kurs|الدورة كلها|كل شيء)[.!]?$/iu;

/** Whether what a goal is about (`aimOf`) is the course as a whole. Pure. */
export const isWholeCourse = (aim: string): boolean => wholeCourse.test(aim.trim());

/** What a goal is about, without the words of wishing and without what it excludes; the goal itself where nothing else is left. Pure. */
export function aimOf(goal: string): string {
  // The patterns count on single spaces: on runs of them they would take seconds.
  const plain = goal.trim().replace(/\s+/g, " ");
  const aim = wishes
    .reduce((text, wish) => text.replace(wish, ""), plain.replace(exclusion, ""))
    .replace(whatItIs, "$1$2")
    .trim();
  return /[\p{L}\p{N}]/u.test(aim) ? aim : goal;
}
