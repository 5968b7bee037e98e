import { type S3Double, startS3Double } from "@colloquy/infra/object-store/s3-double.fixture.ts";
import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import type { CourseResponse } from "@colloquy/schemas/courses/reading.ts";
import type { EditorHistoryResponse, EditorSourceResponse } from "@colloquy/schemas/publication/requests.ts";
import { expect } from "chai";
import type { Browser, Page, Request, Route } from "playwright-core";
import { openBrowser, openVisitor, type Visitor } from "./browser.ts";
import { learner } from "./learner.ts";
import { type Program, startProgram } from "./program.ts";
import { publishShortCourse } from "./short-course.ts";

/** Folder for screenshots; undefined for none. */
export const screenshotFolder = process.env.SCREENSHOTS;
export const courseId = "linear-maps";
export const slug = "eigenvectors";
/** How long after a request to publish began or ended a reader reads as fast as it can. */
const closelyMs = 2_000;
export const path = `/courses/${courseId}/directions-that-stay/${slug}`;

/**
 * A fresh owner at a course page for each test, while a reader polls the course. A test can make the object store, the event store and the
 * network fail. Registers the hooks of the tests.
 * @param arrive opens the course on the owner's page
 * @param environment is added to the program's environment
 * @param isShort whether the course has few questions
 */
export function publishing(arrive: (page: Page, url: string) => Promise<void>, environment: Record<string, string> = {}, isShort = false) {
  let program: Program;
  let browser: Browser;
  let objects: S3Double;
  let cookie: string;
  let owner: Visitor;
  const reading = { ended: false, closelyUntil: 0, pages: 0, torn: [] as string[], done: Promise.resolve() };
  const readClosely = (): void => {
    reading.closelyUntil = Date.now() + closelyMs;
  };
  const onRequest = (request: Request): void => {
    if (request.url().endsWith("/course-editor/publish")) readClosely();
  };

  before(async () => {
    objects = await startS3Double();
    program = await startProgram({ ...objects.environment, ...environment });
    if (isShort) await publishShortCourse(program, courseId);
    browser = await openBrowser();
    cookie = (await learner(program.url, "owner")).cookie;
    reading.done = readThroughout();
  });
  after(async () => {
    reading.ended = true;
    await reading.done;
    await browser?.close();
    await program?.stop();
    await objects?.close();
  });
  beforeEach(async () => {
    objects.faults.length = 0;
    owner = await openVisitor(browser, { width: 1440, height: 900 });
    owner.page.on("request", onRequest).on("requestfinished", onRequest).on("requestfailed", onRequest);
    await arrive(owner.page, `${program.url}/auth/demo?as=owner&return=${encodeURIComponent(path)}`);
  });
  afterEach(() => owner.context.close());

  /** Polls the course, closely while something is published, to detect partial publications. */
  async function readThroughout(): Promise<void> {
    let shown = 0;
    while (!reading.ended) {
      const response = await fetch(`${program.url}/api/courses/${courseId}`).catch(() => null);
      if (response?.ok) {
        const { course } = (await response.json()) as CourseResponse;
        reading.pages += 1;
        const marks = [course.summary, course.topics[0]?.summary, course.topics.at(-1)?.summary].map(
          (text) => /^Mark .*/.exec(text ?? "")?.[0],
        );
        if (new Set(marks).size > 1) reading.torn.push(`revision ${course.sequence} shows ${marks.join(" and ")}`);
        if (course.sequence < shown) reading.torn.push(`back from ${shown} to ${course.sequence}`);
        shown = course.sequence;
      }
      await new Promise((resolve) => setTimeout(resolve, Date.now() < reading.closelyUntil ? 20 : 500));
    }
  }
  const get = async <Body>(what: string): Promise<Body> =>
    (await (await fetch(`${program.url}/api/course-editor/${what}`, { headers: { cookie } })).json()) as Body;
  const source = () => get<EditorSourceResponse>(`source?course=${courseId}`);
  const status = () => owner.page.getByRole("group", { name: "Draft and publication" });

  return {
    reading,
    source,
    status,
    program: () => program,
    objects: () => objects,
    owner: () => owner,
    browser: () => browser,
    revisions: async (): Promise<number> => (await get<EditorHistoryResponse>(`history?course=${courseId}`)).revisions.length,
    says: (words: string) => status().filter({ hasText: words }).waitFor(),
    firstBlock: (course: AuthoredCourse) => course.topics.find((topic) => topic.slug === slug)?.blocks[0] ?? expect.fail("no block"),
    /** Publishes as another owner. */
    async publishElsewhere(change: (course: AuthoredCourse) => void): Promise<void> {
      const { course, sequence, revisionId } = await source();
      change(course);
      const body = {
        schemaVersion: 1,
        requestId: crypto.randomUUID(),
        courseId,
        base: { sequence, revisionId },
        course,
        renamedIds: [],
        aliases: [],
      };
      const headers = { cookie, "content-type": "application/json", "x-course-publish": "1" };
      readClosely();
      const response = await fetch(`${program.url}/api/course-editor/publish`, { method: "POST", headers, body: JSON.stringify(body) });
      expect(response.status).to.equal(200);
    },
    /** Intercepts publish requests. */
    async publishes(handle?: (route: Route, number: number) => Promise<unknown>): Promise<string[]> {
      const requests: string[] = [];
      await owner.page.route("**/api/course-editor/publish", async (route) => {
        requests.push((route.request().postDataJSON() as { requestId: string }).requestId);
        await (handle ? handle(route, requests.length) : route.continue());
      });
      return requests;
    },
  };
}

/** Drops the response of the first request after it took effect. */
export async function loseFirstResponse(route: Route, number: number): Promise<void> {
  if (number > 1) return route.continue();
  await route.fetch();
  await route.abort("connectionreset");
}
