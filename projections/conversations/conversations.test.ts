import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { eraseDeleted, openDatabase } from "@colloquy/infra/database/open.ts";
import { positionColumn } from "@colloquy/infra/database/positions.ts";
import { describeOn, enginesToTest, type TemporaryDatabase } from "@colloquy/infra/database/temporary.fixture.ts";
import type { StoredEvent } from "@colloquy/infra/event-store/client.ts";
import { conversation, conversationSummary } from "@colloquy/schemas/conversations/requests.ts";
import { expect } from "chai";
import { type Kysely, sql } from "kysely";
import type { CheckpointTables } from "../checkpoints/tables.ts";
import { migrate } from "../migrate.ts";
import { projection as sync } from "../sync/projection.ts";
import { changesAfter, type SyncTables } from "../sync/queries.ts";
import { opening, streamsOf, turn } from "./events.fixture.ts";
import { projection } from "./projection.ts";
import { getConversation, isAnsweredSince, listConversations } from "./queries.ts";
import type { ConversationTables } from "./tables.ts";

const mira = "acc_mira0001";
const tomas = "acc_tomas001";
const first = "conversation-a";
const second = "conversation-b";
const third = "conversation-c";

const engines = await enginesToTest();
for (const [engine, together] of engines.flatMap((engine) => [[engine, false] as const, [engine, true] as const])) {
  describeOn(engine, `conversations as rows on ${engine.name}, events ${together ? "in batches" : "one by one"}`, () => {
    let place: TemporaryDatabase;
    let database: Kysely<ConversationTables & SyncTables & CheckpointTables>;
    let event: ReturnType<typeof streamsOf>;
    beforeEach(async () => {
      place = await engine.create();
      database = openDatabase(place.config);
      await migrate(database, [projection, sync]);
      event = streamsOf(mira);
    });
    afterEach(async () => {
      await database.destroy();
      await place.drop();
    });

    const apply = (...events: StoredEvent[]) =>
      database.transaction().execute(async (tx) => {
        for (const batch of together ? [events] : events.map((stored) => [stored])) {
          await projection.apply(tx, batch);
          await sync.apply(tx, batch);
        }
        // As the runner does, and never back: the feed shows what lies before the checkpoint.
        const position = positionColumn(events.at(-1)?.position ?? null);
        await tx.updateTable("checkpoints").set({ position }).where("position", "<", position).execute();
      });
    const history = async (query: Partial<Parameters<typeof listConversations>[2]> = {}, account = mira) =>
      listConversations(database, account, { state: "active", limit: 10, ...query });
    const titles = async (query: Parameters<typeof history>[0] = {}) => (await history(query)).conversations.map(({ title }) => title);
    const dump = async () =>
      Object.fromEntries(
        await Promise.all(
          [...projection.tables, ...sync.tables].map(
            async (table) => [table, (await sql`select * from ${sql.table(table)} order by 1, 2`.execute(database)).rows] as const,
          ),
        ),
      );

    it("return a full conversation that matches the contract", async () => {
      const attempt = { quizId: "quiz-0001", answers: { "question-1": ["choice-1"] }, score: 0.5 };
      const reference = { href: "/courses/shell", title: "The shell" };
      await apply(
        event(first, "ConversationStarted", opening("Pipes")),
        event(first, "TurnRecorded", turn("turn-0001", "What is a pipe?", "A connection.")),
        event(first, "TurnRecorded", turn("turn-0002", "What is a pipe?", "A better answer.", "turn-0001")),
        event(first, "ReferenceAttached", { href: "/courses/shell", title: "Old label" }),
        event(first, "ReferenceAttached", reference),
        event(first, "ReferenceAttached", { href: "/courses/other", title: "Other" }),
        event(first, "ReferenceRemoved", { href: "/courses/other" }),
        event(first, "ModelChosen", { choice: "pinned", id: "p1/some-model", allowFallbackWhenPinned: true }),
        event(first, "ModeChosen", { mode: "tutor" }),
        event(first, "QuizAttempted", attempt),
        event(first, "ConversationRenamed", { title: "All about pipes" }),
        event(first, "ConversationPinned", {}),
      );
      const found = conversation.parse(await getConversation(database, mira, first));
      expect(found).to.deep.include({ version: 11, title: "All about pipes", mode: "tutor", state: "active", pinned: true });
      expect(found.model).to.deep.equal({ choice: "pinned", id: "p1/some-model", allowFallbackWhenPinned: true });
      expect(found.references).to.deep.equal([reference]);
      expect(found.turns.map(({ turnId, answer, replaces }) => ({ turnId, answer, replaces }))).to.deep.equal([
        { turnId: "turn-0001", answer: "A connection.", replaces: undefined },
        { turnId: "turn-0002", answer: "A better answer.", replaces: "turn-0001" },
      ]);
      expect(found.quizAttempts.map(({ at: _, ...rest }) => rest)).to.deep.equal([attempt]);
      expect(found.position).to.equal("84");
      const [row] = (await history()).conversations;
      expect(conversationSummary.parse(row)).to.include({ turns: 1, pinned: true });
    });

    it("tell whether an account was answered from a course since a time", async () => {
      const citation = { number: 1, sourceId: "source-0001", title: "Pipes", trail: [], revisionId: "revision-0001", quote: "A pipe." };
      const cited = { ...turn("turn-0001", "What?", "A pipe."), citations: [{ ...citation, href: "/courses/shell/pipes#a" }] };
      await apply(event(first, "ConversationStarted", opening("Pipes")), event(first, "TurnRecorded", cited));
      const [{ at = "" } = {}] = (await getConversation(database, mira, first))?.turns ?? [];
      const isAnswered = (courseId: string, since: string, account = mira) => isAnsweredSince(database, account, { courseId, since });
      const later = new Date(Date.parse(at) + 1).toISOString();
      expect([await isAnswered("shell", at), await isAnswered("shell", later)]).to.deep.equal([true, false]);
      expect([await isAnswered("she", at), await isAnswered("shell", at, tomas)]).to.deep.equal([false, false]);
      await apply(event(first, "ConversationDeleted", {}));
      expect(await isAnswered("shell", at)).to.equal(false);
    });

    it("ignore repeated and older events", async () => {
      const events = [
        event(first, "ConversationStarted", opening("Pipes")),
        event(first, "TurnRecorded", turn("turn-0001", "What?", "This.")),
        event(first, "ReferenceAttached", { href: "/a", title: "A" }),
        event(first, "ReferenceRemoved", { href: "/a" }),
        event(first, "ConversationRenamed", { title: "New" }),
        event(second, "ConversationStarted", opening("Loops")),
        event(second, "TurnRecorded", turn("turn-0002", "What?", "That.")),
        event(second, "ConversationDeleted", {}),
      ];
      await apply(...events);
      const before = await dump();
      for (const again of events.slice(0, 5)) await apply(again);
      await apply(events[7] as StoredEvent);
      expect(await dump()).to.deep.equal(before);
    });

    it("belong to one account", async () => {
      await apply(event(first, "ConversationStarted", opening("Pipes")));
      expect(await getConversation(database, tomas, first)).to.equal(null);
      expect((await history({}, tomas)).conversations).to.deep.equal([]);
      expect((await changesAfter(database, tomas, "0", 10)).changes).to.deep.equal([]);
      expect(await getConversation(database, mira, "conversation-none")).to.equal(null);
    });

    it("list pinned ones first, then by latest turn; a rename moves nothing", async () => {
      await apply(
        event(first, "ConversationStarted", opening("First")),
        event(second, "ConversationStarted", opening("Second")),
        event(third, "ConversationStarted", opening("Third")),
        event(first, "TurnRecorded", turn("turn-0001", "What?", "This.")),
        event(second, "ConversationRenamed", { title: "Second, renamed" }),
      );
      expect(await titles()).to.deep.equal(["First", "Third", "Second, renamed"]);
      await apply(event(second, "ConversationPinned", {}), event(third, "ConversationArchived", {}));
      expect(await titles()).to.deep.equal(["Second, renamed", "First"]);
      expect(await titles({ state: "pinned" })).to.deep.equal(["Second, renamed"]);
      expect(await titles({ state: "archived" })).to.deep.equal(["Third"]);
      await apply(event(second, "ConversationUnpinned", {}), event(third, "ConversationRestored", {}));
      expect(await titles()).to.deep.equal(["First", "Third", "Second, renamed"]);
      expect(await titles({ state: "pinned" })).to.deep.equal([]);
    });

    it("page without gaps or repetitions", async () => {
      const ids = Array.from({ length: 11 }, (_, index) => `conversation-${String(index).padStart(3, "0")}`);
      for (const id of ids) await apply(event(id, "ConversationStarted", opening(id)));
      for (const id of ids.slice(2, 6)) await apply(event(id, "ConversationPinned", {}));
      const whole = await titles({ limit: 100 });
      const paged: string[] = [];
      let page = await history({ limit: 3 });
      for (let turns = 0; turns < 10; turns += 1) {
        paged.push(...page.conversations.map(({ title }) => title));
        if (!page.next) break;
        page = await history({ limit: 3, cursor: page.next });
      }
      expect(paged).to.deep.equal(whole);
      expect(whole).to.have.lengthOf(11);
    });

    describe("searched", () => {
      beforeEach(() =>
        apply(
          event(first, "ConversationStarted", opening("Über Pipes")),
          event(first, "TurnRecorded", turn("turn-0001", "What is 100% of it?", "Everything, a_b included.")),
          event(second, "ConversationStarted", opening("Loops")),
          event(second, "TurnRecorded", turn("turn-0002", "What is a loop?", `${"So it **goes**. ".repeat(40)}A [Crème brûlée](/x)[^1].`)),
        ),
      );
      it("match title and text, ignoring case and accents", async () => {
        expect(await titles({ q: "uber" })).to.deep.equal(["Über Pipes"]);
        expect(await titles({ q: "creme BRULEE" })).to.deep.equal(["Loops"]);
        expect(await titles({ q: "pipes loop" })).to.deep.equal([]);
      });
      it("match wildcard characters literally", async () => {
        expect(await titles({ q: "%" })).to.deep.equal(["Über Pipes"]);
        expect(await titles({ q: "a_b" })).to.deep.equal(["Über Pipes"]);
        expect(await titles({ q: "axb" })).to.deep.equal([]);
        expect(await titles({ q: "!" })).to.deep.equal([]);
        expect(await titles({ q: "'; drop table conversations; --" })).to.deep.equal([]);
        expect(await titles({ q: "\\" })).to.deep.equal([]);
      });
      it("show an excerpt of the matching turn, or the beginning for a title", async () => {
        const [byText] = (await history({ q: "brulee" })).conversations;
        expect(byText?.match).to.match(/^…[^…]*A Crème brûlée\.$/);
        const [byTitle] = (await history({ q: "über" })).conversations;
        expect(byTitle?.match).to.equal("Everything, a_b included.");
      });
      it("find an archived one only in the archive", async () => {
        await apply(event(second, "ConversationArchived", {}));
        expect(await titles({ q: "loop" })).to.deep.equal([]);
        expect(await titles({ q: "loop", state: "archived" })).to.deep.equal(["Loops"]);
      });
    });

    describe("in the feed", () => {
      it("are changes in server order with their data", async () => {
        await apply(
          event(first, "ConversationStarted", opening("Pipes")),
          event(second, "ConversationStarted", opening("Loops")),
          event(first, "ConversationRenamed", { title: "New" }),
        );
        const page = await changesAfter(database, mira, "0", 2);
        expect(page).to.include({ cursor: "14", more: true });
        const rest = await changesAfter(database, mira, page.cursor, 2);
        expect(rest).to.include({ cursor: "21", more: false });
        expect([...page.changes, ...rest.changes].map(({ cursor, type, entityId }) => ({ cursor, type, entityId }))).to.deep.equal([
          { cursor: "7", type: "started", entityId: first },
          { cursor: "14", type: "started", entityId: second },
          { cursor: "21", type: "renamed", entityId: first },
        ]);
        expect(rest.changes[0]).to.deep.include({
          changeId: "change-21",
          deviceId: "device-1",
          domain: "conversation",
          data: { title: "New" },
        });
        expect(await changesAfter(database, mira, "21", 2)).to.deep.equal({ changes: [], cursor: "21", more: false });
      });

      it("come in pages of bounded size", async () => {
        await apply(event(first, "ConversationStarted", opening("Pipes")));
        for (let index = 0; index < 60; index += 1)
          await apply(event(first, "TurnRecorded", turn(`turn-${String(index).padStart(4, "0")}`, "What?", "x".repeat(60_000))));
        let page = await changesAfter(database, mira, "0", 500);
        expect(page.more).to.equal(true);
        let count = page.changes.length;
        while (page.more) {
          page = await changesAfter(database, mira, page.cursor, 500);
          count += page.changes.length;
        }
        expect(count).to.equal(61);
      });
    });

    describe("deleted", () => {
      const secret = "kryptonite-4711";
      const filled = () => [
        event(first, "ConversationStarted", { ...opening(`Title ${secret}`), references: [{ href: `/${secret}`, title: secret }] }),
        event(first, "TurnRecorded", turn("turn-0001", `Question ${secret}`, `${secret} `.repeat(2_000))),
        event(first, "ReferenceAttached", { href: `/courses/${secret}`, title: secret }),
        event(first, "QuizAttempted", { quizId: secret, answers: {}, score: 1 }),
        event(first, "ConversationRenamed", { title: `Renamed ${secret}` }),
      ];
      it("leaves a marker and no text in any table", async () => {
        await apply(...filled(), event(second, "ConversationStarted", opening("Stays")));
        expect(JSON.stringify(await dump())).to.include(secret);
        await apply(event(first, "ConversationDeleted", {}));
        expect(JSON.stringify(await dump())).not.to.include(secret);
        expect(await getConversation(database, mira, first)).to.equal(null);
        expect(await titles()).to.deep.equal(["Stays"]);
        expect((await changesAfter(database, mira, "0", 10)).changes.map(({ type, entityId }) => [type, entityId])).to.deep.equal([
          ["started", second],
          ["deleted", first],
        ]);
      });

      it("stays deleted after a rebuild from the marker alone", async () => {
        const [, , , , , marker] = [...filled(), event(first, "ConversationDeleted", {})];
        await apply(marker as StoredEvent);
        expect(await getConversation(database, mira, first)).to.equal(null);
        expect((await changesAfter(database, mira, "0", 10)).changes.map(({ type }) => type)).to.deep.equal(["deleted"]);
      });

      if (engine.name === "SQLite")
        it("leaves no text on the disk", async () => {
          const onDisk = async () => {
            const folder = place.folder ?? "";
            const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name))));
            return files.some((bytes) => bytes.includes(secret));
          };
          await apply(...filled());
          expect(await onDisk()).to.equal(true);
          await apply(event(first, "ConversationDeleted", {}));
          await eraseDeleted(database);
          expect(await onDisk()).to.equal(false);
        });
    });
  });
}
