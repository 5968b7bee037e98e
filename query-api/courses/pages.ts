import { contentSecurityPolicy } from "@colloquy/infra/http/app.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { type Call, route, sent, serve } from "@colloquy/infra/http/route.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import type { CourseCatalogue } from "@colloquy/projections/courses/queries.ts";
import type { TopicProgress } from "@colloquy/projections/learner/queries.ts";
import type { Account } from "@colloquy/schemas/accounts/account.ts";
import * as contracts from "@colloquy/schemas/contracts/pages.ts";
import { followRenames } from "@colloquy/schemas/courses/identity.ts";
import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";
import { keepForHeader, keptForNobody } from "@colloquy/schemas/pages/offline.ts";
import { id } from "@colloquy/schemas/payload.ts";
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from "express";
import { notModified } from "../etag.ts";
import { html } from "../pages/html.ts";
import { lookKey, lookVary, sendPage, translatorOf } from "../pages/look.ts";
import { messagePage } from "../pages/message-page.ts";
import { cataloguePage } from "./catalogue-page.ts";
import { citedPage } from "./cited-page.ts";
import type { Entry } from "./contents.ts";
import { frontPage } from "./course-page.ts";
import type { TopicRenderer } from "./render-topic.ts";
import { type CourseRevision, type CourseRevisions, readableBy } from "./revisions.ts";
import { topicPage } from "./topic-page.ts";

/** `Retry-After` of a page that could not be shown, in seconds. */
const retryAfterSeconds = 2;

type PageCall = Pick<Call, "request" | "response">;

interface Needs {
  built: BuiltUi;
  log: Logger;
  catalogue: CourseCatalogue;
  revisions: CourseRevisions;
  renderTopic: TopicRenderer;
  /** Middleware that waits for the tables of the read models. */
  readModels: RequestHandler;
  progressOf: ProgressOf;
  /** Whether an account has annotated any page. */
  annotates: (accountId: string) => Promise<boolean>;
}

/** How far an account has read a course, by topic. */
export type ProgressOf = (accountId: string, courseId: string) => Promise<ReadonlyMap<string, TopicProgress>>;

