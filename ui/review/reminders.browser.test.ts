import type { Forecast, RemindersResponse } from "@colloquy/schemas/reminders/requests.ts";
import { expect } from "chai";
import { html } from "lit";
import { showReminders } from "../offline/reminder.ts";
import type { WorkerScope } from "../offline/worker-scope.ts";
import { expectAccessible, loadTheme, mount, unmountAll, until } from "../workspace/testing/browser.ts";
import type { PushBrowser } from "./push-browser.ts";
import { cardsLeft } from "./reminder-forecast.ts";
import "./reminders.ts";
import type { RemindersElement } from "./reminders.ts";

const subscription = { endpoint: "https://push.example/1", keys: { p256dh: "p", auth: "a" } };
const forecast: Forecast = { zone: "Europe/Berlin", language: "en", day: 20_000, left: [0, 3] };

describe("the offer to remind of reviews", () => {
  before(loadTheme);
  afterEach(unmountAll);

  /** A service and a browser that are played: a real subscription needs the vendor's push service. */
  async function shown({ publicKey = "key" as string | null, here = false, answer = "granted" as NotificationPermission } = {}) {
    const sent: { path: string; body: Record<string, unknown> }[] = [];
    const service = { works: true, reminders: { schemaVersion: 1, publicKey, here, anywhere: here } as RemindersResponse };
    const did: string[] = [];
    const played = { supported: true, permission: (here ? "granted" : "default") as NotificationPermission, forecast };
    const browser: PushBrowser = {
      isSupported: () => played.supported,
      permission: () => played.permission,
      async askPermission() {
        did.push("asked");
        played.permission = answer;
        return answer;
      },
      async subscribe(key) {
        did.push(`subscribed with ${key}`);
        return subscription;
      },
      async unsubscribe() {
        did.push("unsubscribed");
      },
    };
    const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
      if (!service.works) throw new TypeError("no connection");
      if (init.method) sent.push({ path, body: JSON.parse(String(init.body)) });
      const on = path.endsWith("/on") || (!path.endsWith("/off") && service.reminders.here);
      service.reminders = { ...service.reminders, here: on, anywhere: on };
      return Response.json(service.reminders);
    };
    const element = await mount<RemindersElement>(
      html`<colloquy-reminders .api=${{ send }} .browser=${browser} .forecast=${async () => played.forecast}></colloquy-reminders>`,
    );
    return { element, sent, service, did, played };
  }
  const button = (element: Element) => until(() => element.querySelector("button"), "the button");

  it("asks the browser only after a press, subscribes and can be taken back", async () => {
    const { element, sent, did } = await shown();
    const on = await button(element);
    expect(on.textContent).to.equal("Remind me");
    await expectAccessible(element);
    expect(did).to.deep.equal([]);
    on.click();
    await until(() => element.textContent?.includes("This browser notifies you"), "it is on");
    expect(did).to.deep.equal(["asked", "subscribed with key"]);
    expect(sent).to.deep.equal([{ path: "/api/reminders/on", body: { schemaVersion: 1, subscription, forecast } }]);
    expect(document.activeElement?.textContent).to.equal("Turn off reminders");
    await expectAccessible(element);
    (await button(element)).click();
    await until(() => element.textContent?.includes("Get a notification"), "it is off");
    expect(sent.at(-1)).to.deep.equal({ path: "/api/reminders/off", body: { schemaVersion: 1 } });
    expect(did.at(-1)).to.equal("unsubscribed");
  });

  it("says what to do where notifications are blocked, and tries again", async () => {
    const { element, sent, played } = await shown({ answer: "denied" });
    (await button(element)).click();
    await until(() => element.textContent?.includes("Notifications from this site are blocked"), "what to do");
    await expectAccessible(element);
    expect(sent).to.deep.equal([]);
    expect(played.permission).to.equal("denied");
    expect((await button(element)).getAttribute("aria-disabled")).to.equal(null);
  });

  it("says when it could not be turned on", async () => {
    const { element, service, did } = await shown();
    const on = await button(element);
    service.works = false;
    on.click();
    await until(() => element.querySelector("[role=alert]"), "the failure");
    expect(did).to.include("subscribed with key");
    service.works = true;
    on.click();
    await until(() => element.textContent?.includes("This browser notifies you"), "it is on");
    expect(element.querySelector("[role=alert]")).to.equal(null);
  });

  it("is hidden where the service offers none", async () => {
    const { element, service } = await shown({ publicKey: null });
    await element.load();
    expect(service.reminders.publicKey).to.equal(null);
    expect(element.textContent?.trim()).to.equal("");
  });

  it("is hidden in a browser without push", async () => {
    const { element, played } = await shown();
    played.supported = false;
    await element.load();
    await element.updateComplete;
    expect(element.textContent?.trim()).to.equal("");
  });

  it("tells the service a changed schedule, once, where a browser is reminded", async () => {
    const { element, sent, played } = await shown({ here: true });
    await until(() => sent.length === 1, "the forecast", 8_000);
    expect(sent).to.deep.equal([{ path: "/api/reminders/forecast", body: { schemaVersion: 1, forecast } }]);
    element.reviewsChanged();
    played.forecast = { ...forecast, left: [0, 4] };
    element.reviewsChanged();
    element.remove();
    await until(() => sent.length === 2, "the newer one, as the page is left");
    const off = await shown();
    off.element.reviewsChanged();
    off.element.remove();
    expect(off.sent).to.deep.equal([]);
  });

  it("foresees the cards of each day while nothing is reviewed", () => {
    const day = (due: number, fresh: number) => ({ day: 0, due, fresh });
    const counts = { again: 1, due: 2, fresh: 3 };
    expect(cardsLeft({ counts, forecast: [day(4, 5), day(0, 5), day(1, 0)] }, 5)).to.deep.equal([6, 12, 12, 13]);
    expect(cardsLeft({ counts: { again: 0, due: 0, fresh: 0 }, forecast: [day(0, 0), day(2, 0)] }, 10)).to.deep.equal([0, 0, 2]);
  });
});

