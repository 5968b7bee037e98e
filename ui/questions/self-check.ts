import type { Question } from "@colloquy/schemas/courses/blocks.ts";
import type { QuestionResponse } from "@colloquy/schemas/questions/response.ts";
import { partId, withoutKey } from "@colloquy/schemas/questions/shown.ts";
import { solutionOf } from "@colloquy/schemas/questions/solution.ts";
import { markWithErrors } from "./error-words.ts";
import type { QuestionHelpEvent, QuestionResponseEvent } from "./events.ts";
import type { QuestionResult, QuestionTexts } from "./fields.ts";
import "./question.ts";
import type { QuestionElement } from "./question.ts";

/** The data that each self-check was made of. */
const sources = new WeakMap<Element, string>();

/**
 * Makes the questions of a page answerable: each is checked here, with the key that the page carries (`data-question`). Call it again after
 * the page changed.
 */
export function offerSelfChecks(root: ParentNode): void {
  for (const holder of root.querySelectorAll<HTMLElement>(".question[data-question]")) {
    const source = holder.dataset.question ?? "";
    const standing = holder.querySelector(":scope > colloquy-question");
    if (standing && sources.get(standing) === source) continue;
    standing?.remove();
    const written = holder.querySelector<HTMLElement>(":scope > .question-static");
    const question = written && parsed(source);
    if (!question) continue;
    const element = selfCheck(question, holder.closest("section")?.id ?? "", textsOf(written));
    element.passages = passagesOf(question, holder);
    element.language = holder.closest<HTMLElement>("[lang]")?.lang ?? "";
    sources.set(element, source);
    written.before(element);
  }
}

function parsed(source: string): Question | null {
  try {
    return JSON.parse(source) as Question;
  } catch {
    return null;
  }
}

function selfCheck(question: Question, id: string, texts: QuestionTexts): QuestionElement {
  const element = document.createElement("colloquy-question");
  Object.assign(element, { question: withoutKey(question, id), texts, retries: true, hintsLeft: question.hints.length });
  element.addEventListener("colloquy-question-response", ({ response }: QuestionResponseEvent) => {
    element.result = resultOf(question, response);
  });
  element.addEventListener("colloquy-question-help", ({ help }: QuestionHelpEvent) => {
    if (help === "retry") element.result = null;
    else if (help === "solution") element.result = withSolution(question, element.result);
    else {
      element.hints = question.hints.slice(0, element.hints.length + 1);
      element.hintsLeft = question.hints.length - element.hints.length;
    }
  });
  return element;
}

/** What is right is shown with a right response, and later on request, so that another try is worth it. */
function resultOf(question: Question, response: QuestionResponse): QuestionResult {
  if (question.kind === "free") return withSolution(question, { correct: null });
  const marking = markWithErrors(question, response);
  return marking.correct ? { ...marking, ...explained(question) } : marking;
}

const explained = ({ explanation }: Question): { explanation?: string } => (explanation === undefined ? {} : { explanation });

const withSolution = (question: Question, result: QuestionResult | null): QuestionResult => ({
  ...(result ?? { correct: false }),
  ...explained(question),
  solution: solutionOf(question),
});

const longestTitle = 60;

/** Stand in a passage beside its words: links to it, and the spoken form of its formulas. */
const beside = ".block-anchor, .anchor, .katex-mathml";

/** The blocks of this page that the answer follows from, by the heading, the caption or the first words of each. */
function passagesOf({ about }: Question, holder: HTMLElement): { href: string; title: string }[] {
  const page = holder.getRootNode() as Document | ShadowRoot;
  return about.flatMap((id) => {
    const block = page.getElementById(id);
    const named = (block?.querySelector("h2, h3, h4, .callout-title, .code-title, figcaption") ?? block)?.cloneNode(true) as
      | Element
      | undefined;
    for (const one of named?.querySelectorAll(beside) ?? []) one.remove();
    const words = named?.textContent.replaceAll(/\s+/g, " ").trim() ?? "";
    if (words === "") return [];
    return { href: `#${id}`, title: words.length > longestTitle ? `${words.slice(0, longestTitle).replace(/\s+\S*$/, "")}…` : words };
  });
}

/** Takes the texts that the service rendered from the page. */
function textsOf(written: HTMLElement): QuestionTexts {
  return (markdown) => {
    const rendered = written.querySelector(`[data-text="${partId(markdown)}"]`);
    const element = document.createElement("div");
    if (!rendered) element.textContent = markdown;
    else element.append(...[...rendered.cloneNode(true).childNodes]);
    // The original keeps its ids.
    for (const one of element.querySelectorAll("[id]")) one.removeAttribute("id");
    return element;
  };
}
