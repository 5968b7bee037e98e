import { defaultSettings } from "@colloquy/schemas/explainers/default-settings.ts";
import type { Film, Transcript } from "@colloquy/schemas/explainers/film.ts";
import type { ExplainerJob, ExplainerJobSummary, JobEvent } from "@colloquy/schemas/explainers/job.ts";
import { onScreen } from "@colloquy/schemas/explainers/on-screen.ts";
import type { PreviewScene } from "@colloquy/schemas/explainers/preview.ts";
import type { StoryboardFrame } from "@colloquy/schemas/explainers/requests.ts";
import type { Scene, Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import { filmSeconds, sceneSeconds } from "@colloquy/schemas/explainers/timing.ts";

export const courseId = "linear-maps";
export const topicId = "topic-eigen-01";
export const topicTitle = "Eigenvectors";
export const jobId = "job-film-00001";
const revisionId = "rev-linear-0003";
const quote = "Some directions keep their line: the map only stretches them.";
const sourceId = "src-eigen-block-1";

const scene = (name: string, rest: Pick<Scene, "layout" | "content" | "narration">): Scene => {
  const whole = { sceneId: `scene-${name}-01`, seconds: 0, sourceIds: [sourceId], quotes: [{ sourceId, quote }], ...rest } as Scene;
  return { ...whole, seconds: sceneSeconds(whole) };
};

/** One scene of each layout. */
export const scenes: Scene[] = [
  scene("title", {
    layout: "title",
    content: { heading: "Directions that keep their line", subtitle: "Linear maps" },
    narration: "Most arrows turn when a map moves them.",
  }),
  scene("points", {
    layout: "points",
    content: { heading: "What stays", points: ["The line", "Not the length", "Perhaps the sign"] },
    narration: "A few arrows stay on their own line and only change in length.",
  }),
  scene("formula", {
    layout: "formula",
    content: {
      heading: "The equation",
      terms: [
        { tex: "A v", label: "the map moves v" },
        { tex: "=", label: "" },
        { tex: "\\lambda v", label: "v, stretched" },
      ],
    },
    narration: "Moving such an arrow is the same as stretching it by a number.",
  }),
  scene("diagram", {
    layout: "diagram",
    content: {
      heading: "How to find them",
      kind: "flow",
      nodes: [
        { key: "a", label: "Write the equation" },
        { key: "b", label: "Find the numbers" },
        { key: "c", label: "Solve for arrows" },
      ],
      edges: [
        { from: "a", to: "b", label: "determinant" },
        { from: "b", to: "c", label: "each" },
        { from: "c", to: "b", label: "next" },
      ],
    },
    narration: "First come the numbers, then for each of them its arrows.",
  }),
  scene("code", {
    layout: "code",
    content: {
      heading: "By machine",
      language: "python",
      code: "import numpy as np\nvalues, vectors = np.linalg.eig(A)\nprint(values)",
      steps: [
        { from: 2, to: 2, label: "both at once" },
        { from: 3, to: 3, label: "the numbers" },
      ],
    },
    narration: "One line of a program finds both of them.",
  }),
  scene("compare", {
    layout: "compare",
    content: {
      heading: "Two kinds of arrows",
      left: { title: "Most", points: ["turn", "leave their line"] },
      right: { title: "A few", points: ["stay on it"] },
    },
    narration: "Keep the two kinds apart.",
  }),
  scene("plot", {
    layout: "plot",
    content: {
      heading: "Where the numbers lie",
      x: { label: "λ", from: -1, to: 4 },
      yLabel: "determinant",
      functions: [{ expression: "x^2 - 3x + 2", label: "p(λ)" }],
      marks: [
        { x: 1, label: "first" },
        { x: 2, label: "second" },
      ],
    },
    narration: "They are where this curve meets the axis.",
  }),
  scene("recap", {
    layout: "recap",
    content: { heading: "Remember", points: ["Same line, other length", "Numbers first, arrows second"] },
    narration: "The same line, another length.",
  }),
  scene("question", {
    layout: "question",
    content: { question: "What does a map do to such an arrow?", choices: ["It turns it", "It stretches it", "It leaves it as it is"] },
    narration: "What does the map do to such an arrow?",
  }),
];

export const storyboard: Storyboard = {
  type: "storyboard",
  storyboardId: "storyboard-0001",
  title: "Directions that keep their line",
  emphasis: "intuition",
  language: "en",
  seconds: filmSeconds(scenes),
  scenes,
  sources: [
    {
      number: 1,
      sourceId,
      href: "/courses/linear-maps/eigenvectors#block-1",
      title: "Directions that keep their line",
      trail: ["Linear maps"],
      revisionId,
      quote,
    },
  ],
};

export const film: Film = {
  renderId: "render-00001",
  storyboardId: storyboard.storyboardId,
  settings: defaultSettings,
  milliseconds: 30_000,
  reused: false,
  artifacts: [{ kind: "video", sha256: "a".repeat(64), bytes: 1_000 }],
  metrics: {
    frames: 900,
    framesDrawn: 200,
    milliseconds: 30_000,
    overflowArea: 0,
    overlapArea: 0,
    leastContrast: 7,
    leastTextSize: 26,
    wordsPerSecond: 2,
    captionCharactersPerSecond: 14,
    segmentsReused: 0,
    renderMilliseconds: 4_000,
  },
};

export const job = (more: Partial<ExplainerJob> = {}): ExplainerJob => ({
  jobId,
  courseId,
  topicId,
  topicTitle,
  courseRevisionId: revisionId,
  emphasis: "intuition",
  state: "drafted",
  version: 2,
  createdAt: "2026-11-21T16:00:00Z",
  storyboard,
  review: { approved: true, repaired: false, findings: [] },
  settings: null,
  progress: null,
  attempt: 0,
  failure: null,
  retryAt: null,
  films: [],
  corrections: [],
  answerable: true,
  answered: null,
  ...more,
});

const listed = ({
  jobId,
  courseId,
  topicId,
  topicTitle,
  emphasis,
  state,
  createdAt,
  storyboard,
  corrections,
}: ExplainerJob): ExplainerJobSummary => ({
  jobId,
  courseId,
  topicId,
  topicTitle,
  emphasis,
  state,
  createdAt,
  title: storyboard.title,
  seconds: storyboard.seconds,
  marked: corrections.length > 0,
});

const spread = 30_000 / scenes.length;
const at = (index: number): number => Math.round(index * spread);
export const transcript: Transcript = {
  title: storyboard.title,
  language: "en",
  scenes: scenes.map((one, index) => ({
    sceneId: one.sceneId,
    heading: one.layout === "question" ? one.content.question : one.content.heading,
    startMs: at(index),
    endMs: at(index + 1),
    narration: one.narration,
    // The first as in transcripts of earlier versions.
    shows: index === 0 ? ["What is shown"] : onScreen(one),
    sources: [{ sourceId, title: "Directions that keep their line", href: "/courses/linear-maps/eigenvectors#block-1", quote }],
  })),
};

const vttTime = (milliseconds: number): string => `00:00:${(milliseconds / 1_000).toFixed(3).padStart(6, "0")}`;
const captions = `WEBVTT\n\n${scenes.map(({ narration }, index) => `${vttTime(at(index))} --> ${vttTime(at(index + 1))}\n${narration}\n`).join("\n")}`;

/** Thirty seconds of silence that a video element can play. */
function silence(): Blob {
  const rate = 8_000;
  const bytes = new DataView(new ArrayBuffer(44 + rate * 30));
  const text = (at: number, letters: string) => {
    for (const [index, letter] of [...letters].entries()) bytes.setUint8(at + index, letter.charCodeAt(0));
  };
  text(0, "RIFF");
  bytes.setUint32(4, bytes.byteLength - 8, true);
  text(8, "WAVEfmt ");
  bytes.setUint32(16, 16, true);
  bytes.setUint16(20, 1, true);
  bytes.setUint16(22, 1, true);
  bytes.setUint32(24, rate, true);
  bytes.setUint32(28, rate, true);
  bytes.setUint16(32, 1, true);
  bytes.setUint16(34, 8, true);
  text(36, "data");
  bytes.setUint32(40, rate * 30, true);
  new Uint8Array(bytes.buffer).fill(128, 44);
  return new Blob([bytes.buffer], { type: "audio/wav" });
}

const json = (body: object, status = 200): Response =>
  new Response(JSON.stringify({ schemaVersion: 1, ...body }), { status, headers: { "content-type": "application/json" } });
export const problem = (status: number, code: string, more: object = {}): Response =>
  new Response(JSON.stringify({ schemaVersion: 1, status, code, title: code, requestId: "request-1", retryable: false, ...more }), {
    status,
    headers: { "content-type": "application/problem+json" },
  });

/** A fake service: its data, the requests it received, and frames to send. */
export function fakeService() {
  const encoder = new TextEncoder();
  let lines: ReadableStreamDefaultController<Uint8Array> | null = null;
  let told: ReadableStreamDefaultController<Uint8Array> | null = null;
  const streamed = (take: (controller: ReadableStreamDefaultController<Uint8Array>) => void, type: string): Response =>
    new Response(new ReadableStream<Uint8Array>({ start: take }), { headers: { "content-type": type } });
  const service = {
    offer: { offered: true, left: 5, voices: false },
    jobs: [] as ExplainerJob[],
    /** Method, path and body of every request. */
    asked: [] as { method: string; path: string; body: Record<string, unknown> | null; lastEventId: string | null }[],
    /** Overrides the answer of a path, for example with a problem. */
    instead: null as ((method: string, path: string) => Response | null) | null,
    /** Sends a frame of the storyboard stream. */
    frame(frame: Omit<StoryboardFrame, "schemaVersion">): void {
      lines?.enqueue(encoder.encode(`${JSON.stringify({ schemaVersion: 1, ...frame })}\n`));
    },
    endFrames(): void {
      lines?.close();
      lines = null;
    },
    /** Sends an event of the job's render. */
    tell(event: Partial<JobEvent> & Pick<JobEvent, "version" | "state">): void {
      const whole = {
        schemaVersion: 1,
        progress: null,
        percent: 0,
        remainingMs: null,
        attempt: 1,
        failure: null,
        retryAt: null,
        at: "2026-11-21T16:01:00Z",
        ...event,
      };
      told?.enqueue(encoder.encode(`id: ${event.version}\ndata: ${JSON.stringify(whole)}\n\n`));
    },
    /** Breaks the event stream. */
    breakOff(): void {
      told?.error(new TypeError("broken"));
      told = null;
    },
    get telling(): boolean {
      return told !== null;
    },
    put(next: ExplainerJob): void {
      service.jobs = [next, ...service.jobs.filter(({ jobId }) => jobId !== next.jobId)];
    },
    fetch: async (input: string, init: RequestInit = {}): Promise<Response> => {
      const { method = "GET" } = init;
      const url = new URL(input, location.origin);
      const path = url.pathname.replace("/api/visual-explainers", "");
      const body = typeof init.body === "string" ? (JSON.parse(init.body) as Record<string, unknown>) : null;
      service.asked.push({ method, path, body, lastEventId: new Headers(init.headers).get("last-event-id") });
      const own = service.instead?.(method, path);
      if (own) return own;
      if (path === `/api/courses/${courseId}`) return json({ course: { courseId, topics: [{ id: topicId, title: topicTitle }] } });
      if (path === "/offer") return json(service.offer);
      if (path === "/jobs") return json({ jobs: service.jobs.map(listed) });
      const ends = (controller: ReadableStreamDefaultController<Uint8Array>) =>
        init.signal?.addEventListener("abort", () => controller.error(new DOMException("stopped", "AbortError")));
      if (path === "/storyboard" || path.endsWith("/storyboard"))
        return streamed((controller) => {
          lines = controller;
          ends(controller);
        }, "application/x-ndjson");
      const [, , id = "", act] = path.split("/");
      if (act === "preview") {
        const { scenes: all, wanted, aspect } = body as unknown as { scenes: Scene[]; wanted: string[]; aspect: string };
        return json({ scenes: all.filter(({ sceneId }) => wanted.includes(sceneId)).map((scene) => previewOf(scene, aspect)) });
      }
      const found = service.jobs.find((one) => one.jobId === id);
      if (!found) return problem(404, "not_found");
      if (act === undefined) return json({ job: found, position: "1" });
      if (act === "events")
        return streamed((controller) => {
          told = controller;
          ends(controller);
        }, "text/event-stream");
      if (act === "artifact") return artifactOf(url.searchParams.get("kind"));
      if (act === "answer")
        return json({
          correct: body?.choice === 1,
          right: 1,
          explanation: "The map only stretches it.",
          recorded: body?.sessionId !== undefined,
          ...(body?.sessionId === undefined
            ? { evidence: null, unrecorded: "no_session" }
            : {
                evidence: { sessionId: body.sessionId, objectiveId: "objective-1", objective: "See what a map keeps", receipt: 7 },
                unrecorded: null,
              }),
        });
      if (act === "corrections") return json({});
      const state = act === "cancel" ? ("cancelled" as const) : ("queued" as const);
      const settings = (body?.settings as ExplainerJob["settings"]) ?? found.settings;
      service.put({ ...found, state, settings, version: found.version + 1, attempt: 1, failure: null });
      return json({ jobId: id, state, version: found.version + 1 });
    },
  };
  return service;
}

/** A scene of a preview: a surface from the start, and another one from its middle on. */
export function previewOf({ sceneId, seconds }: Pick<Scene, "sceneId" | "seconds">, aspect: string): PreviewScene {
  const [width, height] = aspect === "16:9" ? [1280, 720] : [720, 1280];
  const surface = (x: number, from: number, fill: "accent" | "warn") =>
    ({ kind: "box", part: "one", box: { x, y: 100, width: 200, height: 200 }, radius: 0, fill, from, motion: "still", takes: 0 }) as const;
  const items = [surface(100, 0, "accent"), surface(400, seconds * 500, "warn")];
  const safe = { x: 0, y: 0, width, height };
  return {
    sceneId,
    shown: { kind: "placed", fonts: [], placed: { kind: "placed", width, height, safe, durationMs: seconds * 1_000, items } },
  };
}

async function artifactOf(kind: string | null): Promise<Response> {
  if (kind === "video") return new Response(silence());
  if (kind === "captions") return new Response(new Blob([captions], { type: "text/vtt" }));
  if (kind === "chapters") return new Response(new Blob(["WEBVTT\n"], { type: "text/vtt" }));
  if (kind === "transcript") return new Response(JSON.stringify(transcript));
  const canvas = Object.assign(document.createElement("canvas"), { width: 320, height: 180 });
  const pen = canvas.getContext("2d");
  if (pen) {
    pen.fillStyle = "#e8efef";
    pen.fillRect(0, 0, 320, 180);
    pen.fillStyle = "#123";
    pen.font = "600 20px serif";
    pen.fillText("Directions that keep", 40, 84);
    pen.fillText("their line", 40, 110);
  }
  return new Response(await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve)));
}
