import type { Question, Quiz } from "@colloquy/schemas/quiz/quiz.ts";
import { choicesOrOther, type OtherQuestion, promptOf, solutionOf } from "./forms.ts";
import { escapeXml, toMarkup } from "./markup.ts";
import { mathml } from "./mathml.ts";
import { sourcesMarkup } from "./sources.ts";
import type { ZipEntry } from "./zip.ts";

const asi = "http://www.imsglobal.org/xsd/imsqtiasi_v3p0";
const packaging = "http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1";
const xsi = "http://www.w3.org/2001/XMLSchema-instance";
const asiLocation = `${asi} https://purl.imsglobal.org/spec/qti/v3p0/schema/xsd/imsqti_asiv3p0_v1p0.xsd`;
const packagingLocation = `${packaging} https://purl.imsglobal.org/spec/qti/v3p0/schema/xsd/imsqtiv3p0_imscpv1p2_v1p0.xsd`;

const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
/** An id as a valid XML name. */
const name = (prefix: string, id: string): string => `${prefix}-${id.replace(/[^A-Za-z0-9_.-]/g, "_")}`;
const itemName = (question: Question): string => name("item", question.questionId);
const itemPath = (question: Question): string => `items/${itemName(question)}.xml`;
const choiceName = (choiceId: string): string => name("choice", choiceId);

/** A quiz as the files of a QTI 3 package: the manifest, one test, one item for each question. Formulas are MathML. Pure. */
export function qtiFiles(quiz: Quiz, origin: string): ZipEntry[] {
  const items = quiz.questions.map((question, index) => ({
    path: itemPath(question),
    text: qtiItem(quiz, question, `${quiz.title} ${index + 1}`, origin),
  }));
  return [{ path: "imsmanifest.xml", text: manifest(quiz) }, { path: "test.xml", text: test(quiz) }, ...items];
}

function manifest(quiz: Quiz): string {
  const items = quiz.questions.map(
    (question) =>
      `<resource identifier="${itemName(question)}" type="imsqti_item_xmlv3p0" href="${itemPath(question)}"><file href="${itemPath(question)}"/></resource>`,
  );
  const needs = quiz.questions.map((question) => `<dependency identifierref="${itemName(question)}"/>`);
  return `${head}<manifest xmlns="${packaging}" xmlns:xsi="${xsi}" xsi:schemaLocation="${packagingLocation}" identifier="${name("package", quiz.quizId)}">
<metadata><schema>QTI Package</schema><schemaversion>3.0.0</schemaversion></metadata>
<organizations/>
<resources>
<resource identifier="${name("test", quiz.quizId)}" type="imsqti_test_xmlv3p0" href="test.xml"><file href="test.xml"/>${needs.join("")}</resource>
${items.join("\n")}
</resources>
</manifest>
`;
}

function test(quiz: Quiz): string {
  const references = quiz.questions.map(
    (question) => `<qti-assessment-item-ref identifier="${itemName(question)}" href="${itemPath(question)}"/>`,
  );
  return `${head}<qti-assessment-test xmlns="${asi}" xmlns:xsi="${xsi}" xsi:schemaLocation="${asiLocation}" identifier="${name("test", quiz.quizId)}" title="${escapeXml(quiz.title)}" tool-name="Colloquy">
<qti-outcome-declaration identifier="SCORE" cardinality="single" base-type="float"><qti-default-value><qti-value>0</qti-value></qti-default-value></qti-outcome-declaration>
<qti-test-part identifier="part-1" navigation-mode="nonlinear" submission-mode="individual">
<qti-assessment-section identifier="section-1" title="${escapeXml(quiz.title)}" visible="true">
${references.join("\n")}
</qti-assessment-section>
</qti-test-part>
<qti-outcome-processing><qti-set-outcome-value identifier="SCORE"><qti-sum><qti-test-variables variable-identifier="SCORE"/></qti-sum></qti-set-outcome-value></qti-outcome-processing>
</qti-assessment-test>
`;
}

/**
 * One question as a QTI 3 item. Its mapping is our scoring rule: a right choice adds its share of the point, in multiple choice a wrong
 * one takes such a share away, never below 0. Pure.
 */
