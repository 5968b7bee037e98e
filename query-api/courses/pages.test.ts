import { readConfig } from "@colloquy/infra/config.ts";
import { createApp, listen } from "@colloquy/infra/http/app.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { closeServer } from "@colloquy/infra/process/http-server.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import type { TopicProgress } from "@colloquy/projections/learner/queries.ts";
import type { Account } from "@colloquy/schemas/accounts/account.ts";
import { courseResponse } from "@colloquy/schemas/courses/reading.ts";
import { coursesResponse, identityResponse, revisionResponse } from "@colloquy/schemas/courses/revision.ts";
import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";
import { expect } from "chai";
import { type RequestHandler, Router } from "express";
import { fixtureCourse, type PublishedFixture, publishedFixture } from "./course.fixture.ts";
import { courseRevisions } from "./revisions.ts";
import { readingRoutes } from "./routes.ts";

const built: BuiltUi = {
  version: "version-1",
  scripts: {
    course: { file: "course-1.js", imports: ["chunks/a-1.js"] },
    workspace: { file: "workspace-1.js", imports: [], soon: ["chunks/b-1.js"] },
  },
  sheets: { theme: "theme-1.css", reading: "reading-1.css", katex: "katex-1.css", course: "course-1.css", topic: "topic-1.css" },
  messages: { de: { reading: ["words-de-1.js"], all: ["words-de-all-1.js"] } },
  preloadFonts: ["fonts/a-1.woff2"],
  offline: { worker: "worker.js", files: ["course-1.js"] },
  files: {},
};
let notYet = false;
let waitedFor: (string | undefined)[] = [];
const readModels: RequestHandler = (_request, _response, next) => {
  if (notYet) throw new ProblemError("unavailable");
  next();
};
const waitForCourses = async (after: string | undefined): Promise<void> => {
  waitedFor.push(after);
  if (after === "404") throw new ProblemError("read_model_behind");
};
const mira: Account = { accountId: "acc_0000001", name: "Mira <M>", roles: ["learner"] };

