import { msg } from "../messages/page.ts";
import { BoundedMap } from "./bounded-map.ts";
import { entitiesAsSigns, readableFills, withoutLooks } from "./diagram-labels.ts";
import { misreadDiagram, repairDiagram } from "./diagram-repair/repair.ts";
import { drawableSource, lineOfError, subgraphTitleLines, withoutRequests } from "./diagram-source.ts";
import { channelsOf, colours, configuration, readableColours, type Theme } from "./diagram-theme.ts";
import { isOwnPart, withoutLoading } from "./loading-functions.ts";
import { loadMermaid, type MermaidLike } from "./mermaid.ts";
import { placeDrawing, sanitizeDrawing } from "./sanitize.ts";

/**
 * Draws Mermaid sources in place. The library (a few hundred kB) is loaded when the first diagram comes near the viewport. A source is parsed,
 * repaired only if the parser rejects it, and drawn one at a time; if drawing fails, the source stays visible with the reason.
 */

export type { Theme } from "./diagram-theme.ts";

/** Limits that keep the page responsive: layout time grows with edges (400 took 2.9 s). */
export const diagramLimits = { sourceLength: 10_000, edges: 150 } as const;

/** A prepared source is longer than what its author wrote. */
const mermaidLimits = { maxTextSize: diagramLimits.sourceLength * 2, maxEdges: diagramLimits.edges * 2 };

/** Smallest scale to fit the width, and the scale used with scrolling below that. */
const scales = { smallest: 0.52, scrolled: 0.66 } as const;

export interface DiagramOptions {
  /** Where the library comes from. */
  load?: () => Promise<MermaidLike>;
  /** Draws at once instead of when the diagram comes into view. */
  eager?: boolean;
  /** The element whose `data-theme` applies; the document by default. */
  themed?: Element;
  /** Ends it. */
  signal?: AbortSignal;
}

/** `passing`: a retry may succeed. */
export type Drawing = { ok: true; svg: string; repaired: boolean } | { ok: false; reason: string; passing?: boolean };

const drawings = new BoundedMap<string, Drawing>(60);
let queue: Promise<unknown> = Promise.resolve();
let serial = 0;

/** Draws the diagrams in `root`, and redraws them when the theme changes. @returns stops it */
export function drawDiagrams(root: Element, options: DiagramOptions = {}): () => void {
  const ended = new AbortController();
  const wanted = "figure.diagram[data-diagram]";
  const figures = (): HTMLElement[] => [
    ...(root instanceof HTMLElement && root.matches(wanted) ? [root] : []),
    ...root.querySelectorAll<HTMLElement>(wanted),
  ];
  const show = (figure: HTMLElement) => void drawFigure(figure, options);
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting || !(entry.target instanceof HTMLElement)) continue;
        observer.unobserve(entry.target);
        show(entry.target);
      }
    },
    { rootMargin: "400px 0px" },
  );
  for (const figure of figures()) {
    if (options.eager) show(figure);
    else if (figure.dataset.drawn === undefined) observer.observe(figure);
  }
  const redraw = () =>
    figures()
      .filter((figure) => figure.dataset.drawn !== undefined)
      .forEach(show);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw, { signal: ended.signal });
  const chosen = new MutationObserver(redraw);
  chosen.observe(options.themed ?? document.documentElement, { attributeFilter: ["data-theme"] });
  const stop = () => {
    observer.disconnect();
    chosen.disconnect();
    ended.abort();
  };
  options.signal?.addEventListener("abort", stop, { once: true });
  return stop;
}

/** Draws one figure. Resolves when it shows the drawing or an error. */
export async function drawFigure(figure: HTMLElement, options: DiagramOptions = {}): Promise<void> {
  const source = figure.querySelector(".diagram-source code")?.textContent ?? "";
  if (!source.trim()) return;
  figure.setAttribute("aria-busy", "true");
  const drawing = await draw(source, colours(figure), options.load ?? loadMermaid);
  figure.removeAttribute("aria-busy");
  if (drawing.ok) showDrawing(figure, drawing.svg);
  else showReason(figure, drawing.reason);
}

/** Draws a source with the given theme; sequentially, cached. */
export function draw(source: string, theme: Theme, load: () => Promise<MermaidLike> = loadMermaid): Promise<Drawing> {
  const key = JSON.stringify([source, theme]);
  const known = drawings.get(key);
  if (known) return Promise.resolve(known);
  const turn = queue.then(() => drawings.get(key) ?? drawNow(source, theme, load));
  queue = turn.catch(() => {});
  return turn.then((drawing) => {
    if (!drawing.ok && drawing.passing) return drawing;
    drawings.set(key, drawing);
    return drawing;
  });
}

