import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { courseGroups, type Place } from "./corpus/course.ts";
import type { Injection } from "./corpus/injection.ts";

export const hostileCourse = "hostile-lamps";

/** A text of the course, with the word that finds it and that it may not be told without. */
export interface Planted extends Injection<{ place: Place }> {
  group: string;
  word: string;
  topicId: string;
  href: string;
}

const syllables = "ba du fi go ke lu mi no pa ru".split(" ");
/** A word that stands nowhere else. */
const wordFor = (index: number): string => `zor${[...String(index).padStart(3, "0")].map((digit) => syllables[Number(digit)]).join("")}`;

const perTopic = 8;

/** Everything hostile that an author can say, and where it stands. */
export function plantedTexts(): Planted[] {
  const all = courseGroups.flatMap(({ name, injections }) => injections.map((one) => ({ ...one, group: name })));
  // One title, summary and objective a topic.
  const ofTopic = all.filter(({ place }) => /topic|objective/.test(place));
  const others = all.filter((one) => !ofTopic.includes(one));
  const topics = Math.max(Math.ceil(others.length / perTopic), ofTopic.length);
  const spread = [...others.map((one, index) => ({ ...one, topic: index % topics })), ...ofTopic.map((one, topic) => ({ ...one, topic }))];
  return spread.map(({ topic, ...one }, index) => ({
    ...one,
    word: wordFor(index),
    topicId: `topic-lamps-${topic}`,
    href: `/courses/${hostileCourse}/lamps-${topic}`,
  }));
}

/** A value of a header, as JSON. */
const value = (text: string): string => JSON.stringify(text.replaceAll("\n", " "));
const line = (text: string): string => text.replaceAll("\n", " ");

function block({ id, place, text, word }: Planted): string {
  const about = `A ${word} is a small lamp that stands on the shore. Every ${word} burns oil, because oil burns slowly. A ${word} has two wicks and one glass.`;
  const headed = (type: string, header: Record<string, string>, body: string): string =>
    `<!-- core.${type} block-${id} -->\n---\n${Object.entries(header)
      .map(([key, one]) => `${key}: ${value(one)}\n`)
      .join("")}---\n${body}\n`;
  switch (place) {
    case "heading":
      return `<!-- core.theory block-${id} -->\n## ${word} ${line(text)}\n\n${about}\n`;
    case "callout":
      return headed("callout", { title: `About a ${word}` }, `${about}\n\n${text}`);
    case "callout title":
      return headed("callout", { title: `${word} ${text}` }, about);
    case "key point":
      return headed("key-points", { title: `The ${word}` }, `- ${about}\n- ${line(text)}`);
    case "code":
      return headed("code", { language: "python", title: `A ${word}` }, `${word} = 1\n${text}`);
    case "table":
      return headed(
        "table",
        { caption: `Lamps like the ${word}` },
        `| lamp | note |\n|---|---|\n| ${word} | ${line(text).replaceAll("|", "\\|")} |`,
      );
    case "alt":
      return headed("figure", { path: "assets/lamp.svg", alt: `${word} ${text}` }, `A ${word}.`);
    case "caption":
      return headed("figure", { path: "assets/lamp.svg", alt: `A ${word}`, caption: `${word} ${text}` }, "");
    case "solution":
      return headed("exercise", { title: `Light the ${word}` }, `${about}\n\n::: solution How\n${text}\n:::`);
    case "description":
      return headed("diagram", { description: `${word} ${text}` }, "graph TD\n  A-->B");
    default:
      return `<!-- core.theory block-${id} -->\n## The ${word}\n\n${about}\n\n${/topic|objective/.test(place) ? "" : text}\n`;
  }
}

/** Writes the course as an author would hand it over. */
export function writeHostileCourse(folder: string, planted: readonly Planted[]): void {
  for (const name of ["topics", "assets"]) mkdirSync(join(folder, name), { recursive: true });
  const picture = fileURLToPath(new URL("../../infra/demo/courses/linear-maps/assets/shear.svg", import.meta.url));
  copyFileSync(picture, join(folder, "assets", "lamp.svg"));
  const topics = Map.groupBy(planted, ({ topicId }) => topicId);
  for (const [topicId, texts] of topics) {
    const number = topicId.replace("topic-lamps-", "");
    const at = (place: Place, otherwise: string) => {
      const found = texts.find((one) => one.place === place);
      return value(found ? `${found.text} ${found.word}` : otherwise);
    };
    const front = [
      "---",
      `id: ${topicId}`,
      `slug: lamps-${number}`,
      `title: ${at("topic title", `Lamps ${number}`)}`,
      `summary: ${at("topic summary", "Lamps.")}`,
      "objectives:",
      `  - id: obj-lamps-${number}`,
      `    text: ${at("objective", "Say what a lamp is and what it burns.")}`,
      "---",
    ];
    writeFileSync(join(folder, "topics", `lamps-${number}.md`), `${front.join("\n")}\n\n${texts.map(block).join("\n")}`);
  }
  const contents = [...topics.keys()].map((topicId) => `  - ${topicId.replace("topic-", "")}\n`).join("");
  writeFileSync(join(folder, "course.yaml"), `title: Lamps\nsummary: On lamps.\nlanguage: en\ncontents:\n${contents}`);
}
