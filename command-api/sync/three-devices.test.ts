import { type EventStore, type StoredEvent, WrongExpectedRevision } from "@colloquy/infra/event-store/client.ts";
import { foldConversations } from "@colloquy/projections/conversations/fold.ts";
import { conversationEvents } from "@colloquy/schemas/conversations/events.ts";
import { changeOfEvent } from "@colloquy/schemas/events/personal.ts";
import type { RemoteChange } from "@colloquy/schemas/sync/protocol.ts";
import type { Api } from "@colloquy/ui/api/client.ts";
import { memoryAtomically, memoryTables } from "@colloquy/ui/store/account-store.ts";
import { Emitter } from "@colloquy/ui/store/emitter.ts";
import { Library, type LocalChange, type LocalPersonalChange } from "@colloquy/ui/store/library.ts";
import { expect } from "chai";
import fc from "fast-check";
import { changeHandlers } from "./handlers.ts";

const accountId = "acc_mira0001";
const pageSize = 3;

/** The service without its network and files: the real handlers over streams in memory, and the feed as devices read it. */
function service() {
  const events: StoredEvent[] = [];
  let feed: RemoteChange[] = [];
  const of = (stream: string) => events.filter((event) => event.stream === stream);
  const store = {
    async append(
      stream: string,
      added: { id: string; type: string; data: object; metadata: StoredEvent["metadata"] }[],
      expected: unknown,
    ) {
      const { length } = of(stream);
      if ((expected === "none" ? 0 : Number(expected) + 1) !== length) throw new WrongExpectedRevision(stream, 0, length - 1);
      for (const event of added) {
        const stored = {
          ...event,
          stream,
          revision: of(stream).length,
          position: String(events.length + 8),
          created: "2026-11-20T10:00:00Z",
        };
        events.push(structuredClone(stored));
        publish(stored);
      }
      return { revision: of(stream).length - 1, position: String(events.length + 7) };
    },
    async *read(stream: string, { from = 0 }: { from?: number } = {}) {
      yield* of(stream).slice(from);
    },
    truncateBefore: async () => undefined,
  } as unknown as EventStore;

  function publish(stored: StoredEvent): void {
    const change = changeOfEvent(stored);
    const { requestId = "", at = "", deviceId = null } = stored.metadata;
    if (change.type === "deleted") feed = feed.filter(({ domain, entityId }) => domain !== change.domain || entityId !== change.entityId);
    feed.push({ ...change, cursor: stored.position, changeId: requestId, deviceId, at });
  }
  const handlers = changeHandlers({ store });
  return {
    events,
    push: (deviceId: string, changes: Parameters<typeof handlers.push>[1]) =>
      handlers.push({ accountId, deviceId, requestId: "request-1" }, changes),
    pull(after: string, limit = pageSize) {
      const rest = feed.filter(({ cursor }) => Number(cursor) > Number(after));
      const changes = structuredClone(rest.slice(0, limit));
      return { changes, cursor: changes.at(-1)?.cursor ?? after, more: rest.length > limit };
    },
  };
}
type Service = ReturnType<typeof service>;
type Fault = "none" | "request lost" | "answer lost" | "sent twice" | "an old one comes late";

const offline = () => new DOMException("offline", "AbortError");

/** A browser: what it keeps outlives its page. */
class Device {
  readonly tables = memoryTables();
  readonly #service: Service;
  readonly #store: Parameters<typeof Library.open>[1];
  readonly #sent: Parameters<Service["push"]>[] = [];
  readonly #pages: RemoteChange[][] = [];
  library!: Library;
  /** What happens to the next pushes; without one there is no network. */
  #faults: Fault[] = [];

  constructor(served: Service, deviceId: string) {
    this.#service = served;
    const store = { ...this.tables, accountId, deviceId, persistent: true, events: new Emitter<{ refused: undefined }>() };
    this.#store = { ...store, atomically: memoryAtomically(this.tables), remove: async () => undefined, close: () => undefined };
  }

