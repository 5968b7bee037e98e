import type { Passage } from "../segments.ts";
import { isCode, namesIn, prompt } from "./code-names.ts";
import type { Narration, Piece } from "./piece.ts";
import type { Candidate } from "./scene.ts";

/** Goes on with what was done just before: “the new directory”, “the file has gone”. */
const backward =
  /\b(?:still|now|sure enough|no longer|the (?:new|extra|two|three|four|five|previous) \p{L}+|the \p{L}+ (?:has gone|is gone|exists)|(?:that|those) changes?|just (?:created|made|added|changed|wrote|defined|saved)|notice (?:that|how))\b/iu;

const isTyped = (one: Passage): boolean => isCode(one) && one.code?.isPrinted !== true && (one.code !== undefined || prompt.test(one.text));

/** The code that has to be shown right before a piece, where what is said of the piece goes on with that. */
export const codeBefore = ({ text, goesOn }: Narration, index: number, passages: readonly Passage[]): Passage | undefined =>
  goesOn || backward.test(text) ? passages.slice(0, index).findLast(isTyped) : undefined;

const changing =
  /\b(?:let['’]s|we(?:['’]ll| will| can| could)?|you can) (?:\p{L}+ly )?(?:add|change|write|edit|modify|rename|remove|delete|fix|replace|move|put|insert|define|create|update)\b/iu;
const looking =
  /^(?:cat|ls|head|tail|less|more|pwd|wc|grep|find|diff|tree|echo|man|docker (?:ps|images|image ls|container ls)|git (?:status|log|diff|show))\b(?!.*>)/;

/** Whether words announce a change, and the code only looks: the change was made elsewhere. */
export const announcesAnother = (said: string, { lines, shell }: Piece): boolean =>
  shell && changing.test(said) && lines.every((line) => !prompt.test(line) || looking.test(line.replace(/^\s*\$ /, "")));

const keywords = new Set(
  "print import from as for in if else elif def return while and or not with function library require TRUE FALSE True False None NULL".split(
    " ",
  ),
);
const isShell = (code: string): boolean => prompt.test(code);
const bare = (code: string): string => code.replace(/(["'])(?:(?!\1).)*\1/g, " ").replace(/\s#\s.*$/gm, "");

/** Names that code gives something to. */
const givenIn = (code: string): string[] =>
  [...bare(code).matchAll(/(?:^|\n)\s*(?:def |class |let |const )?([A-Za-z_][\w.]*)\s*(?:=(?!=)|<-|\(.*\):)/g)].map(
    ([, name = ""]) => name,
  );

/** Whether code goes on with earlier code: it uses what that gave a name, holds most of it, or works on the same files. */
function goesOn(later: Candidate, earlier: Candidate): boolean {
  const [code, before] = [later, earlier].map(({ content }) => content.code ?? "");
  if (code === undefined || before === undefined) return false;
  if (isShell(code) || isShell(before)) {
    const [own, known] = [later, earlier].map(
      ({ content }) => new Set(`${content.code}\n${content.printed ?? ""}`.match(/[\p{L}\d_.-]{3,}/gu)),
    );
    return [...(own ?? [])].some((word) => known?.has(word));
  }
  const names = namesIn(bare(code));
  if (givenIn(before).some((name) => names.has(name) && !keywords.has(name))) return true;
  const [own, known] = [code, before].map((text) => new Set(text.match(/[\p{L}\p{N}_.]+/gu)));
  const shared = [...(known ?? [])].filter((word) => own?.has(word)).length;
  return (known?.size ?? 0) > 2 && shared >= (known?.size ?? 0) * 0.6;
}

/** Code that is no step of an example: it goes on with none before it, and none goes on with it. None where half the steps go on. */
export function strayCode(scenes: readonly Candidate[]): Candidate[] {
  const steps = scenes.filter(({ layout }) => layout === "code" || layout === "trace");
  const going = steps.filter((step, index) => steps.slice(0, index).some((earlier) => goesOn(step, earlier)));
  if (going.length >= Math.floor((steps.length - 1) / 2)) return [];
  return steps.filter((step, index) => !going.includes(step) && !steps.slice(index + 1).some((later) => goesOn(later, step)));
}
