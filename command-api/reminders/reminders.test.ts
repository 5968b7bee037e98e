import { statSync } from "node:fs";
import { readConfig } from "@colloquy/infra/config.ts";
import { openDatabase } from "@colloquy/infra/database/open.ts";
import { type EventStore, openEventStore } from "@colloquy/infra/event-store/client.ts";
import { type EmbeddedEventStore, startEventStore } from "@colloquy/infra/event-store/embedded/server.ts";
import { temporaryFolder } from "@colloquy/infra/event-store/event-store.fixture.ts";
import { type EndedSessions, endedSessions, type OpenSession } from "@colloquy/infra/identity/ended-sessions.ts";
import { startPushService } from "@colloquy/infra/push/push-service.fixture.ts";
import { pushSender } from "@colloquy/infra/push/send.ts";
import { reminderPublicKey, vapidKeys, vapidSubject } from "@colloquy/infra/push/vapid.ts";
import { createLog, type Logger } from "@colloquy/infra/telemetry/log.ts";
import { type CheckpointTables, projectionPosition, waitForPosition } from "@colloquy/projections/checkpoints/queries.ts";
import { projection } from "@colloquy/projections/reminders/projection.ts";
import type { ReminderTables } from "@colloquy/projections/reminders/queries.ts";
import { runAll } from "@colloquy/projections/run-all.ts";
import { reminderStream, reminderStreamPrefix } from "@colloquy/schemas/reminders/events.ts";
import type { Forecast } from "@colloquy/schemas/reminders/requests.ts";
import { learningClock } from "@colloquy/schemas/review/learning-clock.ts";
import { expect } from "chai";
import type { Kysely } from "kysely";
import { isSignedOut, signInsOf } from "../accounts/sign-ins.ts";
import { type ReviewReminders, reviewReminders } from "./reminders.ts";
import { reminderSender } from "./sender.ts";

const zone = "Europe/Berlin";
const clock = learningClock(zone);
const morning = (day: number): number => clock.at(day, 10);

