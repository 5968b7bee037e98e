import type { Question } from "@colloquy/schemas/courses/blocks.ts";
import createMarkdownIt from "markdown-it";
import { gapMark, htmlToMarkdown, htmlToText, QuestionRefused, withGaps } from "./html.ts";
import { collectQuestions, type ReadQuestions, type StatedFields, statedFields } from "./question-file.ts";
import { childOf, childrenOf, escapeXml, findAll, innerHtml, textOf, type XmlElement } from "./xml.ts";

/*
 * QTI 3.0 items: https://www.imsglobal.org/spec/qti/v3p0/impl. Read are items with one interaction, or with several gaps in one text.
 */

const marks =
  /^qti-(?:(?:choice|order|match|extended-text|text-entry|inline-choice|gap-match|associate|graphic-\w[\w-]*|hotspot|hottext|select-point|position-object|slider|upload|drawing|media|custom|portable-custom|end-attempt)-interaction)$/;

/** Reads the question of a QTI 3 item. */
export function readQti(item: XmlElement): ReadQuestions {
  const read = collectQuestions();
  const name = (item.attributes.title || item.attributes.identifier || "item").slice(0, 80);
  const body = childOf(item, "qti-item-body");
  read.take(name, dataOf(item, body), () => {
    if (item.name !== "qti-assessment-item" || !body) throw new QuestionRefused("it is no QTI 3 item");
    if (item.attributes.adaptive === "true") throw new QuestionRefused("it is adaptive");
    if (findAll(item, "qti-template-declaration").length > 0) throw new QuestionRefused("it is made from a template");
    const feedback = (pattern: RegExp): string[] =>
      childrenOf(item, "qti-modal-feedback")
        .filter(({ attributes }) => pattern.test(attributes.identifier ?? ""))
        .map((one) => htmlToMarkdown(html(one)));
    const [explanation] = feedback(/^(?:explanation|solution)$/i);
    return { hints: feedback(/^hint/i), ...(explanation && { explanation }), ...keyOf(item, body) };
  });
  return { questions: read.questions, notes: read.notes };
}

/** What `data-` attributes of an item or its body say. */
const dataOf = (item: XmlElement, body: XmlElement | undefined): StatedFields =>
  Object.fromEntries(
    Object.entries({ ...item.attributes, ...body?.attributes }).flatMap(([name, value]) =>
      name.startsWith("data-") ? [[name.slice("data-".length), value.trim()]] : [],
    ),
  );

const transparent = new Set(["qti-content-body", "qti-prompt", "qti-rubric-block"]);

/** HTML of an element; `replace` for elements of QTI. Feedback is left out. */
const html = (element: XmlElement, replace: (element: XmlElement) => string | null = () => null): string =>
  innerHtml(element, (child) => {
    const given = replace(child);
    if (given !== null) return given;
    if (/^qti-(?:feedback|modal)/.test(child.name) || child.name === "qti-rubric-block") return "";
    if (child.name === "span" && child.attributes.class === "unit") return "";
    if (transparent.has(child.name)) return `<div>${html(child, replace)}</div>`;
    return child.name.startsWith("qti-") ? "" : null;
  });

interface Declared {
  values: string[];
  accepted: string[];
  type: string;
}

