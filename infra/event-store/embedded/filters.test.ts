import { EventStoreDBClient, jsonEvent, streamNameFilter } from "@eventstore/db-client";
import shared from "@eventstore/db-client/generated/shared_pb.js";
import { StreamsClient } from "@eventstore/db-client/generated/streams_grpc_pb.js";
import messages, { type ReadResp } from "@eventstore/db-client/generated/streams_pb.js";
import { credentials } from "@grpc/grpc-js";
import { expect } from "chai";
import { collect, numbers, temporaryFolder } from "../event-store.fixture.ts";
import { type EmbeddedEventStore, startEventStore } from "./server.ts";

const { ReadReq } = messages;

describe("filters of $all", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let server: EmbeddedEventStore;
  let client: EventStoreDBClient;
  beforeEach(async () => {
    folder = temporaryFolder();
    server = await startEventStore({ dataDir: folder.path, port: 0, insecure: true });
    client = EventStoreDBClient.connectionString(server.url);
    for (const number of numbers(60))
      await client.appendToStream(
        number % 6 === 0 ? "wanted-1" : "other-1",
        jsonEvent({ type: number % 10 === 0 ? "Tenth" : "Noted", data: {} }),
      );
  });
  afterEach(async () => {
    await client.dispose();
    await server.close();
    folder.remove();
  });

  /** A read with a filter, by the protocol itself: the official client's `readAll` sends none, others do. */
  async function read(
    on: "stream" | "type",
    expression: { prefix?: string[]; regex?: string },
    backwards: boolean,
    count: number,
  ): Promise<number[]> {
    const empty = new shared.Empty();
    const asked = new ReadReq.Options.FilterOptions.Expression();
    asked.setPrefixList(expression.prefix ?? []);
    asked.setRegex(expression.regex ?? "");
    const filter = new ReadReq.Options.FilterOptions();
    if (on === "stream") filter.setStreamIdentifier(asked);
    else filter.setEventType(asked);
    filter.setMax(4);
    filter.setCheckpointintervalmultiplier(1);
    const all = new ReadReq.Options.AllOptions();
    if (backwards) all.setEnd(empty);
    else all.setStart(empty);
    const options = new ReadReq.Options();
    options.setAll(all);
    options.setFilter(filter);
    options.setCount(String(count));
    options.setReadDirection(backwards ? 1 : 0);
    const request = new ReadReq();
    request.setOptions(options);
    const streams = new StreamsClient(`127.0.0.1:${server.port}`, credentials.createInsecure());
    const answers = await collect<ReadResp>(streams.read(request));
    streams.close();
    return answers.map((answer) => Number(answer.getEvent()?.getCommitPosition()));
  }

  it("bound reads, both ways, by stream and by type, by prefix and by pattern, as many as asked", async () => {
    const wanted = numbers(10).map((number) => number * 6 + 1);
    const tenths = numbers(6).map((number) => number * 10 + 1);
    const cases = [
      [wanted, "stream", { prefix: ["nothing", "wanted-"] }],
      [wanted, "stream", { regex: "^wan" }],
      [tenths, "type", { prefix: ["Ten"] }],
      [tenths, "type", { regex: "th$" }],
    ] as const;
    for (const [positions, on, expression] of cases) {
      const asked = { ...("prefix" in expression ? { prefix: [...expression.prefix] } : { regex: expression.regex }) };
      expect(await read(on, asked, false, 100)).to.deep.equal(positions);
      expect(await read(on, asked, true, 100)).to.deep.equal(positions.toReversed());
      expect(await read(on, asked, false, 2)).to.deep.equal(positions.slice(0, 2));
      expect(await read(on, asked, true, 2)).to.deep.equal(positions.toReversed().slice(0, 2));
    }
  });

  it("bring checkpoints as often as the search window asks, each at a stored event", async () => {
    const checkpoints = async (maxSearchWindow: number, checkpointInterval: number): Promise<number[]> => {
      const told: number[] = [];
      const subscription = client.subscribeToAll({
        filter: streamNameFilter({
          prefixes: ["wanted-"],
          maxSearchWindow,
          checkpointInterval,
          checkpointReached: (_subscription, { commit }) => void told.push(Number(commit)),
        }),
      });
      subscription.on("data", () => {});
      await new Promise<void>((resolve) => subscription.on("caughtUp", () => resolve()));
      await subscription.unsubscribe();
      return told;
    };
    const stored = (await collect(client.readAll())).map(({ event }) => Number(event?.position.commit));
    const often = await checkpoints(6, 1);
    const seldom = await checkpoints(6, 4);
    for (const told of [often, seldom]) {
      expect(stored).to.include.members(told);
      expect(told).to.deep.equal([...new Set(told)].toSorted((a, b) => a - b));
    }
    expect(often.length).to.be.greaterThan(seldom.length);
    expect(seldom.length).to.be.greaterThan(0);
    expect(often.length).to.equal(Math.floor(stored.length / 6));
  });
});
