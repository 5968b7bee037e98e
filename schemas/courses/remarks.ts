/** Names a text for the check of the interface's words. */
const marked = <const Text extends string>(text: Text): Text => text;

/**
 * All that can be said of a course by those who check and merge it, each under a name that stays: in English here, in other languages by
 * the interface's catalogues. Values stand in braces; signs an author has to write as they are come as values, too.
 */
export const remarkTexts = {
  "text-long": marked("at most {max} characters, this has {count}"),
  "text-empty": marked("this must not be empty"),
  "language-form": marked("expected a language tag such as en or pt-BR"),
  "slug-form": marked("expected lower-case letters and digits, parted by hyphens"),
  "id-form": marked("expected {min} to {max} letters, digits, _ or -"),
  "path-form": marked("expected a relative path inside the course"),
  "too-many": marked("at most {most} of them, there are {count}"),

  "id-taken": marked('the id "{id}" is already used at {place}'),
  "topic-missing": marked('there is no topic with the id "{id}"'),
  "collection-missing": marked('there is no collection with the id "{id}"'),
  "topic-twice": marked('"{id}" is already contained at {place}: a topic has one place'),
  "collection-twice": marked('"{id}" is already contained at {place}: a collection has one place'),
  "topic-loose": marked('the topic "{title}" is in no container: add it to one, or delete it'),
  "collection-loose": marked('the collection "{title}" is in no container: add it to one, or delete it'),
  "collection-in-itself": marked('the collection "{title}" contains itself, directly or by way of others'),
  "collection-deep": marked("collections may be nested {most} deep, this one stands {depth} deep"),
  "no-topic": marked("a course needs at least one topic"),
  "slug-taken": marked('its neighbour "{title}" has the same slug "{slug}"'),
  "slug-reserved": marked('"{slug}" is kept for the product\'s own pages: choose another slug'),
  "file-twice": marked('"{path}" is already listed at {place}'),
  "file-missing": marked('the course has no file "{path}": add it to the course\'s assets, or correct the path'),
  "picture-elsewhere": marked('pictures come from the course itself: put "{href}" into its assets and name it by its path'),
  "link-nowhere": marked('the link "{href}" leads nowhere: write {forms}, or a whole address'),
  "link-topic": marked('there is no topic "{topic}" for the link "{href}"'),
  "link-anchor": marked('the topic "{title}" has no anchor "{anchor}" for the link "{href}"'),

  "control-character": marked("There is a control character ({code}) in the text: remove it."),
  "header-open": marked("The header that begins here has no end: close it with a line {mark}."),
  "header-line": marked("Expected {form} in the header. Keys of this block: {keys}."),
  "key-unknown": marked("{key} is not a key of this block. Use: {keys}."),
  "key-twice": marked("{key} stands twice in the header: keep one."),
  "quote-open": marked("The quoted value of {key} is not closed or has a stray quote: write {form} inside."),
  "value-unknown": marked("{given} is not known. Use one of: {values}."),
  "fence-info": marked("After the fence only the name of a language may stand."),
  "fence-open": marked("The fence that begins here has no end: close it with a line {mark}."),
  "fence-text": marked("There is text after the code. Move it to a block of its own, or use a longer fence if it belongs to the code."),

  "theory-empty": marked("The text is empty. Write it, or delete the block."),
  "callout-empty": marked("The callout has no text. Write it below the header, or delete the block."),
  "points-list": marked("Expected a list: begin each key point with {mark}."),
  "point-empty": marked("This key point is empty. Write it, or delete the line."),
  "points-empty": marked("There is no key point. Write at least one line that begins with {mark}."),
  "code-languages": marked("The header says {header}, the fence says {fence}: keep one."),
  "code-language": marked("The language is a short name such as {one} or {other}."),
  "code-empty": marked("There is no code. Write it between two lines of three backticks."),
  "diagram-description": marked("Say what the diagram shows, in a header line {form} between two lines {mark}."),
  "diagram-language": marked("A diagram is written in {wanted}, not in {given}. Use a code block for other languages."),
  "diagram-empty": marked("There is no diagram. Write its Mermaid text below the header."),
  "figure-path": marked("Say which picture: a header line {form}, or {image}."),
  "figure-outside": marked("{path} is not a path inside the course. Put the file into the course and name it like {example}."),
  "figure-alt": marked("Say what the figure shows: {form} (or {empty} when it only decorates)."),
  "figure-captions": marked("The caption stands in the header and below it: keep one."),
  "math-empty": marked("There is no formula. Write it in TeX between two lines {mark}."),
  "math-within": marked("{mark} cannot stand inside a formula: one block holds one formula."),
  "math-open": marked("This {opening} is never closed."),
  "math-no-end": marked("{opening} has no {closing}."),
  "math-close": marked("This {closing} closes nothing."),
  "math-crossed": marked("This {closing} comes where {opening} of line {line} should be closed first."),
  "table-empty": marked("There is no table. Write a line of headings: {example}."),
  "table-rule": marked("Below the headings a line such as {example} is needed."),
  "table-columns": marked("There are {headings} headings but {columns} columns in the line below them."),
  "table-gap": marked("A table has no empty lines. Put text around it into a block of its own."),
  "table-cells": marked("This row has {cells} cells, the table has {columns} columns. Write {bar} for a bar inside a cell."),
  "exercise-empty": marked("The exercise has no task. Write what is to be done."),
  "exercise-text": marked("There is text after a hint or solution. Move it above them, or into one of them."),
  "exercise-mark": marked("Expected {hint} or {solution}. Write {escaped} for a line of the text that begins so."),
  "hint-title": marked("A hint has no title: write {hint} alone on its line."),
  "hint-within": marked("Close the hint of line {line} with a line {mark} before another begins."),
  "hint-open": marked("The hint that begins here has no end: close it with a line {mark}."),
  "hint-empty": marked("This hint is empty. Write it, or delete it."),
  "solution-within": marked("Close the solution of line {line} with a line {mark} before another begins."),
  "solution-open": marked("The solution that begins here has no end: close it with a line {mark}."),
  "solution-empty": marked("This solution is empty. Write it, or delete it."),

  "merged-to-course": marked("“{title}” stood in no chosen place and was put at the end of the course."),
  "merged-to-part": marked("“{title}” stood in no chosen place and was put at the end of “{home}”."),
  "merged-copy": marked("A part of “{title}” stands in another chosen topic, too; both are kept. Delete one if it is too much."),
  "merged-back": marked("A block that nobody deleted stood on no chosen page: it is back on “{title}”. Delete it if it is too much."),
  "merged-out": marked("A block that nobody deleted stood only on pages that are left out, and is left out with them: “{words}”"),
  "merged-slug": marked("“{title}” had the same address as a neighbour: its own is “{slug}” now."),
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
