import { describeOn, enginesToTest } from "@colloquy/infra/database/temporary.fixture.ts";
import type { StoredEvent } from "@colloquy/infra/event-store/client.ts";
import { waitForPosition } from "@colloquy/projections/checkpoints/queries.ts";
import { projection as conversations } from "@colloquy/projections/conversations/projection.ts";
import { getConversation } from "@colloquy/projections/conversations/queries.ts";
import { projection as sync } from "@colloquy/projections/sync/projection.ts";
import { changesAfter } from "@colloquy/projections/sync/queries.ts";
import { type TemporaryReadModels, temporaryReadModels } from "@colloquy/projections/temporary.fixture.ts";
import { conversationEventTypes } from "@colloquy/schemas/conversations/event-types.ts";
import type { Change } from "@colloquy/schemas/sync/changes.ts";
import { expect } from "chai";
import fc from "fast-check";
import { type ChangeHandlers, changeHandlers } from "./handlers.ts";

const mira = "acc_mira0001";

/** What a device does, without ids and places yet. */
type Action = { chat: 0 | 1; type: string; data: Change["data"] };
const letters = fc.constantFrom("a", "b", "c");
const chat = fc.constantFrom(0 as const, 1 as const);
const action = (type: string, data: fc.Arbitrary<Change["data"]>, weight: number) => ({
  weight,
  arbitrary: fc.record({ chat, type: fc.constant(type), data }),
});
const nothing = fc.constant({});
const actions: fc.Arbitrary<Action> = fc.oneof(
  action(
    "turn_recorded",
    // Few turn ids and few answers, so that devices record the same turn, alike and differently, and replace what may be there.
    fc.record({ turn: letters, answer: letters, replaces: fc.option(letters, { nil: undefined }) }).map(({ turn, answer, replaces }) => ({
      turnId: `turn-000${turn}`,
      question: "What?",
      answer,
      citations: [],
      outcome: "finished",
      provider: "p1",
      model: "m",
      fallbackDepth: 0,
      ...(replaces && { replaces: `turn-000${replaces}` }),
    })),
    5,
  ),
  action(
    "renamed",
    letters.map((title) => ({ title })),
    3,
  ),
  action("pinned", nothing, 1),
  action("unpinned", nothing, 1),
  action("archived", nothing, 1),
  action("restored", nothing, 1),
  action(
    "mode_chosen",
    fc.constantFrom("ask", "tutor").map((mode) => ({ mode })),
    1,
  ),
  action(
    "reference_attached",
    letters.map((name) => ({ href: `/${name}`, title: name })),
    2,
  ),
  action(
    "reference_removed",
    letters.map((name) => ({ href: `/${name}` })),
    1,
  ),
  action("deleted", nothing, 1),
);

/** A device's pushes: its actions in order, cut into pushes, some sent twice. */
const device = fc.array(fc.record({ actions: fc.array(actions, { minLength: 1, maxLength: 4 }), sent: fc.integer({ min: 1, max: 2 }) }), {
  maxLength: 6,
});

/** What the read model must say, folded from the stream alone and written without regard to how rows are kept. */
function folded(events: readonly StoredEvent[]) {
  const record = {
    title: "",
    mode: "ask",
    state: "active",
    pinned: false,
    references: [] as { href: string; title: string }[],
    turns: [] as unknown[],
  };
  for (const { type, data } of events) {
    const { schemaVersion: _, ...content } = data as Record<string, unknown>;
    if (type === "ConversationDeleted") return null;
    if (type === "ConversationStarted" || type === "ConversationRenamed") record.title = String(content.title);
    if (type === "ConversationPinned") record.pinned = true;
    if (type === "ConversationUnpinned") record.pinned = false;
    if (type === "ConversationArchived") record.state = "archived";
    if (type === "ConversationRestored") record.state = "active";
    if (type === "ModeChosen") record.mode = String(content.mode);
    if (type === "TurnRecorded") record.turns.push(content);
    if (type.startsWith("Reference")) record.references = record.references.filter(({ href }) => href !== content.href);
    if (type === "ReferenceAttached") record.references.push(content as { href: string; title: string });
  }
  return events.length === 0 ? null : record;
}

