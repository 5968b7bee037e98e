import type { AuthoredCourse, Block, Topic } from "@colloquy/schemas/courses/authored.ts";

const sentence = "A linear map sends sums to sums and multiples to multiples, so that it is known once it is known on a basis. ";

/** A block as courses have them: text with a list and a formula mostly, here and there a table, a call-out, key points, code. */
function blockOf(topic: number, index: number): Block {
  const id = `block-${topic}-${index}`.padEnd(12, "-");
  const kinds: Omit<Block, "id">[] = [
    {
      type: "core.theory",
      source: `## Part ${index}\n\n${sentence.repeat(3)}\n\n- first of **${index}**\n- second with $a_{${index}} + b$\n\nSee [the next](topic:topic-${topic}---).`,
    },
    { type: "core.theory", source: `${sentence.repeat(4)}\n\n$$\n\\sum_{k=1}^{${index + 1}} k\n$$` },
    { type: "core.callout", source: `---\nkind: note\ntitle: Note ${index}\n---\n${sentence}` },
    { type: "core.key-points", source: `- ${sentence.trim()}\n- Point ${index}.` },
    { type: "core.table", source: `| Name | Value |\n|---|---|\n| row ${index} | ${topic} |\n| other | $x^2$ |` },
    { type: "core.code", source: `\`\`\`python\nfor k in range(${index}):\n    print(k)\n\`\`\`` },
  ];
  return { id, ...(kinds[index % kinds.length] as Omit<Block, "id">) };
}

export const topicOf = (number: number, blocks: number): Topic => ({
  id: `topic-${number}---`,
  slug: `topic-${number}`,
  title: `Topic ${number}`,
  objectives: [{ id: `objective-${number}`, text: `Say what topic ${number} says.` }],
  blocks: Array.from({ length: blocks }, (_, index) => blockOf(number, index)),
});

/** A course of so many topics, with all blocks spread over them. */
export function bigCourse(courseId: string, topics: number, blocks: number): AuthoredCourse {
  const made = Array.from({ length: topics }, (_, number) =>
    topicOf(number, Math.floor(blocks / topics) + (number < blocks % topics ? 1 : 0)),
  );
  return {
    manifest: { courseId, title: "A big course", summary: "", language: "en", root: made.map(({ id }) => ({ kind: "topic", id })) },
    collections: [],
    topics: made,
    assets: [],
  };
}
