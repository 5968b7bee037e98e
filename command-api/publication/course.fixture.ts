import type { Asset, AuthoredCourse, Block, BlockType, Topic } from "@colloquy/schemas/courses/authored.ts";
import { sha256Of } from "./assets.ts";
import { sanitizeSvg } from "./svg.ts";

/** A small picture, as it comes out of the sanitizer. */
export const picture = sanitizeSvg(
  new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><title>Tree</title><path d="M0 0h10v10z"/></svg>'),
);
export const pictureAsset: Asset = { path: "assets/tree.svg", sha256: sha256Of(picture), bytes: picture.byteLength, type: "image/svg+xml" };

const block = (id: string, type: BlockType, source: string): Block => ({ id, type, source });

const pipes: Topic = {
  id: "topic-pipes",
  slug: "pipes",
  title: "Pipes",
  summary: "How commands are joined.",
  objectives: [
    { id: "objective-join", text: "Join two commands." },
    { id: "objective-count", text: "Count lines." },
  ],
  blocks: [
    block(
      "block-pipes-intro",
      "core.theory",
      "A **pipe** joins [two commands](topic:topic-loops#why).\n\n## The sign\n\nIt is written `|`, and *nothing* else: $a_1 | b_2$ means something *other*.\n\n- first item\n- second item with `ls -l`\n\n```bash\nls | wc -l\n```\n\n| Sign | Name |\n|---|---|\n| `>` | redirect |\n\n$$\nx_1 * y_1 = z_1 * w\n$$",
    ),
    block("block-pipes-code", "core.code", "---\ntitle: Count files\n---\n```bash\nls -1 | wc -l   # to the letter\n```"),
    block("block-pipes-figure", "core.figure", "---\npath: assets/tree.svg\nalt: A tree of folders\n---\nThe *whole* tree."),
    block(
      "block-pipes-diagram",
      "core.diagram",
      "---\ndescription: ls feeds wc\ncaption: A pipe.\n---\n```mermaid\nflowchart LR\n  ls --> wc\n```",
    ),
    block(
      "block-pipes-callout",
      "core.callout",
      "---\nkind: warning\ntitle: Take care\n---\nA pipe passes **output** only[^1].\n\n[^1]: Errors go elsewhere.",
    ),
    block(
      "block-pipes-exercise",
      "core.exercise",
      "---\ntitle: Try it\n---\nCount the files.\n\n::: hint\nUse `wc`.\n:::\n\n::: solution\n`ls | wc -l` counts them.\n:::",
    ),
    block("block-pipes-points", "core.key-points", "- `|` joins commands.\n- Output flows to the right."),
  ],
};

const loops: Topic = {
  id: "topic-loops",
  slug: "loops",
  title: "Loops",
  objectives: [],
  blocks: [
    block("block-loops-theory", "core.theory", "## Why {#why}\n\nA loop repeats a command."),
    block(
      "block-loops-math",
      "core.math",
      "---\nlabel: sum\ncaption: The sum of $n$ terms.\n---\n$$\n\\sum_{k=1}^n k = \\frac{n(n+1)}{2}\n$$",
    ),
    block("block-loops-table", "core.table", "---\ncaption: Kinds of loops\n---\n| Kind | Use |\n|---|---|\n| `for` | a known list |"),
  ],
};

/** A course with every type of block, that passes validation. */
export function sampleCourse(change: (course: AuthoredCourse) => void = () => undefined): AuthoredCourse {
  const course: AuthoredCourse = structuredClone({
    manifest: {
      courseId: "sample-course",
      title: "Sample course",
      summary: "What a shell can do.",
      language: "en",
      root: [
        { kind: "collection", id: "coll-basics" },
        { kind: "topic", id: "topic-loops" },
      ],
    },
    collections: [
      { id: "coll-basics", slug: "basics", title: "Basics", summary: "First steps.", children: [{ kind: "topic", id: "topic-pipes" }] },
    ],
    topics: [pipes, loops],
    assets: [pictureAsset],
  });
  change(course);
  return course;
}

/** The topic of a course by its id. */
export function topicOf(course: AuthoredCourse, id: string): Topic {
  const found = course.topics.find((topic) => topic.id === id);
  if (!found) throw new Error(`No topic ${id}`);
  return found;
}

/** Reads the one asset there is. */
export const readPicture = (asset: Asset): Promise<Uint8Array | null> =>
  Promise.resolve(asset.sha256 === pictureAsset.sha256 ? picture : null);