describe("reminders of due reviews", () => {
  const folder = temporaryFolder();
  const leaving = new AbortController();
  const config = readConfig({ DATA_DIR: folder.path, PUBLIC_URL: "https://learn.example" });
  const today = clock.day(Date.now());
  const forecast = (left: number[], more: Partial<Forecast> = {}): Forecast => ({ zone, language: "en", day: today, left, ...more });
  let now = Date.now();
  let embedded: EmbeddedEventStore;
  let store: EventStore;
  let database: Kysely<CheckpointTables & ReminderTables>;
  let readModels: Promise<unknown>;
  let service: Awaited<ReturnType<typeof startPushService>>;
  let reminders: ReviewReminders;
  let ended: EndedSessions;
  const logged: string[] = [];
  const log = Object.fromEntries(
    ["debug", "info", "warn", "error"].map((level) => [level, (...entry: unknown[]) => logged.push(JSON.stringify(entry))]),
  ) as unknown as Logger;
  const sender = () =>
    reminderSender({
      database,
      reminders,
      send: pushSender({ keys: vapidKeys(config), subject: vapidSubject(config) }, service.fetch()),
      isSignedOut: (accountId, device) => isSignedOut({ signIns: signInsOf(store), ended }, accountId, device),
      log,
      signal: leaving.signal,
      now: () => now,
      retry: { retries: 2, minTimeout: 5, factor: 1 },
    });
  const applied = async (): Promise<void> => {
    for (;;) {
      const from = await projectionPosition(database, "reminders");
      const next = await store.next({ from, prefixes: [reminderStreamPrefix], signal: AbortSignal.timeout(10_000) });
      if (next === null) return;
      expect(await waitForPosition(database, "reminders", next.position, 10_000)).to.equal(true);
    }
  };
  /** One round of a service that was just started. */
  const round = async (): Promise<void> => {
    await applied();
    const started = sender();
    await started.round();
    await started.settled();
    await applied();
  };
  const turnOn = async (accountId: string, device: string, foreseen: Forecast) => {
    const subscription = service.subscribe();
    await reminders.handle(accountId, { type: "turn on", device, subscription, forecast: foreseen }, `on-${device}`);
    return subscription;
  };
  const typesOf = async (accountId: string): Promise<string[]> => {
    const types: string[] = [];
    for await (const { type } of store.read(reminderStream(accountId))) types.push(type);
    return types;
  };

  before(async () => {
    embedded = await startEventStore({ dataDir: folder.path, port: 0, insecure: true });
    store = openEventStore(embedded.url);
    database = openDatabase({ DATA_DIR: folder.path, DATABASE_URL: `sqlite://${folder.path}/read-models.db` } as never, {});
    reminders = reviewReminders(store, () => now);
    service = await startPushService();
    ended = endedSessions({ store, log, signal: leaving.signal });
    const quiet = createLog("test", { LOG_LEVEL: "silent" });
    readModels = runAll({
      projections: [projection] as never,
      database: database as never,
      store,
      log: quiet,
      signal: leaving.signal,
    }).finished;
  });
  after(async () => {
    leaving.abort();
    await readModels;
    await service.close();
    await database.destroy();
    await store.close();
    await embedded.close();
    folder.remove();
  });
  beforeEach(() => {
    now = Date.now();
    service.received.length = 0;
    service.answer = () => 201;
    logged.length = 0;
  });

  it("arrive encrypted, in the learner's language and signed by the deployment, and say only how many are due", async () => {
    await turnOn("acc_mira_0001", "dev_mira_0001", forecast([0, 3], { language: "de" }));
    await turnOn("acc_noor_0002", "dev_noor_0001", forecast([0, 1], { language: "ar" }));
    now = morning(today);
    await round();
    expect(service.received, "on the day of the reviews").to.deep.equal([]);
    now = morning(today + 1);
    await round();
    const texts = service.received
      .toSorted((one, other) => one.path.localeCompare(other.path))
      .map(({ text }) => JSON.parse(text ?? "null"));
    expect(texts).to.deep.equal([
      { title: "3 Wiederholungen sind fällig", body: "Öffnen Sie Ihre Wiederholungen.", lang: "de", dir: "ltr" },
      { title: "مراجعة واحدة مستحقة", body: "افتح مراجعاتك.", lang: "ar", dir: "rtl" },
    ]);
    const [one] = service.received;
    expect(one?.vapid).to.deep.equal({ aud: service.origin, sub: "https://learn.example", publicKey: reminderPublicKey(config) });
    expect(one?.headers).to.include({ topic: "reviews", ttl: String(11 * 3_600), "content-encoding": "aes128gcm" });
  });

  it("are not repeated on that day, whoever asks and however often the service starts", async () => {
    now = morning(today + 1) + 60_000;
    await Promise.all([round(), round()]);
    expect(service.received).to.deep.equal([]);
    now = morning(today + 2);
    await Promise.all([round(), round(), round()]);
    expect(service.received, "one each the next day").to.have.length(2);
  });

  it("stop where the push service no longer knows the subscription", async () => {
    await turnOn("acc_tomas_0003", "dev_tomas_0001", forecast([0, 2]));
    const kept = await turnOn("acc_tomas_0003", "dev_tomas_0002", forecast([0, 2]));
    service.answer = (path) => (kept.endpoint.endsWith(path) ? 201 : 410);
    now = morning(today + 3);
    await round();
    expect((await reminders.of("acc_tomas_0003")).devices).to.deep.equal(["dev_tomas_0002"]);
    expect((await reminders.of("acc_mira_0001")).devices).to.deep.equal([]);
  });

  it("are tried again while the push service fails, and never logged with an address", async () => {
    await turnOn("acc_edda_0004", "dev_edda_0001", forecast([0, 5]));
    const answers: (number | null)[] = [null, 503, 201];
    service.answer = () => answers.shift() as number | null;
    now = morning(today + 4);
    await reminders.handle("acc_tomas_0003", { type: "turn off", device: null, reason: "chosen" }, "off-0001");
    await round();
    expect(service.received.map(({ path }) => path)).to.have.length(3);
    service.answer = () => 503;
    now = morning(today + 5);
    await round();
    expect(logged.join())
      .to.include("could not be delivered")
      .and.not.match(/push\.example|\/send\//);
    service.received.length = 0;
    await round();
    expect(service.received, "recorded as sent").to.deep.equal([]);
  });

  it("end with the sign-out of the browser, also at the identity provider", async () => {
    const session: OpenSession = {
      accountId: "acc_lena_0005",
      sessionId: "session-0001",
      device: "dev_lena_0001",
      begun: new Date(),
      until: new Date(Date.now() + 3_600_000),
      providerSession: "ps_lena_0001",
    };
    await signInsOf(store).record(session, "", "request-0001");
    await turnOn("acc_lena_0005", "dev_lena_0001", forecast([0, 5]));
    await ended.endOfProvider("ps_lena_0001", "request-0002", 24);
    service.received.length = 0;
    now = morning(today + 1);
    await round();
    expect(service.received).to.deep.equal([]);
    expect(await typesOf("acc_lena_0005")).to.deep.equal([
      "RemindersTurnedOn",
      "ReviewsForeseen",
      "ReviewReminderSent",
      "RemindersTurnedOff",
    ]);
  });

  it("are recorded without needless events, and erased with the account", async () => {
    const foreseen = forecast([0, 5]);
    const subscription = await turnOn("acc_nils_0006", "dev_nils_0001", foreseen);
    const again = { type: "turn on", device: "dev_nils_0001", subscription, forecast: foreseen } as const;
    await reminders.handle("acc_nils_0006", again, "request-0003");
    await reminders.handle("acc_nils_0006", { type: "foresee", forecast: foreseen }, "request-0004");
    expect(await typesOf("acc_nils_0006")).to.deep.equal(["RemindersTurnedOn", "ReviewsForeseen"]);
    await reminders.handle("acc_nils_0006", { type: "forget" }, "request-0005");
    expect(await typesOf("acc_nils_0006")).to.deep.equal(["RemindersForgotten"]);
    now = morning(today + 1);
    service.received.length = 0;
    await round();
    expect(service.received.filter(({ path }) => subscription.endpoint.endsWith(path))).to.deep.equal([]);
    const rows = await database.selectFrom("reminders").selectAll().execute();
    expect(JSON.stringify(rows), "the read model has no subscriptions").not.to.include("push.example");
    await reminders.handle("acc_vera_0007", { type: "foresee", forecast: foreseen }, "request-0006");
    expect(await typesOf("acc_vera_0007"), "nobody is reminded").to.deep.equal([]);
  });

  it("are signed with keys that every process of the deployment has, and no other", () => {
    const secret = "one secret of at least 32 characters";
    const [made, again, other] = [secret, secret, `${secret}!`].map((ACCOUNT_SECRET) => vapidKeys({ ACCOUNT_SECRET, DATA_DIR: "nowhere" }));
    expect(made).to.deep.equal(again);
    expect(made?.publicKey)
      .to.match(/^[\w-]{87}$/)
      .and.not.equal(other?.publicKey);
    expect(vapidKeys(config)).to.deep.equal(vapidKeys(config));
    expect(statSync(`${folder.path}/secrets/account`).mode & 0o777).to.equal(0o600);
  });

  it("are offered only with HTTPS or on this machine, with a service worker, and unless turned off", () => {
    const offered = (environment: Record<string, string>) =>
      reminderPublicKey(readConfig({ DATA_DIR: folder.path, ...environment })) !== null;
    expect(offered({ PUBLIC_URL: "https://learn.example" })).to.equal(true);
    expect(offered({})).to.equal(true);
    expect(offered({ PUBLIC_URL: "http://learn.example" })).to.equal(false);
    expect(offered({ OFFLINE_READING: "off" })).to.equal(false);
    expect(offered({ REVIEW_REMINDERS: "off" })).to.equal(false);
  });

  it("go to public addresses only, whatever a client says", async () => {
    const send = pushSender({ keys: vapidKeys(config), subject: vapidSubject(config) });
    const { keys } = service.subscribe();
    for (const endpoint of [
      "https://127.0.0.1/",
      "https://localhost/",
      "https://[::1]/",
      "https://169.254.169.254/latest",
      "http://push.example/",
    ])
      expect(
        await send({ endpoint, keys }, { due: 1, language: "en", secondsLeft: 60 }, leaving.signal).then(
          () => "sent",
          (error: Error) => error.message,
        ),
        endpoint,
      ).to.include("not public");
    const wrong = { endpoint: `${service.origin}/send/1`, keys: { p256dh: "A".repeat(87), auth: keys.auth } };
    expect(await send(wrong, { due: 1, language: "en", secondsLeft: 60 }, leaving.signal)).to.deep.equal({ outcome: "refused", status: 0 });
  });
});
