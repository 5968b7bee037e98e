/** Where a link within a course leads: a topic, and an anchor on its page with its `#`. */
export interface CourseLink {
  topicId: string;
  hash: string;
}

/**
 * Resolves `topic:<id>#<anchor>` and `#<anchor>`. A block is found by its id on whatever page it is now, so that links follow a block that
 * was moved to another page.
 * @param here the topic that contains the link
 * @param topicOfBlock the present topic of a block; undefined for any other anchor
 * @returns null for other addresses
 */
export function courseLink(href: string, here: string, topicOfBlock: (id: string) => string | undefined): CourseLink | null {
  const [, named, hash = ""] = /^(?:topic:([^#]*))?(#.*)?$/s.exec(href) ?? [];
  if (named === undefined && !hash) return null;
  return { topicId: topicOfBlock(hash.slice(1)) ?? named ?? here, hash };
}

/** Finds the topic of each block of a course. */
export function blockTopics(topics: readonly { id: string; blocks: readonly { id: string }[] }[]): (blockId: string) => string | undefined {
  let known: Map<string, string> | null = null;
  return (blockId) => {
    known ??= new Map(topics.flatMap(({ id, blocks }) => blocks.map((block) => [block.id, id])));
    return known.get(blockId);
  };
}
