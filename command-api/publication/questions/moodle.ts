import type { Question } from "@colloquy/schemas/courses/blocks.ts";
import { gapMark, htmlToMarkdown, htmlToText, QuestionRefused, withGaps } from "./html.ts";
import { collectQuestions, type ReadQuestions, type StatedFields, statedFields } from "./question-file.ts";
import { childOf, childrenOf, escapeXml, textOf, type XmlElement } from "./xml.ts";

/*
 * Moodle XML: https://docs.moodle.org/en/Moodle_XML_format. Texts are HTML, or Markdown where they say so, as ours do.
 */

/** Reads the questions of a Moodle XML file. */
export function readMoodle(quiz: XmlElement): ReadQuestions {
  const read = collectQuestions();
  for (const [index, element] of childrenOf(quiz, "question").entries()) {
    const type = element.attributes.type ?? "";
    if (type === "category") continue;
    const name = htmlToText(textOf(childOf(childOf(element, "name"), "text"))).slice(0, 80) || `question ${index + 1}`;
    read.take(name, tagsOf(element), (note) => {
      const explanation = markdownIn(childOf(element, "generalfeedback"));
      const hints = childrenOf(element, "hint")
        .map((hint) => markdownIn(hint))
        .filter(Boolean);
      return { hints, ...(explanation && { explanation }), ...keyOf(type, element, note) };
    });
  }
  return { questions: read.questions, notes: read.notes };
}

/** What tags such as “level: application” say. */
function tagsOf(element: XmlElement): StatedFields {
  const tags = childrenOf(childOf(element, "tags"), "tag").map((tag) => htmlToText(textOf(childOf(tag, "text"))));
  return Object.fromEntries(
    tags.flatMap((tag) => {
      const [, name, value] = /^(\w+):\s*(.+)$/.exec(tag) ?? [];
      return name && value ? [[name, value]] : [];
    }),
  );
}

/** The Markdown of an element with a `text`. */
function markdownIn(element: XmlElement | undefined, mark: (text: string) => string = (text) => text): string {
  const text = textOf(childOf(element, "text"));
  const format = element?.attributes.format ?? "html";
  if (format === "markdown") return mark(text).trim();
  return htmlToMarkdown(mark(format === "plain_text" ? escapeXml(text) : text));
}

type Note = (what: string, done: string) => void;

const fractionOf = (answer: XmlElement): number => Number(answer.attributes.fraction ?? 0);

