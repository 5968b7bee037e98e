import type { AuthoredCourse, Block, Topic } from "@colloquy/schemas/courses/authored.ts";
import type { Unit, UnitComparison } from "@colloquy/schemas/courses/editing/units.ts";
import { msg } from "../../messages/page.ts";
import { typeName } from "../fields/block-types.ts";

/** One text of a unit in the three versions; null if a version has none. */
export interface Part {
  name: string;
  base: string | null;
  live: string | null;
  draft: string | null;
}

/** The texts of a unit that differ between the three versions, in the order of the draft. */
export function partsOf(
  { base, live, draft }: UnitComparison,
  courses: { base: AuthoredCourse; live: AuthoredCourse; draft: AuthoredCourse },
): Part[] {
  const sides = [base, live, draft] as const;
  const names = sides.map((unit, side) => fieldsOf(unit, [courses.base, courses.live, courses.draft][side] as AuthoredCourse));
  const keys = new Set([2, 1, 0].flatMap((side) => [...(names[side]?.keys() ?? [])]));
  return [...keys].flatMap((key): Part[] => {
    const found = names.map((fields) => fields.get(key));
    if (new Set(found.map((field) => field?.by ?? field?.text)).size === 1) return [];
    const [one, other, own] = found;
    return [{ name: (own ?? other ?? one)?.name ?? "", base: one?.text ?? null, live: other?.text ?? null, draft: own?.text ?? null }];
  });
}

/** `by` is compared instead of the text. */
type Fields = Map<string, { name: string; text: string; by?: string }>;

function fieldsOf(unit: Unit | null, course: AuthoredCourse): Fields {
  const fields: Fields = new Map();
  const add = (key: string, name: string, text: string | undefined, by?: string): void => {
    if (text) fields.set(key, { name, text, ...(by !== undefined && { by }) });
  };
  const titles = new Map([...course.topics, ...course.collections].map(({ id, title }) => [id, title]));
  const contents = (refs: readonly { id: string }[]): string => refs.map(({ id }) => titles.get(id) ?? id).join("\n");
  if (unit?.kind === "manifest") {
    const { title, summary, language, license, root } = unit.manifest;
    add("title", msg("editor.title"), title);
    add("summary", msg("editor.summary"), summary);
    add("language", msg("common.language"), language);
    add("license", msg("editor.licence"), license);
    add("contents", msg("common.contents"), contents(root));
  } else if (unit?.kind === "collection") {
    const { title, summary, slug, children } = unit.collection;
    add("title", msg("editor.title"), title);
    add("summary", msg("editor.summary"), summary);
    add("slug", msg("editor.address"), slug);
    add("contents", msg("common.contents"), contents(children));
  } else if (unit) topicFields(unit.topic, add);
  return fields;
}

function topicFields(
  { title, summary, slug, objectives, blocks }: Topic,
  add: (key: string, name: string, text: string | undefined, by?: string) => void,
): void {
  add("title", msg("editor.title"), title);
  add("summary", msg("editor.summary"), summary);
  add("slug", msg("editor.address"), slug);
  add("objectives", msg("editor.objectives"), objectives.map(({ text }) => text).join("\n"));
  const begin = ({ source }: Block): string =>
    source
      .replace(/^---\n[\s\S]*?\n---\n/, "")
      .trim()
      .split("\n")[0]
      ?.slice(0, 60) ?? "";
  for (const block of blocks) add(`block ${block.id}`, typeName(block.type), block.source);
  add(
    "order",
    msg("editor.orderOfTheBlocks"),
    blocks.map((block) => `${typeName(block.type)}: ${begin(block)}`).join("\n"),
    blocks.map(({ id }) => id).join(" "),
  );
}