for (const engine of await enginesToTest()) {
  describeOn(engine, `two devices changing the same conversations (${engine.name})`, () => {
    let models: TemporaryReadModels;
    let handlers: ChangeHandlers[];
    let round = 0;
    before(async () => {
      models = await temporaryReadModels(engine, [conversations, sync]);
      // Two processes, each with what it keeps in memory.
      handlers = [changeHandlers({ store: models.store }), changeHandlers({ store: models.store })];
    });
    after(() => models.close());

    it("see one order, and the rows are a fold of the stream", async () => {
      await fc.assert(
        fc.asyncProperty(device, device, fc.boolean(), async (left, right, together) => {
          round += 1;
          const accountId = `${mira}-${engine.name}-${round}`;
          const chats = [`conversation-${round}-a`, `conversation-${round}-b`];
          let number = 0;
          const change = (name: string, { chat: which, type, data }: Action): Change => {
            number += 1;
            const changeId = `change-${name}-${round}-${number}`;
            return { changeId, domain: "conversation", entityId: chats[which] ?? "", type, at: "2026-03-01T10:00:00Z", data };
          };
          const opening = { mode: "ask", model: { choice: "automatic" }, references: [], title: "start" };
          const start = ([0, 1] as const).map((which) => change("start", { chat: which, type: "started", data: opening }));
          let position = (await push(0, accountId, start)).position;

          const outcomes = new Map<string, string[]>();
          const run = async (index: number, name: string, pushes: typeof left): Promise<void> => {
            for (const { actions: done, sent } of pushes) {
              const changes = done.map((one) => change(name, one));
              for (let time = 0; time < sent; time += 1) {
                const answer = await push(index, accountId, changes);
                for (const { changeId, outcome } of answer.results) outcomes.set(changeId, [...(outcomes.get(changeId) ?? []), outcome]);
                if (BigInt(answer.position) > BigInt(position)) position = answer.position;
              }
            }
          };
          if (together) await Promise.all([run(0, "left", left), run(1, "right", right)]);
          else {
            await run(0, "left", left);
            await run(1, "right", right);
          }

          // What was taken once is never taken a second time. (What was refused may be taken later: the turn it replaces may have come.)
          for (const [first, second = "duplicate"] of outcomes.values())
            if (first === "accepted") expect(second).to.be.oneOf(["duplicate", "refused"]);
          expect(await waitForPosition(models.database, "conversations", position, 60_000)).to.equal(true);
          expect(await waitForPosition(models.database, "sync", position, 60_000)).to.equal(true);

          const streams = await Promise.all(chats.map((id) => Array.fromAsync(models.store.read(`conversation-${id}`))));
          for (const [index, events] of streams.entries()) {
            expect(new Set(events.map(({ id }) => id)).size).to.equal(events.length);
            const turns = events.filter(({ type }) => type === "TurnRecorded").map(({ data }) => (data as { turnId: string }).turnId);
            expect(new Set(turns).size).to.equal(turns.length);
            const found = await getConversation(models.database, accountId, chats[index] ?? "");
            const expected = folded(events);
            if (expected === null) {
              expect(found).to.equal(null);
              expect(events.map(({ type }) => type)).to.deep.equal(["ConversationDeleted"]);
              continue;
            }
            expect(found).to.deep.include({ ...expected, turns: found?.turns });
            expect(found?.turns.map(({ at: _, ...turn }) => turn)).to.deep.equal(expected.turns);
            expect(found?.version).to.equal(events.at(-1)?.revision);
          }

          // The feed is those very streams, merged in the order of commits.
          const merged = streams.flat().toSorted((a, b) => Number(BigInt(a.position) - BigInt(b.position)));
          const feed = await changesAfter(models.database, accountId, "0", 500);
          const eventTypes: Record<string, string> = conversationEventTypes;
          expect(feed.changes.map(({ cursor, entityId, type }) => [cursor, `conversation-${entityId}`, eventTypes[type]])).to.deep.equal(
            merged.map((event) => [event.position, event.stream, event.type]),
          );
        }),
        { numRuns: engine.name === "SQLite" ? 60 : 25 },
      );
    }).timeout(120_000);

    async function push(index: number, accountId: string, changes: readonly Change[]) {
      const handler = handlers[index] as ChangeHandlers;
      return handler.push({ accountId, deviceId: `device-${index}`, requestId: "request-1" }, changes);
    }
  });
}
