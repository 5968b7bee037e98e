import type { BlockType } from "@colloquy/schemas/courses/authored.ts";
import type { BlockData, CalloutKind, ParsedBlock } from "@colloquy/schemas/courses/blocks.ts";
import { msg } from "../messages/page.ts";
import { codeBlock, diagramFigure, mathElement } from "./code-block.ts";
import { attribute, escapeHtml } from "./escape.ts";
import { type IconName, icon } from "./icons.ts";
import { type MarkdownOptions, renderInline, renderMarkdown } from "./markdown.ts";
import { imageElement, tableOpen } from "./markdown-rules.ts";
import { question } from "./question.ts";

export interface BlockOptions extends MarkdownOptions {
  /** Gives each block a link to itself, shown beside it on hover. */
  blockLinks?: boolean;
}

const calloutWords = {
  note: "rendering.note",
  tip: "rendering.tip",
  warning: "rendering.warning",
  prerequisite: "rendering.beforeYouStart",
  questions: "conversation.questions",
  definition: "rendering.definition",
  example: "rendering.example",
  testimonial: "rendering.inTheirWords",
  discussion: "rendering.discuss",
  instructor: "rendering.forInstructors",
} as const satisfies Record<CalloutKind, string>;

type Renderers = { [Type in BlockType]: (data: BlockData[Type], options: BlockOptions, id: string) => string };

const renderers: Renderers = {
  "core.theory": ({ markdown }, options) => renderMarkdown(markdown, options),
  "core.key-points": keyPoints,
  "core.callout": callout,
  "core.code": ({ code, language, role, title }) => codeBlock({ code, language, role, title }),
  "core.figure": figure,
  "core.diagram": ({ code, description, caption }, options) =>
    diagramFigure(code, { description, ...(caption && { captionHtml: renderInline(caption, options) }) }),
  "core.math": math,
  "core.table": table,
  "core.exercise": exercise,
  "core.question": question,
};

/**
 * One block of a topic as safe HTML. Its element has the block's id as anchor; hints, solutions and folded callouts open without a
 * script.
 */
export function renderBlock(parsed: ParsedBlock, options: BlockOptions = {}): string {
  const kind = parsed.type.slice("core.".length);
  const render = renderers[parsed.type] as (data: ParsedBlock["data"], options: BlockOptions, id: string) => string;
  const inner = render(parsed.data, { ...options, docId: parsed.id }, parsed.id);
  const anchor = options.blockLinks
    ? `<a class="block-anchor" href="#${escapeHtml(parsed.id)}" tabindex="-1" aria-hidden="true" title="${escapeHtml(msg("rendering.linkToThisPassage"))}">¶</a>`
    : "";
  return `<section class="block block-${kind}" id="${escapeHtml(parsed.id)}">${anchor}${inner}</section>\n`;
}

/** A block whose source could not be parsed: a message and the source. */
export function renderBrokenBlock(block: { id: string; source: string }): string {
  return `<section class="block block-broken" id="${escapeHtml(block.id)}"><p class="broken-title">${icon("warning")}${escapeHtml(msg("rendering.partCouldNotShownSourceBelow"))}</p><pre tabindex="0"><code>${escapeHtml(block.source)}</code></pre></section>\n`;
}

function keyPoints({ title, points }: BlockData["core.key-points"], options: BlockOptions, id: string): string {
  const items = points.map((point) => `<li>${renderInline(point, options)}</li>`).join("");
  return `<div class="keys" role="group" aria-labelledby="${escapeHtml(id)}-title"><h2 class="keys-title" id="${escapeHtml(id)}-title">${icon("key")}${escapeHtml(title ?? msg("editor.keyPoints"))}</h2><ul>${items}</ul></div>`;
}

/** The line that names a callout or exercise: what it is, then what it is about. */
function titleLine(name: IconName, word: string, title: string | undefined): string {
  const about = title ? ` <span class="callout-name">${escapeHtml(title)}</span>` : "";
  return `${icon(name)}<span class="callout-kind">${escapeHtml(word)}</span>${about}`;
}

function callout({ kind, title, folded, markdown }: BlockData["core.callout"], options: BlockOptions): string {
  const line = titleLine(kind, msg(calloutWords[kind]), title);
  const body = renderMarkdown(markdown, options);
  if (folded)
    return `<details class="callout callout-${kind}"><summary class="callout-title">${line}${icon("chevron")}</summary><div class="callout-body">${body}</div></details>`;
  return `<div class="callout callout-${kind}" role="note"><p class="callout-title">${line}</p><div class="callout-body">${body}</div></div>`;
}

function figure({ path, alt, caption }: BlockData["core.figure"], options: BlockOptions): string {
  const image = imageElement(path, alt, options);
  return `<figure class="picture"><div class="picture-frame">${image}</div>${captionOf(caption, options)}</figure>`;
}

function captionOf(caption: string | undefined, options: BlockOptions): string {
  return caption ? `<figcaption>${renderInline(caption, options)}</figcaption>` : "";
}

function math({ tex, label, caption }: BlockData["core.math"], options: BlockOptions): string {
  const number = label ? `<span class="math-label">(${escapeHtml(label)})</span>` : "";
  return `<figure class="formula"><div class="formula-line">${mathElement(tex, true, true)}${number}</div>${captionOf(caption, options)}</figure>`;
}

function table({ caption, align, header, rows }: BlockData["core.table"], options: BlockOptions): string {
  const cells = (row: string[], tag: "th" | "td") =>
    row
      .map((cell, column) => {
        const side = align[column];
        const scope = tag === "th" ? ' scope="col"' : "";
        return `<${tag}${scope}${attribute("class", side && `align-${side}`)}>${renderInline(cell, options)}</${tag}>`;
      })
      .join("");
  const head = header.length ? `<thead><tr>${cells(header, "th")}</tr></thead>` : "";
  const body = rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("");
  const name = caption ? `<caption>${renderInline(caption, options)}</caption>` : "";
  return `${tableOpen(caption ?? msg("editor.table"))}${name}${head}<tbody>${body}</tbody></table></div>`;
}

function exercise({ title, markdown, hints, solutions }: BlockData["core.exercise"], options: BlockOptions): string {
  const fold = (kind: "hint" | "solution", word: string, text: string) =>
    `<details class="fold fold-${kind}"><summary>${icon("chevron")}<span>${escapeHtml(word)}</span></summary><div class="fold-body">${renderMarkdown(text, options)}</div></details>`;
  const hintName = (index: number) => (hints.length > 1 ? msg("rendering.hint", { number: index + 1 }) : msg("common.hint"));
  const solutionName = (index: number) =>
    solutions.length > 1 ? msg("rendering.solution", { number: index + 1 }) : msg("rendering.solution2");
  const folds = [
    ...hints.map((hint, index) => fold("hint", hintName(index), hint)),
    ...solutions.map((solution, index) =>
      fold("solution", [solutionName(index), solution.title].filter(Boolean).join(": "), solution.markdown),
    ),
  ].join("");
  return `<div class="exercise"><p class="callout-title">${titleLine("exercise", msg("editor.exercise"), title)}</p><div class="callout-body">${renderMarkdown(markdown, options)}</div>${folds && `<div class="folds">${folds}</div>`}</div>`;
}
