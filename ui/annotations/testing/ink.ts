import type { Stroke } from "@colloquy/schemas/sync/changes.ts";
import { Emitter } from "../../store/emitter.ts";
import { type PersonalStates, personalAfter } from "../../store/personal-fold.ts";
import "../drawing.ts";
import { encodePoints, type Point } from "../ink.ts";
import { PageInk } from "../page-ink.ts";

const blocks = 200;
const pointsOfStroke = 30;
const at = "2026-11-21T08:00:00Z";
const place = { courseId: "course-1", topicId: "topic-1" };

/** Handwriting by its measures: strokes of thirty points, as wide as a word, spread over all blocks. */
function handwriting(count: number): Stroke[] {
  return Array.from({ length: count }, (_, index): Stroke => {
    const line = Math.floor(index / blocks);
    const points = Array.from({ length: pointsOfStroke }, (_, step): Point => {
      const x = 20 + ((line * 97) % 850) + step * 4;
      return [x, 10 + ((line * 31) % 150) + Math.sin(step + index) * 12, 0.3 + (step % 7) / 12];
    });
    const tool = index % 9 === 0 ? "highlighter" : "pen";
    return {
      strokeId: `stroke-${index}`,
      blockId: `block-${index % blocks}`,
      tool,
      colour: "blue",
      width: 5,
      points: encodePoints(points),
    };
  });
}

function inkOf(strokes: Stroke[]): PageInk {
  const states = new Map<string, PersonalStates["annotation"]>();
  if (strokes.length) states.set("drawing-1", { ...place, strokes, createdAt: at, updatedAt: at });
  const events = new Emitter<{ personal: { domains: ReadonlySet<"annotation"> } }>();
  const commitPersonal = async (changes: { entityId: string; type: string; data: Record<string, unknown> }[]) => {
    for (const { entityId, type, data } of changes) {
      const state = personalAfter("annotation", states.get(entityId) ?? null, { changeId: "change-0001", type, at, data });
      if (state) states.set(entityId, state);
    }
    events.emit("personal", { domains: new Set(["annotation"]) });
    return [];
  };
  const library = { events, replica: { allPersonal: () => states }, commitPersonal };
  return new PageInk({ ...place, library } as unknown as ConstructorParameters<typeof PageInk>[0]);
}

const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));

/** Milliseconds between the frames in which something was done. */
async function framesOf(count: number, work: (index: number) => void): Promise<number[]> {
  const times: number[] = [];
  let last = await frame();
  for (let index = 0; index < count; index += 1) {
    work(index);
    const now = await frame();
    times.push(now - last);
    last = now;
  }
  return times;
}

const words = "A matrix is a way to write down where a linear map takes the arrows of a basis, and everything else follows from that. ";

window.inkPage = {
  async open(count) {
    document.body.replaceChildren();
    const article = document.createElement("article");
    article.style.cssText = "position: relative; max-inline-size: 720px; margin-inline: auto";
    for (let index = 0; index < blocks; index += 1) {
      const block = Object.assign(document.createElement("section"), {
        id: `block-${index}`,
        className: "block",
        textContent: words.repeat(3),
      });
      article.append(block);
    }
    const drawing = document.createElement("colloquy-drawing");
    drawing.ink = inkOf(handwriting(count));
    drawing.article = article;
    drawing.active = true;
    article.append(drawing);
    document.body.append(article);
    await drawing.updateComplete;
    while (drawing.querySelectorAll(".strokes path").length < count) await frame();
    scrollTo(0, 0);
    for (let index = 0; index < 30; index += 1) await frame();
  },
  async scroll(frames) {
    const step = (document.documentElement.scrollHeight - innerHeight) / frames;
    const times = await framesOf(frames, (index) => scrollTo(0, index * step));
    scrollTo(0, 0);
    return times;
  },
  async draw(frames) {
    const surface = document.querySelector<HTMLElement>("colloquy-drawing .surface");
    if (!surface) throw new Error("nothing to draw on");
    // A played pointer is none that can be captured.
    surface.setPointerCapture = () => undefined;
    const { left } = surface.getBoundingClientRect();
    const say = (type: string, step: number) =>
      surface.dispatchEvent(
        new PointerEvent(type, {
          pointerId: 7,
          pointerType: "pen",
          pressure: 0.5,
          button: type === "pointermove" ? -1 : 0,
          bubbles: true,
          clientX: left + 60 + ((step * 2) % 500),
          clientY: 120 + Math.sin(step / 4) * 40,
        }),
      );
    await frame();
    say("pointerdown", 0);
    // Pens report some 240 times a second: four times a frame.
    const times = await framesOf(frames, (index) => {
      for (let part = 0; part < 4; part += 1) say("pointermove", index * 4 + part);
    });
    say("pointerup", frames * 4);
    return times;
  },
};
