import type { AuthoredCourse, Block, Topic } from "../authored.ts";
import { type Remark, remark } from "../remarks.ts";
import { findBlock } from "./edit.ts";

/** As many letters of a text as tell which it is. */
const glimpseLength = 60;

/**
 * The chosen topics with the blocks that nobody deleted: one that was moved on one side stands in no chosen topic where the page it went to
 * is left out and the page it came from is taken without it. It goes back where a side had it, the draft before the published course, behind
 * what it followed there; where neither page is chosen it stays out, and that is said.
 */
export function withKeptBlocks(
  topics: readonly Topic[],
  { base, live, draft }: Readonly<Record<"live" | "draft", AuthoredCourse> & Record<"base", AuthoredCourse | null>>,
  notes: Remark[],
): Topic[] {
  const held = new Set(topics.flatMap(({ blocks }) => blocks.map(({ id }) => id)));
  const published = new Set(live.topics.flatMap(({ blocks }) => blocks.map(({ id }) => id)));
  let kept = [...topics];
  for (const { id } of draft.topics.flatMap(({ blocks }) => blocks)) {
    if (held.has(id) || !published.has(id)) continue;
    const places = [draft, live].flatMap((side) => findBlock(side, id) ?? []);
    const block = writtenLast(id, base, places);
    if (!block) continue;
    const home = places.find(({ topic }) => kept.some((one) => one.id === topic.id));
    if (home) {
      kept = kept.map((topic) => (topic.id === home.topic.id ? { ...topic, blocks: putBack(topic.blocks, block, home) } : topic));
      notes.push(remark("merged-back", { title: home.topic.title }));
    } else notes.push(remark("merged-out", { words: glimpse(block) }));
  }
  return kept;
}

/** The draft's version, unless only the published one was changed. */
function writtenLast(id: string, base: AuthoredCourse | null, [own, theirs]: readonly { block: Block }[]): Block | undefined {
  const before = base && findBlock(base, id)?.block.source;
  return own && own.block.source !== before ? own.block : (theirs ?? own)?.block;
}

/** Behind the nearest block that it followed on its own side; first where there is none. */
function putBack(blocks: readonly Block[], block: Block, home: { topic: Topic; index: number }): Block[] {
  const before = home.topic.blocks.slice(0, home.index).map(({ id }) => id);
  const at = blocks.findLastIndex(({ id }) => before.includes(id));
  return blocks.toSpliced(at + 1, 0, block);
}

function glimpse({ source }: Block): string {
  const [line = ""] = source
    .replace(/^---\n[\s\S]*?\n---\n/, "")
    .trim()
    .split("\n");
  return line.length > glimpseLength ? `${line.slice(0, glimpseLength)}…` : line;
}