async function drawNow(source: string, theme: Theme, load: () => Promise<MermaidLike>): Promise<Drawing> {
  if (source.length > diagramLimits.sourceLength) return { ok: false, reason: msg("rendering.tooLongDrawn") };
  const edges = source.match(/(?:--|==|-\.|~~|\.\.)[-=.~]*[>ox|)]?/g)?.length ?? 0;
  if (edges > diagramLimits.edges) return { ok: false, reason: msg("rendering.moreThanConnections", { most: diagramLimits.edges }) };
  let mermaid: MermaidLike;
  try {
    mermaid = guarded(await load());
  } catch {
    return { ok: false, reason: msg("rendering.drawingProgramCouldNotLoaded"), passing: true };
  }
  await document.fonts?.load(`14px ${theme.font}`).catch(() => {});
  const id = `drawing-${++serial}`;
  try {
    mermaid.initialize({ ...configuration(theme, subgraphTitleLines(source)), ...mermaidLimits });
    const prepared = drawableSource(readableFills(withoutLooks(source), channelsOf));
    const valid = await validSource(mermaid, prepared);
    if ("reason" in valid) return { ok: false, reason: valid.reason };
    const drawn = await rendered(mermaid, id, valid.source);
    const svg = withoutLoading(sanitizeDrawing(entitiesAsSigns(drawn.svg)), isOwnPart);
    return { ok: true, svg, repaired: drawn.source !== prepared };
  } catch {
    return { ok: false, reason: msg("rendering.partCannotBeDrawn") };
  } finally {
    document.getElementById(`d${id}`)?.remove();
  }
}

/** The library, which never gets a source that loads something, whatever a repair has made of it. */
const guarded = (mermaid: MermaidLike): MermaidLike => ({
  ...mermaid,
  parse: (source) => mermaid.parse(withoutRequests(source)),
  render: (id, source) => mermaid.render(id, withoutRequests(source)),
});

async function validSource(mermaid: MermaidLike, source: string): Promise<{ source: string } | { reason: string }> {
  try {
    await mermaid.parse(source);
  } catch (error) {
    const readable = readableColours(source);
    if (readable !== source && /Unsupported color format/.test(String(error))) return validSource(mermaid, readable);
    const repaired = await parsed(mermaid, repairDiagram(source));
    // The first error is about the original source, which the reader sees.
    return repaired === null ? { reason: readableError(error, source) } : { source: repaired };
  }
  const meant = misreadDiagram(source);
  return { source: (meant !== null && (await parsed(mermaid, meant))) || source };
}

/** Some errors occur only when drawing. */
async function rendered(mermaid: MermaidLike, id: string, source: string): Promise<{ svg: string; source: string }> {
  try {
    return { svg: (await mermaid.render(id, source)).svg, source };
  } catch (error) {
    const repaired = repairDiagram(source);
    if (repaired === source) throw error;
    return { svg: (await mermaid.render(id, repaired)).svg, source: repaired };
  }
}

/** The source, if it parses. */
async function parsed(mermaid: MermaidLike, source: string): Promise<string | null> {
  try {
    await mermaid.parse(source);
    return source;
  } catch {
    return null;
  }
}

/** The parser's error in terms of a reader; the library's own words are about its grammar. */
function readableError(error: unknown, source: string): string {
  const message = error instanceof Error ? error.message : String(error);
  const line = /(?:Parse|Lexical|Lexer) error on line (\d+)/i.exec(message)?.[1];
  if (line) return msg("rendering.mistakeLine", { line: String(lineOfError(source, Number(line))) });
  return /No diagram type detected/.test(message) ? msg("rendering.firstLineDoesNotNameKind") : msg("rendering.itIsNotValid");
}

function showDrawing(figure: HTMLElement, svg: string): void {
  figure.querySelector(".diagram-problem")?.remove();
  let frame = figure.querySelector<HTMLElement>(".diagram-drawing");
  if (!frame) {
    frame = document.createElement("div");
    frame.className = "diagram-drawing";
    figure.prepend(frame);
    foldSource(figure);
  }
  placeDrawing(frame, svg);
  const drawing = frame.querySelector("svg");
  const width = Number.parseFloat(drawing?.style.maxWidth ?? "");
  if (drawing && width && frame.clientWidth < width * scales.smallest) drawing.style.minWidth = `${Math.round(width * scales.scrolled)}px`;
  const words = figure.getAttribute("aria-label");
  if (drawing && words) {
    drawing.setAttribute("role", "img");
    drawing.setAttribute("aria-label", words);
  }
  figure.dataset.drawn = "";
  if (frame.scrollWidth > frame.clientWidth + 1) frame.tabIndex = 0;
}

/** Moves the source into a disclosure once the drawing is shown. */
function foldSource(figure: HTMLElement): void {
  const source = figure.querySelector(".diagram-source");
  if (!source) return;
  const details = document.createElement("details");
  details.className = "diagram-details";
  const summary = document.createElement("summary");
  summary.textContent = msg("rendering.source");
  source.replaceWith(details);
  details.append(summary, copyButton(), source);
}

function showReason(figure: HTMLElement, reason: string): void {
  let problem = figure.querySelector<HTMLElement>(".diagram-problem");
  if (!problem) {
    problem = document.createElement("p");
    problem.className = "diagram-problem";
    figure.prepend(problem);
  }
  problem.textContent = msg("rendering.diagramCouldNotDrawnSourceShown", { reason });
  problem.append(copyButton());
  figure.dataset.drawn = "failed";
}

function copyButton(): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy-source";
  button.dataset.action = "copy-code";
  button.textContent = msg("rendering.copySource");
  return button;
}
