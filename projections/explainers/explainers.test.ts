import { unlessRejected } from "@colloquy/command-api/command-handler.ts";
import type { ExplainerCommand } from "@colloquy/command-api/explainers/commands.ts";
import { explainerDecider } from "@colloquy/command-api/explainers/decider.ts";
import { approval, artifacts, at, draftOf, evolved, metrics, storyboardOf } from "@colloquy/command-api/explainers/explainer.fixture.ts";
import { describeOn, enginesToTest } from "@colloquy/infra/database/temporary.fixture.ts";
import type { StoredEvent } from "@colloquy/infra/event-store/client.ts";
import { explainerStream } from "@colloquy/schemas/explainers/events.ts";
import { rendererVersion } from "@colloquy/schemas/explainers/film.ts";
import { type ExplainerState, initialState } from "@colloquy/schemas/explainers/state.ts";
import { jobView } from "@colloquy/schemas/explainers/view.ts";
import { expect } from "chai";
import { type Rows, rowsOf, storedEvents } from "../rows.fixture.ts";
import { projection } from "./projection.ts";
import {
  cachedFilms,
  correctionsOfCourse,
  type ExplainerTables,
  explainerJobIds,
  getExplainerJob,
  jobOfCorrection,
  jobsUnderWay,
  listExplainerJobs,
  storyboardsSince,
  unneededObjects,
  waitingFilms,
} from "./queries.ts";

const mira = "acc_mira0001";
const tomas = "acc_tomas001";
const first = "job-00000001";
const second = "job-00000002";

type Without<T> = T extends unknown ? Omit<T, "at" | "digest"> : never;
type Given = Without<ExplainerCommand>;

const draft = (jobId: string, change: object = {}): Given => ({ type: "draft", jobId, ...draftOf(), ...change });
const approve = { type: "approve", ...approval, expectedVersion: null, cached: null, offered: true, again: false } as const;
const claim = {
  type: "claim",
  leaseId: "lease-0001",
  workerId: "worker-1",
  leaseUntil: at(1_000),
  rendererVersion,
  voices: false,
} as const;
const complete = { type: "complete", leaseId: "lease-0001", milliseconds: 50_000, artifacts, metrics } as const;
const report = (correctionId: string): Given => ({ type: "correct", correctionId, renderId: null, sceneId: null, text: "That is wrong." });
const edit = ({ version }: ExplainerState): Given => ({
  ...draftOf(),
  type: "edit",
  storyboard: storyboardOf("0002"),
  questionKey: null,
  expectedVersion: version,
});
const film: Given[] = [draft(first), approve, claim, complete];

