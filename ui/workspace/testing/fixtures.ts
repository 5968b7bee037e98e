import type { ModelChoice } from "@colloquy/schemas/models.ts";
import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import type { ReferenceResult } from "@colloquy/schemas/sources/references.ts";

export const revisionId = "rev-shell-0012";

const place = (
  sourceId: string,
  kind: ReferenceResult["kind"],
  title: string,
  href: string,
  trail: string[],
  excerpt = "",
): ReferenceResult => ({
  sourceId,
  kind,
  title,
  href,
  trail,
  courseId: "shell-novice",
  revisionId,
  excerpt,
});

export const pipesPage = place("src-topic-pipes", "topic", "Pipes and Filters", "/courses/shell-novice/pipes-and-filters", [
  "The Unix Shell",
]);

export const places: ReferenceResult[] = [
  pipesPage,
  place("src-topic-loops", "topic", "Loops", "/courses/shell-novice/loops", ["The Unix Shell"]),
  place("src-block-pipe-1", "block", "Passing output to another command", "/courses/shell-novice/pipes-and-filters#block-pipe-1", [
    "The Unix Shell",
    "Pipes and Filters",
  ]),
  place("src-topic-find", "topic", "Finding Things", "/courses/shell-novice/finding-things", ["The Unix Shell"]),
  place("src-topic-eigen", "topic", "Directions that keep their line", "/courses/linear-maps/eigenvectors", [
    "Linear maps",
    "Looking inside a map",
  ]),
];

export const models: ModelChoice[] = [
  {
    id: "p1/reader-large",
    name: "Reader Large",
    provider: "p1",
    providerLabel: "First Service",
    default: true,
    automaticRank: 1,
    experimental: false,
    capabilities: { ask: true, tutor: true, quiz: true },
  },
  {
    id: "p2/swift-mini",
    name: "Swift Mini",
    provider: "p2",
    providerLabel: "Second Service",
    default: true,
    automaticRank: 2,
    experimental: false,
    capabilities: { ask: true, tutor: true, quiz: true },
  },
  {
    id: "p5/routed",
    name: "Routed",
    provider: "p5",
    providerLabel: "Fifth Service",
    default: true,
    automaticRank: null,
    experimental: true,
    capabilities: { ask: true, tutor: false, quiz: false },
  },
];

export const citations: Citation[] = [
  {
    number: 1,
    sourceId: "src-block-pipe-1",
    href: "/courses/shell-novice/pipes-and-filters#block-pipe-1",
    title: "Passing output to another command",
    trail: ["The Unix Shell", "Pipes and Filters"],
    revisionId,
    quote: "It tells the shell that we want to use the output of the command on the left as the input to the command on the right.",
  },
  {
    number: 2,
    sourceId: "src-block-sort-1",
    href: "/courses/shell-novice/pipes-and-filters#block-sort-1",
    title: "Capturing output from commands",
    trail: ["The Unix Shell", "Pipes and Filters"],
    revisionId,
    quote: "The sort command writes nothing until it has read all of its input, because the smallest line may come last.",
  },
];

export const answerText = `They start together, but they do not finish together. The shell starts every program in a pipeline at once and connects each one's output to the next one's input[^1]. A filter such as \`head\` can pass lines on as they arrive.

\`sort\` is different: it must hold everything until its input ends, because the last line it reads could be the first it prints[^2].

\`\`\`bash
wc -l *.pdb | sort -n | head -n 1   # one line out, three programs alive
\`\`\`

If reading $n$ lines takes each program about the same time, the whole pipeline takes

$$t \\approx t_{\\text{start}} + n \\cdot \\max_i c_i$$

so the slowest program decides, not their sum[^1].`;

export const followUps = ["What happens if one of them fails?", "What does the course say about “Why sort waits”?", "Why is head so fast?"];

export const question = "If sort has to see every line first, how can the commands in a pipe run at the same time?";
