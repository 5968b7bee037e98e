import { bounds } from "@colloquy/schemas/bounds.ts";
import type { BlockData } from "@colloquy/schemas/courses/blocks.ts";
import { formatBlock } from "@colloquy/schemas/courses/parse.ts";
import { writeFence } from "@colloquy/schemas/courses/parsers/source.ts";
import { diagramDescription } from "@colloquy/schemas/text/diagram-description.ts";
import type { Container, Node } from "./containers.ts";
import type { DefinitionEntry } from "./definition-lists.ts";
import { type DraftBlock, draftBlock } from "./draft.ts";
import { namesInstructors } from "./for-instructors.ts";
import { createDepths } from "./heading-depths.ts";
import { mapInline } from "./inline.ts";
import { trimLines } from "./lines.ts";
import { fillMarks, markHeading } from "./marks.ts";
import type { AnchoredBlock, Page } from "./page.ts";
import { type Piece, readPieces } from "./pieces.ts";
import { plainText } from "./plain-text.ts";
import { splitCode, splitMarkdown } from "./split-text.ts";

/** Longest text one block of theory is given; a longer section goes on in a second block. */
const longestTheory = 40_000;
/** Longest text of one part, below the limit of a source so that header and marks fit. */
const longestPart = bounds.course.blockLength - 5_000;

/** Builds the blocks of one page from its parts, in order. */
export interface Builder {
  page: Page;
  blocks: DraftBlock[];
  objectives: string[];
  addNodes(nodes: readonly Node[]): void;
  addPieces(pieces: readonly Piece[]): void;
  addBlock(block: DraftBlock, anchors?: readonly string[]): void;
  /** Splits what is too long for one block, and reports it. */
  split(markdown: string): string[];
  /** The Markdown of what stands inside a container; its anchors go to `block`. */
  markdownOf(nodes: readonly Node[], block: AnchoredBlock): string;
  /** The same for the item of a list, which has no headings of its own. */
  itemOf(nodes: readonly Node[], block: AnchoredBlock): string;
  /** Takes the heading a container begins with as its title. */
  takeTitle(container: Container, block: AnchoredBlock): { title?: string; children: Node[] };
}

/** Levels of headings; null in a quotation, where headings are written in bold and are no part of the page's order. */
type Levels = ReturnType<typeof createDepths> | null;

/** Turns one container into blocks by way of the builder; false when it does not know it. */
export type ContainerRule = (container: Container, builder: Builder) => boolean;

