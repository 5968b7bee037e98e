import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DemonstrationCourse } from "@colloquy/infra/demo/courses.ts";
import type { QuestionResponse } from "@colloquy/schemas/questions/response.ts";
import { partId } from "@colloquy/schemas/questions/shown.ts";
import type { TutorItem } from "@colloquy/schemas/tutor/events.ts";

const theory = `## What a pipe does

A pipe joins two programs: what the first one writes, the second one reads. The shell starts both at once, so that neither waits for the other to end. Each program stays small and does one thing; the pipe makes a larger one of them. The sign for it is the vertical bar.

A filter is a program that reads lines and writes lines. \`sort\` puts them in order, \`uniq\` leaves out what stands twice in a row, \`wc -l\` counts them, and \`head\` shows the first ones. None of them changes the file that the lines came from. A pipeline may have as many filters as somebody likes, and their order matters: \`uniq\` finds repeated lines only where they stand one after the other.`;

const question = (id: string, header: string, body: string): string =>
  `<!-- core.question ${id} -->\n---\n${header}\nabout: pip-theory\nplace: bank\n---\n${body}\n\n::: explanation\nSo it stands in the lesson: ${id}.\n:::\n`;

const questions = [
  question(
    "pip-q-single",
    "kind: single",
    "Which sign joins programs?\n\n- [x] `|`\n- [ ] `>`\n  > That one writes to a file.\n- [ ] `&`\n- [ ] `;`",
  ),
  question("pip-q-multiple", "kind: multiple", "Which of these are filters?\n\n- [x] `sort`\n- [x] `uniq`\n- [ ] `mkdir`\n- [ ] `cd`"),
  question("pip-q-text", "kind: text", "What is a program called that reads lines and writes lines?\n\n= filter\n= a filter"),
  question("pip-q-number", "kind: number\nlevel: application", "How many lines does `printf 'a\\nb\\nb\\n' | uniq` write?\n\n= 2"),
  question("pip-q-gap", "kind: gap\nlevel: application", "Count the different lines: `sort names | [[uniq]] | wc [[-l]]`"),
  question(
    "pip-q-order",
    "kind: order\nlevel: application",
    "Put the programs in order, so that the most frequent line comes first.\n\n1. `sort`\n2. `uniq -c`\n3. `sort -rn`\n4. `head -n 1`",
  ),
  question(
    "pip-q-match",
    "kind: match",
    "What does each one do?\n\n- `sort` => puts lines in order\n- `wc -l` => counts lines\n- `head` => shows the first lines\n- => removes a folder",
  ),
  question(
    "pip-q-last",
    "kind: single\nlevel: application",
    "What does `printf 'b\\na\\n' | sort | head -n 1` write?\n\n- [x] a\n- [ ] b\n- [ ] nothing\n- [ ] both letters",
  ),
];

/** One that its owners retired. */
const retired = question("pip-q-retired", "kind: single\nretired: true", "Which key ends a program?\n\n- [x] Control and C\n- [ ] Escape");

/**
 * A course of one topic whose one objective has questions of every kind that is marked by its key; `asked`: how many of them, `more`: other
 * blocks, as they are written.
 */
export function askedCourse(asked = questions.length, more = ""): DemonstrationCourse {
  const folder = join(mkdtempSync(join(tmpdir(), "asked-course-")), "asked");
  mkdirSync(join(folder, "topics"), { recursive: true });
  writeFileSync(
    join(folder, "course.yaml"),
    "id: pipes-asked\ntitle: Pipes\nsummary: A course with questions.\nlanguage: en\nlicense: CC BY 4.0\ncontents:\n  - pipes\n",
  );
  writeFileSync(
    join(folder, "topics", "pipes.md"),
    `---\nid: topic-pipes\nslug: pipes\ntitle: Pipes and filters\nobjectives:\n  - id: obj-pipes-join\n    text: Join programs with pipes.\n---\n\n<!-- core.theory pip-theory -->\n${theory}\n\n${[more, ...questions.slice(0, asked), retired].join("\n")}`,
  );
  return { courseId: "pipes-asked", folder, origin: "object-store" };
}

/** The response to an item's key that is right, or wrong. */
export function responseOf({ key }: Pick<TutorItem, "key">, correct: boolean): QuestionResponse {
  switch (key?.kind) {
    case "single":
      return {
        choiceIds: key.choices
          .filter((choice) => choice.correct === correct)
          .slice(0, 1)
          .map(({ markdown }) => partId(markdown)),
      };
    case "multiple":
      return { choiceIds: key.choices.filter((choice) => choice.correct === correct).map(({ markdown }) => partId(markdown)) };
    case "text":
      return { text: correct ? ` ${key.accepted[0]?.toUpperCase()}. ` : "Something only I would write" };
    case "number":
      return { text: correct ? String(key.value) : "Something only I would write" };
    case "gap":
      return { texts: key.gaps.map(([accepted = ""]) => (correct ? accepted : "Something only I would write")) };
    case "order":
      return { choiceIds: (correct ? key.items : key.items.toReversed()).map(partId) };
    case "match": {
      const rights = key.pairs.map(({ right }) => right);
      return {
        pairs: key.pairs.map(({ left, right }) => ({
          left: partId(left),
          right: partId(correct ? right : (rights.find((one) => one !== right) ?? "")),
        })),
      };
    }
    default:
      throw new Error("the question has no key");
  }
}
