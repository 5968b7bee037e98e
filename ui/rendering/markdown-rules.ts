import type { PlainMessageKey } from "@colloquy/messages/translator.ts";
import type { Env, MarkdownIt, StateCore, Token } from "markdown-it";
import { msg } from "../messages/page.ts";
import { codeBlock, diagramFigure, mathElement } from "./code-block.ts";
import { attribute, escapeHtml } from "./escape.ts";
import { type IconName, icon } from "./icons.ts";
import { languageName } from "./languages.ts";
import { hostOf, linkTarget, safeTarget } from "./links.ts";
import type { MarkdownOptions } from "./options.ts";

/** The options of a rendering, which the rules read from the environment. */
const optionsOf = (env: Env | undefined): MarkdownOptions => (env ?? {}) as MarkdownOptions;

/** An attribute of a token as text; empty when it has none. */
const attributeOf = (token: Token, name: string): string => String(token.attrGet(name) ?? "");

/** Checks every link and image after parsing: allowed, made safe for external sites, or turned into plain text. */
export function addressRule(md: MarkdownIt): void {
  // Links are rejected below, where their text is kept and the page's resolver applies.
  md.validateLink = (address: string) => !/^\s*(?:javascript|vbscript|file|data):/i.test(address);
  md.core.ruler.push("addresses", (state) => {
    for (const token of state.tokens) if (token.children) judgeLinks(token.children, optionsOf(state.env));
  });
  md.renderer.rules.image = (tokens, index, _options, env) => imageHtml(tokens[index] as Token, optionsOf(env));
}

function judgeLinks(tokens: Token[], options: MarkdownOptions): void {
  const broken: boolean[] = [];
  for (const token of tokens) {
    if (token.type === "link_open") {
      const target = linkTarget(attributeOf(token, "href"), options.resolveLink);
      broken.push(!target);
      if (!target) {
        token.tag = "span";
        token.attrs = [
          ["class", "link-broken"],
          ["title", msg("rendering.linkDoesNotWorkHere")],
        ];
        continue;
      }
      token.attrSet("href", target.href);
      if (target.external) {
        token.attrSet("rel", "noopener noreferrer");
        token.attrJoin("class", "external");
        if (options.newTab) token.attrSet("target", "_blank");
      }
    } else if (token.type === "link_close" && broken.pop()) token.tag = "span";
  }
}

function imageHtml(token: Token, options: MarkdownOptions): string {
  const source = attributeOf(token, "src");
  const alt = textOf(token.children ?? []);
  return imageElement(source, alt, options, attributeOf(token, "title") || undefined);
}

/** The words of an alternative text, without emphasis, links and code marks. */
const textOf = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => {
      if (token.type === "softbreak" || token.type === "hardbreak") return " ";
      return token.type === "image" ? textOf(token.children ?? []) : token.content;
    })
    .join("");

/** Addresses of course pictures. A request to another address of this site could have effects, such as signing the reader out. */
const ownPicture = /^\/api\/courses\/[\w-]+\/assets\/[0-9a-f]{64}$/;

/** A picture of a course, a placeholder that loads a remote one on request, or a text if it is missing. */
export function imageElement(source: string, alt: string, options: Pick<MarkdownOptions, "resolveImage">, title?: string): string {
  const remote = /^https?:\/\//i.test(source);
  const resolved = remote ? null : (options.resolveImage?.(source) ?? null);
  const own = resolved ?? (!options.resolveImage && ownPicture.test(source) ? { src: source } : null);
  const target = own && safeTarget(own.src);
  // The first picture is likely in view: decode it with the text around it.
  const order = resolved?.first ? 'fetchpriority="high" decoding="sync"' : 'loading="lazy" decoding="async"';
  if (own && target && !target.external)
    return `<img${attribute("src", target.href)} alt="${escapeHtml(alt)}"${attribute("title", title)}${attribute("width", resolved?.width)}${attribute("height", resolved?.height)} ${order}>`;
  const outside = remote ? safeTarget(source) : null;
  if (!outside)
    return `<span class="image-missing">${escapeHtml(alt || msg("editor.picture"))} <small>(${escapeHtml(msg("rendering.thisPictureIsMissing"))})</small></span>`;
  return `<span class="remote-image"><a${attribute("href", outside.href)} target="_blank" rel="noopener noreferrer" data-action="load-image"${attribute("data-alt", alt)}>${escapeHtml(alt ? msg("rendering.showPicture", { description: alt }) : msg("rendering.showPicture2"))}</a> <small>${escapeHtml(msg("rendering.loadsFrom", { site: hostOf(outside.href) }))}</small></span>`;
}