export function createBuilder(page: Page, rule: ContainerRule): Builder {
  const depths = createDepths(2);
  let theory: { parts: string[]; block: DraftBlock; length: number } | null = null;

  /** Anchors that stand alone lead to what comes next. */
  const waiting: string[] = [];
  /** Parts for instructors inside another part; they follow it as parts of their own, or learners would read them. */
  const deferred: Container[] = [];
  /** Line of the part that is being added. */
  let current: number | undefined;
  /** A text's length once its marks are addresses. */
  const lengthOf = (markdown: string): number =>
    fillMarks(markdown, { link: (link) => `topic:${"-".repeat(40)}${page.links[link]?.href ?? ""}`, heading: () => null }).length;
  const splitInto = (parts: string[], length: number): string[] => {
    if (parts.length > 1)
      page.note(current, `${length} characters in one part, more than a block may have`, `split into ${parts.length} blocks`);
    return parts;
  };

  const flush = (): void => {
    if (theory?.parts.length) builder.blocks.push(theory.block);
    theory = null;
  };
  const addText = (markdown: string, anchors: readonly string[]): void => {
    if (!markdown.trim()) {
      waiting.push(...anchors);
      return;
    }
    const [first = "", ...more] = builder.split(markdown);
    const length = lengthOf(first);
    if (theory && theory.length + length > longestTheory) flush();
    theory ??= { parts: [], block: { ...draftBlock("core.theory", { markdown: "" }), ...(current && { line: current }) }, length: 0 };
    theory.parts.push(first);
    theory.length += length;
    (theory.block.data as { markdown: string }).markdown = theory.parts.join("\n\n");
    for (const anchor of [...waiting.splice(0), ...anchors]) page.addAnchor(anchor, { kind: "block", block: theory.block });
    if (more.length) flush();
    for (const part of more) builder.addBlock(draftBlock("core.theory", { markdown: part }));
  };
  const addHeading = (level: number, text: string, id: string | undefined, anchors: readonly string[]): void => {
    flush();
    addText(`${"#".repeat(level)} ${text}${markHeading(page.addHeading(text, id))}`, anchors);
  };

  const builder: Builder = {
    page,
    blocks: [],
    objectives: [],
    addNodes(nodes) {
      for (const node of nodes) {
        if (node.kind === "lines") builder.addPieces(readPieces(node.lines, page));
        else addContainer(node);
      }
      flush();
      addDeferred();
    },
    addPieces(pieces) {
      for (const piece of pieces) addPiece(piece);
    },
    addBlock(block, anchors = []) {
      flush();
      if (current) block.line ??= current;
      for (const anchor of [...waiting.splice(0), ...anchors]) page.addAnchor(anchor, { kind: "block", block });
      builder.blocks.push(block);
      addDeferred();
    },
    split: (markdown) => splitInto(splitMarkdown(markdown, longestPart, lengthOf), markdown.length),
    itemOf: (nodes, block) => withFootnotes(joinPieces(nodes, null, block).join("\n\n"), page),
    markdownOf: (nodes, block) => withFootnotes(joinPieces(nodes, createDepths(Math.max(3, depths.below())), block).join("\n\n"), page),
    takeTitle(container, block) {
      const [first, ...rest] = container.children;
      if (container.title !== undefined) {
        const title = plainText(mapInline(container.title, container.line, page));
        return { ...(title && { title }), children: container.children };
      }
      if (first?.kind !== "lines") return { children: container.children };
      const lines = trimLines(first.lines);
      const written = /^ {0,3}#{1,6}\s/.test(lines[0]?.text ?? "") ? 1 : /^ {0,3}(?:=+|-+)\s*$/.test(lines[1]?.text ?? "") ? 2 : 0;
      const [heading] = readPieces(lines.slice(0, written), page);
      if (heading?.kind !== "heading") return { children: container.children };
      page.addTitle(heading.text, heading.id, { kind: "block", block });
      return { title: plainText(heading.text), children: [{ kind: "lines", lines: lines.slice(written) }, ...rest] };
    },
  };

  function addDeferred(): void {
    for (const container of deferred.splice(0)) addContainer(container);
  }

  function addContainer(container: Container): void {
    flush();
    current = container.line;
    if (rule(container, builder)) return;
    page.note(container.line, `a part of a kind not known here, “${container.name}”`, "its content is kept as running text");
    builder.addNodes(container.children);
  }

  function addPiece(piece: Piece): void {
    const { anchors } = piece;
    current = piece.line;
    switch (piece.kind) {
      case "heading":
        addHeading(depths.of(piece.level), piece.text, piece.id, anchors);
        break;
      case "text":
        addText(withFootnotes(piece.markdown, page, theory?.parts), anchors);
        break;
      case "code": {
        const parts = splitInto(splitCode(piece.data.code, longestPart), piece.data.code.length);
        for (const [index, code] of parts.entries())
          builder.addBlock(draftBlock("core.code", { ...piece.data, code }), index === 0 ? anchors : []);
        break;
      }
      case "figure":
        builder.addBlock(draftBlock("core.figure", piece.data), anchors);
        break;
      case "table":
        for (const [index, data] of splitTable(piece.data).entries())
          builder.addBlock(draftBlock("core.table", data), index === 0 ? anchors : []);
        break;
      case "diagram":
        builder.addBlock(draftBlock("core.diagram", diagram(piece.code, piece.line)), anchors);
        break;
      case "container":
        addContainer(piece.container);
        break;
      case "definitions":
        addDefinitions(piece.entries);
    }
  }

  /** Rows that do not fit into one block go on in a second table with the same headings. */
  function splitTable(table: BlockData["core.table"]): BlockData["core.table"][] {
    const head = lengthOf(linesOfTable({ ...table, rows: [] }).join("\n")) + lengthOf(table.caption ?? "");
    const tables: BlockData["core.table"][] = [];
    let length = Number.POSITIVE_INFINITY;
    for (const row of table.rows) {
      const own = row.reduce((sum, cell) => sum + lengthOf(cell) + 8, 8);
      if (length + own > longestPart) {
        tables.push({ ...table, rows: [] });
        length = head;
      }
      tables.at(-1)?.rows.push(row);
      length += own;
    }
    if (tables.length > 1)
      page.note(current, `a table of ${table.rows.length} rows, longer than a block may be`, `split into ${tables.length} tables`);
    return tables.length ? tables : [table];
  }

  function diagram(code: string, line: number) {
    const described = diagramDescription(code);
    const heading = page.headings.at(-1)?.plain;
    if (!described) page.note(line, "a diagram without a description", "described by the heading it stands under");
    return { language: "mermaid" as const, description: described ?? (heading ? `Diagram: ${heading}` : "Diagram"), code };
  }

  /** A glossary's terms become headings, so that each can be linked to and found; a list without ids stays a list. */
  function addDefinitions(entries: readonly DefinitionEntry[]): void {
    if (!entries.some((entry) => entry.id)) {
      addText(definitionList(entries), page.takeAnchors());
      return;
    }
    const level = depths.below();
    for (const entry of entries) {
      addHeading(level, mapInline(entry.term, entry.line, page), entry.id, []);
      for (const lines of entry.definitions) builder.addPieces(readPieces(lines, page));
    }
  }

  function definitionList(entries: readonly DefinitionEntry[]): string {
    return entries
      .map((entry) => {
        const definitions = entry.definitions.map((lines) => joinPieces([{ kind: "lines", lines }], null, null).join("\n\n"));
        const lines = definitions.join("\n\n").split("\n");
        // Code, lists and quotations begin on a line of their own.
        const [first = "", ...more] = /^\s*(?:[`~]{3}|[-*+>|#]|\d+[.)])/.test(lines[0] ?? "") ? ["", "", ...lines] : lines;
        const term = `- **${mapInline(entry.term, entry.line, page)}**: ${first}`.trimEnd();
        return [term, ...more.map((line) => (line ? `  ${line}` : ""))].join("\n");
      })
      .join("\n");
  }

  function joinPieces(nodes: readonly Node[], levels: Levels, block: AnchoredBlock | null): string[] {
    return nodes.flatMap((node) =>
      node.kind === "lines"
        ? readPieces(node.lines, page).flatMap((piece) => writePiece(piece, levels, block))
        : writeContainer(node, levels, block),
    );
  }

  function writePiece(piece: Piece, levels: Levels, block: AnchoredBlock | null): string[] {
    if (block) for (const anchor of piece.anchors) page.addAnchor(anchor, { kind: "block", block });
    switch (piece.kind) {
      case "heading":
        if (levels) return [`${"#".repeat(levels.of(piece.level))} ${piece.text}${markHeading(page.addHeading(piece.text, piece.id))}`];
        if (block) page.addTitle(piece.text, piece.id, { kind: "block", block });
        return [`**${piece.text}**`];
      case "text":
        return [piece.markdown];
      case "code":
        return [writeFence(piece.data.code, piece.data.role === "input" ? piece.data.language : piece.data.role)];
      case "diagram":
        return [writeFence(piece.code, "mermaid")];
      case "figure": {
        const { path, alt, caption } = piece.data;
        const image = `![${alt.replaceAll(/[[\]\\]/g, "\\$&")}](${path.includes(" ") ? `<${path}>` : path})`;
        return caption ? [image, `*${caption}*`] : [image];
      }
      case "table":
        return [linesOfTable(piece.data).join("\n"), ...(piece.data.caption ? [`*${piece.data.caption}*`] : [])];
      case "definitions": {
        if (block) for (const { id } of piece.entries) if (id) page.addAnchor(id, { kind: "block", block });
        return [definitionList(piece.entries)];
      }
      case "container":
        return writeContainer(piece.container, levels, block);
    }
  }

  /** A container inside another: a labelled quotation, with its title in bold. */
  function writeContainer(container: Container, levels: Levels, block: AnchoredBlock | null): string[] {
    if (namesInstructors(container.name)) {
      deferred.push(container);
      page.note(container.line, `“${container.name}” inside another part`, "placed after it, where only instructors see it");
      return [];
    }
    const owner = block ?? { id: "" };
    const { title, children } = builder.takeTitle(container, owner);
    const grouping = unwrapped.has(container.name);
    const inner = joinPieces(children, grouping ? levels : null, block);
    if (grouping) return [...(title ? [`**${title}**`] : []), ...inner];
    page.note(container.line, `“${container.name}” inside another part`, "written as a quotation");
    return [quoted([...(title ? [`**${title}**`] : []), ...inner].join("\n\n"), nestedLabels[container.name])];
  }

  return builder;
}

/** Containers that only group what they hold. */
export const unwrapped = new Set(["div", "tab", "group-tab", "overview", "figure", "columns", "column", "panel-tabset"]);

const nestedLabels: Record<string, string> = {
  callout: "NOTE",
  note: "NOTE",
  prereq: "NOTE",
  important: "IMPORTANT",
  tip: "TIP",
  hint: "TIP",
  warning: "WARNING",
  caution: "CAUTION",
};

/** Adds the footnotes a text refers to below it, because a reader meets every block on its own. */
function withFootnotes(markdown: string, page: Page, already: readonly string[] = []): string {
  const labels = new Set([...markdown.matchAll(/\[\^([^\]\s]+)\](?!:)/g)].map((match) => match[1] ?? ""));
  const notes: string[] = [];
  for (const label of labels) {
    const lines = page.footnotes.get(label);
    if (!lines || already.some((part) => part.includes(`[^${label}]:`))) continue;
    const text = readPieces(lines, page)
      .map((piece) =>
        piece.kind === "text" ? piece.markdown : piece.kind === "code" ? writeFence(piece.data.code, piece.data.language) : "",
      )
      .join("\n\n");
    notes.push(
      `[^${label}]: ${text
        .split("\n")
        .map((line, index) => (index && line ? `    ${line}` : line))
        .join("\n")}`,
    );
  }
  return notes.length ? `${markdown}\n\n${notes.join("\n\n")}` : markdown;
}

/** A table in Markdown, without its caption. */
function linesOfTable({ header, align, rows }: BlockData["core.table"]): string[] {
  return formatBlock({ type: "core.table", data: { header, align, rows } }).split("\n");
}

/** A text as a quotation, labelled (`[!NOTE]`) when a label is given. */
function quoted(markdown: string, label?: string): string {
  return [...(label ? [`[!${label}]`] : []), ...markdown.split("\n")].map((line) => (line ? `> ${line}` : ">")).join("\n");
}
