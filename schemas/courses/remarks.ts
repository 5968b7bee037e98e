/**
 * All that can be said of a course by those who check and merge it, each under a name that stays: in English here, in other languages by
 * the interface's catalogues. Values stand in braces; signs an author has to write as they are come as values, too.
 */
export const remarkTexts = {
  "text-long": "at most {max} characters, this has {count}",
  "text-empty": "this must not be empty",
  "language-form": "expected a language tag such as en or pt-BR",
  "slug-form": "expected lower-case letters and digits, parted by hyphens",
  "id-form": "expected {min} to {max} letters, digits, _ or -",
  "path-form": "expected a relative path inside the course",
  "too-many": "at most {most} of them, there are {count}",

  "id-taken": 'the id "{id}" is already used at {place}',
  "topic-missing": 'there is no page with the id "{id}"',
  "collection-missing": 'there is no part with the id "{id}"',
  "topic-twice": '"{id}" already stands at {place}: a page has one place',
  "collection-twice": '"{id}" already stands at {place}: a part has one place',
  "topic-loose": 'the page "{title}" is nowhere in the course: add it to a part, or delete it',
  "collection-loose": 'the part "{title}" is nowhere in the course: add it, or delete it',
  "collection-in-itself": 'the part "{title}" contains itself, directly or by way of others',
  "collection-deep": "parts may be nested {most} deep, this one stands {depth} deep",
  "no-topic": "a course needs at least one page",
  "slug-taken": 'its neighbour "{title}" has the same slug "{slug}"',
  "slug-reserved": '"{slug}" is kept for the product\'s own pages: choose another slug',
  "file-twice": '"{path}" is already listed at {place}',
  "file-missing": 'the course has no file "{path}": add it to the course\'s assets, or correct the path',
  "file-lost": 'the picture "{path}" is not stored any more: add it again, or take it out',
  "rename-known": 'the id "{id}" belonged to something else before: choose another id for this page',
  "rename-refused": 'what readers keep under "{from}" cannot follow to "{to}": undo the change of this id, or choose another for this page',
  "renames-many": "at most {most} ids can change at once: undo one change of an id, and publish it by itself afterwards",
  "course-large": "the course has more than {most} MB of text: shorten this page, the largest, or make two courses of it",
  "picture-elsewhere": 'pictures come from the course itself: put "{href}" into its assets and name it by its path',
  "link-nowhere": 'the link "{href}" leads nowhere: write {forms}, or a whole address',
  "link-topic": 'there is no page "{topic}" for the link "{href}"',
  "link-anchor": 'the page "{title}" has no anchor "{anchor}": change or remove the link "{href}"',

  "control-character": "There is a control character ({code}) in the text: remove it.",
  "header-open": "The header that begins here has no end: close it with a line {mark}.",
  "header-line": "Expected {form} in the header. Keys of this block: {keys}.",
  "key-unknown": "{key} is not a key of this block. Use: {keys}.",
  "key-twice": "{key} stands twice in the header: keep one.",
  "quote-open": "The quoted value of {key} is not closed or has a stray quote: write {form} inside.",
  "value-unknown": "{given} is not known. Use one of: {values}.",
  "fence-info": "After the fence only the name of a language may stand.",
  "fence-open": "The fence that begins here has no end: close it with a line {mark}.",
  "fence-text": "There is text after the code. Move it to a block of its own, or use a longer fence if it belongs to the code.",

  "theory-empty": "The text is empty. Write it, or delete the block.",
  "callout-empty": "The callout has no text. Write it below the header, or delete the block.",
  "points-list": "Expected a list: begin each key point with {mark}.",
  "point-empty": "This key point is empty. Write it, or delete the line.",
  "points-empty": "There is no key point. Write at least one line that begins with {mark}.",
  "code-languages": "The header says {header}, the fence says {fence}: keep one.",
  "code-language": "The language is a short name such as {one} or {other}.",
  "code-empty": "There is no code. Write it between two lines of three backticks.",
  "diagram-description": "Say what the diagram shows, in a header line {form} between two lines {mark}.",
  "diagram-language": "A diagram is written in {wanted}, not in {given}. Use a code block for other languages.",
  "diagram-empty": "There is no diagram. Write its Mermaid text below the header.",
  "figure-path": "Say which picture: a header line {form}, or {image}.",
  "figure-outside": "{path} is not a path inside the course. Put the file into the course and name it like {example}.",
  "figure-alt": "Say what the figure shows: {form} (or {empty} when it only decorates).",
  "figure-captions": "The caption stands in the header and below it: keep one.",
  "math-empty": "There is no formula. Write it in TeX between two lines {mark}.",
  "math-within": "{mark} cannot stand inside a formula: one block holds one formula.",
  "math-open": "This {opening} is never closed.",
  "math-no-end": "{opening} has no {closing}.",
  "math-close": "This {closing} closes nothing.",
  "math-crossed": "This {closing} comes where {opening} of line {line} should be closed first.",
  "table-empty": "There is no table. Write a line of headings: {example}.",
  "table-rule": "Below the headings a line such as {example} is needed.",
  "table-columns": "There are {headings} headings but {columns} columns in the line below them.",
  "table-gap": "A table has no empty lines. Put text around it into a block of its own.",
  "table-cells": "This row has {cells} cells, the table has {columns} columns. Write {bar} for a bar inside a cell.",
  "exercise-empty": "The exercise has no task. Write what is to be done.",
  "exercise-text": "There is text after a hint or solution. Move it above them, or into one of them.",
  "exercise-mark": "Expected {hint} or {solution}. Write {escaped} for a line of the text that begins so.",
  "hint-title": "A hint has no title: write {hint} alone on its line.",
  "hint-within": "Close the hint of line {line} with a line {mark} before another begins.",
  "hint-open": "The hint that begins here has no end: close it with a line {mark}.",
  "hint-empty": "This hint is empty. Write it, or delete it.",
  "solution-within": "Close the solution of line {line} with a line {mark} before another begins.",
  "solution-open": "The solution that begins here has no end: close it with a line {mark}.",
  "solution-empty": "This solution is empty. Write it, or delete it.",

  "question-kind": "Say of which kind the question is: a header line {form}. Kinds: {kinds}.",
  "question-key": "{key} belongs to questions of the kind {kind} only: remove the line.",
  "question-number": "{given} is not a number. Write it like {one}, {two} or {three}.",
  "question-empty": "The question has no prompt. Write it above the answers.",
  "question-none": "There is no answer. Write {form} below the prompt.",
  "question-gaps": "There is no gap. Write the answer in the prompt like {form}.",
  "question-count": "Expected {min} to {max} lines like {form}, there are {count}.",
  "question-line": "Expected {form}. Indent the further lines of an answer by two spaces, and move other text above the answers.",
  "question-single": "Mark exactly one choice as right with {mark}; {count} are marked.",
  "question-multiple": "Mark at least one choice as right with {right}, and leave at least one with {wrong}.",
  "question-feedback": "Begin every line of the feedback with {mark}.",
  "answer-empty": "This answer is empty. Write it, or delete it.",
  "answer-long": "This answer has {count} characters, at most {max} are possible. Shorten it.",
  "answer-twice": "{text} stands twice. Change one, or delete it.",
  "gap-open": "The gap that begins here has no end on its line: close it with {mark}, or write {escaped} for the characters themselves.",
  "match-arrow": "Write {form} with one {mark}; {escaped} stands for the characters themselves.",
  "section-mark": "Expected one of {marks}. Write {escaped} for a line of the text that begins so.",
  "section-title": "Nothing may stand behind {open}: write the text below it.",
  "section-within": "Close {open} of line {line} with a line {mark} before another begins.",
  "section-open": "{open} has no end: close it with a line {mark}.",
  "section-empty": "{open} is empty. Write the text below it, or delete it.",
  "section-twice": "{open} stands twice: keep one.",
  "section-text": "Here is text after {open}. Move it above the answers, or into one of the sections.",
  "section-missing": "This kind of question needs {open} with its text and a line {mark}.",
  "question-objective": 'the page has no objective "{id}": use one of {ids}',
  "question-objectives": "the page has several objectives: add a header line {form} with one of {ids}",
  "question-about":
    'The answer is said to follow from the block "{id}", which the course does not have. Remove the reference, or name another block in {form}.',

  "merged-to-course": "“{title}” stood in no chosen place and was put at the end of the course.",
  "merged-to-part": "“{title}” stood in no chosen place and was put at the end of “{home}”.",
  "merged-copy": "A part of “{title}” stands on another chosen page, too; both are kept. Delete one if it is too much.",
  "merged-back": "A block that nobody deleted stood on no chosen page: it is back on “{title}”. Delete it if it is too much.",
  "merged-out": "A block that nobody deleted stood only on pages that are left out, and is left out with them: “{words}”",
  "merged-slug": "“{title}” had the same address as a neighbour: its own is “{slug}” now.",
} as const;

export type RemarkName = keyof typeof remarkTexts;

/** Something that is said of a course: `message` is it in English. */
export interface Remark {
  remark: RemarkName;
  values: Readonly<Record<string, string | number>>;
  message: string;
}

/** Something wrong with a course; the path names where. */
export interface CourseError extends Remark {
  path: string;
}

/** The placeholders of a text: "n" and "name" in "{n} of {name}". */
type Names<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Values<Name extends RemarkName> = [Names<(typeof remarkTexts)[Name]>] extends [never]
  ? []
  : [values: Record<Names<(typeof remarkTexts)[Name]>, string | number>];

export function remark<Name extends RemarkName>(name: Name, ...values: Values<Name>): Remark {
  const [given = {}] = values as [Remark["values"]?];
  const message = remarkTexts[name].replace(/\{(\w+)\}/g, (whole, key: string) => String(given[key] ?? whole));
  return { remark: name, values: given, message };
}
