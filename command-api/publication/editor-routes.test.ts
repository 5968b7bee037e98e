import { createHash } from "node:crypto";
import { request as requestTo } from "node:http";
import { readConfig } from "@colloquy/infra/config.ts";
import { createApp, listen } from "@colloquy/infra/http/app.ts";
import { courseKeys, readManifest, readPointer } from "@colloquy/infra/object-store/course-objects.ts";
import { closeServer } from "@colloquy/infra/process/http-server.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { sourceIdOf } from "@colloquy/projections/passages/queries.ts";
import type { GeneratedAnswer, GivenAnswer } from "@colloquy/projections/questions/queries.ts";
import type { Account } from "@colloquy/schemas/accounts/account.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { renameContainer } from "@colloquy/schemas/courses/editing/rename.ts";
import type { Problem } from "@colloquy/schemas/errors.ts";
import type { BankQuestion } from "@colloquy/schemas/publication/questions.ts";
import { partId } from "@colloquy/schemas/questions/shown.ts";
import { expect } from "chai";
import { type RequestHandler, Router } from "express";
import { readPicture, sampleCourse, topicOf } from "./course.fixture.ts";
import { editorRoutes } from "./editor-routes.ts";
import { createPublication, type Publication } from "./handlers.ts";
import { type TemporaryStores, temporaryStores } from "./stores.fixture.ts";

const people: Record<string, Account> = {
  ada: { accountId: "acc_ada00001", name: "Ada", roles: ["learner", "owner"] },
  ben: { accountId: "acc_ben00001", name: "Ben", roles: ["learner", "owner"] },
  mira: { accountId: "acc_mira0001", name: "Mira", roles: ["learner"] },
};
/** Stands for the session: who asks is said by a header. */
const signIn: RequestHandler = (request, _response, next) => {
  request.account = people[request.get("x-test-person") ?? ""] ?? null;
  next();
};
const listed = ["sample-course", "other-course", "compiled-course", "unborn-course", "racing-course", "losing-course"];

