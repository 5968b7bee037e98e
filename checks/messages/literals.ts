import ts from "typescript";
import type { Fault } from "./messages.ts";

/** Attributes that are read, or read aloud. */
const spoken =
  /\b(?:aria-label|aria-description|aria-roledescription|aria-valuetext|title|placeholder|alt|label|\.placeholder|\.title)=(["'])((?:(?!\1).)*)\1/g;
/** Calls whose text is shown or said. */
const saying = new Set(["say", "announce", "AnnounceEvent", "alert", "confirm"]);
const assigned = new Set(["textContent", "innerText", "ariaLabel", "title", "placeholder"]);
/** Names and notations that are the same in every language. */
const untranslated = /^(?:[\s\d\p{P}\p{S}]|Colloquy|EMBED_ORIGINS|UTC|npm run [\w:-]+|&\w+;|xAPI|QTI|GIFT|Anki|Markdown|JSON|Moodle)*$/u;

/** Words for people that stand in the code as they are, outside every message: in templates, attributes, announcements. */
export function literalsOf(source: ts.SourceFile): Fault[] {
  const faults: Fault[] = [];
  const found = (node: ts.Node, text: string) => {
    const words = text.replace(/\s+/g, " ").trim();
    if (!/\p{L}{2}/u.test(words) || untranslated.test(words)) return;
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    faults.push({ file: source.fileName, line: line + 1, what: words });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && ts.isIdentifier(node.tag) && node.tag.text === "html")
      for (const words of wordsIn(node.template)) found(node, words);
    if ((ts.isCallExpression(node) || ts.isNewExpression(node)) && node.arguments) {
      const { expression } = node;
      const name = ts.isIdentifier(expression) ? expression.text : ts.isPropertyAccessExpression(expression) ? expression.name.text : "";
      const [first, second] = node.arguments;
      if (saying.has(name) && first) for (const text of textsOf(first)) found(node, text);
      if (
        name === "setAttribute" &&
        first &&
        second &&
        ts.isStringLiteralLike(first) &&
        /^(?:aria-label|title|placeholder|alt)$/.test(first.text)
      )
        for (const text of textsOf(second)) found(node, text);
    }
    if (
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      ts.isPropertyAccessExpression(node.left) &&
      assigned.has(node.left.name.text)
    )
      for (const text of textsOf(node.right)) found(node, text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return faults;
}

/** What a template shows of its own: its text between tags and what its spoken attributes say, values left out. */
function wordsIn(template: ts.TemplateLiteral): string[] {
  const value = "\u0000";
  const whole = ts.isNoSubstitutionTemplateLiteral(template)
    ? template.text
    : template.head.text + template.templateSpans.map(({ literal }) => value + literal.text).join("");
  const attributes = [...whole.matchAll(spoken)].map(([, , words]) => words ?? "");
  const text = whole
    .replace(/<!--[\s\S]*?-->/g, "<>")
    .replace(/<(code|style|script|pre|kbd)\b[^>]*>[\s\S]*?<\/\1>/g, "<>")
    .split(/<[^>]*>/);
  return [...attributes, ...text].map((words) => words.replaceAll(value, " "));
}

/** The literals an expression may come to be; not what it calls a message with. */
function textsOf(expression: ts.Expression): string[] {
  if (ts.isStringLiteralLike(expression)) return [expression.text];
  if (ts.isTemplateExpression(expression)) return [expression.head.text, ...expression.templateSpans.map(({ literal }) => literal.text)];
  if (ts.isConditionalExpression(expression)) return [...textsOf(expression.whenTrue), ...textsOf(expression.whenFalse)];
  if (ts.isParenthesizedExpression(expression)) return textsOf(expression.expression);
  if (ts.isBinaryExpression(expression)) return [...textsOf(expression.left), ...textsOf(expression.right)];
  return [];
}