function keyOf(type: string, element: XmlElement, note: Note) {
  const questiontext = childOf(element, "questiontext");
  const answers = childrenOf(element, "answer");
  switch (type) {
    case "multichoice": {
      const single = /^(?:true|1)$/.test(textOf(childOf(element, "single")).trim());
      const fractions = answers.map(fractionOf);
      const right = fractions.filter((fraction) => fraction > 0);
      const sum = right.reduce((total, fraction) => total + fraction, 0);
      if (single ? right.length !== 1 || Math.abs(sum - 100) > 0.01 : Math.abs(sum - 100) > 0.1)
        throw new QuestionRefused("some of its answers are right in part only");
      const choices = answers.map((answer, index) => choiceOf(markdownIn(answer), (fractions[index] ?? 0) > 0, answer));
      return { kind: single ? ("single" as const) : ("multiple" as const), markdown: markdownIn(questiontext), choices };
    }
    case "truefalse": {
      const choices = answers.map((answer) => {
        const text = textOf(childOf(answer, "text")).trim().toLowerCase();
        return choiceOf(text === "true" ? "True" : "False", fractionOf(answer) === 100, answer);
      });
      return { kind: "single" as const, markdown: markdownIn(questiontext), choices };
    }
    case "shortanswer": {
      if (/^(?:true|1)$/.test(textOf(childOf(element, "usecase")).trim())) note("capitals matter", "they do not here");
      return { kind: "text" as const, markdown: markdownIn(questiontext), accepted: acceptedOf(answers, note) };
    }
    case "numerical": {
      const right = answers.filter((answer) => fractionOf(answer) === 100);
      const [answer] = right;
      const value = Number(textOf(childOf(answer, "text")).trim() || Number.NaN);
      if (right.length !== 1 || !Number.isFinite(value)) throw new QuestionRefused("it has no single right number");
      if (answers.some((one) => fractionOf(one) > 0 && fractionOf(one) < 100)) note("answers that are right in part", "left out");
      const units = childrenOf(childOf(element, "units"), "unit").map((unit) => textOf(childOf(unit, "unit_name")).trim());
      if (units.length > 1) throw new QuestionRefused("it allows several units");
      const tolerance = Number(textOf(childOf(answer, "tolerance")).trim() || 0);
      const [unit] = units;
      return { kind: "number" as const, markdown: markdownIn(questiontext), value, tolerance, ...(unit && { unit }) };
    }
    case "matching": {
      const rows = childrenOf(element, "subquestion").map((row) => ({
        left: markdownIn(row).replaceAll(/\s+/g, " "),
        right: plain(textOf(childOf(childOf(row, "answer"), "text"))),
      }));
      const pairs = rows.filter(({ left }) => left);
      return {
        kind: "match" as const,
        markdown: markdownIn(questiontext),
        pairs,
        extra: rows.filter(({ left }) => !left).map(({ right }) => right),
      };
    }
    case "ordering": {
      const sorted = answers.toSorted((one, other) => fractionOf(one) - fractionOf(other));
      return { kind: "order" as const, markdown: markdownIn(questiontext), items: sorted.map((answer) => markdownIn(answer)) };
    }
    case "ddwtos":
    case "gapselect": {
      const words = childrenOf(element, type === "ddwtos" ? "dragbox" : "selectoption").map((box) =>
        htmlToText(textOf(childOf(box, "text"))),
      );
      const gaps: string[][] = [];
      const markdown = markdownIn(questiontext, (text) =>
        text.replaceAll(/\[\[(\d{1,3})\]\]/g, (_whole, number: string) => {
          gaps.push([words[Number(number) - 1] ?? ""]);
          return gapMark(gaps.length);
        }),
      );
      note("words to choose from", "the gaps are filled by typing");
      return { kind: "gap" as const, markdown: withGaps(markdown), gaps };
    }
    case "cloze":
    case "multianswer": {
      const gaps: string[][] = [];
      const markdown = markdownIn(questiontext, (text) =>
        text.replaceAll(clozeMark, (_whole, kind: string, given: string) => {
          gaps.push(clozeAnswers(kind, given, note));
          return gapMark(gaps.length);
        }),
      );
      return { kind: "gap" as const, markdown: withGaps(markdown), gaps };
    }
    case "essay": {
      const [, answer = "", list = ""] =
        /^([\s\S]*?)\n*((?:^[-*] .*(?:\n+(?![-*] ) .*)*\n*){2,})$/m.exec(markdownIn(childOf(element, "graderinfo"))) ?? [];
      const rubric = list
        .split(/^[-*] /m)
        .map((item) => item.trim())
        .filter(Boolean);
      if (!answer.trim() || rubric.length < 2)
        throw new QuestionRefused("its information for graders is no sample answer followed by a list of criteria");
      return { kind: "free" as const, markdown: markdownIn(questiontext), rubric, answer: answer.trim() };
    }
    default:
      throw new QuestionRefused(`questions of the type “${type.slice(0, 40)}” have no counterpart here`);
  }
}

/** Moodle's right sides are plain text, though some programs write HTML there. */
const plain = (given: string): string => (given.includes("</") ? htmlToText(given) : given.replaceAll(/\s+/g, " ").trim());

function choiceOf(markdown: string, correct: boolean, answer: XmlElement) {
  const feedback = markdownIn(childOf(answer, "feedback"));
  return { markdown, correct, ...(feedback && { feedback }) };
}

function acceptedOf(answers: readonly XmlElement[], note: Note): string[] {
  if (answers.some((answer) => fractionOf(answer) > 0 && fractionOf(answer) < 100)) note("answers that are right in part", "left out");
  return answers
    .filter((answer) => fractionOf(answer) === 100)
    .map((answer) => {
      const text = textOf(childOf(answer, "text")).trim();
      if (/(?<!\\)\*/.test(text)) throw new QuestionRefused("its answer is a pattern with *");
      return text.replaceAll("\\*", "*");
    });
}

const clozeMark = /\{\d{0,3}:([A-Z_]{1,20}):((?:\\.|[^\\}]){1,4000})\}/g;