function keyOf(item: XmlElement, body: XmlElement) {
  const interactions = allElements(body).filter(({ name }) => marks.test(name));
  const [interaction] = interactions;
  if (!interaction) throw new QuestionRefused("it asks nothing");
  const declared = (one: XmlElement): Declared => {
    const id = one.attributes["response-identifier"];
    const found = childrenOf(item, "qti-response-declaration").find(({ attributes }) => attributes.identifier === id);
    const values = childrenOf(childOf(found, "qti-correct-response"), "qti-value").map((value) => textOf(value).trim());
    const entries = childrenOf(childOf(found, "qti-mapping"), "qti-map-entry").map(({ attributes }) => attributes);
    const best = Math.max(0, ...entries.map((entry) => Number(entry["mapped-value"])));
    const full = entries.filter((entry) => best > 0 && Number(entry["mapped-value"]) === best).map((entry) => entry["map-key"] ?? "");
    return { values, accepted: [...new Set([...values, ...full])], type: found?.attributes["base-type"] ?? "" };
  };
  const prompt = (): string =>
    htmlToMarkdown(html(body, (child) => (child === interaction ? `<div>${html(only(child, "qti-prompt"))}</div>` : null)));
  const keyed = (): string[] => {
    const { values } = declared(interaction);
    if (values.length === 0) throw new QuestionRefused("it gives no correct response");
    return values;
  };
  const areGaps = interactions.every(({ name }) => /^qti-(?:text-entry|inline-choice)-interaction$/.test(name));
  if (interactions.length > 1 && !areGaps) throw new QuestionRefused("it has several interactions");
  switch (interaction.name) {
    case "qti-choice-interaction": {
      const values = keyed();
      const choices = childrenOf(interaction, "qti-simple-choice").map((choice) => {
        const feedback = childrenOf(choice, "qti-feedback-inline").map((one) => htmlToMarkdown(html(one)))[0];
        const correct = values.includes(choice.attributes.identifier ?? "");
        return { markdown: htmlToMarkdown(html(choice)), correct, ...(feedback && { feedback }) };
      });
      const isSingle = (interaction.attributes["max-choices"] ?? "1") === "1";
      return { kind: isSingle ? ("single" as const) : ("multiple" as const), markdown: prompt(), choices };
    }
    case "qti-order-interaction": {
      const choices = childrenOf(interaction, "qti-simple-choice");
      const values = keyed();
      if (values.length !== choices.length) throw new QuestionRefused("only some of its items are to be ordered");
      const items = values.map((value) => {
        const choice = choices.find(({ attributes }) => attributes.identifier === value);
        return choice ? htmlToMarkdown(html(choice)) : "";
      });
      return { kind: "order" as const, markdown: prompt(), items };
    }
    case "qti-match-interaction": {
      const [lefts = [], rights = []] = childrenOf(interaction, "qti-simple-match-set").map((set) =>
        childrenOf(set, "qti-simple-associable-choice").map((choice) => ({
          id: choice.attributes.identifier ?? "",
          words: htmlToMarkdown(html(choice)).replaceAll(/\s+/g, " "),
        })),
      );
      const pairs = keyed().map((value) => {
        const [left, right] = value.split(/\s+/);
        return { left: lefts.find(({ id }) => id === left)?.words ?? "", right: rights.find(({ id }) => id === right)?.words ?? "" };
      });
      if (
        pairs.length !== lefts.length ||
        pairs.some(({ left, right }) => !left || !right) ||
        new Set(pairs.map(({ left }) => left)).size < pairs.length
      )
        throw new QuestionRefused("not every left side has one right side");
      const used = new Set(pairs.map(({ right }) => right));
      return {
        kind: "match" as const,
        markdown: prompt(),
        pairs,
        extra: rights.map(({ words }) => words).filter((words) => !used.has(words)),
      };
    }
    case "qti-extended-text-interaction": {
      const scorer = findAll(body, "qti-rubric-block").find(({ attributes }) => /\bscorer\b/.test(attributes.view ?? ""));
      const rubric = scorer ? findAll(scorer, "li").map((one) => htmlToMarkdown(html(one))) : [];
      const [answer] = declared(interaction).values;
      if (rubric.length < 2 || !answer) throw new QuestionRefused("it has no list of criteria for scorers with a correct response");
      return { kind: "free" as const, markdown: prompt(), rubric, answer };
    }
    case "qti-text-entry-interaction": {
      const { type, values, accepted } = declared(interaction);
      if (interactions.length > 1) break;
      if (/^(?:float|integer)$/.test(type)) return numberOf(item, prompt(), values);
      if (!isAlone(body, interaction)) break;
      if (accepted.length === 0) throw new QuestionRefused("it gives no correct response");
      return { kind: "text" as const, markdown: prompt(), accepted };
    }
    case "qti-inline-choice-interaction":
      break;
    case "qti-gap-match-interaction": {
      const pairs = new Map(keyed().map((value) => value.split(/\s+/).toReversed() as [string, string]));
      const words = new Map(childrenOf(interaction, "qti-gap-text").map((one) => [one.attributes.identifier ?? "", htmlToText(html(one))]));
      const gaps: string[][] = [];
      const replace = (child: XmlElement): string | null => {
        if (child === interaction) return `<div>${html(child, replace)}</div>`;
        if (child.name !== "qti-gap") return null;
        gaps.push([words.get(pairs.get(child.attributes.identifier ?? "") ?? "") ?? ""]);
        return gapMark(gaps.length);
      };
      const markdown = withGaps(htmlToMarkdown(html(body, replace)));
      return { kind: "gap" as const, markdown, gaps };
    }
    default:
      throw new QuestionRefused(`a ${interaction.name} has no counterpart here`);
  }
  const gaps: string[][] = [];
  const markdown = withGaps(
    htmlToMarkdown(
      html(body, (child) => {
        if (!interactions.includes(child)) return null;
        const { values, accepted, type } = declared(child);
        const choice = childrenOf(child, "qti-inline-choice").find(({ attributes }) => attributes.identifier === values[0]);
        if (/^(?:float|integer)$/.test(type)) throw new QuestionRefused("it has a gap for a number");
        gaps.push(child.name === "qti-text-entry-interaction" ? accepted : [choice ? htmlToText(html(choice)) : ""]);
        if (gaps.at(-1)?.filter(Boolean).length === 0) throw new QuestionRefused("one of its gaps has no correct response");
        return gapMark(gaps.length);
      }),
    ),
  );
  return { kind: "gap" as const, markdown, gaps };
}

