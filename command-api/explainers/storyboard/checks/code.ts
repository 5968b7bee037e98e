import type { SceneOf } from "@colloquy/schemas/explainers/storyboard.ts";
import { programsOf } from "@colloquy/schemas/explainers/trace.ts";
import { isLight } from "./claims/words.ts";
import type { CheckedPassage, Found } from "./found.ts";
import { bareWords, containsQuote, spaced } from "./quotes.ts";

/** The lines of a text that are not empty, with one space for each run of white space. */
export const linesOf = (text: string): string[] => text.split("\n").map(spaced).filter(Boolean);
export const isPrompt = (line: string): boolean => /^\$ \S/.test(line);

/** What a shell's loops and conditions are written with. */
const grammar = new Set(["for", "do", "done", "if", "then", "else", "fi", "while", "in"]);
/** Programs whose names are said for other things as well; they count only where the words mark them. */
const ambiguous = new Set("find less more time date history clear which who test man touch open make".split(" "));
/** What is said of a program instead of its name. */
const saidOf: readonly (readonly [RegExp, string])[] = [
  [/\b(?:copy|copies|copying)\b/i, "cp"],
  [/\brenam(?:e|es|ing)\b/i, "mv"],
  [/\bdelet(?:e|es|ing)\b/i, "rm"],
];
const marked = [
  /`([^`\n]+)`|#(\p{L}+)/gu,
  /\b(?:[Ww]ith|[Uu]sing|like)\s+([\p{L}_][\p{L}\p{N}_.]+)(?=\s+(?:we|you|one)\b|\s*[,.;:!?])/gu,
  /\b(?:[Tt]he|[Aa]n?)\s+([\p{L}_][\p{L}\p{N}_.]+)\s+(?:command|tactic|keyword|combinator|statement|operator|loop)\b/gu,
];
/** Behind these, and where a clause begins, a noun without an article is a name. */
const introduces = /^(?:with|using|uses?|via|like|writes?|calls?|called|runs?|running|apply|applies|after|before)$/i;
const beginsClause = /^(?:and|or|then|but|so|while|that|here|now|finally|because|when|if)$/i;
/** What goes on after a name as after a noun. */
const goesOn = /^(?:we|you|one|to|the|it|then|comes|as|for|on)$/i;
const modal = /^(?:can|will|must|may|is|does|has|lets)$/;
const plural = /^(?:are|were|can|will|have|may|also|do|must)$/;
/** Light words that are names of code as well, where they do something themselves. */
const keywords = new Set(["have", "let", "use"]);

/** Words that stand where only a name can: the subject of a clause without an article (“suffices restates the goal”), or behind “with”. */
function namesByPlace(narration: string, known: ReadonlySet<string>): string[] {
  const pieces = narration.match(/[\p{L}\p{N}_]+(?:['’.-][\p{L}\p{N}_]+)*|[^\s\p{L}\p{N}_]/gu) ?? [];
  return pieces.flatMap((piece, at) => {
    const [before = "", next = "", isFirst] = [pieces[at - 1], pieces[at + 1], at === 0 || /^[.!?:;,]$/u.test(pieces[at - 1] ?? "")];
    const name = isFirst && !known.has(piece) ? piece.toLowerCase() : piece;
    if (name.length < 3 || !known.has(name) || (isLight(name.toLowerCase()) && !keywords.has(name))) return [];
    const isVerb = /^\p{Ll}{3,}s$/u.test(next) && !/(?:ss|us|is)$/.test(next) && !isLight(next) && !plural.test(pieces[at + 2] ?? "");
    if (isFirst || beginsClause.test(before)) return isVerb || (piece === name && !keywords.has(name) && modal.test(next)) ? name : [];
    return introduces.test(before) && !keywords.has(name) && (isVerb || goesOn.test(next) || /^[.,;:!?]$/.test(next)) ? name : [];
  });
}

/** Code without comments and without what stands in quotes. */
const bareCode = (text: string): string => text.replace(/"[^"\n]*"|--.*$|(?<=\s)# .*$|\/\/.*$/gmu, " ");

const token = /[\p{L}_][\p{L}\p{N}_]*(?:[.-][\p{L}_][\p{L}\p{N}_]*)*/gu;
const tokensOf = (text: string): string[] =>
  [...text.matchAll(token)].flatMap(([whole]) => [whole, ...whole.split(/[.-]/)]).filter((word) => word.length > 1);
/** A word that no ordinary text has: `snake_case`, `camelCase`, `a.b`, `t1`. */
const isCodeWord = (word: string): boolean => /[_.]|\p{Ll}\p{Lu}|\p{L}\d/u.test(word);

/** Which names of code a narration speaks of that the code shown has, and which it does not have. Pure. @param passages all of the topic */
export function namesSpoken(
  narration: string,
  code: string,
  passages: readonly Pick<CheckedPassage, "text" | "role" | "code">[],
): { shown: string[]; missing: string[] } {
  const texts = passages.filter(({ role, text }) => role === "code" || linesOf(text).some(isPrompt)).map(({ text }) => text);
  const programs = new Set(
    texts.flatMap((text) => linesOf(text).filter(isPrompt).flatMap(programsOf)).filter((program) => !grammar.has(program)),
  );
  const known = new Set(texts.flatMap(tokensOf));
  const written = new Set(
    texts.flatMap((text) => {
      const commands = linesOf(text).filter(isPrompt);
      return commands.length > 0 ? commands.flatMap(programsOf).filter((one) => !ambiguous.has(one)) : tokensOf(bareCode(text));
    }),
  );
  const own = new Set(tokensOf(code));
  const byMark = marked.flatMap((pattern, index) =>
    [...narration.matchAll(pattern)]
      .flatMap(([, words, command]) => (words ?? command ?? "").match(token) ?? [])
      .filter((word) => index === 0 || known.has(word)),
  );
  const said = new Set(bareWords(narration));
  const byName = [...programs].filter((program) => said.has(program.toLowerCase()) && !ambiguous.has(program));
  // A name that only messages in quotes have, such as GitHub, or only what is printed, is no name of code.
  const bare = new Set(
    passages.flatMap(({ role, code: of, text }) =>
      (role === "code" && of?.role !== "output") || linesOf(text).some(isPrompt) ? tokensOf(bareCode(text)) : [],
    ),
  );
  const byShape = tokensOf(narration).filter((word) => isCodeWord(word) && bare.has(word));
  const byMeaning = saidOf.flatMap(([words, program]) => (words.test(narration) && programs.has(program) ? program : []));
  const byPlace = namesByPlace(narration, written);
  const names = [...new Set([...byMark, ...byName, ...byShape, ...byMeaning, ...byPlace])];
  return { shown: names.filter((name) => own.has(name)), missing: names.filter((name) => !own.has(name)) };
}

/** Of a name that is spoken of and not shown. */
export const unshown = (name: string): Found => ({
  problem: "unclear",
  detail: `The narration speaks of ${name}, and the code that is shown does not have it.`,
});

const denial = /\b(?:not|never)\b|n['’]t\b/i;
const appears = /\b(?:shows?|shown|appears?|lists?|listed|prints?|printed|displays?|displayed|outputs?|visible)\b/i;

/** What a narration says is not shown, and stands in what the command that is shown prints. Pure. */
export function deniedAndShown(narration: string, code: string): string | undefined {
  const lines = code.split("\n");
  const first = lines.findIndex((line) => isPrompt(spaced(line)));
  if (first < 0) return undefined;
  const printed = new Set(
    lines.filter((line) => !isPrompt(spaced(line))).flatMap((line) => line.split(/\s+/).map((word) => word.replace(/\/$/, ""))),
  );
  const clauses = narration.split(/(?<=[\p{L}\d)][.!?;])\s+|,\s+|\s+(?:but|and|so)\s+/u);
  return clauses
    .filter((clause) => denial.test(clause) && appears.test(clause))
    .flatMap((clause) =>
      clause.split(/\s+/).map((word) =>
        word
          .replace(/^["“`]|["”`,;:]$/g, "")
          .replace(/(?<=[\w/])\.$/, "")
          .replace(/\/$/, ""),
      ),
    )
    .find((word) => word !== "" && (/[._/\d]/.test(word) || word.length > 2) && !/^[\p{L}'’]+$/u.test(word) && printed.has(word));
}

/** Where code stands: the places of the passages that hold its lines one after the other, a command's output after it. */
function placesOf(code: readonly string[], sourceIds: readonly string[], passages: readonly CheckedPassage[]): number[] {
  const lines = passages.flatMap(({ sourceId, text }, place) =>
    sourceIds.includes(sourceId) ? linesOf(text).map((line) => ({ line, place })) : [],
  );
  return lines.flatMap(({ place }, at) => {
    const held = code.every((line, index) => {
      const [one, before] = [lines[at + index], lines[at + index - 1]];
      return one?.line.includes(line) === true && (index === 0 || before === undefined || one.place - before.place <= 1);
    });
    return held ? [place] : [];
  });
}

/** A pipeline that grows: each line goes on with the one before it. */
const isGrowing = (code: readonly string[]): boolean => code.every((line, index) => index === 0 || line.startsWith(code[index - 1] ?? ""));

/** Whether words of the scene's other sources stand directly before or after code, or its own title is said. */
export function isBeside(
  place: number,
  { sourceIds, narration }: Pick<SceneOf<"code">, "sourceIds" | "narration">,
  passages: readonly CheckedPassage[],
): boolean {
  const isCode = (at: number): boolean => passages[at]?.role === "code";
  const heading = passages[place]?.heading;
  const beside = [-1, 1].map((step) => {
    let at = place + step;
    while (isCode(at)) at += step;
    return passages[at];
  });
  const isTitled = linesOf(passages[place]?.text ?? "")[0] === heading && heading !== undefined;
  if (isTitled && bareWords(narration).join(" ").includes(bareWords(heading).join(" "))) return true;
  return beside.some((one) => one !== undefined && one.heading === heading && sourceIds.includes(one.sourceId));
}

/** Code is one stretch of a passage, beside the words that speak of it, and has what they name. @param passages all of the topic */
export function codeFindings(scene: SceneOf<"code">, passages: readonly CheckedPassage[]): Found[] {
  const { content, sourceIds, narration } = scene;
  const unclear = (detail: string): Found => ({ problem: "unclear", detail });
  const count = content.code.split("\n").length;
  const found = content.steps
    .filter(({ from, to }) => from > to || to > count)
    .map(({ from, to }) => unclear(`A step looks at lines ${from} to ${to}, and the code has ${count}.`));
  const code = linesOf(content.code);
  const own = passages.filter(({ sourceId }) => sourceIds.includes(sourceId));
  const foreign = code.find((line) => !own.some(({ text }) => spaced(text).includes(line)));
  if (foreign !== undefined)
    return [
      ...found,
      { problem: "unsupported", detail: `This line of code does not stand in the passages of the scene: ${foreign.slice(0, 120)}` },
    ];
  const places = placesOf(code, sourceIds, passages);
  if (places.length === 0 && !isGrowing(code)) found.push(unclear("The lines of the code do not stand in the course one after the other."));
  const ofWords = own.some(({ role }) => role !== undefined && role !== "code");
  const apart = places.length > 0 && places.every((place) => passages[place]?.role === "code" && !isBeside(place, scene, passages));
  if (ofWords && apart) found.push(unclear("The words stand neither directly before nor directly after the code that is shown."));
  const denied = deniedAndShown(narration, content.code);
  if (denied !== undefined) found.push(unclear(`The narration says that ${denied} is not shown, and what the command prints shows it.`));
  const { shown, missing } = namesSpoken(narration, content.code, passages);
  // The course's own sentence may compare what is shown with something else.
  const isCourses = shown.length > 0 && own.some(({ text }) => containsQuote(narration, text));
  return [...found, ...(isCourses ? [] : missing.slice(0, 1).map(unshown))];
}
