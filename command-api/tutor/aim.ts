/** How a wish to learn begins and ends, in the interface's languages: what it is about stands beside it. */
const wishes: readonly RegExp[] = [
  /^\s*(?:please,?\s+)?(?:(?:i(?:['’]d| would)?\s+(?:want|like|need|wish|hope|have)\s+to|help me(?:\s+to)?|teach me|let me|to|get(?:ting)?(?:\s+(?:better|comfortable|familiar))?|be able to)\s+)*(?:(?:really|finally|better|fully|properly)\s+)*(?:(?:understand(?:ing)?|learn(?:ing)?|know|study|master|grasp|comprehend|review|revise)\s+)?(?:(?:about|at|with)\s+)?/iu,
  /^\s*(?:ich\s+(?:will|möchte|muss|würde\s+gern)\s+)?(?=.*\s(?:verstehen|lernen|kennenlernen|begreifen)\s*[.!]?$)/iu,
  /\s(?:verstehen|lernen|kennenlernen|begreifen)\s*[.!]?$/iu,
  /^\s*(?:أريد\s+أن\s+)?(?:أفهم|فهم|أتعلم|تعلم|أدرس|دراسة)\s+/u,
];
/** What a goal leaves out: ", not eigenvectors". */
const exclusion =
  /\s*(?:,\s*(?:but\s+)?not|,?\s*but\s+not|,?\s*except(?:\s+for)?|,?\s*rather\s+than|,?\s*instead\s+of|,\s*(?:aber\s+)?nicht|,?\s*außer)\s.+$/iu;

/** What a goal is about, without the words of wishing and without what it excludes; the goal itself where nothing else is left. Pure. */
export function aimOf(goal: string): string {
  const aim = wishes.reduce((text, wish) => text.replace(wish, ""), goal.replace(exclusion, "")).trim();
  return /[\p{L}\p{N}]/u.test(aim) ? aim : goal;
}
