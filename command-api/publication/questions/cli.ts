import { readFileSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Failure, parseCall, runTool, UsageError } from "@colloquy/infra/command-line.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Question } from "@colloquy/schemas/courses/blocks.ts";
import { parseBlock } from "@colloquy/schemas/courses/parse.ts";
import { formatQuestion } from "@colloquy/schemas/courses/parsers/question.ts";
import { validateCourse } from "@colloquy/schemas/courses/validate.ts";
import { normalizedText } from "@colloquy/schemas/questions/compare.ts";
import { escapedSource } from "../import/block-marks.ts";
import { idFrom } from "../import/ids.ts";
import { ImportError, type ImportedCourse } from "../import/importer.ts";
import { importNative } from "../import/native.ts";
import { fieldsText } from "../import/report.ts";
import { readMoodle, writeMoodle } from "./moodle.ts";
import { readQti, writeQti } from "./qti.ts";
import type { ReadQuestions } from "./question-file.ts";
import { readXml, XmlRefused } from "./xml.ts";

const usage = `Usage:
  npm run course:import-questions -- <file> … --course <course folder> --topic <topic id> [--objective <objective id>]
      Adds the questions of Moodle XML files and QTI 3 items to a topic's file, and says what became of each.
      A question belongs to the objective that it names by id or text. For the others a topic with several needs --objective.
  npm run course:export-questions -- <course folder> --format moodle|qti --to <file or folder>
      Writes the course's questions: one file for Moodle, a folder of items for QTI 3.`;

type Call =
  | { command: "import"; files: string[]; course: string; topic: string; objective: string | undefined }
  | { command: "export"; course: string; format: "moodle" | "qti"; to: string };

const readArguments = ([command, ...given]: string[]): Call =>
  parseCall(() => {
    const text = { type: "string" } as const;
    const { values, positionals } = parseArgs({
      args: given,
      allowPositionals: true,
      options: { course: text, topic: text, objective: text, format: text, to: text, help: { type: "boolean", short: "h" } },
    });
    if (values.help || !command) throw new UsageError("");
    const [first] = positionals;
    if (command === "import") {
      if (first === undefined) throw new UsageError("Name the file of questions.");
      if (values.course === undefined) throw new UsageError("Name the course's folder: --course my-course");
      if (values.topic === undefined) throw new UsageError("Name the topic: --topic my-topic");
      return {
        command,
        files: positionals.map((file) => resolve(file)),
        course: resolve(values.course),
        topic: values.topic,
        objective: values.objective,
      };
    }
    if (command !== "export") throw new UsageError(`There is no tool ${command}.`);
    if (first === undefined || positionals.length > 1) throw new UsageError("Name one course folder.");
    if (values.format !== "moodle" && values.format !== "qti") throw new UsageError("Name the format: --format moodle or --format qti");
    if (values.to === undefined) throw new UsageError("Name what to write: --to questions.xml");
    return { command, course: resolve(first), format: values.format, to: resolve(values.to) };
  });

function readQuestionsOf(file: string): ReadQuestions {
  const root = readXml(readFileSync(file, "utf8"));
  if (root.name === "quiz") return readMoodle(root);
  if (root.name === "qti-assessment-item") return readQti(root);
  throw new XmlRefused(
    `The file is neither Moodle XML (<quiz>) nor a QTI 3 item (<qti-assessment-item>), but <${root.name.slice(0, 60)}>.`,
  );
}

const readCourse = (folder: string): Promise<ImportedCourse> => importNative(folder, { courseId: "some-course", previous: null });

