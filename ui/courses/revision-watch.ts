import { bounds } from "@colloquy/schemas/bounds.ts";

export interface Watch {
  /** Of a page of the course. */
  path: string;
  /** The sequence of what is shown now; null where the page does not say: then the first answer counts as that. */
  shown(): number | null;
  /** A later one is live. Asked again with the next check for as long as an older one is shown. */
  onChange(live: number): Promise<unknown> | unknown;
  /** Only what can be seen asks. */
  isVisible(): boolean;
  signal: AbortSignal;
  open?: typeof fetch;
}

/** What one course's pages in this tab have in common: one timer, one question at a time, the last answer. */
interface Course {
  watches: Set<Watch>;
  live: number | null;
  etag: string | null;
  asking: boolean;
  timer: ReturnType<typeof setInterval> | undefined;
}

const courses = new Map<string, Course>();
/** Watches whose page is just being made new. */
const busy = new WeakSet<Watch>();

const open: typeof fetch = (input, init) => fetch(input, init);

/**
 * Asks every three seconds, while the tab and a page of the course can be seen, whether the course was published anew. However many of a
 * course's pages a tab shows, there is one timer, and what has not changed is answered without a body.
 */
export function watchRevision(watch: Watch): void {
  const courseId = /^\/courses\/([^/]+)/.exec(watch.path)?.[1];
  if (!courseId || watch.signal.aborted) return;
  const course = courses.get(courseId) ?? begin(courseId);
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

function begin(courseId: string): Course {
  const course: Course = { watches: new Set(), live: null, etag: null, asking: false, timer: undefined };
  courses.set(courseId, course);
  if (courses.size === 1) {
    document.addEventListener("visibilitychange", turn);
    addEventListener("online", askAll);
  }
  turn();
  return course;
}

/** No timer runs in a tab that is hidden; one that comes into view asks at once. */
function turn(): void {
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
    // Nobody answers: the next time, then.
  } finally {
    course.asking = false;
  }
  if (course.live !== null) for (const watch of seen) void tell(watch, course.live);
}

/** What pages that do not say their sequence are taken to show. */
const assumed = new WeakMap<Watch, number>();

async function tell(watch: Watch, live: number): Promise<void> {
  if (watch.signal.aborted || busy.has(watch)) return;
  const shown = watch.shown() ?? assumed.get(watch);
  if (watch.shown() === null) assumed.set(watch, live);
  if (shown === undefined || live <= shown) return;
  busy.add(watch);
  try {
    await watch.onChange(live);
  } catch {
    // It is still the old page, and asked about again.
  } finally {
    busy.delete(watch);
  }
}