/** Code, diagrams and formulas. */
export function codeRules(md: MarkdownIt): void {
  md.core.ruler.push("growing_fences", markGrowingFences);
  md.renderer.rules.fence = (tokens, index, _options, env) => {
    const token = tokens[index] as Token;
    const wait = optionsOf(env).leaves === "wait";
    const language = languageName(token.info);
    const growing = Boolean((token.meta as { growing?: boolean } | null)?.growing);
    if (language === "mermaid" && !growing) return diagramFigure(token.content);
    if (language === "math" && !growing) return mathElement(token.content.trim(), true, true, wait);
    // A growing fence stays plain, so that highlighting does not flicker.
    return codeBlock({ code: token.content, language, growing, wait });
  };
  md.renderer.rules.code_block = (tokens, index) => codeBlock({ code: tokens[index]?.content ?? "", language: "" });
  md.renderer.rules.math = (tokens, index, _options, env) => {
    const token = tokens[index] as Token;
    const { display, growing } = token.meta as { display: boolean; growing?: boolean };
    if (growing) return `<div class="math math-display math-growing">${escapeHtml(token.content)}</div>\n`;
    return mathElement(token.content, display, token.block, optionsOf(env).leaves === "wait");
  };
}

/** Marks an unclosed fence at the end of a growing text. */
function markGrowingFences(state: StateCore): void {
  if (!optionsOf(state.env).incomplete) return;
  const fences = state.tokens.filter(({ type }) => type === "fence");
  if (!fences.length) return;
  const lines = state.src.split("\n");
  for (const token of fences) {
    const [from = 0, to = 0] = token.map ?? [];
    const text = token.content.replace(/\n$/, "").split("\n").length - (token.content ? 0 : 1);
    const last = (lines[to - 1] ?? "").trimEnd();
    const closed = text === to - from - 2 && last.endsWith(token.markup);
    if (!closed && lines.slice(to).every((line) => line.trim() === "")) token.meta = { growing: true };
  }
}