  /** A page of it is opened, also again. */
  async open(): Promise<this> {
    const push = async (...[deviceId, changes]: Parameters<Api["push"]>) => {
      const fault = this.#faults.shift();
      if (!fault || fault === "request lost") throw offline();
      const late = this.#sent[0];
      if (fault === "an old one comes late" && late) await this.#service.push(...late);
      this.#sent.push([deviceId, structuredClone(changes)]);
      const answer = await this.#service.push(deviceId, structuredClone(changes));
      if (fault === "answer lost") throw offline();
      return {
        schemaVersion: 1 as const,
        ...(fault === "sent twice" ? await this.#service.push(deviceId, structuredClone(changes)) : answer),
      };
    };
    this.library = await Library.open({ push } as Partial<Api> as Api, this.#store);
    return this;
  }

  async push(...faults: Fault[]): Promise<void> {
    this.#faults = faults;
    await this.library.outbox.send();
    this.#faults = [];
    // What the outbox tells is taken in without being waited for.
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  /** The next page of changes; before it comes an earlier one again, unless `again` is 0. */
  async pull(again = 0): Promise<boolean> {
    const { replica } = this.library;
    const late = this.#pages[this.#pages.length - again];
    if (late) await replica.receive(late, late.at(-1)?.cursor ?? "0");
    const { changes, cursor, more } = this.#service.pull(replica.cursor);
    if (changes.length > 0) this.#pages.push(changes);
    await replica.receive(changes, cursor);
    return more;
  }

  async restart(): Promise<void> {
    this.close();
    await this.open();
  }

  /** Its page goes away: an open channel would be told of every change of the devices after it. */
  close(): void {
    this.library.stop();
  }

  /** Everything the learner sees. */
  async shown() {
    const { replica } = this.library;
    const summaries = this.library.all.toSorted((a, b) => (a.conversationId < b.conversationId ? -1 : 1));
    const records = await Promise.all(summaries.map(({ conversationId }) => replica.record(conversationId)));
    const domains = (["preferences", "progress", "annotation", "review"] as const).map((domain) =>
      Object.fromEntries(replica.allPersonal(domain)),
    );
    return { summaries, records, domains };
  }
}

const letter = fc.constantFrom("a", "b");
const conversation = letter.map((name) => `conversation-${name}`);
type Own = { conversation: LocalChange } | { personal: LocalPersonalChange };
let minted = 0;
const mintTurn = (): string => {
  minted += 1;
  return `turn-${String(minted).padStart(8, "0")}`;
};
const turnOf = (answer: string) => ({
  turnId: mintTurn(),
  question: "secret question",
  answer: `secret ${answer}`,
  citations: [],
  outcome: "finished" as const,
  provider: "p1" as const,
  model: "m",
  fallbackDepth: 0,
});
const change = (type: LocalChange["type"], data: fc.Arbitrary<object>): fc.Arbitrary<() => Own> =>
  fc.record({ conversationId: conversation, data }).map(({ conversationId, data: given }) => () => ({
    conversation: { conversationId, type, data: type === "turn_recorded" ? turnOf("answer") : given } as LocalChange,
  }));
const personal = (given: fc.Arbitrary<LocalPersonalChange>): fc.Arbitrary<() => Own> => given.map((one) => () => ({ personal: one }));
const nothing = fc.constant({});

const anything: fc.Arbitrary<() => Own> = fc.oneof(
  {
    weight: 4,
    arbitrary: change("started", fc.constant({ mode: "ask", model: { choice: "automatic" }, references: [], title: "secret title" })),
  },
  { weight: 4, arbitrary: change("turn_recorded", nothing) },
  {
    weight: 3,
    arbitrary: change(
      "renamed",
      letter.map((title) => ({ title: `secret ${title}` })),
    ),
  },
  ...(["pinned", "unpinned", "archived", "restored", "deleted"] as const).map((type) => ({ weight: 1, arbitrary: change(type, nothing) })),
  { weight: 1, arbitrary: change("mode_chosen", fc.constantFrom({ mode: "ask" }, { mode: "tutor" })) },
  {
    weight: 1,
    arbitrary: change(
      "reference_attached",
      letter.map((name) => ({ href: `/${name}`, title: name })),
    ),
  },
  {
    weight: 1,
    arbitrary: change(
      "reference_removed",
      letter.map((name) => ({ href: `/${name}` })),
    ),
  },
  {
    weight: 3,
    arbitrary: personal(
      fc.oneof(
        fc
          .constantFrom("light" as const, "dark" as const)
          .map((theme) => ({ domain: "preferences" as const, entityId: "workspace", type: "chosen" as const, data: { theme } })),
        fc
          .tuple(letter, fc.constantFrom("model_hidden" as const, "model_shown" as const))
          .map(([name, type]) => ({ domain: "preferences" as const, entityId: "workspace", type, data: { modelId: `p1/${name}` } })),
      ),
    ),
  },
  {
    weight: 2,
    arbitrary: personal(
      fc.tuple(letter, fc.constantFrom("read_to" as const, "finished" as const, "reopened" as const), fc.constantFrom(0.2, 0.7)).map(
        ([topic, type, place]) =>
          ({
            domain: "progress" as const,
            entityId: `topic-000${topic}`,
            type,
            data: { courseId: "course-01", ...(type === "read_to" && { place }) },
          }) as LocalPersonalChange,
      ),
    ),
  },
  {
    weight: 3,
    arbitrary: personal(
      fc.tuple(letter, fc.constantFrom("marked", "note_written", "coloured", "deleted")).map(
        ([name, type]) =>
          ({
            domain: "annotation" as const,
            entityId: `annotation-${name}`,
            type,
            data:
              type === "marked"
                ? {
                    courseId: "course-01",
                    topicId: "topic-01",
                    colour: "yellow",
                    note: "secret note",
                    quote: "quote",
                    before: "",
                    after: "",
                  }
                : type === "note_written"
                  ? { note: "secret other" }
                  : type === "coloured"
                    ? { colour: "blue" }
                    : {},
          }) as LocalPersonalChange,
      ),
    ),
  },
  {
    weight: 1,
    arbitrary: personal(
      fc.tuple(letter, fc.constantFrom(1, 3)).map(([name, rating]) => ({
        domain: "review" as const,
        entityId: `item-000${name}`,
        type: "reviewed" as const,
        data: { courseId: "course-01", rating },
      })),
    ),
  },
);

type Step = { device: number } & ({ does: () => Own } | { pushes: Fault[] } | { pulls: number } | { restarts: true });
const fault = fc.constantFrom<Fault>("none", "request lost", "answer lost", "sent twice", "an old one comes late");
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ device: fc.nat(2), does: anything }) },
  { weight: 3, arbitrary: fc.record({ device: fc.nat(2), pushes: fc.array(fault, { minLength: 1, maxLength: 3 }) }) },
  { weight: 4, arbitrary: fc.record({ device: fc.nat(2), pulls: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ device: fc.nat(2), restarts: fc.constant(true as const) }) },
);

