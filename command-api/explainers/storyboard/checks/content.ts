import type { Scene, SceneOf } from "@colloquy/schemas/explainers/storyboard.ts";
import { comeInOrder, standsIn, stepHolds } from "./algebra.ts";
import { arrowFindings, toldFindings } from "./arrows.ts";
import { codeFindings } from "./code.ts";
import { figureFindings } from "./figure.ts";
import { forgettingFindings } from "./forgetting.ts";
import { unfoundedFindings } from "./formula.ts";
import type { CheckedPassage, Found } from "./found.ts";
import { numberLineFindings } from "./number-line.ts";
import { planeFindings } from "./plane.ts";
import { plotFindings } from "./plot.ts";
import { bareWords, spaced } from "./quotes.ts";
import { reasonFits } from "./reasons.ts";
import { tableFindings } from "./table.ts";
import { timelineFindings } from "./timeline.ts";
import { traceFindings } from "./trace.ts";

const unclear = (detail: string): Found => ({ problem: "unclear", detail });

/**
 * @param texts of the passages that the scene's sources have
 * @param passages all of the topic, in reading order
 */
export function contentFindings(scene: Scene, texts: readonly string[], passages: readonly CheckedPassage[]): Found[] {
  switch (scene.layout) {
    case "build":
      return [...diagramFindings(scene), ...arrowFindings(scene, texts, passages)];
    case "diagram":
      return whole(diagramFindings(scene), () => toldFindings(scene, texts, passages));
    case "code":
      return codeFindings(scene, passages);
    case "formula":
      return formulaFindings(scene, passages);
    case "plot":
      return plotFindings(scene, texts);
    case "plane":
      return planeFindings(scene, texts);
    case "number-line":
      return numberLineFindings(scene, texts);
    case "timeline":
      return timelineFindings(scene, texts, passages);
    case "forgetting":
      return forgettingFindings(scene, texts);
    case "table":
      return tableFindings(scene, texts);
    case "figure":
      return figureFindings(scene, passages);
    case "trace":
      return traceFindings(scene, passages);
    case "derive":
      return deriveFindings(scene, texts);
    case "question":
      return questionFindings(scene);
    case "points":
    case "recap":
      return repeats(scene.content.points) ? [unclear("A point stands twice.")] : [];
    case "compare": {
      const { left, right } = scene.content;
      return repeats([left.title, right.title]) || repeats([...left.points, ...right.points]) ? [unclear("Both sides say the same.")] : [];
    }
    default:
      return [];
  }
}

/** What is found first, or else what is found with the whole. */
const whole = (found: readonly Found[], others: () => Found[]): Found[] => (found.length > 0 ? [...found] : others());

function diagramFindings({ content: { nodes, edges, kind } }: SceneOf<"diagram" | "build">): Found[] {
  const keys = new Set(nodes.map(({ key }) => key));
  if (keys.size < nodes.length) return [unclear("Two boxes of the diagram have the same key.")];
  const lost = edges.filter(({ from, to }) => !keys.has(from) || !keys.has(to));
  if (lost.length > 0)
    return [unclear(`An arrow leads to a box that is not there: ${lost.map(({ from, to }) => `${from} to ${to}`).join(", ")}.`)];
  const found: Found[] = [];
  if (repeats(nodes.map(({ label }) => label))) found.push(unclear("Two boxes of the diagram say the same."));
  if (kind !== "state" && kind !== "sequence" && edges.some(({ from, to }) => from === to)) found.push(unclear("A box leads to itself."));
  if (connected(nodes[0]?.key ?? "", edges).size < keys.size) found.push(unclear("The diagram falls into parts that nothing connects."));
  return found;
}

/** The boxes connected with a box by arrows in either direction. */
function connected(first: string, edges: readonly { from: string; to: string }[]): ReadonlySet<string> {
  const reached = new Set([first]);
  for (let size = 0; size < reached.size; ) {
    size = reached.size;
    for (const { from, to } of edges) {
      if (reached.has(from)) reached.add(to);
      if (reached.has(to)) reached.add(from);
    }
  }
  return reached;
}

/** TeX that reaches outside a formula (files, links, styles) or could expand without end. */
const forbidden =
  /\\(?:input|include|require|href|url|class|cssId|style|html\w*|data|def|gdef|edef|let|newcommand|renewcommand|providecommand|newenvironment|renewenvironment|DeclareMathOperator|catcode|csname|write|read|open\w*|special|mmlToken|unicode|includegraphics|loop|repeat)\b/;

function texFindings(tex: string): Found[] {
  const command = forbidden.exec(tex)?.[0];
  if (command) return [unclear(`A formula uses ${command}, which is not allowed.`)];
  const bare = tex.replace(/\\[\\{}]/g, "");
  let depth = 0;
  for (const sign of bare) {
    depth += sign === "{" ? 1 : sign === "}" ? -1 : 0;
    if (depth < 0) break;
  }
  const names = (which: string) =>
    [...tex.matchAll(new RegExp(`\\\\${which}\\s*\\{([a-z]+\\*?)\\}`, "g"))]
      .map(([, name]) => name)
      .toSorted()
      .join();
  const fences = (which: string) => tex.match(new RegExp(`\\\\${which}(?![a-z])`, "g"))?.length ?? 0;
  const whole = depth === 0 && names("begin") === names("end") && fences("left") === fences("right");
  return whole ? [] : [unclear(`A term of the formula is not whole by itself: ${tex.slice(0, 80)}`)];
}

function formulaFindings({ content: { terms } }: SceneOf<"formula">, passages: readonly CheckedPassage[]): Found[] {
  const broken = terms.flatMap(({ tex }) => texFindings(tex));
  if (broken.length > 0) return broken;
  return unfoundedFindings(
    terms,
    passages.map(({ text }) => text),
  );
}

/**
 * Every formula stands in the passages or follows from the one before it, tried with numbers; a step that numbers refute never passes, and
 * none that does not do what its reason says.
 */
function deriveFindings({ content: { steps } }: SceneOf<"derive">, texts: readonly string[]): Found[] {
  return steps.flatMap(({ tex, reason }, index): Found[] => {
    const own = texFindings(tex);
    if (own.length > 0) return own;
    const before = steps[index - 1];
    const holds = before ? stepHolds(before.tex, tex) : null;
    if (holds === false) return [unclear(`Step ${index + 1} does not follow from the one before it: ${tex.slice(0, 120)}`)];
    if (before && reasonFits(before.tex, tex, reason) === false)
      return [unclear(`Step ${index + 1} does not do what its reason says, “${reason}”: ${tex.slice(0, 120)}`)];
    if (holds) return [];
    if (!standsIn(tex, texts))
      return [{ problem: "unsupported", detail: `This formula neither stands in the passages nor can be computed: ${tex.slice(0, 120)}` }];
    if (!before || !standsIn(before.tex, texts) || comeInOrder(before.tex, tex, texts)) return [];
    return [
      unclear(`Step ${index + 1} cannot be computed, and in the passages it does not come after the one before it: ${tex.slice(0, 120)}`),
    ];
  });
}

function questionFindings({ content: { choices } }: SceneOf<"question">): Found[] {
  return repeats(choices) ? [unclear("Two choices of the question are the same.")] : [];
}

/** Whether two texts are equal except for case and punctuation; in code and formulas every sign counts. */
function repeats(texts: readonly string[]): boolean {
  const keys = texts.map((text) => (/[`$\\<>|*^=~+]|(?:^|\s)-|\p{S}/u.test(text) ? spaced(text) : bareWords(text).join(" ")));
  return new Set(keys).size < keys.length;
}