/** Tables that scroll by themselves and say their alignment by class. */
/** Letters of a word between two places where it may break: browsers shape a longer run anew for each of its lines. */
const unbroken = /[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{400}(?=\S)/gu;

/** Text in which a word of thousands of letters is laid out in little time. */
export function textRule(md: MarkdownIt): void {
  md.renderer.rules.text = (tokens, index) =>
    (tokens[index]?.content ?? "").replace(unbroken, "$&\u0000").split("\u0000").map(escapeHtml).join("<wbr>");
}

export function tableRules(md: MarkdownIt): void {
  md.renderer.rules.table_open = () => `${tableOpen()}\n`;
  md.renderer.rules.table_close = () => "</table></div>\n";
  for (const rule of ["th_open", "td_open"] as const)
    md.renderer.rules[rule] = (tokens, index) => {
      const token = tokens[index] as Token;
      const align = /text-align:(\w+)/.exec(attributeOf(token, "style"))?.[1];
      const scope = token.tag === "th" ? ' scope="col"' : "";
      return `<${token.tag}${scope}${attribute("class", align && `align-${align}`)}>`;
    };
}

/** The opening of a table that scrolls sideways on its own instead of the page. */
export function tableOpen(label = msg("editor.table")): string {
  return `<div class="table-scroll" role="region" tabindex="0" aria-label="${escapeHtml(label)}"><table>`;
}

/** Boxes of task lists: shown, never changed, and named by their state. */
export function taskRules(md: MarkdownIt): void {
  md.renderer.rules.checkbox_input = (tokens, index) => {
    const done = tokens[index]?.attrGet("checked") !== null;
    return `<input type="checkbox" class="task"${done ? " checked" : ""} disabled aria-label="${escapeHtml(done ? msg("common.done") : msg("rendering.notDone"))}">`;
  };
}

const alerts: Record<string, { icon: IconName; word: PlainMessageKey; kind: string }> = {
  note: { icon: "note", word: "rendering.note", kind: "note" },
  tip: { icon: "tip", word: "rendering.tip", kind: "tip" },
  important: { icon: "important", word: "rendering.important", kind: "note" },
  warning: { icon: "warning", word: "rendering.warning", kind: "warning" },
  caution: { icon: "warning", word: "rendering.caution", kind: "warning" },
};

/**
 * `> [!NOTE]` looks like a callout block: a block quote whose first line names a kind and which has something to say below.
 * Works on the finished blocks; @mdit/plugin-alert's own block rule leaves an empty paragraph behind where a heading ends the quote.
 */
export function alertRule(md: MarkdownIt): void {
  md.core.ruler.after("block", "alerts", ({ tokens }) => {
    tokens.forEach((open, index) => {
      const [paragraph, inline, end] = tokens.slice(index + 1, index + 4);
      if (open.type !== "blockquote_open" || paragraph?.type !== "paragraph_open" || inline?.type !== "inline" || !end) return;
      const [, name, rest = ""] = /^\[!(\w{3,9})\][ \t]*(?:\n([\s\S]*))?$/.exec(inline.content) ?? [];
      const kind = alerts[name?.toLowerCase() ?? ""];
      if (!kind || (!rest && tokens[index + 4]?.type === "blockquote_close")) return;
      const close = tokens.find((token, at) => at > index && token.type === "blockquote_close" && token.level === open.level);
      open.type = "alert_open";
      open.meta = kind;
      if (close) close.type = "alert_close";
      inline.content = rest;
      if (!rest) for (const token of [paragraph, inline, end]) token.hidden = true;
    });
  });
  md.renderer.rules.alert_open = (tokens, index) => {
    const { icon: name, word, kind } = (tokens[index] as Token).meta as (typeof alerts)[string];
    return `<div class="callout callout-${kind}" role="note">\n<p class="callout-title">${icon(name)}${escapeHtml(msg(word))}</p>\n`;
  };
  md.renderer.rules.alert_close = () => "</div>\n";
}

/** Footnotes with ids that are unique on a page (`env.docId`) and marks a screen reader can make sense of. */
export function footnoteRules(md: MarkdownIt): void {
  const meta = (token: Token | undefined) => token?.meta as { id: number; subId?: number };
  const name = (id: number, env: Env | undefined) => `${env?.docId ? `${String(env.docId)}-` : ""}${id + 1}`;
  const back = (token: Token | undefined, env: Env | undefined) => {
    const { id, subId } = meta(token);
    return escapeHtml(`footnote-ref-${name(id, env)}${subId ? `-${subId}` : ""}`);
  };
  md.renderer.rules.footnote_ref = (tokens, index, _options, env) => {
    const { id } = meta(tokens[index]);
    const label = escapeHtml(msg("rendering.footnote", { number: id + 1 }));
    return `<sup class="footnote-ref"><a href="#${escapeHtml(`footnote-${name(id, env)}`)}" id="${back(tokens[index], env)}" aria-label="${label}">${id + 1}</a></sup>`;
  };
  md.renderer.rules.footnote_block_open = () =>
    `<section class="footnotes" aria-label="${escapeHtml(msg("rendering.footnotes"))}">\n<ol>\n`;
  md.renderer.rules.footnote_open = (tokens, index, _options, env) =>
    `<li id="${escapeHtml(`footnote-${name(meta(tokens[index]).id, env)}`)}">`;
  md.renderer.rules.footnote_anchor = (tokens, index, _options, env) =>
    ` <a href="#${back(tokens[index], env)}" class="footnote-back" aria-label="${escapeHtml(msg("rendering.backToTheText"))}">↩</a>`;
}
