import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { closeServer, openPort } from "@colloquy/infra/process/http-server.ts";
import type { CourseListing } from "@colloquy/schemas/courses/revision.ts";
import { expect } from "chai";
import { revisionCheck, revisionTag } from "./revision-check.ts";

describe("revision check", () => {
  const revision = { courseId: "course-01", sequence: 3, revisionId: "revision-3" };
  let time = 0;
  let asked: string[] = [];
  let live: typeof revision | null = revision;
  let trouble = false;
  const catalogue = {
    async get(courseId: string) {
      asked.push(courseId);
      if (trouble) throw new Error("the database is away");
      return courseId === live?.courseId ? (live as CourseListing) : null;
    },
  };
  const usual = (_request: IncomingMessage, response: ServerResponse): void => void response.writeHead(299).end("the usual way");
  const check = revisionCheck(catalogue, () => time);
  const server = createServer((request, response) => {
    if (!check(request, response, () => usual(request, response))) usual(request, response);
  });
  let url = "";
  before(async () => {
    url = `http://127.0.0.1:${await openPort(server, 0, { onError: (error) => expect.fail(error.message) })}`;
  });
  after(() => closeServer(server));
  beforeEach(() => {
    time += 1_000;
    asked = [];
    live = revision;
    trouble = false;
  });
  const get = (headers: Record<string, string> = {}, path = "/api/courses/course-01/revision") => fetch(url + path, { headers });

  it("answers with the revision, or 304 by the same ETag as Express", async () => {
    const answer = await get();
    expect(await answer.json()).to.deep.equal({ schemaVersion: 1, ...revision });
    expect(answer.headers.get("etag")).to.equal(revisionTag(revision));
    expect(answer.headers.get("cache-control")).to.equal("public, no-cache");
    for (const tag of [revisionTag(revision), `W/"other", ${revisionTag(revision)}`]) {
      const again = await get({ "if-none-match": tag });
      expect([again.status, again.headers.get("etag"), await again.text()]).to.deep.equal([304, revisionTag(revision), ""]);
    }
    expect((await get({ "if-none-match": 'W/"other"' })).status).to.equal(200);
  });

  it("queries the catalogue once for all requests in 250 ms", async () => {
    await Promise.all(Array.from({ length: 20 }, () => get()));
    time += 249;
    live = { ...revision, sequence: 4, revisionId: "revision-4" };
    expect(await (await get()).json()).to.include({ sequence: 3 });
    expect(asked).to.have.length(1);
    time += 2;
    expect(await (await get()).json()).to.include({ sequence: 4 });
    expect(asked).to.have.length(2);
  });

  it("leaves all other requests and errors to Express", async () => {
    const usually = async (answer: Promise<Response>) => expect((await answer).status).to.equal(299);
    await usually(get({}, "/api/courses/course-01/revision?after=5"));
    await usually(get({}, "/api/courses/course-01/revisions"));
    await usually(get({}, "/api/courses/x/revision"));
    await usually(get({ origin: "https://elsewhere.example" }));
    await usually(fetch(`${url}/api/courses/course-01/revision`, { method: "POST" }));
    expect(asked).to.deep.equal([]);
    await usually(get({}, "/api/courses/course-gone/revision"));
    trouble = true;
    await usually(get());
    trouble = false;
    expect((await get()).status, "a failure is not kept").to.equal(200);
    time += 1_000;
    live = null;
    await usually(get());
  });
});