describe("the routes of the course editor", () => {
  let stores: TemporaryStores;
  let publication: Publication;
  let server: Awaited<ReturnType<typeof listen>>;
  let url: string;
  let number = 0;
  /** How many learners are said to be tutored, and what was asked. */
  const tutored = { learners: 0, asked: [] as string[] };
  /** What is said to have been answered. */
  let answered: GivenAnswer[] = [];
  let written: GeneratedAnswer[] = [];

  before(async () => {
    stores = await temporaryStores("bucket");
    publication = createPublication(stores);
    const config = readConfig({
      NODE_ENV: "production",
      DATA_DIR: stores.dataDir,
      PUBLICATION_EDITOR_COURSE_IDS: [...listed, "half-listed"].join(","),
      PUBLIC_OBJECT_STORE_COURSE_IDS: listed.join(","),
    });
    const log = createLog("test", { LOG_LEVEL: "silent" });
    const countTutored = async (courseId: string, sourceIds: readonly string[]) => {
      tutored.asked = [courseId, ...sourceIds];
      return tutored.learners;
    };
    const { objectStore } = stores;
    const answersOf = async () => answered;
    const generatedAnswersOf = async () => written;
    const routers = [Router().use(signIn), editorRoutes({ config, publication, objectStore, countTutored, answersOf, generatedAnswersOf })];
    server = await listen(createApp({ config, log, routers }), 0);
    url = `http://127.0.0.1:${server.port}`;
    for (const courseId of ["sample-course", "other-course", "racing-course", "losing-course", "half-listed", "secret-course"])
      await first(courseId);
    await first("compiled-course", "compiled");
  });
  after(async () => {
    await closeServer(server.server);
    await stores.close();
  });

  const courseOf = (courseId: string, change: (course: AuthoredCourse) => unknown = () => undefined): AuthoredCourse =>
    sampleCourse((course) => {
      course.manifest.courseId = courseId;
      change(course);
    });
  const first = (courseId: string, origin: "object-store" | "compiled" = "object-store") =>
    publication.publishCourse({
      courseId,
      origin,
      base: null,
      requestId: `first-${courseId}`,
      accountId: "acc_setup",
      course: courseOf(courseId),
      readAsset: readPicture,
    });
  const get = async (path: string, person = "ada") => {
    const response = await fetch(url + path, { headers: { "x-test-person": person } });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Record<string, unknown> & Problem };
  };
  const send = async (method: string, path: string, body: string | Buffer, more: Record<string, string> = {}) => {
    const headers = { "x-test-person": "ada", "content-type": "application/json", "x-course-publish": "1", ...more };
    const response = await fetch(url + path, { method, headers, body: body as BodyInit });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Record<string, unknown> & Problem };
  };
  const liveBase = async (courseId: string) => {
    const live = await publication.live(courseId);
    return { sequence: live?.sequence ?? 1, revisionId: live?.revisionId ?? "revision-none" };
  };
  const bodyOf = async (courseId: string, course: unknown, more: object = {}) => ({
    schemaVersion: 1,
    requestId: `request-${++number}`,
    courseId,
    base: await liveBase(courseId),
    course,
    renamedIds: [],
    aliases: [],
    ...more,
  });
  const publish = async (courseId: string, course: unknown, more: object = {}, headers: Record<string, string> = {}) =>
    send("POST", "/api/course-editor/publish", JSON.stringify(await bodyOf(courseId, course, more)), headers);

  describe("the question bank", () => {
    const source = (more = "") =>
      `---\nkind: single\nplace: bank\n${more}---\nWhich  *one*?\n\n- [x] this\n- [ ] that\n\n::: explanation\nSo.\n:::`;
    const bank = async (person = "ada") => get("/api/course-editor/questions?course=other-course", person);
    const put = async (more = "") => {
      const course = courseOf("other-course", ({ topics }) => {
        topics[0]?.objectives.splice(1);
        topics[0]?.blocks.push({ id: "block-asked-1", type: "core.question", source: source(more) });
      });
      const { status, body } = await publish("other-course", course);
      expect(status, JSON.stringify(body)).to.equal(200);
    };
    const answers = (count: number): GivenAnswer[] =>
      Array.from({ length: count }, (_, index) => ({
        accountId: `acc_learner${index}`,
        blockId: "block-asked-1",
        digest: createHash("sha256").update(source()).digest("hex"),
        asked: `${index}`,
        answered: `${index}`,
        correct: index === 0,
        help: "",
        choices: [partId(index === 0 ? "this" : "that")],
      }));

    it("lists questions with figures from five learners on, and never who", async () => {
      await put();
      answered = [...answers(4), ...answers(1).map((one) => ({ ...one, accountId: "acc_fifth", digest: "of an older version" }))];
      const [few] = (await bank()).body.questions as BankQuestion[];
      expect(few).to.deep.include({ blockId: "block-asked-1", kind: "single", place: "bank", retired: false, prompt: "Which *one*?" });
      expect([few?.figures, few?.earlierVersions]).to.deep.equal([null, 1]);
      answered = answers(5);
      const enough = await bank();
      expect((enough.body.questions as BankQuestion[])[0]?.figures).to.deep.equal({
        asked: 5,
        learners: 5,
        right: 1,
        discrimination: null,
        choices: [
          { text: "this", correct: true, learners: 1 },
          { text: "that", correct: false, learners: 4 },
        ],
      });
      expect(JSON.stringify(enough.body)).to.not.include("acc_");
    });

    it("keeps the figures of a question that is retired", async () => {
      answered = answers(5);
      await put("retired: true\n");
      const [question] = (await bank()).body.questions as BankQuestion[];
      expect([question?.retired, question?.figures?.learners]).to.deep.equal([true, 5]);
    });

    it("lists what models wrote from five learners on, and never who", async () => {
      const [topic] = courseOf("other-course").topics;
      const generated = {
        objectiveId: topic?.objectives[0]?.id ?? "",
        prompt: "What else?",
        selection: "single" as const,
        choices: ["this", "that"].map((text, index) => ({ text, correct: index === 0 })),
        rubric: [],
        modelAnswer: "",
        explanation: "So.",
        sourceIds: [sourceIdOf("other-course", topic?.blocks[0]?.id ?? "")],
        looked: true,
      };
      written = answers(5).map((one) => ({ ...one, blockId: "", digest: "f".repeat(64), generated }));
      const { body } = await bank();
      expect(body.generated).to.have.length(1);
      expect((body.generated as object[])[0]).to.deep.include({ prompt: "What else?", after: topic?.blocks[0]?.id, learners: 5, right: 1 });
      expect(JSON.stringify(body)).to.not.include("acc_");
    });

    it("is for owners of a course that may be edited", async () => {
      expect([(await bank("mira")).status, (await bank("nobody")).status]).to.deep.equal([403, 401]);
      expect((await get("/api/course-editor/questions?course=secret-course")).status).to.equal(403);
    });
  });

  describe("who may", () => {
    it("shows the live revision only to an owner of a listed course", async () => {
      const session = async (course: string, person: string) => (await get(`/api/course-editor/session?course=${course}`, person)).body;
      expect(await session("sample-course", "ada")).to.deep.equal({
        schemaVersion: 1,
        owner: true,
        editable: true,
        courseId: "sample-course",
        base: await liveBase("sample-course"),
      });
      for (const course of ["half-listed", "secret-course", "compiled-course", "unborn-course", "not-there-at-all"])
        expect(await session(course, "ada"), course).to.deep.equal({ schemaVersion: 1, owner: true, editable: false, courseId: course });
      for (const person of ["mira", ""])
        for (const course of ["sample-course", "not-there-at-all"])
          expect(await session(course, person)).to.deep.equal({ schemaVersion: 1, owner: false, editable: false, courseId: course });
      expect((await get("/api/course-editor/session?course=sample-course&more=1")).body.code).to.equal("unknown_field");
    });

    it("refuses existing and unknown courses alike", async () => {
      const outcomes = async (person: string, courseId: string) => [
        (await get(`/api/course-editor/source?course=${courseId}`, person)).body.code,
        (await publish(courseId, courseOf(courseId), {}, { "x-test-person": person })).body.code,
        (await send("PUT", `/api/course-editor/assets/${"a".repeat(64)}?course=${courseId}`, "x", { "x-test-person": person })).body.code,
      ];
      const all = (code: string) => [code, code, code];
      for (const courseId of ["sample-course", "secret-course", "not-there-at-all"]) {
        expect(await outcomes("", courseId)).to.deep.equal(all("sign_in_required"));
        expect(await outcomes("mira", courseId)).to.deep.equal(all("not_owner"));
      }
      for (const courseId of ["half-listed", "secret-course", "not-there-at-all", "compiled-course"])
        expect(await outcomes("ada", courseId), courseId).to.deep.equal(all("course_not_editable"));
      expect(await outcomes("ada", "unborn-course")).to.deep.equal(all("not_found"));
    });

    it("requires the header, JSON and the same origin", async () => {
      const course = courseOf("sample-course");
      const refused = async (headers: Record<string, string>) => {
        const { status, body, headers: answered } = await publish("sample-course", course, {}, headers);
        expect(answered.get("cache-control")).to.equal("private, no-store");
        return `${status} ${body.code}`;
      };
      expect(await refused({ "x-course-publish": "0" })).to.equal("403 not_allowed");
      expect(await refused({ "content-type": "text/plain" })).to.equal("415 json_required");
      expect(await refused({ "sec-fetch-site": "cross-site" })).to.equal("403 cross_site");
      expect(await refused({ origin: "https://elsewhere.example" })).to.equal("403 cross_site");
    });
  });

  describe("publishing", () => {
    it("makes the next revision and reads it back unchanged", async () => {
      const course = courseOf("sample-course", (made) => {
        made.manifest.title = "Second";
      });
      const { status, body, headers } = await publish("sample-course", course);
      expect([status, body.sequence, headers.get("cache-control")]).to.deep.equal([200, 2, "private, no-store"]);
      expect(body.position).to.match(/^\d+$/);
      const source = await get("/api/course-editor/source?course=sample-course");
      expect(source.body).to.deep.equal({ schemaVersion: 1, course, sequence: 2, revisionId: body.revisionId });
      const [old] = await publication.history("sample-course");
      const former = await get(`/api/course-editor/source?course=sample-course&revision=${old?.revisionId}`);
      expect(former.body).to.include({ sequence: 1 });
      expect((await get(`/api/course-editor/source?course=sample-course&revision=${"a".repeat(64)}`)).status).to.equal(404);
    });

    it("answers 404 for a lost older revision and 503 for the live one", async () => {
      const lose = async () => {
        const live = (await publication.live("losing-course")) ?? expect.fail("not published");
        const { topics } = await readManifest(stores.objectStore, "losing-course", live.revisionId);
        await stores.objectStore.remove(courseKeys.unit("losing-course", topics[0]?.unit ?? ""));
        return live.revisionId;
      };
      const old = await lose();
      const asked = async (more: string) => {
        const { status, body } = await get(`/api/course-editor/source?course=losing-course${more}`);
        return [status, body.code];
      };
      expect(await asked("")).to.deep.equal([503, "unavailable"]);
      const course = courseOf("losing-course", (made) => {
        for (const topic of made.topics) topic.title += " anew";
      });
      expect((await publish("losing-course", course)).status).to.equal(200);
      expect(await asked(`&revision=${old}`)).to.deep.equal([404, "not_found"]);
      expect((await asked(""))[0]).to.equal(200);
    });

    it("answers a repeated request and rejects its id for other content", async () => {
      const body = await bodyOf(
        "sample-course",
        courseOf("sample-course", (made) => Object.assign(made.manifest, { summary: "Once" })),
      );
      const once = await send("POST", "/api/course-editor/publish", JSON.stringify(body));
      const again = await send("POST", "/api/course-editor/publish", JSON.stringify(body));
      expect(again.body).to.deep.equal(once.body);
      const other = JSON.stringify({
        ...body,
        course: courseOf("sample-course", (made) => Object.assign(made.manifest, { summary: "Otherwise" })),
      });
      expect((await send("POST", "/api/course-editor/publish", other)).body.code).to.equal("request_id_reused");
      expect(await publication.history("sample-course")).to.have.length(Number(once.body.sequence));
    });

    it("names the live revision with a stale base", async () => {
      const base = await liveBase("other-course");
      const titled = (title: string) => courseOf("other-course", (made) => Object.assign(made.manifest, { title }));
      const won = await publish("other-course", titled("Ada's"));
      const lost = await publish("other-course", titled("Ben's"), { base }, { "x-test-person": "ben" });
      expect([lost.status, lost.body.code, lost.body.retryable]).to.deep.equal([409, "stale_base", false]);
      expect(lost.body.live).to.deep.equal({ sequence: won.body.sequence, revisionId: won.body.revisionId });
      const { live } = lost.body;
      expect((await publish("other-course", titled("Both"), { base: live }, { "x-test-person": "ben" })).status).to.equal(200);
    });

    it("keeps the content of renamed containers and redirects old addresses", async () => {
      let minted = 0;
      const renamed = renameContainer(courseOf("racing-course"), "topic-loops", "topic-cycles", () => `minted-block-${++minted}`);
      if (!renamed) throw new Error("not renamed");
      const course = {
        ...renamed.course,
        topics: renamed.course.topics.map((one) => (one.id === "topic-cycles" ? { ...one, slug: "cycles" } : one)),
      };
      const { body } = await publish("racing-course", course, { renamedIds: renamed.renamedIds });
      const identity = (await publication.readLive("racing-course"))?.identity;
      expect(identity?.aliases).to.deep.equal([{ from: "loops", to: "topic-cycles" }]);
      expect(identity?.renames).to.deep.equal(renamed.renamedIds);
      expect(body.sequence).to.equal(2);
    });
  });

  describe("bad input", () => {
    const course = (change: (made: AuthoredCourse) => unknown) => courseOf("sample-course", change);
    const cases: [string, (made: AuthoredCourse) => unknown, string, RegExp][] = [
      ["an unknown field", (made) => Object.assign(made.topics[0] ?? {}, { more: 1 }), "unknown_field", /^topics\.0\.more/],
      [
        "an unknown type of block",
        (made) => Object.assign(topicOf(made, "topic-loops").blocks[0] ?? {}, { type: "core.script" }),
        "course_invalid",
        /^topics\.1\.blocks\.0\.type/,
      ],
      [
        "an id used twice",
        (made) => Object.assign(topicOf(made, "topic-loops").blocks[0] ?? {}, { id: "block-pipes-intro" }),
        "course_invalid",
        /^topics\.1\.blocks\.0\.id/,
      ],
      [
        "a container of nothing",
        (made) => made.manifest.root.push({ kind: "topic", id: "topic-gone" }),
        "course_invalid",
        /^manifest\.root\.2/,
      ],
      [
        "containers in a circle",
        (made) => made.collections[0]?.children.push(...made.manifest.root.splice(0, 1)),
        "course_invalid",
        /^collections\.0/,
      ],
      [
        "a slug that climbs",
        (made) => Object.assign(topicOf(made, "topic-loops"), { slug: "../etc" }),
        "course_invalid",
        /^topics\.1\.slug/,
      ],
      [
        "a slug of the product's",
        (made) => Object.assign(topicOf(made, "topic-loops"), { slug: "edit" }),
        "course_invalid",
        /^topics\.1\.slug/,
      ],
      [
        "a file that climbs",
        (made) => Object.assign(made.assets[0] ?? {}, { path: "assets/../../secret.svg" }),
        "course_invalid",
        /^assets\.0\.path/,
      ],
      [
        "a file of another root",
        (made) => Object.assign(made.assets[0] ?? {}, { path: "/etc/passwd" }),
        "course_invalid",
        /^assets\.0\.path/,
      ],
      [
        "a file nobody uploaded",
        (made) => made.assets.push({ path: "assets/new.png", sha256: "b".repeat(64), bytes: 3, type: "image/png" }),
        "course_invalid",
        /^assets\.1$/,
      ],
      [
        "a text that is too long",
        (made) => Object.assign(topicOf(made, "topic-loops").blocks[0] ?? {}, { source: "x".repeat(bounds.course.blockLength + 1) }),
        "course_invalid",
        /^topics\.1\.blocks\.0\.source/,
      ],
      [
        "a formula that does not parse",
        (made) => topicOf(made, "topic-loops").blocks.push({ id: "block-broken", type: "core.math", source: "{" }),
        "course_invalid",
        /^topics\.1\.blocks\.3\.source:1/,
      ],
      [
        "another course's content",
        (made) => Object.assign(made.manifest, { courseId: "other-course" }),
        "course_invalid",
        /^manifest\.courseId/,
      ],
    ];
    for (const [what, change, code, path] of cases)
      it(`is refused for ${what}, with its place`, async () => {
        const history = await publication.history("sample-course");
        const { body } = await publish(
          "sample-course",
          course((made) => void change(made)),
        );
        expect(body.code).to.equal(code);
        expect(body.fields?.[0]?.path).to.match(path);
        expect(await publication.history("sample-course")).to.deep.equal(history);
      });

    it("is refused for an envelope that is not one", async () => {
      const fine = course(() => undefined);
      const codes = [];
      for (const more of [
        { more: 1 },
        { schemaVersion: 2 },
        { base: null },
        { requestId: "short" },
        { course: [] },
        { aliases: [{ from: "../x", to: "topic-loops" }] },
      ])
        codes.push((await publish("sample-course", fine, more, { "x-test-person": "ben" })).body.code);
      expect(codes).to.deep.equal([
        "unknown_field",
        "unsupported_schema_version",
        "invalid_request",
        "invalid_request",
        "course_invalid",
        "invalid_request",
      ]);
      expect((await send("POST", "/api/course-editor/publish", "{", { "x-test-person": "ben" })).body.code).to.equal("invalid_request");
    });

    it("is refused for forged renames and addresses", async () => {
      const { body } = await publish(
        "sample-course",
        course((made) => Object.assign(made.manifest, { summary: "Forged" })),
        {
          renamedIds: [{ from: "block-loops-math", to: "block-loops-table" }],
          aliases: [{ from: "courses/other", to: "topic-loops" }],
        },
        { "x-test-person": "ben" },
      );
      expect([body.code, body.fields?.map(({ path }) => path)]).to.deep.equal([
        "course_invalid",
        ["renamedIds.0.from", "renamedIds.0.to", "aliases.0.from"],
      ]);
    });

    it("is cut off when it is too large, whatever its content-length", async () => {
      const status = await new Promise<number>((resolve, reject) => {
        const headers = {
          "x-test-person": "ben",
          "content-type": "application/json",
          "x-course-publish": "1",
          "transfer-encoding": "chunked",
        };
        const sent = requestTo(`${url}/api/course-editor/publish`, { method: "POST", headers });
        const piece = Buffer.alloc(1_048_576, " ");
        let left = bounds.publication.bodyBytes / piece.length + 2;
        const write = (): void => {
          while (left > 0) {
            left -= 1;
            if (!sent.write(piece)) return void sent.once("drain", write);
          }
          sent.end();
        };
        sent.once("response", (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        });
        sent.once("error", reject);
        write();
      });
      expect(status).to.equal(413);
    });
  });

  describe("pictures", () => {
    const put = (bytes: Buffer, sha256 = createHash("sha256").update(bytes).digest("hex"), more: Record<string, string> = {}) =>
      send("PUT", `/api/course-editor/assets/${sha256}?course=sample-course`, bytes, {
        "content-type": "application/octet-stream",
        ...more,
      });
    const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(20)]);

    it("are stored under their hash and can be published", async () => {
      const { status, body } = await put(png);
      expect([status, body]).to.deep.equal([
        200,
        { schemaVersion: 1, sha256: createHash("sha256").update(png).digest("hex"), bytes: png.length, type: "image/png" },
      ]);
      expect((await put(png)).body).to.deep.equal(body);
      const { schemaVersion: _, ...listedAs } = body;
      const course = courseOf("sample-course", (made) => {
        made.assets.push({
          path: "assets/new.png",
          ...(listedAs as unknown as Pick<AuthoredCourse["assets"][number], "sha256" | "bytes" | "type">),
        });
        made.manifest.summary = "With a picture";
      });
      expect((await publish("sample-course", course, {}, { "x-test-person": "ben" })).status).to.equal(200);
    });

    it("are sanitised if they are SVG, with the hash of the result", async () => {
      const { body } = await put(
        Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="x()"><script>steal()</script><path d="M0 0"/></svg>'),
      );
      expect(body.type).to.equal("image/svg+xml");
      const kept = await stores.objectStore.get(`courses/sample-course/assets/${String(body.sha256)}`);
      expect(new TextDecoder().decode(kept?.bytes)).to.equal('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"></path></svg>\n');
    });

    it("are refused if invalid, of another hash or too large", async () => {
      const refused = async (answer: ReturnType<typeof put>) => `${(await answer).status} ${(await answer).body.code}`;
      expect(await refused(put(Buffer.from("<html><script>x</script></html>")))).to.equal("400 invalid_request");
      expect(await refused(put(png, "a".repeat(64)))).to.equal("400 invalid_request");
      expect(await refused(put(png, "A".repeat(64)))).to.equal("400 invalid_request");
      expect(await refused(put(Buffer.alloc(0)))).to.equal("400 invalid_request");
      expect(await refused(put(png, undefined, { "x-course-publish": "" }))).to.equal("403 not_allowed");
      expect(await refused(put(Buffer.alloc(bounds.course.assetBytes + 1)))).to.equal("413 too_large");
    });
  });

  it("limits publications and says when to retry", async () => {
    people.cleo = { accountId: "acc_cleo0001", name: "Cleo", roles: ["owner"] };
    const statuses = new Set<number>();
    let last = await publish("sample-course", {}, {}, { "x-test-person": "cleo" });
    for (let tries = 0; tries < bounds.publication.perMinute; tries += 1) {
      statuses.add(last.status);
      last = await publish("sample-course", {}, {}, { "x-test-person": "cleo" });
    }
    expect([...statuses]).to.deep.equal([422]);
    expect([last.status, last.body.code]).to.deep.equal([429, "rate_limited"]);
    expect(Number(last.headers.get("retry-after"))).to.be.within(1, 60);
    expect((await readPointer(stores.objectStore, "sample-course"))?.value.sequence).to.equal(
      (await publication.live("sample-course"))?.sequence,
    );
  });

  it("show the history to owners only", async () => {
    const { status, body } = await get("/api/course-editor/history?course=other-course");
    expect(status).to.equal(200);
    const revisions = body.revisions as { sequence: number; publishedBy: string; at: string }[];
    expect(revisions.map(({ sequence }) => sequence)).to.deep.equal(revisions.map((_, index) => revisions.length - index));
    expect(revisions.at(-1)).to.include({ sequence: 1, publishedBy: "acc_setup" });
    expect(Number.isNaN(Date.parse(revisions[0]?.at ?? ""))).to.equal(false);
    expect((await get("/api/course-editor/history?course=other-course", "mira")).status).to.equal(403);
    expect((await get("/api/course-editor/history?course=secret-course")).status).to.equal(403);
    expect((await get("/api/course-editor/history?course=unborn-course")).status).to.equal(404);
  });

  it('count learners that a draft affects, small numbers only as "some"', async () => {
    const ask = async (body: object, person = "ada") => {
      const headers = { "x-test-person": person, "content-type": "application/json" };
      const sent = { method: "POST", headers, body: JSON.stringify({ schemaVersion: 1, ...body }) };
      const response = await fetch(`${url}/api/course-editor/tutored`, sent);
      return { status: response.status, body: (await response.json()) as { learners?: number | "some" } };
    };
    const about = { courseId: "other-course", changed: ["block-text", "block-text", "topic-one"] };
    const told: unknown[] = [];
    for (const learners of [0, 1, 4, 5, 31]) {
      tutored.learners = learners;
      told.push((await ask(about)).body.learners);
    }
    expect(told).to.deep.equal([0, "some", "some", 5, 31]);
    const sources = ["block-text", "topic-one"].map((id) => sourceIdOf("other-course", id));
    expect(tutored.asked).to.deep.equal(["other-course", ...sources]);
    expect((await ask(about, "mira")).status).to.equal(403);
    expect((await ask(about, "nobody")).status).to.equal(401);
    expect((await ask({ ...about, courseId: "secret-course" })).status).to.equal(403);
    expect((await ask({ ...about, who: true })).status).to.equal(400);
    expect((await ask({ ...about, changed: Array.from({ length: 2_001 }, (_, index) => `block-${1_000 + index}`) })).status).to.equal(400);
  });
});