describe("reading pages", () => {
  let course: PublishedFixture;
  let base = "";
  let close: () => Promise<void>;
  let account: Account | null = null;
  const read = new Map<string, TopicProgress>();
  const annotating = new Set<string>();
  const annotates = async (accountId: string) => annotating.has(accountId);
  const progressOf = async (accountId: string) => (accountId === mira.accountId ? read : new Map<string, TopicProgress>());

  before(async () => {
    course = await publishedFixture();
    const config = readConfig({ LOG_LEVEL: "silent" });
    const log = createLog("test", config);
    const who = Router().use((request, _response, next) => {
      request.account = account;
      next();
    });
    const library = {
      references: async (query: string) => [
        {
          sourceId: "source-01",
          kind: "topic" as const,
          href: "/courses/shell-course/loops",
          title: query,
          trail: [],
          courseId: "shell-course",
          revisionId: "revision-1",
          excerpt: "",
        },
      ],
      resolve: async ({ href }: { href: string }) =>
        href === "/courses/shell-course/loops"
          ? {
              source: {
                sourceId: "source-01",
                kind: "topic" as const,
                entityId: "topic-loops",
                topicId: "topic-loops",
                href,
                title: "Loops",
                trail: ["The Shell"],
              },
              courseId: "shell-course",
              revisionId: "revision-1",
              passages: [
                { passageId: "passage-1", sourceId: "source-01", heading: "Again", text: "word ".repeat(100), role: "prose" as const },
              ],
            }
          : null,
    };
    const { catalogue, objectStore } = course;
    const routers = [
      who,
      ...readingRoutes({
        config,
        log,
        catalogue,
        library,
        revisions: courseRevisions({ catalogue, objectStore }),
        built,
        readModels,
        waitForCourses,
        progressOf,
        annotates,
      }),
    ];
    const { server, port } = await listen(createApp({ config, log, routers }), 0);
    base = `http://127.0.0.1:${port}`;
    close = () => closeServer(server);
  });
  after(async () => {
    await close();
    await course.remove();
  });
  beforeEach(() => {
    account = null;
  });

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(base + path, { redirect: "manual", headers: { accept: "text/html", ...headers } });
  const text = async (path: string) => (await get(path)).text();

  it("answers with a reloading page or a problem until the tables exist", async () => {
    notYet = true;
    for (const path of ["/", "/courses", "/courses/shell-course/loops"]) {
      const page = await get(path);
      expect(page.status).to.equal(503);
      expect(page.headers.get("retry-after")).to.equal("2");
      expect(await page.text())
        .to.contain("<h1>One moment</h1>")
        .and.contain('http-equiv="refresh" content="2"');
    }
    expect((await get("/ai")).status).to.equal(200);
    notYet = false;
    expect((await get("/courses")).status).to.equal(200);
  });

  it("names whom a page may be stored for; shells name their build", async () => {
    const keptFor = async (path: string) => (await get(path)).headers.get("x-colloquy-keep-for");
    for (const path of ["/", "/courses", "/courses/shell-course", "/courses/shell-course/loops"])
      expect(await keptFor(path), path).to.equal("nobody");
    account = mira;
    expect(await keptFor("/courses/shell-course/loops")).to.equal(mira.accountId);
    const etag = (await get("/courses/shell-course")).headers.get("etag") ?? "";
    const unchanged = await get("/courses/shell-course", { "if-none-match": etag });
    expect([unchanged.status, unchanged.headers.get("x-colloquy-keep-for")]).to.deep.equal([304, mira.accountId]);
    for (const path of ["/ai", "/offline", "/sign-in", "/audit", "/courses/none", "/api/courses"])
      expect(await keptFor(path), path).to.equal(null);
    for (const path of ["/ai", "/offline"]) expect((await get(path)).headers.get("x-colloquy-build")).to.equal("version-1");
    expect((await get("/sign-in")).headers.get("x-colloquy-build")).to.equal(null);
  });

  it("marks pages of readers with annotations; offers drawing when signed in", async () => {
    const path = "/courses/shell-course/loops";
    expect(await text(path)).to.not.match(/data-annotated|data-action="draw"/);
    account = mira;
    expect(await text(path))
      .to.contain('data-action="draw" hidden')
      .and.to.not.contain("data-annotated");
    const { headers } = await get(path);
    annotating.add(mira.accountId);
    expect(await text(path)).to.contain("data-annotated");
    expect((await get(path, { "if-none-match": headers.get("etag") ?? "" })).status).to.equal(200);
    annotating.clear();
  });

  it("shows a reader's own progress, and its changes", async () => {
    expect(await text("/courses/shell-course"))
      .to.contain("Start reading")
      .and.not.contain(" read</span>");
    account = mira;
    const before = await get("/courses/shell-course");
    const etag = before.headers.get("etag") ?? "";
    read.set("topic-loops", { place: 0.4, finished: false, at: "2026-11-20T10:00:00Z" });
    const after = await fetch(`${base}/courses/shell-course`, { headers: { "if-none-match": etag } });
    expect(after.status).to.equal(200);
    expect(await after.text())
      .to.contain("40% read")
      .and.match(/Continue with <span lang="en">Loops/);
    expect(await text("/courses/shell-course/loops")).to.contain(`data-account="${mira.accountId}" data-place="0.4"`);
    read.set("topic-loops", { place: 1, finished: true, at: "2026-11-20T10:00:00Z" });
    expect(await text("/courses/shell-course"))
      .to.contain("✓ Read")
      .and.match(/1 of \d+ read/);
    read.clear();
    account = null;
    expect(await text("/courses/shell-course/loops")).to.not.contain("data-account");
  });

  it("answers 404 for an address that cannot be decoded", async () => {
    const page = await get("/courses/100%zz");
    expect(page.status).to.equal(404);
    expect(await page.text()).to.contain("<h1>Page not found</h1>");
  });

  it("supports read-your-writes of courses, rejects unknown parameters", async () => {
    const paths = [
      "/api/courses/shell-course",
      "/api/courses/shell-course/revision",
      "/api/ai/references?q=x",
      "/api/courses/source?href=/courses/shell-course/loops",
    ];
    for (const path of paths) {
      const joined = `${path}${path.includes("?") ? "&" : "?"}`;
      waitedFor = [];
      expect((await get(`${joined}after=12`)).status, path).to.equal(200);
      expect(waitedFor).to.deep.equal(["12"]);
      const behind = await get(`${joined}after=404`);
      expect(behind.status).to.equal(504);
      expect(await behind.json()).to.include({ code: "read_model_behind", retryable: true });
      for (const [wrong, code] of [
        ["surprise=1", "unknown_field"],
        ["after=soon", "invalid_request"],
        ["after=1&after=2", "invalid_request"],
      ]) {
        const refused = await get(joined + wrong);
        expect(refused.status, wrong).to.equal(400);
        expect(await refused.json()).to.include({ code });
      }
    }
  });

  it("shows the catalogue, signed out and signed in", async () => {
    const out = await text("/courses");
    expect(out).to.contain('href="/courses/shell-course"').and.contain("Small programs, joined.").and.contain("/sign-in?return=%2Fcourses");
    account = mira;
    const signedIn = await text("/courses");
    expect(signedIn).to.contain("Mira &lt;M&gt;").and.not.contain("Mira <M>").and.not.contain("/sign-in");
    expect(signedIn).to.contain('<a href="/settings">Settings</a>').and.not.contain("/audit");
    account = { ...mira, roles: ["auditor"] };
    expect(await text("/courses")).to.contain('<a href="/audit">Audit</a>');
    account = mira;
    expect(await text("/"))
      .to.contain('href="/courses/shell-course"')
      .and.contain("Open your conversations");
  });

  it("shows the pages of course and collection with their contents", async () => {
    const front = await text("/courses/shell-course");
    expect(front).to.contain("2 topics").and.contain("1 objective").and.contain("CC BY 4.0").and.contain("English");
    expect(front).to.contain('<a class="button button-primary" href="/courses/shell-course/basics/pipes">Start reading</a>');
    expect(await text("/courses/shell-course/basics"))
      .to.contain("<h1>Basics</h1>")
      .and.contain("To begin with.")
      .and.not.contain("Loops");
  });

  it("shows text for instructors to owners, and to nobody else", async () => {
    const [pipes, loops] = fixtureCourse.topics;
    if (!pipes || !loops) throw new Error("The fixture has two topics");
    const secret = { id: "block-secret", type: "core.callout" as const, source: "---\nkind: instructor\n---\nAsk the secret question." };
    await course.publish({ ...pipes, blocks: [...pipes.blocks, secret] });
    const { revisionId } = await course.publish({ ...loops, title: "Instructor notes" });
    const paths = [
      "/courses/shell-course",
      "/courses/shell-course/basics",
      "/courses/shell-course/basics/pipes",
      "/courses/shell-course/loops",
      "/courses/shell-course/loopss",
      "/api/courses/shell-course",
      `/courses/shell-course/revisions/${revisionId}/block-secret`,
      `/courses/shell-course/revisions/${revisionId}/block-loops`,
    ];
    const seen = async (): Promise<string> => (await Promise.all(paths.map((path) => text(path)))).join("\n");
    account = { ...mira, roles: ["learner", "owner"] };
    expect(await seen())
      .to.contain("Ask the secret question.")
      .and.contain("Instructor notes")
      .and.contain("For instructors. Learners do not see this page.");
    const owners = await fetch(`${base}/api/courses/shell-course`);
    for (const reader of [null, mira, { ...mira, roles: ["auditor" as const] }]) {
      account = reader;
      expect(await seen()).to.not.match(/secret question|Instructor notes|Once more/);
      expect((await fetch(`${base}/courses/shell-course/loops`)).status).to.equal(404);
      const other = await fetch(`${base}/api/courses/shell-course`, { headers: { "if-none-match": owners.headers.get("etag") ?? "" } });
      expect(other.status).to.equal(200);
    }
    account = null;
    await course.publish(pipes);
    await course.publish(loops);
  });

  it("shows questions of the page with their solution, and gives those of the bank to owners' programs only", async () => {
    const [pipes] = fixtureCourse.topics;
    if (!pipes) throw new Error("The fixture has topics");
    const ask = (id: string, place: string) => ({
      id,
      type: "core.question" as const,
      source: `---\nkind: text\nplace: ${place}\n---\nA ${place} question?\n\n= key of ${place}\n\n::: explanation\nWhy ${place}.\n:::`,
    });
    const { revisionId } = await course.publish({
      ...pipes,
      blocks: [...pipes.blocks, ask("question-page", "page"), ask("question-bank", "bank")],
    });
    const path = "/courses/shell-course/basics/pipes";
    const block = (id: string) => `/courses/shell-course/revisions/${revisionId}/${id}`;
    const seen = async (): Promise<string> =>
      (await Promise.all([path, block("question-bank"), block("question-page"), block("block-theory")].map((one) => text(one)))).join("\n");
    for (const reader of [null, mira, { ...mira, roles: ["learner", "owner"] as const }]) {
      account = reader as typeof account;
      expect(await seen())
        .to.contain("A page question?")
        .and.contain("key of page")
        .and.not.match(/A bank question|key of bank|Why bank/);
    }
    expect(await text("/api/courses/shell-course")).to.contain("key of bank");
    for (const reader of [null, mira]) {
      account = reader;
      expect(await text("/api/courses/shell-course"))
        .to.contain("key of page")
        .and.not.match(/bank/);
    }
    account = null;
    await course.publish(pipes);
  });

  it("offers editing of course and collection pages to owners only", async () => {
    const fronts = ["/courses/shell-course", "/courses/shell-course/basics"];
    for (const path of fronts)
      expect(await text(path))
        .to.contain('data-account=""')
        .and.not.contain("data-modes");
    account = mira;
    for (const path of fronts) expect(await text(path)).to.not.match(/data-modes|data-sheet="katex"/);
    account = { ...mira, roles: ["learner", "owner"] };
    for (const path of fronts)
      expect(await text(path))
        .to.contain('data-mode="edit" aria-pressed="false" hidden')
        .and.contain('data-account="acc_0000001"')
        .and.contain('data-sheet="katex"')
        .and.not.contain('data-mode="draw"');
    const [course, collection] = await Promise.all(fronts.map(text));
    expect(course).to.contain('data-collection=""');
    expect(collection).to.contain(`data-collection="${fixtureCourse.collections[0]?.id}"`);
  });

  it("shows a topic with every block at its id", async () => {
    const page = await text("/courses/shell-course/basics/pipes");
    for (const { id } of fixtureCourse.topics[0]?.blocks ?? []) expect(page).to.contain(`id="${id}"`);
    expect(page).to.contain("<h1>Pipes &amp; &lt;Filters&gt;</h1>").and.contain("Join two programs with a pipe.");
    expect(page).to.contain('href="/ai?page=%2Fcourses%2Fshell-course%2Fbasics%2Fpipes"');
    expect(page).to.contain('<link rel="stylesheet" href="/assets/katex-1.css" data-sheet="katex">').and.contain('class="katex"');
    expect(page).to.contain('href="/courses/shell-course/loops#again"').and.contain('rel="next" href="/courses/shell-course/loops"');
    expect(page).to.contain('width="120" height="80"').and.contain(`/api/courses/shell-course/assets/${fixtureCourse.assets[0]?.sha256}`);
    expect(page).to.contain('<li><a href="#what-a-pipe-is">What a pipe is</a></li>').and.contain('<h2 id="what-a-pipe-is">');
    expect(page)
      .to.contain('<span class="hljs-meta prompt_">$ </span>')
      .and.contain("code-output")
      .and.contain("<caption>Commands</caption>");
    expect(page).to.contain("This part could not be shown").and.contain("no description here &lt;b&gt;");
    expect(page).to.contain('<details class="callout callout-warning">').and.contain('<details class="fold fold-solution">');
    expect(page)
      .to.match(/aria-current="page">Pipes/)
      .and.contain("<details open><summary>");
    expect(await text("/courses/shell-course/loops")).to.not.contain('data-sheet="katex"');
    account = { ...mira, roles: ["learner", "owner"] };
    expect(await text("/courses/shell-course/loops"), "an owner may write a formula").to.contain('data-sheet="katex"');
    account = mira;
    expect(await text("/courses/shell-course/loops")).to.not.contain('data-sheet="katex"');
  });

  it("keeps blank lines of code", async () => {
    expect(await text("/courses/shell-course/basics/pipes")).to.contain("6\n\n7");
  });

  it("has unique ids, no inline script and no broken link of its own", async () => {
    for (const path of [
      "/",
      "/courses",
      "/courses/shell-course",
      "/courses/shell-course/basics",
      "/courses/shell-course/basics/pipes",
      "/courses/shell-course/loops",
    ]) {
      const page = await text(path);
      const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
      expect(ids, path).to.have.length(new Set(ids).size);
      expect(page.match(/<script(?![^>]* src=)/g), path).to.equal(null);
      for (const [, href = ""] of page.matchAll(/<a[^>]* href="(\/courses[^"]*|#[^"]*)"/g)) {
        const [target = "", anchor] = href.split("#");
        const found = target ? await get(target) : null;
        expect(found?.status ?? 200, `${path} → ${href}`).to.equal(200);
        if (anchor) expect(found ? await found.text() : page, `${path} → ${href}`).to.contain(`id="${decodeURIComponent(anchor)}"`);
      }
    }
  });

  it("allows pictures only from the sites that a page names", async () => {
    const policy = (await get("/courses/shell-course/basics/pipes")).headers.get("content-security-policy") ?? "";
    expect(policy).to.contain("img-src 'self' data: blob: https://pictures.example;").and.contain("script-src 'self'");
    expect((await get("/courses/shell-course/loops")).headers.get("content-security-policy")).to.not.contain("pictures.example");
  });

  it("answers 304 until a publication, or for another account", async () => {
    const path = "/courses/shell-course/loops";
    const first = await get(path);
    expect(first.headers.get("cache-control")).to.equal("private, no-cache");
    const etag = first.headers.get("etag") ?? "";
    expect((await get(path, { "if-none-match": etag })).status).to.equal(304);
    account = mira;
    expect((await get(path, { "if-none-match": etag })).status).to.equal(200);
    account = null;
    await course.publish({
      id: "topic-loops",
      slug: "loops",
      title: "Loops, again",
      objectives: [],
      blocks: [{ id: "block-loops", type: "core.theory", source: "## Again\n\nTwice more." }],
    });
    const anew = await get(path, { "if-none-match": etag });
    expect(anew.status).to.equal(200);
    expect(await anew.text()).to.contain("Twice more.");
  });

  it("renders formulas in summaries, with their style sheet only then", async () => {
    const sheet = /data-sheet="katex"|sheet-katex/;
    expect(await (await get("/courses/shell-course/loops")).text()).to.not.match(sheet);
    await course.publish({
      id: "topic-loops",
      slug: "loops",
      title: "Loops, again",
      summary: "For each of $n$ files.",
      objectives: [{ id: "objective-loops", text: "Say what costs $O(n^2)$ & why." }],
      blocks: [{ id: "block-loops", type: "core.theory", source: "## Again\n\nTwice more." }],
    });
    const topic = await (await get("/courses/shell-course/loops")).text();
    expect(topic).to.match(sheet);
    expect(topic).to.match(/<p class="lede">For each of <span class="math"><span class="katex">.*<\/span> files\.<\/p>/);
    expect(topic).to.match(/<li id="objective-loops">Say what costs <span class="math">.*<\/span> &amp; why\.<\/li>/);
    const front = await (await get("/courses/shell-course")).text();
    expect(front).to.match(sheet);
    expect(front).to.match(/<span class="row-summary">For each of <span class="math">/);
  });

  it("show a block as it was in the revision that a citation names", async () => {
    const { revisionId } = (await course.catalogue.get("shell-course")) ?? expect.fail("no course");
    const { blocks } = fixtureCourse.topics[1] ?? expect.fail("no topic");
    const [loops] = fixtureCourse.topics.slice(1);
    if (!loops) return expect.fail("no topic");
    await course.publish({ ...loops, blocks: [{ id: "block-other", type: "core.theory", source: "Other words." }] });
    const then = await get(`/courses/shell-course/revisions/${revisionId}/block-loops`);
    const text = await then.text();
    expect([then.status, text.includes('id="block-loops"'), text.includes("Other words."), text.includes("noindex")]).to.deep.equal([
      200,
      true,
      false,
      true,
    ]);
    expect(text).to.contain('href="/courses/shell-course/loops"');
    for (const path of [`revisions/${revisionId}/block-never`, `revisions/${"0".repeat(64)}/block-loops`, `revisions/${revisionId}/..`])
      expect((await get(`/courses/shell-course/${path}`)).status, path).to.equal(404);
    await course.publish({ ...loops, blocks });
  });

  it("redirects old addresses and suggests topics for unknown ones", async () => {
    const moved = await get("/courses/shell-course/old/pipes?mark=a%20b");
    expect([moved.status, moved.headers.get("location")]).to.deep.equal([308, "/courses/shell-course/basics/pipes?mark=a%20b"]);
    const missing = await get("/courses/shell-course/looping");
    expect(missing.status).to.equal(404);
    expect((await get("/courses/shell-course/basics/pipes/")).status, "a slash at the end").to.equal(200);
    expect(await missing.text())
      .to.contain("Perhaps you meant")
      .and.contain('href="/courses/shell-course/loops"');
    for (const path of ["/courses/no-such-course", "/courses/x", "/nothing/at/all", "/courses/shell-course/%00", "/courses/..%2f..%2f"]) {
      const page = await get(path);
      expect(page.status, path).to.equal(404);
      expect(page.headers.get("content-type"), path).to.contain("text/html");
    }
    expect((await get("/api/nothing")).headers.get("content-type")).to.contain("application/problem+json");
  });

  it("lists moved pages, renamed ids and deleted ids", async () => {
    const answer = await get("/api/courses/shell-course/identity");
    const { revisionId: _, sequence: __, ...told } = identityResponse.parse(await answer.json());
    expect(told).to.deep.equal({
      schemaVersion: 1,
      courseId: "shell-course",
      pages: [{ from: "shell-course/old/pipes", to: "shell-course/basics/pipes" }],
      renames: [{ from: "topic-cycles", to: "topic-loops" }],
      deleted: ["block-gone-1"],
    });
    const again = await get("/api/courses/shell-course/identity", { "if-none-match": answer.headers.get("etag") ?? "" });
    expect(again.status).to.equal(304);
  });

  it("keeps the progress of a renamed topic", async () => {
    account = mira;
    const at = "2026-11-20T10:00:00Z";
    read.set("topic-cycles", { place: 0.5, finished: true, at } as TopicProgress);
    const renamed = await text("/courses/shell-course");
    read.delete("topic-cycles");
    const without = await text("/courses/shell-course");
    read.set("topic-loops", { place: 0.5, finished: true, at } as TopicProgress);
    const own = await text("/courses/shell-course");
    read.clear();
    expect(renamed).to.equal(own);
    expect(renamed).not.to.equal(without);
  });

  it("serves the revision's identity, the resolved course and its files", async () => {
    const revision = await get("/api/courses/shell-course/revision");
    const identity = revisionResponse.parse(await revision.json());
    expect(identity.courseId).to.equal("shell-course");
    expect((await get("/api/courses/shell-course/revision", { "if-none-match": revision.headers.get("etag") ?? "" })).status).to.equal(304);

    const { courses } = coursesResponse.parse(await (await get("/api/courses")).json());
    expect(courses.map(({ courseId, title }) => [courseId, title])).to.deep.equal([["shell-course", "The Shell"]]);
    const { course: resolved } = courseResponse.parse(await (await get("/api/courses/shell-course")).json());
    expect(resolved.topics[0]?.href).to.equal("/courses/shell-course/basics/pipes");
    expect(resolved.contents[0]?.children[0]?.id).to.equal("topic-pipes");

    const file = await get(resolved.assets[0]?.href ?? "");
    expect(file.headers.get("content-type")).to.equal("image/svg+xml");
    expect(file.headers.get("cache-control")).to.contain("immutable");
    expect(file.headers.get("content-security-policy")).to.contain("sandbox").and.contain("default-src 'none'");
    for (const path of [
      "/api/courses/shell-course/assets/00",
      `/api/courses/shell-course/assets/${"0".repeat(64)}`,
      "/api/courses/nope-nope",
      "/api/courses/nope-nope/revision",
    ])
      expect((await get(path)).status, path).to.equal(404);
  });

  it("resolves a page to a source and finds references", async () => {
    const { source } = (await (await get("/api/courses/source?href=%2Fcourses%2Fshell-course%2Floops")).json()) as {
      source: { title: string; excerpt: string };
    };
    expect(source.title).to.equal("Loops");
    expect(source.excerpt)
      .to.match(/^word .*…$/)
      .and.have.length.at.most(240);
    expect((await get("/api/courses/source?href=%2Felsewhere")).status).to.equal(404);
    expect((await get("/api/courses/source")).status).to.equal(400);
    expect((await get("/api/courses/source?href=a&more=b")).status).to.equal(400);
    const { references } = (await (await get("/api/ai/references?q=pipes")).json()) as { references: { title: string }[] };
    expect(references[0]?.title).to.equal("pipes");
    expect((await get(`/api/ai/references?q=${"x".repeat(201)}`)).status).to.equal(400);
  });

  it("serves workspace and sign-in, whose links work without a script", async () => {
    expect(await text("/ai"))
      .to.contain("<colloquy-shell")
      .and.contain("/assets/workspace-1.js")
      .and.match(/rel="modulepreload" href="\/assets\/workspace-1\.js".*rel="modulepreload" href="\/assets\/chunks\/b-1\.js".*as="font"/s)
      .and.contain('<link rel="preload" href="/api/me" as="fetch" crossorigin>')
      .and.contain("<noscript>");
    const signIn = await text("/sign-in?return=%2Fai%3Fpage%3D%252Fx");
    expect(signIn).to.contain('href="/auth/demo?as=learner&amp;return=%2Fai%3Fpage%3D%252Fx"');
    expect(await text("/sign-in?return=https://evil.example")).to.not.contain("evil.example");
    account = mira;
    expect((await get("/sign-in?return=%2Fcourses")).headers.get("location")).to.equal("/courses");
  });

  it("shows a page if rendering fails", async () => {
    const broken = { ...course.objectStore, get: async () => null };
    const config = readConfig({ LOG_LEVEL: "silent" });
    const library = { references: async () => [], resolve: async () => null };
    const routers = readingRoutes({
      config,
      progressOf,
      annotates,
      log: createLog("test", config),
      catalogue: course.catalogue,
      library,
      revisions: courseRevisions({ catalogue: course.catalogue, objectStore: broken }),
      built,
      readModels,
      waitForCourses,
    });
    const { server, port } = await listen(createApp({ config, log: createLog("test", config), routers }), 0);
    try {
      const page = await fetch(`http://127.0.0.1:${port}/courses/shell-course`);
      expect(page.status).to.equal(503);
      expect(await page.text())
        .to.contain("Not right now")
        .and.not.contain("manifest.json");
      expect((await fetch(`http://127.0.0.1:${port}/api/courses/shell-course`)).headers.get("content-type")).to.contain("problem+json");
    } finally {
      await closeServer(server);
    }
  });
});