function clozeAnswers(kind: string, given: string, note: Note): string[] {
  if (/^(?:NUMERICAL|NM)$/.test(kind)) throw new QuestionRefused("it has a gap for a number");
  if (/^(?:MULTICHOICE|MC)/.test(kind)) note("words to choose from", "the gaps are filled by typing");
  else if (!/^(?:SHORTANSWER|SA|MW)/.test(kind)) throw new QuestionRefused(`it has a gap of the kind ${kind}`);
  const right = given.split(/(?<!\\)~/).flatMap((one) => {
    const [, fraction, answer = ""] = /^(=|%-?[\d.]+%)?([\s\S]*?)(?:(?<!\\)#[\s\S]*)?$/.exec(one) ?? [];
    return fraction === "=" || fraction === "%100%" ? [htmlToText(answer.replaceAll(/\\(.)/g, "$1"))] : [];
  });
  if (right.length === 0 || right.some((one) => one === "*")) throw new QuestionRefused("one of its gaps has no right answer");
  return right;
}

const text = (name: string, content: string, attributes = ' format="markdown"'): string =>
  `<${name}${attributes}><text>${escapeXml(content)}</text></${name}>`;

/** Questions as a Moodle XML file. Texts stay Markdown, which Moodle reads. */
export function writeMoodle(questions: readonly { name: string; question: Question }[]): string {
  const body = questions.map(({ name, question }) => {
    const [type, parts] = writtenKey(question);
    return [
      `<question type="${type}">`,
      `<name><text>${escapeXml(name)}</text></name>`,
      text("questiontext", promptOf(question)),
      ...(question.explanation === undefined ? [] : [text("generalfeedback", question.explanation)]),
      "<defaultgrade>1</defaultgrade>",
      ...parts,
      ...question.hints.map((hint) => text("hint", hint)),
      `<tags>${statedFields(question)
        .map(([field, value]) => `<tag><text>${field}: ${escapeXml(value)}</text></tag>`)
        .join("")}</tags>`,
      "</question>",
    ].join("\n");
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n${body.join("\n\n")}\n</quiz>\n`;
}

const escapeCloze = (answer: string): string => answer.replaceAll(/[\\}~#"/]/g, "\\$&");

const promptOf = (question: Question): string =>
  question.kind === "gap"
    ? question.markdown.replaceAll(/(?<!\\)\[\[(\d+)\]\]/g, (_whole, number: string) => {
        const answers = question.gaps[Number(number) - 1] ?? [];
        return `{1:SHORTANSWER:${answers.map((answer) => `=${escapeCloze(answer)}`).join("~")}}`;
      })
    : question.markdown;

function writtenKey(question: Question): [string, string[]] {
  const answer = (fraction: number, content: string, more = "", attributes = ' format="markdown"'): string =>
    `<answer fraction="${Number(fraction.toFixed(5))}"${attributes}><text>${escapeXml(content)}</text>${more}</answer>`;
  switch (question.kind) {
    case "single":
    case "multiple": {
      const { kind, choices } = question;
      const right = choices.filter(({ correct }) => correct).length;
      const share = { right: 100 / right, wrong: kind === "single" ? 0 : -100 / Math.max(choices.length - right, 1) };
      const written = choices.map(({ markdown, correct, feedback }) =>
        answer(correct ? share.right : share.wrong, markdown, feedback === undefined ? "" : text("feedback", feedback)),
      );
      return ["multichoice", [`<single>${kind === "single"}</single>`, "<shuffleanswers>true</shuffleanswers>", ...written]];
    }
    case "text":
      return ["shortanswer", ["<usecase>0</usecase>", ...question.accepted.map((one) => answer(100, one.replaceAll("*", "\\*"), "", ""))]];
    case "number": {
      const { value, tolerance, unit } = question;
      const units =
        unit === undefined ? [] : [`<units><unit><multiplier>1</multiplier><unit_name>${escapeXml(unit)}</unit_name></unit></units>`];
      return ["numerical", [answer(100, String(value), `<tolerance>${tolerance}</tolerance>`, ""), ...units]];
    }
    case "gap":
      return ["cloze", []];
    case "order":
      return ["ordering", question.items.map((item, index) => answer(index + 1, item))];
    case "match": {
      const rows = [...question.pairs, ...question.extra.map((right) => ({ left: "", right }))];
      const row = ({ left, right }: { left: string; right: string }): string =>
        `<subquestion format="markdown"><text>${escapeXml(left)}</text><answer><text>${escapeXml(right)}</text></answer></subquestion>`;
      return ["matching", ["<shuffleanswers>true</shuffleanswers>", ...rows.map(row)]];
    }
    case "free": {
      const rubric = question.rubric.map((item) => `- ${item.replaceAll("\n", "\n  ")}`).join("\n");
      return ["essay", [text("graderinfo", `${question.answer}\n\n${rubric}`)]];
    }
  }
}
