import { openEventStore } from "@colloquy/infra/event-store/client.ts";
import { type SpawnedEventStore, spawnEventStore } from "@colloquy/infra/event-store/embedded/spawn-server.fixture.ts";
import { temporaryFolder } from "@colloquy/infra/event-store/event-store.fixture.ts";
import type { Change } from "@colloquy/schemas/sync/changes.ts";
import { expect } from "chai";
import { changeHandlers } from "./handlers.ts";

const learners = 300;
const atOnce = 20;
const at = new Date(0).toISOString();
const readTo = (learner: number, number: number): Change => ({
  changeId: `change-${learner}-${number}`,
  domain: "progress",
  entityId: "topic-of-many",
  type: "read_to",
  at,
  data: { courseId: "linear-maps", place: 0.5 },
});

describe("the streams of many active learners", () => {
  const folder = temporaryFolder();
  let server: SpawnedEventStore;
  before(async () => {
    server = await spawnEventStore(folder.path);
  });
  after(async () => {
    await server.stop();
    folder.remove();
  });

  it("stay cached between changes", async () => {
    const store = openEventStore(server.url);
    let read = 0;
    const counting: typeof store = {
      ...store,
      async *read(...given) {
        for await (const event of store.read(...given)) {
          read += 1;
          yield event;
        }
      },
    };
    const { push } = changeHandlers({ store: counting });
    const round = async (number: number): Promise<void> => {
      for (let first = 0; first < learners; first += atOnce)
        await Promise.all(
          Array.from({ length: atOnce }, (_, index) => {
            const context = { accountId: `acc_many${first + index}`, deviceId: "device-many", requestId: "request-many" };
            return push(context, [readTo(first + index, number)]);
          }),
        );
    };
    await round(1);
    await round(2);
    expect(read).to.equal(0);
    await store.close();
  });
});