function qtiItem(quiz: Quiz, given: Question, title: string, origin: string): string {
  const options = { math: mathml, origin };
  const question = choicesOrOther(given);
  if (!("choices" in question)) return qtiText(quiz, question, title, origin);
  const single = question.kind === "single";
  const share = 1 / question.correct.length;
  const entries = question.choices
    .filter(({ choiceId }) => !single || question.correct.includes(choiceId))
    .map(
      ({ choiceId }) =>
        `<qti-map-entry map-key="${choiceName(choiceId)}" mapped-value="${question.correct.includes(choiceId) ? share : -share}"/>`,
    );
  const correct = question.correct.map((choiceId) => `<qti-value>${choiceName(choiceId)}</qti-value>`);
  const choices = question.choices.map(
    ({ choiceId, text }) => `<qti-simple-choice identifier="${choiceName(choiceId)}">${toMarkup(text, options)}</qti-simple-choice>`,
  );
  return `${head}<qti-assessment-item xmlns="${asi}" xmlns:xsi="${xsi}" xsi:schemaLocation="${asiLocation}" identifier="${itemName(question)}" title="${escapeXml(title)}" adaptive="false" time-dependent="false" tool-name="Colloquy">
<qti-response-declaration identifier="RESPONSE" cardinality="${question.kind}" base-type="identifier">
<qti-correct-response>${correct.join("")}</qti-correct-response>
<qti-mapping lower-bound="0" upper-bound="1" default-value="0">${entries.join("")}</qti-mapping>
</qti-response-declaration>
${outcome("SCORE", 0)}
${outcome("MAXSCORE", 1)}
<qti-outcome-declaration identifier="FEEDBACK" cardinality="single" base-type="identifier"/>
<qti-item-body>
<div>${toMarkup(question.prompt, options)}</div>
<qti-choice-interaction response-identifier="RESPONSE" shuffle="false" max-choices="${single ? 1 : 0}">
${choices.join("\n")}
</qti-choice-interaction>
</qti-item-body>
<qti-response-processing>
<qti-set-outcome-value identifier="SCORE"><qti-map-response identifier="RESPONSE"/></qti-set-outcome-value>
<qti-set-outcome-value identifier="FEEDBACK"><qti-base-value base-type="identifier">EXPLANATION</qti-base-value></qti-set-outcome-value>
</qti-response-processing>
<qti-modal-feedback outcome-identifier="FEEDBACK" identifier="EXPLANATION" show-hide="show"><qti-content-body>${toMarkup(question.explanation, options)}${sourcesMarkup(quiz, question, origin)}</qti-content-body></qti-modal-feedback>
</qti-assessment-item>
`;
}

const outcome = (id: string, value: number): string =>
  `<qti-outcome-declaration identifier="${id}" cardinality="single" base-type="float"><qti-default-value><qti-value>${value}</qti-value></qti-default-value></qti-outcome-declaration>`;

/** A question without choices: it is answered in writing, and the right answer comes with the feedback. A person gives the point. Pure. */
function qtiText(quiz: Quiz, question: OtherQuestion, title: string, origin: string): string {
  const options = { math: mathml, origin };
  return `${head}<qti-assessment-item xmlns="${asi}" xmlns:xsi="${xsi}" xsi:schemaLocation="${asiLocation}" identifier="${itemName(question)}" title="${escapeXml(title)}" adaptive="false" time-dependent="false" tool-name="Colloquy">
<qti-response-declaration identifier="RESPONSE" cardinality="single" base-type="string"/>
${outcome("SCORE", 0)}
${outcome("MAXSCORE", 1)}
<qti-outcome-declaration identifier="FEEDBACK" cardinality="single" base-type="identifier"/>
<qti-item-body>
<div>${toMarkup(promptOf(question), options)}</div>
<qti-extended-text-interaction response-identifier="RESPONSE"/>
</qti-item-body>
<qti-response-processing>
<qti-set-outcome-value identifier="FEEDBACK"><qti-base-value base-type="identifier">EXPLANATION</qti-base-value></qti-set-outcome-value>
</qti-response-processing>
<qti-modal-feedback outcome-identifier="FEEDBACK" identifier="EXPLANATION" show-hide="show"><qti-content-body>${toMarkup(solutionOf(question), options)}${sourcesMarkup(quiz, question, origin)}</qti-content-body></qti-modal-feedback>
</qti-assessment-item>
`;
}