describe("the service worker's reminders", () => {
  function played(windows: string[] = []) {
    const listeners = new Map<string, (task: never) => void>();
    const did: unknown[] = [];
    const scope = {
      addEventListener: (name: string, listener: (task: never) => void) => listeners.set(name, listener),
      clients: {
        matchAll: async () => windows.map((url) => ({ url, focus: async () => did.push(`focused ${new URL(url).pathname}`) })),
        openWindow: async (path: string) => did.push(`opened ${path}`),
      },
      registration: {
        showNotification: async (title: string, { body, tag, dir }: NotificationOptions) => did.push({ title, body, tag, dir }),
      },
    };
    showReminders(scope as unknown as WorkerScope);
    const tell = async (name: string, task: object): Promise<unknown[]> => {
      let work: Promise<unknown> | undefined;
      const waitUntil = (promise: Promise<unknown>) => {
        work = promise;
      };
      listeners.get(name)?.({ ...task, waitUntil } as never);
      await work;
      return did;
    };
    return tell;
  }
  const click = { notification: { close: () => undefined } };

  it("show text alone, also of a message that is none of ours", async () => {
    const push = (text: string | null) => played()("push", { data: text === null ? null : { text: () => text } });
    const plain = { title: "Colloquy", body: "", tag: "reviews", dir: "ltr" };
    expect(
      await push(JSON.stringify({ title: "3 reviews are due", body: "Open", dir: "rtl", href: "https://evil.example" })),
    ).to.deep.equal([{ title: "3 reviews are due", body: "Open", tag: "reviews", dir: "rtl" }]);
    for (const text of [null, "", "null", "[1]", "{", JSON.stringify({ title: 7, body: "x".repeat(300), dir: "up" })])
      expect(await push(text), String(text)).to.deep.equal([plain]);
  });

  it("open the reviews, or show them where they are open", async () => {
    expect(await played()("notificationclick", click)).to.deep.equal(["opened /review"]);
    expect(await played([`${location.origin}/ai`])("notificationclick", click)).to.deep.equal(["opened /review"]);
    const windows = [`${location.origin}/ai`, `${location.origin}/review`];
    expect(await played(windows)("notificationclick", click)).to.deep.equal(["focused /review"]);
  });
});
