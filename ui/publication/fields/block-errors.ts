import type { AuthoredCourse, Block, Topic } from "@colloquy/schemas/courses/authored.ts";
import type { ParsedBlock, SourceError } from "@colloquy/schemas/courses/blocks.ts";
import { findBlock } from "@colloquy/schemas/courses/editing/edit.ts";
import { wrongText } from "@colloquy/schemas/courses/field-rules.ts";
import { checkLinks } from "@colloquy/schemas/courses/validate-links.ts";
import { checkQuestions } from "@colloquy/schemas/courses/validate-questions.ts";
import { parsedBlock } from "../draft-rendering.ts";

/** The errors of one block by line: its syntax, links and pictures without a target, and what a question names that its page does not have. */
export function blockErrors(course: AuthoredCourse, blockId: string): SourceError[] {
  const found = findBlock(course, blockId);
  if (!found) return [];
  const tooLong = wrongText("source", found.block.source);
  if (tooLong) return [{ line: 1, ...tooLong }];
  const parsed = parsedBlock(found.block);
  if (!parsed.ok) return parsed.errors;
  return [...questionErrors(found.topic, parsed.block), ...linkErrors(course, found.topic, found.block)];
}

function questionErrors(topic: Topic, block: ParsedBlock): SourceError[] {
  if (block.type !== "core.question") return [];
  const errors = checkQuestions([topic], new Map([[block.id, block]]));
  return errors.map(({ path, ...wrong }) => ({ line: Number(path.slice(path.lastIndexOf(":") + 1)), ...wrong }));
}

function linkErrors(course: AuthoredCourse, topic: Topic, block: Block): SourceError[] {
  if (!/[[<!]/.test(block.source)) return [];
  const understood = new Map<string, ParsedBlock>();
  const read = (one: Topic): void => {
    for (const each of one.blocks) {
      const parsed = parsedBlock(each);
      if (parsed.ok) understood.set(each.id, parsed.block);
    }
  };
  read(topic);
  const aims = new Set([...block.source.matchAll(/topic:([A-Za-z0-9_-]+)/g)].map(([, id]) => id));
  for (const one of course.topics) if (aims.has(one.id) && one !== topic) read(one);
  // Other blocks are parsed for their anchors only.
  const [t, b] = [course.topics.indexOf(topic), topic.blocks.indexOf(block)];
  const here = new RegExp(`^topics\\.${t}\\.blocks\\.${b}\\.source:(\\d+)$`);
  return checkLinks(course, understood).flatMap(({ path, ...wrong }) => {
    const line = here.exec(path)?.[1];
    return line === undefined ? [] : [{ line: Number(line), ...wrong }];
  });
}