for (const engine of await enginesToTest())
  describeOn(engine, `films as rows on ${engine.name}`, () => {
    let rows: Rows<ExplainerTables>;
    let stored: ReturnType<typeof storedEvents>;
    beforeEach(async () => {
      rows = await rowsOf(engine, projection);
      stored = storedEvents();
    });
    afterEach(() => rows.close());

    /** The events of a job that goes on by commands, second by second. */
    function events(accountId: string, jobId: string, ...commands: readonly (Given | ((state: ExplainerState) => Given))[]): StoredEvent[] {
      let state = initialState;
      return commands.flatMap((given, second) => {
        const command = typeof given === "function" ? given(state) : given;
        const made = unlessRejected(explainerDecider.decide({ digest: "digest", at: at(second), ...command } as ExplainerCommand, state));
        const from = state.version + 1;
        state = evolved(made, state);
        return made.map((event, index) => stored(accountId, explainerStream(jobId), from + index, event));
      });
    }
    const listed = async (accountId: string, of = {}) =>
      (await listExplainerJobs(rows.database, accountId, of)).map(({ jobId, state }) => `${jobId} ${state}`);

    it("lists an account's own jobs, newest first, by course or topic", async () => {
      const other = draft(second, { courseId: "linear-maps", topicId: "topic-eigen", at: at(60) });
      await rows.apply(
        events(mira, first, draft(first), approve),
        events(mira, second, other),
        events(tomas, "job-00000003", draft("job-00000003")),
      );
      expect(await listed(mira)).to.deep.equal([`${second} drafted`, `${first} queued`]);
      expect(await listed(mira, { courseId: "shell-novice" })).to.deep.equal([`${first} queued`]);
      expect(await listed(mira, { topicId: "topic-eigen" })).to.deep.equal([`${second} drafted`]);
      expect(await listed(tomas)).to.deep.equal(["job-00000003 drafted"]);
      expect(await getExplainerJob(rows.database, tomas, first)).to.equal(null);
      expect(await storyboardsSince(rows.database, mira, at(1))).to.equal(1);
      expect(await explainerJobIds(rows.database, mira, 1)).to.deep.equal([first]);
      expect(await explainerJobIds(rows.database, mira, 1, first)).to.deep.equal([second]);
    });

    it("shows the fold of a job's stream without its answer key", async () => {
      const given = events(mira, first, ...film);
      await rows.apply(given);
      const found = await getExplainerJob(rows.database, mira, first);
      const state = evolvedFrom(given);
      expect(found).to.deep.equal({ job: jobView(state), position: given.at(-1)?.position });
      expect(JSON.stringify(found)).to.not.include(draftOf().questionKey.explanation);
    });

    it("lists waiting jobs in the order of their approval", async () => {
      await rows.apply(events(tomas, second, draft(second), edit, approve), events(mira, first, draft(first), approve, claim));
      const underWay = async () => (await jobsUnderWay(rows.database)).map(({ state }) => `${state.jobId} ${state.state}`);
      expect(await underWay()).to.deep.equal([`${first} rendering`, `${second} queued`]);
      expect(await waitingFilms(rows.database)).to.have.deep.members([
        { jobId: first, accountId: mira, state: "rendering", queuedAt: at(1) },
        { jobId: second, accountId: tomas, state: "queued", queuedAt: at(2) },
      ]);
    });

    it("reuses films: edited ones for their owner only, reported ones never", async () => {
      const found = async (accountId: string, edited = false, content: object = {}) =>
        (await cachedFilms(rows.database, accountId, { ...approval, ...content, edited })).map(({ fromJobId }) => fromJobId);
      await rows.apply(events(mira, first, draft(first), edit, approve, claim, complete));
      expect([await found(mira), await found(tomas)], "edited").to.deep.equal([[first], []]);
      const own = artifacts.map((one) => ({ ...one, sha256: one.sha256.replaceAll(/./g, "e") }));
      const made = events(tomas, second, draft(second), approve, claim, { ...complete, artifacts: own });
      await rows.apply(made);
      expect([await found(mira), await found(tomas), await found(mira, true)]).to.deep.equal([[first, second], [second], [first]]);
      await rows.apply(events(tomas, second, draft(second), approve, claim, complete, report("correction-01")).slice(made.length));
      expect([await found(mira), await found(tomas)], "reported").to.deep.equal([[], []]);
      const dark = { contentHash: "9".repeat(64) };
      const third = "job-00000003";
      await rows.apply(events(mira, third, draft(third), { ...approve, ...dark }, claim, complete));
      expect(await found(tomas, false, { ...dark, boardHash: "8".repeat(64) }), "what else is said").to.deep.equal([third]);
      expect(await found(tomas, false, dark), "the same in other settings").to.deep.equal([]);
    });

    it("names the objects that films need", async () => {
      const objects = artifacts.map(({ sha256 }) => sha256);
      expect(await unneededObjects(rows.database, objects)).to.deep.equal(objects);
      const given = events(mira, first, ...film, { type: "erase" });
      await rows.apply(given.slice(0, -1));
      expect(await unneededObjects(rows.database, [...objects, "f".repeat(64)])).to.deep.equal(["f".repeat(64)]);
      await rows.apply(given.slice(-1));
      expect(await unneededObjects(rows.database, objects)).to.deep.equal(objects);
    });

    it("lists corrections for owners, open ones first, without the reporter", async () => {
      const settle = { type: "settle", correctionId: "correction-03" } as const;
      await rows.apply(
        events(mira, first, ...film, report("correction-01"), report("correction-02"), report("correction-03"), settle),
        events(mira, second, draft(second, { courseId: "linear-maps" }), report("correction-04")),
      );
      const found = await correctionsOfCourse(rows.database, "shell-novice");
      expect(found.map(({ correctionId, settledAt }) => [correctionId, settledAt])).to.deep.equal([
        ["correction-02", null],
        ["correction-01", null],
        ["correction-03", at(7)],
      ]);
      expect(JSON.stringify(found)).to.not.include(mira).and.not.include(first);
      expect(await jobOfCorrection(rows.database, "correction-04")).to.equal(second);
      expect(await jobOfCorrection(rows.database, "correction-99")).to.equal(null);
    });

    it("gives the same rows from batches, single events and repeated events", async () => {
      const given = [...events(mira, first, ...film, report("correction-01")), ...events(tomas, second, draft(second), approve)];
      await rows.apply(given);
      const once = await rows.dump();
      await rows.apply(given, given.slice(3));
      expect(await rows.dump()).to.deep.equal(once);
      await rows.empty();
      await rows.apply(...given.map((event) => [event]));
      expect(await rows.dump()).to.deep.equal(once);
    });

    it("skips unknown event types and rejects an event without account", async () => {
      const given = events(mira, first, draft(first));
      const later = stored(mira, explainerStream(first), given.length, { type: "SomethingLater", data: { schemaVersion: 1 } });
      await rows.apply([...given, later]);
      expect(await listed(mira)).to.deep.equal([`${first} drafted`]);
      const nobodys = events(mira, second, draft(second)).map((event) => ({ ...event, metadata: {} }));
      expect(await rows.apply(nobodys).catch(String)).to.include("names no account");
    });

    it("leaves no rows after an erasure", async () => {
      const given = events(mira, first, ...film, report("correction-01"), { type: "erase" });
      await rows.apply(given.slice(0, -1), given.slice(-1));
      expect(await rows.dump()).to.deep.equal(projection.tables.map(() => []));
    });
  });

function evolvedFrom(events: readonly StoredEvent[]): ExplainerState {
  return events.reduce<ExplainerState>((state, { type, data, metadata }) => {
    const event = { type, data } as Parameters<typeof evolved>[0][number];
    return { ...evolved([event], state, metadata.requestId), accountId: mira };
  }, initialState);
}