/** `GET /`, `/courses`, `/courses/:courseId` and everything below: public. Text for instructors is shown to owners only. */
export function coursePages({ built, log, catalogue, revisions, renderTopic, readModels, progressOf, annotates }: Needs): Router {
  const router = Router();
  router.use(/^\/(?:courses(?:\/.*)?)?$/, readModels);

  const showCatalogue = async ({ request, response }: PageCall): Promise<typeof sent> => {
    const account = request.account ?? null;
    const { path } = request;
    const courses = await catalogue.list();
    const state = courses.map((course) => [course.courseId, course.revisionId]);
    if (!isNotModified(request, response, built, account, path, JSON.stringify(state)))
      sendPage(response, cataloguePage({ built, translator: translatorOf(request), account, courses, landing: path === "/" }));
    return sent;
  };

  const showCoursePage = async ({ request, response }: PageCall): Promise<typeof sent> => {
    await sendCoursePage(request, response);
    return sent;
  };

  async function sendCoursePage(request: Request, response: Response): Promise<void> {
    const account = request.account ?? null;
    const courseId = String(request.params.courseId);
    const live = id.safeParse(courseId).success ? await revisions.live(courseId) : null;
    if (!live) return missing(request, response, built, null);
    const revision = readableBy(account, live);
    // Trailing slashes are ignored.
    const path = ([] as string[])
      .concat(request.params.slugs ?? [])
      .join("/")
      .replace(/\/+$/, "");
    const entry = revision.contents.byPath.get(path);
    if (path && !entry) {
      const cited = await citedPage({ built, translator: translatorOf(request), account, live: revision, path, revisions, renderTopic });
      if (!cited) return movedOrMissing(request, response, built, revision, path);
      response.set({ "cache-control": "private, no-cache", vary: lookVary });
      if (cited.rendered.remoteOrigins.length) allowPicturesFrom(response, cited.rendered.remoteOrigins);
      return sendPage(response, cited.page);
    }
    const { revisionId, sequence } = revision.listing;
    const progress = account
      ? await byCurrentId(revision, await progressOf(account.accountId, courseId))
      : new Map<string, TopicProgress>();
    const own = entry?.kind === "topic" ? progress.get(entry.id) : [...progress];
    const annotated = account && entry?.kind === "topic" ? await annotates(account.accountId) : false;
    const state = JSON.stringify([own ?? null, annotated, revision.audience]);
    if (isNotModified(request, response, built, account, request.path, revisionId, sequence, state)) return;
    if (entry?.kind !== "topic") {
      const objectives = await objectiveCounts(revision);
      return sendPage(
        response,
        frontPage({
          built,
          translator: translatorOf(request),
          account,
          revision,
          objectives,
          progress,
          ...(entry && { collection: entry }),
        }),
      );
    }
    const [topic, rendered] = await Promise.all([revision.topic(entry.id), renderTopic(revision, entry.id)]);
    if (rendered.remoteOrigins.length) allowPicturesFrom(response, rendered.remoteOrigins);
    sendPage(
      response,
      topicPage({
        built,
        translator: translatorOf(request),
        account,
        revision,
        entry,
        topic,
        rendered,
        annotated,
        progress: progress.get(entry.id),
      }),
    );
  }

  router.use(
    serve([
      route(contracts.frontPage, showCatalogue),
      route(contracts.cataloguePage, showCatalogue),
      route(contracts.coursePage, showCoursePage),
      route(contracts.topicPage, showCoursePage),
    ]),
  );

  // Pages answer errors with a page, not with problem JSON.
  router.use(((error, request, response, next) => {
    if (response.headersSent || request.path.startsWith("/api/")) return next(error);
    // An address that cannot be decoded does not exist.
    if (error instanceof URIError) return missing(request, response, built, null);
    const isTemporary = error instanceof ProblemError && error.code === "unavailable";
    if (!isTemporary) log.error({ err: error, requestId: request.id, path: request.path }, "a page could not be rendered");
    const translator = translatorOf(request);
    const { msg } = translator;
    const title = isTemporary ? msg("page.oneMoment") : msg("page.notRightNow");
    const text = isTemporary ? msg("page.coursesBeingPutPlace") : msg("page.pageCannotShownRight");
    const ways = html`<p><a class="button button-primary" href="${request.originalUrl}">${msg("common.tryAgain")}</a></p>`;
    response
      .status(503)
      .set({ "cache-control": "private, no-store", "retry-after": String(retryAfterSeconds) })
      .removeHeader("etag");
    const refresh = isTemporary ? { refreshSeconds: retryAfterSeconds } : {};
    sendPage(
      response,
      messagePage({ built, translator, account: request.account ?? null, path: request.path, title, text, ways, ...refresh }),
    );
  }) satisfies ErrorRequestHandler);

  return router;
}

/** Pages may be cached for their own reader only, and must be revalidated. Returns whether 304 was sent. */
function isNotModified(
  request: Request,
  response: Response,
  built: BuiltUi,
  account: Account | null,
  ...dependsOn: (string | number)[]
): boolean {
  response.set({ "cache-control": "private, no-cache", vary: lookVary });
  if (built.offline) response.set(keepForHeader, account?.accountId ?? keptForNobody);
  return notModified(request, response, built.version, lookKey(request), account?.accountId ?? "", account?.name ?? "", ...dependsOn);
}

/** Progress by current topic id; progress since a rename wins over that of the former id. */
async function byCurrentId(
  revision: CourseRevision,
  progress: ReadonlyMap<string, TopicProgress>,
): Promise<ReadonlyMap<string, TopicProgress>> {
  if ([...progress.keys()].every((topicId) => revision.contents.byId.has(topicId))) return progress;
  const present = followRenames((await revision.identity()).renames);
  return new Map([...[...progress].map(([topicId, one]) => [present(topicId), one] as const), ...progress]);
}