const allElements = (element: XmlElement): XmlElement[] =>
  element.children.flatMap((child) => (typeof child === "string" ? [] : [child, ...allElements(child)]));

const only = (element: XmlElement, name: string): XmlElement => ({ ...element, children: childrenOf(element, name) });

/** Whether an element stands in a paragraph of its own. */
const isAlone = (body: XmlElement, element: XmlElement): boolean =>
  [body, ...allElements(body)].some(
    (parent) =>
      parent.children.includes(element) &&
      parent !== body &&
      parent.children.every((child) => child === element || (typeof child === "string" && !child.trim())),
  );

function numberOf(item: XmlElement, markdown: string, values: readonly string[]) {
  const value = Number(values[0] || Number.NaN);
  if (values.length !== 1 || !Number.isFinite(value)) throw new QuestionRefused("it has no single right number");
  const [equal, ...more] = findAll(item, "qti-equal");
  const mode = equal?.attributes["tolerance-mode"] ?? "exact";
  const [below = 0, above = below] = (equal?.attributes.tolerance ?? "0").split(/\s+/).map(Number);
  if (more.length > 0 || mode === "relative" || below !== above || !Number.isFinite(below))
    throw new QuestionRefused("its tolerance is relative, or differs above and below");
  const unit = findAll(item, "span").find(({ attributes }) => attributes.class === "unit");
  return { kind: "number" as const, markdown, value, tolerance: mode === "absolute" ? below : 0, ...(unit && { unit: textOf(unit) }) };
}