async function importQuestions({ files, course: folder, topic: wanted, objective }: Extract<Call, { command: "import" }>): Promise<number> {
  const imported = await readCourse(folder);
  const { course, places } = imported;
  const index = course.topics.findIndex(({ id, slug }) => id === wanted || slug === wanted);
  const topic = course.topics[index];
  const place = places[index];
  if (!topic || !place) throw new ImportError(`The course has no topic ${wanted}. It has: ${course.topics.map(({ id }) => id).join(", ")}`);
  const objectiveNamed = (name: string): string | undefined =>
    topic.objectives.find(({ id, text }) => id === name || normalizedText(text) === normalizedText(name))?.id;
  const notes: ReadQuestions["notes"] = [];
  const added: typeof topic.blocks = [];
  for (const file of files) {
    try {
      const read = readQuestionsOf(file);
      notes.push(...read.notes.map((note) => ({ ...note, name: `${basename(file)}, ${note.name}` })));
      for (const { question, objective: name } of read.questions) {
        const named = name === undefined ? undefined : objectiveNamed(name);
        const own = named ?? objective;
        const what = `a question names the objective “${name}”, which the topic does not have`;
        const isUnknown = name !== undefined && !named;
        if (topic.objectives.length > 1 && own === undefined)
          throw new ImportError(
            `${isUnknown ? `${basename(file)}: ${what}. ` : ""}The topic has several objectives. Name one with --objective:\n${topic.objectives.map(({ id, text }) => `  ${id}  ${text}`).join("\n")}`,
          );
        const taken = own ?? topic.objectives[0]?.id;
        if (isUnknown)
          notes.push({
            name: basename(file),
            what,
            done: `taken ${taken ? `for ${taken}` : "without an objective"}; change that where it is wrong`,
          });
        const source = formatQuestion({ ...question, ...(own !== undefined && { objective: own }) });
        const id = idFrom("block", topic.id, source);
        if ([...topic.blocks, ...added].some((block) => block.id === id))
          notes.push({ name: basename(file), what: "a question that the topic has already", done: "left out" });
        else added.push({ id, type: "core.question", source });
      }
    } catch (error) {
      if (!(error instanceof XmlRefused)) throw error;
      throw new ImportError(`${file}: ${error.message}`, { cause: error });
    }
  }
  for (const { name, what, done } of notes) console.log(`  ${name}: ${what} → ${done}`);
  const blocks = [...topic.blocks, ...added];
  const checked = validateCourse({ ...course, topics: course.topics.map((one) => (one === topic ? { ...topic, blocks } : one)) });
  if (!checked.ok)
    throw new ImportError(
      `The course would have errors. Nothing was written.\n${fieldsText(checked.fields, { ...course, topics: course.topics.map((one) => (one === topic ? { ...topic, blocks } : one)) })}`,
    );
  if (added.length > 0) {
    const path = join(folder, place.file);
    const text = (await readFile(path, "utf8")).trimEnd();
    const parts = added.map(({ type, id, source }) => `<!-- ${type} ${id} -->\n${escapedSource(source)}\n`);
    await writeFile(`${path}.new`, [`${text}\n`, ...parts].join("\n"));
    await rename(`${path}.new`, path);
  }
  const lost = notes.filter(({ done }) => done === "not taken").length;
  console.log(`${added.length} questions added to ${place.file}, ${lost} not taken. Read each, then publish the course.`);
  return 0;
}

async function exportQuestions({ course: folder, format, to }: Extract<Call, { command: "export" }>): Promise<number> {
  const { course } = await readCourse(folder);
  const asked = course.topics.flatMap((topic) =>
    topic.blocks.flatMap((block): { name: string; identifier: string; question: Question }[] => {
      const parsed = parseBlock(block);
      return parsed.ok && parsed.block.type === "core.question"
        ? [{ name: `${topic.title}: ${block.id}`.slice(0, bounds.course.titleLength), identifier: block.id, question: parsed.block.data }]
        : [];
    }),
  );
  if (asked.length === 0) throw new ImportError("The course has no questions.");
  const pictures = asked.filter(({ question }) => /!\[[^\]]*\]\(|\]\(topic:/.test(JSON.stringify(question)));
  const written = asked.filter((one) => !pictures.includes(one));
  for (const { name } of pictures) console.log(`  ${name}: it shows a picture or links to a topic → not written`);
  if (format === "moodle") await writeFile(to, writeMoodle(written), { flag: "wx" });
  else {
    await mkdir(to, { recursive: true });
    for (const one of written) await writeFile(join(to, `${one.identifier}.xml`), writeQti(one), { flag: "wx" });
  }
  console.log(`${written.length} questions written to ${to}, ${pictures.length} not.`);
  return 0;
}

const run = (given: string[]): Promise<number> => {
  const call = readArguments(given);
  return call.command === "import" ? importQuestions(call) : exportQuestions(call);
};

function known(error: unknown): Failure | null {
  if (error instanceof ImportError) return { message: error.message, code: 1 };
  const failed = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
  const said: Record<string, string> = {
    ENOENT: "does not exist",
    EEXIST: "exists already. Name another",
    EISDIR: "is a folder",
    EACCES: "may not be opened",
  };
  const path = error instanceof Error && "path" in error ? String(error.path) : "";
  return said[failed] === undefined ? null : { message: `${path} ${said[failed]}.`, code: 1 };
}

await runTool(usage, run, known);
