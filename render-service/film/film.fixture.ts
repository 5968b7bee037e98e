import type { Scene, Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import { filmSeconds, sceneSeconds, type Timed } from "@colloquy/schemas/explainers/timing.ts";
import { type Drawing, Refused } from "./drawing.ts";

const said = [
  "A pipe takes what one program prints and hands it to the next one, so that small tools do large work together.",
  "Each program reads its input line by line; it neither knows nor cares where those lines come from.",
  "First list the files, then keep the lines that hold a word, and at last count what is left over.",
  "Nothing waits: the second program begins while the first is still writing, and both run side by side.",
  "When the reader stops early, the writer is told at its next line and ends as well, which saves much work.",
];
const points = [
  ["One prints", "The next reads"],
  ["Line by line", "No matter from where"],
  ["ls lists", "grep keeps", "wc counts"],
  ["Both run", "Side by side", "Nothing waits"],
  ["Reader ends", "Writer is told"],
];

const quotes = [{ sourceId: "lesson-pipes", quote: "hands it to the next" }];
const scene = (index: number, made: Timed): Scene =>
  ({ sceneId: `scene-000${index}`, seconds: sceneSeconds(made), sourceIds: ["lesson-pipes"], quotes, ...made }) as Scene;

/** A storyboard of seven scenes, for tests and benchmarks. `edited` changes its fourth; `short`: only four scenes, which no learner would be shown. */
export function sampleStoryboard({ edited = false, short = false } = {}): Storyboard {
  const all: Scene[] = [
    scene(0, {
      layout: "title",
      content: { heading: "Pipes", subtitle: "Small tools, joined" },
      narration: "How small programs are joined into one, without any of them knowing of it.",
    }),
    ...said.map((narration, index) =>
      scene(index + 1, {
        layout: "points",
        content: { heading: edited && index === 2 ? "Three small programs" : `Step ${index + 1}`, points: points[index] ?? [] },
        narration,
      }),
    ),
    scene(6, {
      layout: "question",
      content: { question: "What does a pipe hand on?", choices: ["What is printed", "A file's name", "Nothing"] },
      narration: "And now you: what does a pipe hand on to the next program?",
    }),
  ];
  const scenes = all.filter((_, index) => !short || [0, 1, 3, 6].includes(index));
  return {
    type: "storyboard",
    storyboardId: "storyboard-1",
    title: "Pipes",
    emphasis: "intuition",
    language: "en",
    seconds: filmSeconds(scenes),
    scenes,
    sources: [
      {
        number: 1,
        sourceId: "lesson-pipes",
        href: "/courses/unix-shell/pipes",
        title: "Pipes & filters",
        trail: [],
        revisionId: "revision-1",
        quote: "hands it to the next",
      },
    ],
  };
}

/** Stands for layout and drawing where a test is not about them: points that come in one after the other, a bar that grows. */
export const standIn: Drawing<{ scene: Scene; ms: number; width: number; height: number }> = {
  placeScene(scene, { aspect, seconds }) {
    if (scene.narration === "REFUSE") throw new Refused("Too much.");
    const [width, height] = aspect === "16:9" ? [1280, 720] : [720, 1280];
    return { scene, ms: seconds * 1_000, width, height };
  },
  frameKey: ({ ms }, timeMs) => `${Math.min(12, Math.floor(timeMs / 40))}:${Math.floor((timeMs / ms) * 4)}`,
  drawFrame(context, { scene, ms, width, height }, timeMs, { theme, scale }) {
    const text = JSON.stringify(scene.content);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.fillStyle = theme === "light" ? "#fffdf8" : "#14171a";
    context.fillRect(0, 0, width, height);
    context.fillStyle = "#0b6e4f";
    context.fillRect(80, 80, Math.min(12, Math.floor(timeMs / 40)) * 40, 20);
    for (let line = 0; line <= Math.floor((timeMs / ms) * 4); line += 1)
      for (let letter = 0; letter < text.length; letter += 1)
        if (text.charCodeAt(letter) % (line + 2) === 0) context.fillRect(80 + letter * 5, 160 + line * 60, 4, 40);
  },
  measure: () => ({ overflowArea: 0, overlapArea: 0, leastContrast: 12.5, leastTextSize: 24 }),
};
