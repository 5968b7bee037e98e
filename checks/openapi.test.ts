import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signInsOf } from "@colloquy/command-api/accounts/sign-ins.ts";
import { createRunningTurns } from "@colloquy/command-api/ask/running-turns.ts";
import { assistantsOf } from "@colloquy/command-api/assistants/assistants.ts";
import { explainerHandlers } from "@colloquy/command-api/explainers/handlers.ts";
import { explainerJobs } from "@colloquy/command-api/explainers/jobs.ts";
import { recentObjects } from "@colloquy/command-api/explainers/sweep.ts";
import { explainerWork } from "@colloquy/command-api/explainers/worker.ts";
import { openCoursePages } from "@colloquy/command-api/grounding/course-pages.ts";
import { createModelGateway } from "@colloquy/command-api/model-gateway/gateway.ts";
import { createPublication } from "@colloquy/command-api/publication/handlers.ts";
import { reviewReminders } from "@colloquy/command-api/reminders/reminders.ts";
import { commandRoutes } from "@colloquy/command-api/routes.ts";
import { changeHandlers } from "@colloquy/command-api/sync/handlers.ts";
import { tutorCourses } from "@colloquy/command-api/tutor/course.ts";
import { tutorHandlers } from "@colloquy/command-api/tutor/handlers.ts";
import { tutorSessions } from "@colloquy/command-api/tutor/sessions.ts";
import { readConfig } from "@colloquy/infra/config.ts";
import { openDatabase } from "@colloquy/infra/database/open.ts";
import { openEventStore } from "@colloquy/infra/event-store/client.ts";
import { serviceFor } from "@colloquy/infra/http/front-door.ts";
import { endedSessions } from "@colloquy/infra/identity/ended-sessions.ts";
import { openLedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import { openObjectStore } from "@colloquy/infra/object-store/open.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { courseCatalogue } from "@colloquy/projections/courses/queries.ts";
import { openPassageLibrary } from "@colloquy/projections/passages/queries.ts";
import { type QueryTables, queryRoutes } from "@colloquy/query-api/routes.ts";
import { routeKey } from "@colloquy/schemas/contracts/contract.ts";
import { contracts } from "@colloquy/schemas/contracts/index.ts";
import { openApiDocument, openApiPath } from "@colloquy/schemas/contracts/openapi.ts";
import { expect } from "chai";
import { z } from "zod";
import { routesOf } from "./express-routes.ts";

const document = openApiDocument() as {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
  components: { schemas: Record<string, unknown> };
};

const sorted = (list: Iterable<string>): string[] => [...new Set(list)].toSorted();

describe("the OpenAPI document", () => {
  let folder: string;
  let served: Record<"query" | "command", string[]>;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "colloquy-openapi-"));
    const config = readConfig({ DATA_DIR: folder, NODE_ENV: "test" });
    const log = createLog("test", { LOG_LEVEL: "silent" });
    const store = openEventStore("esdb://127.0.0.1:1?tls=false");
    const database = openDatabase<QueryTables>(config);
    const objectStore = openObjectStore(config);
    const catalogue = courseCatalogue(database);
    const library = openPassageLibrary({ objectStore, catalogue });
    const tail = { follow: () => () => undefined, close: async () => undefined };
    const built = { version: "1", scripts: {}, sheets: {}, messages: {}, preloadFonts: [], files: {} };
    const leaving = new AbortController();
    const common = { config, log, library, ended: endedSessions({ store, log, signal: leaving.signal }) };
    const handlers = changeHandlers({ store });
    const turns = createRunningTurns();
    const gateway = createModelGateway({ config, log });
    const publication = createPublication({ eventStore: store, objectStore });
    const pages = openCoursePages({ objectStore, library, catalogue, log });
    const tutor = tutorHandlers({
      gateway,
      library,
      pages,
      courses: tutorCourses({ objectStore, library }),
      sessions: tutorSessions({ store, signer: openLedgerSigner({ DATA_DIR: folder }) }),
      clock: () => 0,
      random: Math.random,
    });
    const unasked = () => Promise.reject(new Error("nobody asks"));
    const jobs = explainerJobs({ store });
    const now = (): string => "";
    const work = explainerWork({ jobs, objectStore, recent: recentObjects(), log, now, listInProgress: async () => [] });
    const explainers = explainerHandlers({
      jobs,
      evidence: { place: unasked, record: unasked },
      countInProgress: work.countInProgress,
      voices: false,
      offers: () => true,
      now,
      cached: async () => [],
      isIntact: async () => true,
    });
    served = {
      query: queryRoutes({ ...common, store, database, objectStore, catalogue, tail, built, signal: leaving.signal }).flatMap(routesOf),
      command: commandRoutes({
        ...common,
        erase: async () => ({ deleted: 0, remaining: false }),
        reminders: reviewReminders(store),
        gateway,
        pages,
        handlers,
        turns,
        tutor,
        prepare: () => undefined,
        quizBank: unasked,
        reviewAnswers: unasked,
        publication,
        objectStore,
        countTutored: unasked,
        generatedAnswersOf: unasked,
        answersOf: unasked,
        assistants: assistantsOf(store),
        signIns: signInsOf(store),
        explainers,
        jobOfCorrection: unasked,
        storyboards: { draft: unasked, edit: unasked },
        preview: unasked,
        work,
        stopping: leaving.signal,
      }).flatMap(routesOf),
    };
    leaving.abort();
    await turns.close();
    await store.close();
    await database.destroy();
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it("serves exactly the routes that the front door forwards to each service", () => {
    // The page for everything nobody knows is no route; what each process answers by itself is the query service's at the front door. What
    // speaks a protocol of its own is walked in checks/authorisation/special-routes.test.ts.
    const own = ["GET /*path"];
    const inner = ["GET /healthz", "GET /metrics"];
    for (const service of ["query", "command"] as const) {
      const described = contracts.filter(({ method, path }) => serviceFor(method, path) === service).map(routeKey);
      const without = service === "query" ? own : inner;
      expect(
        sorted(served[service]).filter((route) => !without.includes(route)),
        service,
      ).to.deep.equal(sorted(described));
    }
  });

  it("gives every route a unique id and its parameters", () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    );
    expect(operations).to.have.lengthOf(contracts.length);
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).to.equal(ids.length);
    for (const { path } of contracts) expect(document.paths).to.have.property(openApiPath(path));
  });

  it("takes roles and owners from nobody: they are the identity provider's", () => {
    const fieldsOf = (value: unknown): string[] =>
      typeof value === "object" && value !== null
        ? Object.entries(value).flatMap(([name, inner]) => [...(name === "properties" ? Object.keys(inner) : []), ...fieldsOf(inner)])
        : [];
    const fields = contracts.flatMap(({ request }) => (request ? fieldsOf(z.toJSONSchema(request, { io: "input" })) : []));
    expect(fields).to.include("schemaVersion");
    expect(fields.filter((name) => /^(?:roles|owners?|ownerIds?)$/i.test(name))).to.deep.equal([]);
  });

  it("has no dangling references and only closed objects", () => {
    const text = JSON.stringify(document);
    for (const [, name] of text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g))
      expect(document.components.schemas).to.have.property(name ?? "");
    expect(text).not.to.match(/"\$ref":"(?!#\/components\/schemas\/)|\$defs/);
    const push = document.paths["/api/sync/push"]?.post as unknown as {
      requestBody: { content: { "application/json": { schema: { additionalProperties: boolean; required: string[] } } } };
    };
    expect(push.requestBody.content["application/json"].schema).to.deep.include({
      additionalProperties: false,
      required: ["schemaVersion", "deviceId", "changes"],
    });
  });
});