async function objectiveCounts(revision: CourseRevision): Promise<Map<string, number>> {
  const counted = revision.contents.topics.map(async ({ id }) => [id, (await revision.topic(id)).objectives.length] as const);
  return new Map(await Promise.all(counted));
}

/** Redirects a moved address; for an unknown one, a page with suggestions. */
async function movedOrMissing(request: Request, response: Response, built: BuiltUi, revision: CourseRevision, path: string): Promise<void> {
  const target = (await revision.identity()).aliases.get(path);
  const entry = target === undefined ? undefined : (revision.contents.byId.get(target) ?? revision.contents.byPath.get(target));
  if (!entry) return missing(request, response, built, revision, path);
  const query = request.originalUrl.indexOf("?");
  response.set("cache-control", "private, no-cache").redirect(308, entry.href + (query < 0 ? "" : request.originalUrl.slice(query)));
}

function missing(request: Request, response: Response, built: BuiltUi, revision: CourseRevision | null, path = ""): void {
  const translator = translatorOf(request);
  const { msg } = translator;
  const near = revision ? nearest(revision, path) : [];
  const ways = revision
    ? html`<nav class="ways" aria-label="${msg("page.nextSteps")}">${near.length > 0 && html`<h2>${msg("page.perhapsYouMeant")}</h2><ul>${near.map(({ href, title }) => html`<li><a href="${href}">${title}</a></li>`)}</ul>`}<p><a class="button button-primary" href="/courses/${revision.manifest.courseId}">${msg("page.contentsOf", { course: revision.manifest.title })}</a></p></nav>`
    : html`<nav class="ways" aria-label="${msg("page.nextSteps")}"><p><a class="button button-primary" href="/courses">${msg("page.allCourses")}</a></p></nav>`;
  const text = revision
    ? msg("page.noPageAddressMayMovedRemoved", {
        course: revision.manifest.title,
      })
    : request.path.startsWith("/courses/")
      ? msg("page.noCourseAddress")
      : msg("page.noPageAddress");
  response.status(404).set("cache-control", "private, no-store");
  sendPage(
    response,
    messagePage({
      built,
      translator,
      account: request.account ?? null,
      path: request.path,
      title: msg("page.pageNotFound"),
      text,
      ways,
      isMissingPage: revision !== null,
    }),
  );
}

/** Topics whose title or slug shares words with the last part of an address, best first. Words match if their first four letters do. */
function nearest(revision: CourseRevision, path: string): Entry[] {
  const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  const asked = wordsOf(path.slice(0, 200).split("/").at(-1) ?? "").map((word) => word.slice(0, 4));
  const score = (entry: Entry) => {
    const words = [...wordsOf(entry.title), ...wordsOf(entry.path.split("/").at(-1) ?? "")];
    return asked.filter((beginning) => words.some((word) => word.startsWith(beginning))).length;
  };
  return revision.contents.topics
    .map((entry) => ({ entry, shared: score(entry) }))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared)
    .slice(0, 5)
    .map(({ entry }) => entry);
}

/** Adds the origins of the page's external pictures to its content security policy. */
function allowPicturesFrom(response: Response, origins: string[]): void {
  const directives = { ...contentSecurityPolicy.directives, "img-src": [...contentSecurityPolicy.directives["img-src"], ...origins] };
  const policy = Object.entries(directives).map(([name, values]) => `${name} ${values.join(" ")}`);
  response.set("content-security-policy", policy.join(";"));
}

/** The last router: a page for people, problem JSON for programs. */
export function notFoundPage(built: BuiltUi): Router {
  const router = Router();
  router.get("/*path", (request, response, next) => {
    if (/^\/(?:api|assets|auth|oidc|mcp)(?:\/|$)/.test(request.path) || !request.accepts("html"))
      return next(new ProblemError("not_found"));
    missing(request, response, built, null);
  });
  return router;
}
