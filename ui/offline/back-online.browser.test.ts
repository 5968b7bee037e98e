import { expect } from "chai";
import { until } from "../workspace/testing/browser.ts";
import { dropNoteOnceOnline } from "./back-online.ts";
import { keptAttribute } from "./kept-pages.ts";

const at = "2026-11-21T08:00:00.000Z";
const pageOf = (account: string, kept = false) =>
  `<!doctype html><html${kept ? ` ${keptAttribute}="${at}"` : ""}><body><main><article data-account="${account}"></article></main></body></html>`;

describe("a kept page once the service is back", () => {
  const { fetch } = window;
  let main: HTMLElement;
  let note: HTMLElement;
  let answers: (() => Response)[];
  beforeEach(() => {
    document.documentElement.setAttribute(keptAttribute, at);
    main = document.body.appendChild(document.createElement("main"));
    main.innerHTML = '<p class="kept-note"></p><article data-account="acc_one"></article>';
    note = main.querySelector<HTMLElement>(".kept-note") ?? expect.fail("no note");
    window.fetch = async () => (answers.shift() ?? expect.fail("asked too often"))();
  });
  afterEach(() => {
    window.fetch = fetch;
    main.remove();
    document.documentElement.removeAttribute(keptAttribute);
  });
  const html = (text: string, status = 200) => new Response(text, { status, headers: { "content-type": "text/html" } });
  const away = [
    () => {
      throw new TypeError("nobody answers");
    },
    () => html("", 503),
    () => html(pageOf("acc_one", true)),
  ];

  it("loses its note and its reading position stays", async () => {
    answers = [...away, () => html(pageOf("acc_one"))];
    let reloaded = 0;
    void dropNoteOnceOnline(note, () => (reloaded += 1));
    await until(() => answers.length <= away.length, "the first question");
    expect(note.isConnected, "nobody answered yet").to.equal(true);
    await until(() => !note.isConnected, "no note", 40_000);
    expect([answers.length, reloaded, document.documentElement.hasAttribute(keptAttribute)]).to.deep.equal([0, 0, false]);
  });

  it("asks at once when online, and reloads for another account", async () => {
    answers = [...away.slice(0, 1), () => html(pageOf(""))];
    let reloaded = 0;
    const ended = dropNoteOnceOnline(note, () => (reloaded += 1));
    await until(() => answers.length <= 1, "the first question");
    dispatchEvent(new Event("online"));
    await ended;
    expect([reloaded, note.isConnected]).to.deep.equal([1, true]);
  });

  it("stays visible if the service no longer has it", async () => {
    answers = [() => html(pageOf(""), 404)];
    let reloaded = 0;
    await dropNoteOnceOnline(note, () => (reloaded += 1));
    expect([reloaded, note.isConnected]).to.deep.equal([0, false]);
  });
});
