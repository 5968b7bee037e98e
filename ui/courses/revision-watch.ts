import { bounds } from "@colloquy/schemas/bounds.ts";

export interface Watch {
  /** Path of a page of the course. */
  path: string;
  /** The sequence that is shown; null if the page does not state it: then the first answer is assumed. */
  shown(): number | null;
  /** A later revision is live. Repeated at each check while an older one is shown. */
  onChange(live: number): Promise<unknown> | unknown;
  /** Only visible pages are checked. */
  isVisible(): boolean;
  signal: AbortSignal;
  open?: typeof fetch;
}

/** Shared by the pages of a course in this tab: one timer, one request at a time, the last answer. */
interface Course {
  watches: Set<Watch>;
  live: number | null;
  etag: string | null;
  asking: boolean;
  timer: ReturnType<typeof setInterval> | undefined;
}

const courses = new Map<string, Course>();
/** Watches whose page is being refreshed. */
const busy = new WeakSet<Watch>();

const open: typeof fetch = (input, init) => fetch(input, init);

/**
 * Polls every three seconds for a new revision while the tab and a page of the course are visible. All pages of a course share one timer;
 * unchanged answers have no body (ETag).
 */
export function watchRevision(watch: Watch): void {
  const courseId = /^\/courses\/([^/]+)/.exec(watch.path)?.[1];
  if (!courseId || watch.signal.aborted) return;
  const course = courses.get(courseId) ?? startCourse(courseId);
  course.watches.add(watch);
  watch.signal.addEventListener(
    "abort",
    () => {
      course.watches.delete(watch);
      if (course.watches.size > 0 || courses.get(courseId) !== course) return;
      clearInterval(course.timer);
      courses.delete(courseId);
    },
    { once: true },
  );
}

function startCourse(courseId: string): Course {
  const course: Course = { watches: new Set(), live: null, etag: null, asking: false, timer: undefined };
  courses.set(courseId, course);
  if (courses.size === 1) {
    document.addEventListener("visibilitychange", updateTimers);
    addEventListener("online", askAll);
  }
  updateTimers();
  return course;
}

/** Stops timers in a hidden tab; a tab that becomes visible checks at once. */
function updateTimers(): void {
  for (const [courseId, course] of courses) {
    if (document.hidden) {
      clearInterval(course.timer);
      course.timer = undefined;
    } else if (course.timer === undefined) {
      course.timer = setInterval(() => void ask(courseId, course), bounds.reading.revisionCheckMs);
      if (course.live !== null) void ask(courseId, course);
    }
  }
}

function askAll(): void {
  for (const [courseId, course] of courses) void ask(courseId, course);
}

async function ask(courseId: string, course: Course): Promise<void> {
  const seen = [...course.watches].filter((watch) => watch.isVisible());
  const [first] = seen;
  if (!first || course.asking || document.hidden || !navigator.onLine) return;
  course.asking = true;
  try {
    const headers = { accept: "application/json", ...(course.etag !== null && { "if-none-match": course.etag }) };
    const response = await (first.open ?? open)(`/api/courses/${courseId}/revision`, { headers });
    if (response.status === 200) {
      const { sequence } = (await response.json()) as { sequence?: unknown };
      if (typeof sequence !== "number") return;
      course.live = sequence;
      course.etag = response.headers.get("etag");
    }
  } catch {
    // The next check retries.
  } finally {
    course.asking = false;
  }
  if (course.live !== null) for (const watch of seen) void notify(watch, course.live);
}

/** How long a reader who goes to a passage waits for `liveSequence`. */
const patienceMs = 2_000;

/** The sequence of the live revision of a page's course, asked for at once; null if the service does not say so in time. */
export async function liveSequence(path: string, request: typeof fetch = open): Promise<number | null> {
  const [, courseId] = /^\/courses\/([^/]+)/.exec(path) ?? [];
  if (!courseId || !navigator.onLine) return null;
  try {
    const response = await request(`/api/courses/${courseId}/revision`, {
      headers: { accept: "application/json" },
      signal: AbortSignal.timeout(patienceMs),
    });
    const { sequence } = (await response.json()) as { sequence?: unknown };
    return response.ok && typeof sequence === "number" ? sequence : null;
  } catch {
    return null;
  }
}

/** The assumed sequence of pages that do not state one. */
const assumed = new WeakMap<Watch, number>();

async function notify(watch: Watch, live: number): Promise<void> {
  if (watch.signal.aborted || busy.has(watch)) return;
  const shown = watch.shown() ?? assumed.get(watch);
  if (watch.shown() === null) assumed.set(watch, live);
  if (shown === undefined || live <= shown) return;
  busy.add(watch);
  try {
    await watch.onChange(live);
  } catch {
    // The next check retries.
  } finally {
    busy.delete(watch);
  }
}
