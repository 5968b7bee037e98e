import { isBankQuestion } from "./audience.ts";
import type { AuthoredCourse, Topic } from "./authored.ts";
import type { ParsedBlock } from "./blocks.ts";
import { blockTopics, courseLink } from "./course-link.ts";
import { createAnchors, headingsOf, linksOf } from "./markdown-text.ts";
import { type CourseError, type Remark, remark } from "./remarks.ts";

/** The texts of a block in which headings stand, in reading order; its other texts are shown as single lines. */
function textsWithHeadings(block: ParsedBlock): string[] {
  if (block.type === "core.theory" || block.type === "core.callout") return [block.data.markdown];
  if (block.type === "core.question") return [block.data.markdown];
  if (block.type !== "core.exercise") return [];
  return [block.data.markdown, ...block.data.hints, ...block.data.solutions.map((solution) => solution.markdown)];
}

/** The anchors of a topic's page: its blocks' ids, then its headings in reading order. */
function anchorsOfTopic(topic: Topic, parsed: Map<string, ParsedBlock>): Set<string> {
  const anchors = new Set(topic.blocks.flatMap((block) => (isBankQuestion(block) ? [] : [block.id])));
  const next = createAnchors(anchors);
  for (const block of topic.blocks) {
    const understood = parsed.get(block.id);
    if (!understood) continue;
    for (const markdown of textsWithHeadings(understood)) for (const heading of headingsOf(markdown)) anchors.add(next(heading));
  }
  return anchors;
}

/** Checks that figures and images name files of the course, and that links lead somewhere. */
export function checkLinks(course: AuthoredCourse, parsed: Map<string, ParsedBlock>): CourseError[] {
  const files = new Set(course.assets.map((asset) => asset.path));
  const topics = new Map(course.topics.map((topic) => [topic.id, topic]));
  const anchors = new Map<string, Set<string>>();
  const anchorsOf = (topic: Topic): Set<string> => {
    const known = anchors.get(topic.id) ?? anchorsOfTopic(topic, parsed);
    anchors.set(topic.id, known);
    return known;
  };
  const topicOfBlock = blockTopics(course.topics);
  const errors: CourseError[] = [];
  for (const [t, topic] of course.topics.entries())
    for (const [b, block] of topic.blocks.entries()) {
      const understood = parsed.get(block.id);
      if (!understood || understood.type === "core.code") continue;
      const path = `topics.${t}.blocks.${b}.source`;
      if (understood.type === "core.figure" && !files.has(understood.data.path)) {
        const line = block.source.split("\n").findIndex((text) => text.includes(understood.data.path)) + 1;
        errors.push({ path: `${path}:${Math.max(line, 1)}`, ...remark("file-missing", { path: understood.data.path }) });
      }
      for (const { kind, href, line } of linksOf(block.source.replaceAll(/\r\n?/g, "\n"))) {
        if (kind === "image" && understood.type === "core.figure" && href === understood.data.path) continue;
        const wrong = kind === "image" ? checkImage(href, files) : checkLink(href, { topic, topics, topicOfBlock, anchorsOf, files });
        if (wrong) errors.push({ path: `${path}:${line}`, ...wrong });
      }
    }
  return errors;
}

function checkImage(href: string, files: Set<string>): Remark | null {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(href)) return remark("picture-elsewhere", { href });
  return files.has(decoded(href)) ? null : remark("file-missing", { path: href });
}

interface LinkTargets {
  /** The topic that contains the link. */
  topic: Topic;
  topics: Map<string, Topic>;
  topicOfBlock: (blockId: string) => string | undefined;
  anchorsOf: (topic: Topic) => Set<string>;
  files: Set<string>;
}

function checkLink(href: string, { topic: here, topics, topicOfBlock, anchorsOf, files }: LinkTargets): Remark | null {
  if (/^(?:https?:\/\/|mailto:)/i.test(href) || /^\/(?!\/)/.test(href)) return null;
  const link = courseLink(href, here.id, topicOfBlock);
  if (!link) return files.has(decoded(href)) ? null : remark("link-nowhere", { href, forms: "topic:<topic id>, #<anchor>" });
  const topic = topics.get(link.topicId);
  if (!topic) return remark("link-topic", { topic: link.topicId, href });
  const anchor = link.hash.slice(1);
  if (anchor && !anchorsOf(topic).has(decoded(anchor))) return remark("link-anchor", { title: topic.title, anchor, href });
  return null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