/** What the read model of the service says of the conversations: other code over the same events. */
function served(events: readonly StoredEvent[]) {
  const known = events
    .filter(({ type }) => conversationEvents.has(type))
    .map((stored) => ({ stored, event: conversationEvents.parse(stored) }));
  const { rows } = foldConversations(new Map(), known);
  return [...rows.values()]
    .filter(({ deleted }) => deleted === 0)
    .map(({ conversation_id, title, archived, pinned, mode, turns, attached }) => ({
      conversation_id,
      title,
      archived,
      pinned,
      mode,
      turns,
      attached: (JSON.parse(attached) as { href: string }[]).map(({ href }) => href),
    }))
    .toSorted((a, b) => (a.conversation_id < b.conversation_id ? -1 : 1));
}

describe("three devices of one account", () => {
  it("converge to the state of the service despite loss, duplicates and delay", async function () {
    this.timeout(120_000);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
        const server = service();
        const devices = await Promise.all([1, 2, 3].map((number) => new Device(server, `device-000${number}`).open()));
        const begun = { mode: "ask" as const, model: { choice: "automatic" as const }, references: [], title: "secret title" };
        for (const name of ["a", "b"]) {
          const conversationId = `conversation-${name}`;
          await devices[0]?.library.commit([
            { conversationId, type: "started", data: begun },
            { conversationId, type: "turn_recorded", data: turnOf("first") },
          ]);
        }
        await devices[0]?.push("none");
        for (const one of steps) {
          const device = devices[one.device] as Device;
          if ("does" in one) {
            const own = one.does();
            if ("conversation" in own) await device.library.commit([own.conversation]);
            else await device.library.commitPersonal([own.personal]);
          } else if ("pushes" in one) await device.push(...one.pushes);
          else if ("pulls" in one) await device.pull(one.pulls);
          else await device.restart();
        }
        // The network is back.
        for (const device of devices) while ((await device.library.outbox.pending()).length > 0) await device.push("none", "none");
        for (const device of devices) while (await device.pull());
        const fresh = await new Device(server, "device-0004").open();
        while (await fresh.pull());

        const expected = await fresh.shown();
        for (const device of devices) {
          expect(await device.shown()).to.deep.equal(expected);
          expect(await device.tables.outbox.getAll()).to.deep.equal([]);
          const kept = await Promise.all([device.tables.summaries.getAll(), device.tables.records.getAll(), device.tables.words.getAll()]);
          const live = expected.summaries.map(({ conversationId }) => conversationId);
          for (const rows of kept) expect(rows.map(({ key }) => key)).to.deep.equal(live);
          await device.restart();
          expect(await device.shown()).to.deep.equal(expected);
        }
        const ofService = served(server.events);
        expect(
          expected.records.map((record) => ({
            conversation_id: record?.conversationId,
            title: record?.title,
            mode: record?.mode,
            archived: record?.state === "archived" ? 1 : 0,
            pinned: record?.pinned ? 1 : 0,
            turns: record?.turns.length,
            attached: record?.references.map(({ href }) => href),
          })),
        ).to.have.deep.members(ofService);
        for (const [index, { turns }] of expected.summaries.entries()) expect(turns).to.equal(ofService[index]?.turns);
      }),
      { numRuns: 200 },
    );
  });
});