const markdownIt = createMarkdownIt({ html: false, xhtmlOut: true });
/** Markdown as XHTML. Formulas stand between `\(` and `\)`, as other programs expect them. */
function block(markdown: string): string {
  const formulas: string[] = [];
  const marked = markdown
    .split(/(^`{3,}[\s\S]*?^`{3,}\s*$|`[^`\n]*`)/m)
    .map((piece, index) =>
      index % 2 === 1
        ? piece
        : piece.replaceAll(/\$\$([\s\S]+?)\$\$|(?<!\\)\$((?:\\.|[^$\\])+?)\$/g, (_whole, display?: string, inline?: string) => {
            formulas.push(display === undefined ? `\\(${inline ?? ""}\\)` : `\\[${display}\\]`);
            return `\uE012${formulas.length}\uE013`;
          }),
    )
    .join("");
  return markdownIt
    .render(marked)
    .trim()
    .replaceAll(/\uE012(\d+)\uE013/g, (_whole, formula: string) => escapeXml(formulas[Number(formula) - 1] ?? ""));
}
/** Without the paragraph's tags where a text is one paragraph. */
const flow = (markdown: string): string => block(markdown).replace(/^<p>((?:(?!<p>)[\s\S])*)<\/p>$/, "$1");

/** A question as a QTI 3 item. @throws {QuestionRefused} for one that QTI cannot hold */
export function writeQti({ name, identifier, question }: { name: string; identifier: string; question: Question }): string {
  const { declarations, body, processing } = written(question);
  const modal = (id: string, markdown: string): string =>
    `<qti-modal-feedback outcome-identifier="FEEDBACK" identifier="${id}" show-hide="show"><qti-content-body>${block(markdown)}</qti-content-body></qti-modal-feedback>`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<qti-assessment-item xmlns="http://www.imsglobal.org/xsd/imsqtiasi_v3p0" identifier="${escapeXml(identifier)}" title="${escapeXml(name)}" adaptive="false" time-dependent="false">`,
    ...declarations,
    '<qti-outcome-declaration identifier="SCORE" cardinality="single" base-type="float"/>',
    '<qti-outcome-declaration identifier="FEEDBACK" cardinality="multiple" base-type="identifier"/>',
    `<qti-item-body${statedFields(question)
      .map(([field, value]) => ` data-${field}="${escapeXml(value)}"`)
      .join("")}>${body}</qti-item-body>`,
    processing,
    ...question.hints.map((hint, index) => modal(`HINT${index + 1}`, hint)),
    ...(question.explanation === undefined ? [] : [modal("EXPLANATION", question.explanation)]),
    "</qti-assessment-item>\n",
  ]
    .filter(Boolean)
    .join("\n");
}

const declare = (id: string, cardinality: string, type: string, values: readonly string[], accepted: readonly string[] = []): string => {
  const entries = accepted.map((one) => `<qti-map-entry map-key="${escapeXml(one)}" mapped-value="1" case-sensitive="false"/>`).join("");
  return `<qti-response-declaration identifier="${id}" cardinality="${cardinality}" base-type="${type}"><qti-correct-response>${values
    .map((value) => `<qti-value>${escapeXml(value)}</qti-value>`)
    .join("")}</qti-correct-response>${entries && `<qti-mapping default-value="0">${entries}</qti-mapping>`}</qti-response-declaration>`;
};

const matchCorrect = '<qti-response-processing template="https://purl.imsglobal.org/spec/qti/v3p0/rptemplates/match_correct.xml"/>';
const mapResponse = '<qti-response-processing template="https://purl.imsglobal.org/spec/qti/v3p0/rptemplates/map_response.xml"/>';

