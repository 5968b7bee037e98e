import { z } from "zod";
import { bounds } from "../bounds.ts";
import { filmBounds } from "../film-bounds.ts";
import { id } from "../payload.ts";
import { emphasis, narration, type SceneLayout, sceneLayouts } from "./storyboard.ts";

const limits = filmBounds;

/** A scene of a board that was written by hand. `content`: as of a storyboard; lists that a plane does not use may be left out. */
const handmadeScene = z.strictObject({
  layout: z.enum(sceneLayouts as [SceneLayout, ...SceneLayout[]]),
  narration,
  quotes: z
    .array(z.strictObject({ block: id, quote: z.string().trim().min(1).max(bounds.citation.quoteLength) }))
    .min(1)
    .max(limits.quotesPerScene),
  content: z.record(z.string(), z.unknown()),
  /** Of the closing question: the right choice, counted from 0, and why. */
  right: z.int().min(0).optional(),
  explanation: z.string().trim().min(1).optional(),
});

/** A storyboard that was written by hand for a topic of a course. It is checked as any other before it is used. */
export const handmadeBoard = z.strictObject({
  courseId: id,
  topicId: id,
  emphasis,
  title: z.string().trim().min(1).max(limits.headingLength),
  scenes: z.array(handmadeScene).min(limits.scenes.min).max(limits.scenes.max),
});
export type HandmadeBoard = z.infer<typeof handmadeBoard>;

const plane = { centre: { x: 0, y: 0 }, maps: [], vectors: [], lines: [], points: [], polygons: [], curves: [], focus: [] };

/** Boxes without a cue are there from the start; arrows without one come with their boxes. */
function buildOf(content: object): object {
  const whole: { nodes?: unknown; edges?: unknown; focus: unknown } = { focus: [], ...content };
  return {
    ...whole,
    nodes: listed(whole.nodes).map((one) => ({ cue: "", ...one })),
    edges: listed(whole.edges).map((one) => ({ label: "", cue: "", quote: "", ...one })),
  };
}

/** What is not on a line of numbers may be left out; things without a cue are there from the start. */
function lineOf(content: object): object {
  const whole: { intervals: unknown; sequences: unknown } = { intervals: [], sequences: [], ...content };
  return {
    jumps: [],
    zoom: null,
    ...whole,
    intervals: listed(whole.intervals).map((one) => ({ cue: "", endsCue: "", ...one })),
    sequences: listed(whole.sequences).map((one) => ({ cue: "", limit: "", limitCue: "", ...one })),
  };
}

const forgetting = { cue: "", recalls: [], marks: [] };

const listed = (value: unknown): object[] => (Array.isArray(value) ? value.filter((one) => typeof one === "object" && one !== null) : []);

/** Numbers of call-outs stand above their points, to the left, unless said otherwise. */
function figureOf(content: object): object {
  const whole: { parts?: unknown; zooms: unknown; callouts?: unknown } = { zooms: [], ...content };
  const parts = listed(whole.parts).map((one) => ({ drawn: false, ...one }));
  return { ...whole, parts, callouts: listed(whole.callouts).map((one) => ({ side: "top-left", ...one })) };
}

/** Marks without a kind are of the first, those without a cue are there from the start. */
function timelineOf(content: object): object {
  const whole: { kinds: unknown; lanes?: unknown } = { kinds: [], ...content };
  const lanes = listed(whole.lanes).map((lane: { marks?: unknown }) => ({
    gaps: false,
    ...lane,
    marks: listed(lane.marks).map((mark) => ({ kind: 0, cue: "", ...mark })),
  }));
  return { ...whole, lanes };
}

const curve = { residuals: "none", residualsCue: "", becomes: null };

/** The content of a scene, with what a plane leaves out. Pure. */
export function contentOf({ layout, content }: HandmadeBoard["scenes"][number]): object {
  if (layout === "timeline") return timelineOf(content);
  if (layout === "table") return { sortBy: -1, descending: false, bars: -1, ...content };
  if (layout === "figure") return figureOf(content);
  if (layout === "trace") return { start: "", ...content };
  if (layout === "build") return buildOf(content);
  if (layout === "number-line") return lineOf(content);
  if (layout === "forgetting") return { ...forgetting, ...content };
  if (layout !== "plane") return content;
  const whole = { ...plane, ...content };
  const curves = Array.isArray(whole.curves) ? whole.curves.map((one: object) => ({ ...curve, ...one })) : whole.curves;
  const tangents = "tangents" in whole && { tangents: listed(whole.tangents).map((one) => ({ curve: 0, cue: "", to: null, ...one })) };
  return { ...whole, curves, ...tangents };
}