function written(question: Question): { declarations: string[]; body: string; processing: string } {
  const prompt = block(question.markdown);
  switch (question.kind) {
    case "single":
    case "multiple": {
      const { kind, choices } = question;
      const right = choices.flatMap(({ correct }, index) => (correct ? [`C${index + 1}`] : []));
      const written = choices.map(({ markdown, feedback }, index) => {
        const said =
          feedback === undefined
            ? ""
            : `<qti-feedback-inline outcome-identifier="FEEDBACK" identifier="C${index + 1}" show-hide="show">${flow(feedback)}</qti-feedback-inline>`;
        return `<qti-simple-choice identifier="C${index + 1}">${flow(markdown)}${said}</qti-simple-choice>`;
      });
      return {
        declarations: [declare("RESPONSE", kind, "identifier", right)],
        body: `${prompt}<qti-choice-interaction response-identifier="RESPONSE" shuffle="true" max-choices="${kind === "single" ? 1 : 0}">${written.join("")}</qti-choice-interaction>`,
        processing: matchCorrect,
      };
    }
    case "text": {
      const [first = ""] = question.accepted;
      return {
        declarations: [declare("RESPONSE", "single", "string", [first], question.accepted)],
        body: `${prompt}<p><qti-text-entry-interaction response-identifier="RESPONSE"/></p>`,
        processing: mapResponse,
      };
    }
    case "number": {
      const { value, tolerance, unit } = question;
      const equal = `<qti-equal tolerance-mode="absolute" tolerance="${tolerance} ${tolerance}"><qti-variable identifier="RESPONSE"/><qti-correct identifier="RESPONSE"/></qti-equal>`;
      return {
        declarations: [declare("RESPONSE", "single", "float", [String(value)])],
        body: `${prompt}<p><qti-text-entry-interaction response-identifier="RESPONSE"/>${unit === undefined ? "" : ` <span class="unit">${escapeXml(unit)}</span>`}</p>`,
        processing: `<qti-response-processing><qti-response-condition><qti-response-if>${equal}<qti-set-outcome-value identifier="SCORE"><qti-base-value base-type="float">1</qti-base-value></qti-set-outcome-value></qti-response-if></qti-response-condition></qti-response-processing>`,
      };
    }
    case "gap": {
      const marked = question.markdown.replaceAll(/(?<!\\)\[\[(\d+)\]\]/g, (_whole, number: string) => gapMark(Number(number)));
      return {
        declarations: question.gaps.map((answers, index) => declare(`GAP${index + 1}`, "single", "string", answers.slice(0, 1), answers)),
        body: block(marked).replaceAll(/\uE010(\d+)\uE011/g, '<qti-text-entry-interaction response-identifier="GAP$1"/>'),
        processing: `<qti-response-processing><qti-set-outcome-value identifier="SCORE"><qti-sum>${question.gaps.map((_answers, index) => `<qti-map-response identifier="GAP${index + 1}"/>`).join("")}</qti-sum></qti-set-outcome-value></qti-response-processing>`,
      };
    }
    case "order": {
      const ids = question.items.map((_item, index) => `I${index + 1}`);
      const items = question.items.map((item, index) => `<qti-simple-choice identifier="I${index + 1}">${flow(item)}</qti-simple-choice>`);
      return {
        declarations: [declare("RESPONSE", "ordered", "identifier", ids)],
        body: `${prompt}<qti-order-interaction response-identifier="RESPONSE" shuffle="true">${items.join("")}</qti-order-interaction>`,
        processing: matchCorrect,
      };
    }
    case "match": {
      const { pairs, extra } = question;
      const set = (letter: string, texts: readonly string[]): string =>
        `<qti-simple-match-set>${texts.map((one, index) => `<qti-simple-associable-choice identifier="${letter}${index + 1}" match-max="1">${flow(one)}</qti-simple-associable-choice>`).join("")}</qti-simple-match-set>`;
      const ids = pairs.map((_pair, index) => `L${index + 1} R${index + 1}`);
      return {
        declarations: [declare("RESPONSE", "multiple", "directedPair", ids)],
        body: `${prompt}<qti-match-interaction response-identifier="RESPONSE" shuffle="true" max-associations="${pairs.length}">${set(
          "L",
          pairs.map(({ left }) => left),
        )}${set("R", [...pairs.map(({ right }) => right), ...extra])}</qti-match-interaction>`,
        processing: matchCorrect,
      };
    }
    case "free":
      return {
        declarations: [declare("RESPONSE", "single", "string", [question.answer])],
        body: `<qti-rubric-block view="scorer" use="scoring"><qti-content-body><ul>${question.rubric.map((item) => `<li>${flow(item)}</li>`).join("")}</ul></qti-content-body></qti-rubric-block>${prompt}<qti-extended-text-interaction response-identifier="RESPONSE"/>`,
        processing: "",
      };
  }
}
