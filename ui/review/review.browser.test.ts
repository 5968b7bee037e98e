import type { ErrorCode } from "@colloquy/schemas/errors.ts";
import { partId } from "@colloquy/schemas/questions/shown.ts";
import type { ReviewAnswerReply, ReviewAnswerRequest, ReviewAsk, ReviewCard, ReviewResponse } from "@colloquy/schemas/review/requests.ts";
import type { Change } from "@colloquy/schemas/sync/changes.ts";
import { expect } from "chai";
import { html } from "lit";
import type { StreamState } from "../api/event-stream.ts";
import { clientProblem, RequestFailed } from "../api/problems.ts";
import { type AccountStore, memoryTables } from "../store/account-store.ts";
import { Emitter } from "../store/emitter.ts";
import { type PersonalDomain, type PersonalStates, personalAfter, personalKey } from "../store/personal-fold.ts";
import { countUnsavedWork } from "../store/unsaved-work.ts";
import { expectAccessible, loadTheme, mount, unmountAll, until } from "../workspace/testing/browser.ts";
import { Reviewing } from "./reviewing.ts";
import "./review.ts";
import type { Review } from "./review.ts";
import { daysToReview, leftToday } from "./review-days.ts";

const noon = Date.UTC(2026, 10, 21, 12);
const card = (name: string, more: Partial<ReviewCard> = {}): ReviewCard => ({
  itemId: `item-${name}`,
  formerIds: [],
  kind: "objective",
  courseId: "course-01",
  courseTitle: "The Shell",
  topicTitle: "Pipes",
  language: "en",
  href: "/courses/course-01/pipes",
  title: `Do ${name}`,
  metAt: "2026-11-20T10:00:00Z",
  questions: [
    {
      prompt: `What of ${name}?`,
      choices: [
        { text: "This", right: true },
        { text: "That", right: false },
      ],
    },
  ],
  answer: [{ href: "/courses/course-01/pipes#block-1", title: "Pipes", text: "A pipe joins two programs.", format: "plain" }],
  ...more,
});

/** A question of the course's own, and how the service marks "Programs". */
const key = {
  kind: "single" as const,
  level: "recall" as const,
  about: [],
  place: "page" as const,
  markdown: "What does a pipe join?",
  hints: [],
  choices: [
    { markdown: "Programs", correct: true, feedback: "Each reads the other." },
    { markdown: "Files", correct: false, feedback: "A file is joined by `cat`." },
  ],
};
const ask: ReviewAsk = {
  blockId: "block-q1",
  digest: "a".repeat(64),
  question: {
    kind: "single",
    markdown: key.markdown,
    choices: key.choices.map(({ markdown }) => ({ id: partId(markdown), markdown })),
  },
};
const marked = (correct: boolean, evidence: Partial<NonNullable<ReviewAnswerReply["evidence"]>> | null = {}): ReviewAnswerReply => ({
  schemaVersion: 1,
  correct,
  key,
  explanation: "Standard output becomes standard input.",
  evidence: evidence && { sessionId: "session-1", receipt: 7, before: "provisional", standing: "provisional", ...evidence },
  position: null,
});

/** The first card, rated on another device. */
const ratedThere: Change = {
  changeId: "change-there",
  domain: "review",
  entityId: "item-one",
  type: "reviewed",
  at: new Date(noon).toISOString(),
  data: { courseId: "course-01", rating: 3 },
};

/** Review over a service and a library that are played, and the changes that were made; `unread`: this browser has read none of the account's. */
async function review(cards: ReviewCard[], more: Partial<ReviewResponse> & { gone?: boolean; unread?: boolean } = {}) {
  const made: Change[] = [];
  const states = new Map<string, PersonalStates[PersonalDomain] | null>();
  const events = new Emitter<{ personal: { domains: ReadonlySet<PersonalDomain> }; summaries: undefined; connection: StreamState }>();
  const clock = { now: noon };
  const service = {
    gone: more.gone ?? false,
    cards,
    answers: [] as ReviewAnswerRequest[],
    /** What is answered to the next ones; a code for a problem. */
    replies: [] as (ReviewAnswerReply | ErrorCode)[],
  };
  const take = (change: Change) => {
    const domain = change.domain as "review";
    const key = personalKey(change);
    states.set(key, personalAfter(domain, (states.get(key) ?? null) as PersonalStates["review"] | null, change));
    events.emit("personal", { domains: new Set([domain]) });
  };
  const library = {
    events,
    loaded: !more.unread,
    connection: "connecting" as StreamState,
    replica: {
      cursor: more.unread ? "0" : "7",
      personal: (domain: PersonalDomain, entityId: string) => states.get(personalKey({ domain, entityId })) ?? null,
      allPersonal: () =>
        new Map([...states].flatMap(([key, state]) => (key.startsWith("review ") && state ? [[key.slice(7), state] as const] : []))),
    },
    commitPersonal: async (changes: Omit<Change, "changeId" | "at">[]) =>
      changes.map((one) => {
        const change = { ...one, changeId: `change-${made.length}`, at: new Date(clock.now).toISOString() };
        made.push(change);
        take(change);
        return change.changeId;
      }),
  };
  const api = {
    review: async () => {
      if (service.gone) throw new RequestFailed(clientProblem("unavailable"));
      return { schemaVersion: 1 as const, cards: service.cards, retired: more.retired ?? [], more: false };
    },
    send: async (_address: string, { body }: RequestInit) => {
      service.answers.push(JSON.parse(String(body)));
      const reply = service.replies.shift() ?? "unavailable";
      if (typeof reply !== "string") return new Response(JSON.stringify(reply));
      return new Response(JSON.stringify(clientProblem(reply, { status: 409 })), {
        status: 409,
        headers: { "content-type": "application/problem+json" },
      });
    },
  };
  const needs = { api, library, store: memoryTables(), now: () => clock.now, zone: "UTC" } as unknown as ConstructorParameters<
    typeof Reviewing
  >[0];
  const reviewing = new Reviewing(needs);
  await reviewing.open();
  const element = await mount<Review>(html`<colloquy-review class="review" .reviewing=${reviewing}></colloquy-review>`);
  return { element, reviewing, made, take, clock, service, library, needs };
}

const words = (element: Element, selector: string) => element.querySelector(selector)?.textContent?.replaceAll(/\s+/g, " ").trim();
const button = (element: Element, text: string) =>
  [...element.querySelectorAll("button")].find((one) => one.textContent?.includes(text)) as HTMLButtonElement;
const press = (element: Element, key: string) =>
  (document.activeElement?.closest("colloquy-review") ? document.activeElement : element)?.dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true }),
  );
const asks = (element: Element, text: string) => until(() => words(element, "h2")?.includes(text), `asks ${text}`);

describe("the day's review", () => {
  before(loadTheme);
  afterEach(unmountAll);

  it("asks, reveals and rates by keys, with the focus on the shown part", async () => {
    const { element, made } = await review([card("one"), card("two")]);
    await asks(element, "What of one?");
    expect(element.textContent).to.not.include("A pipe joins").and.not.include("Right");
    await expectAccessible(element);
    press(element.querySelector(".asked") as Element, "3");
    expect(made, "nothing is rated before the answer was seen").to.deep.equal([]);
    press(element.querySelector(".asked") as Element, " ");
    await until(() => document.activeElement?.id === "review-answer", "the answer has the keyboard");
    expect(words(element, "blockquote")).to.equal("A pipe joins two programs.");
    expect(words(element, ".choices .right")).to.equal("This Right");
    expect([...element.querySelectorAll(".grade")].map((one) => one.querySelector(".visually-hidden")?.textContent)).to.deep.equal([
      "due in 10 minutes",
      "due in 15 minutes",
      "due in 2 days",
      "due in 8 days",
    ]);
    await expectAccessible(element);
    press(element, "3");
    press(element, "3");
    await asks(element, "What of two?");
    expect(made.map(({ entityId, type, data }) => [entityId, type, data.rating])).to.deep.equal([["item-one", "reviewed", 3]]);
    await until(() => document.activeElement?.classList.contains("asked"), "the next question has the keyboard");
    expect(words(element, ".how-far p")).to.include("1 of 2");
  });

  it("reveals by Space after navigation, before anything has the focus", async () => {
    const { element } = await review([card("one")]);
    await asks(element, "What of one?");
    (document.activeElement as HTMLElement | null)?.blur();
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true, cancelable: true }));
    await until(() => words(element, "blockquote") === "A pipe joins two programs.", "the answer");
  });

  it("asks the course's own question, shows how it was marked and what it did to mastery", async () => {
    const { element, made, service } = await review([card("one", { ask }), card("two")]);
    await asks(element, "Do one");
    await until(() => element.querySelectorAll("label.choice").length === 2, "the choices");
    await expectAccessible(element);
    press(element.querySelector(".asked") as Element, " ");
    expect(element.querySelector(".answer"), "Space belongs to the choices").to.equal(null);
    service.replies.push(marked(true, { standing: "confirmed" }));
    element.querySelector<HTMLElement>("label.choice input")?.click();
    const chosen = element.querySelector("label.choice input:checked");
    chosen?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
    await until(() => document.activeElement?.id === "review-marked", "what it did has the keyboard");
    expect(words(element, "#review-marked")).to.equal("This confirms that you have mastered it.");
    expect(service.answers.map(({ objectiveId, blockId, response }) => [objectiveId, blockId, response])).to.deep.equal([
      ["item-one", "block-q1", { choiceIds: [partId("Programs")] }],
    ]);
    expect(words(element, ".outcome"))
      .to.include("Right")
      .and.include("Each reads the other.")
      .and.include("Standard output")
      .and.not.include("cat");
    expect(words(element, "blockquote")).to.equal("A pipe joins two programs.");
    const place = element.querySelector<HTMLElement>("figcaption a") as HTMLElement;
    scrollTo(0, 0);
    place.focus();
    const [link, ratings] = [place, element.querySelector(".grades") as Element].map((one) => one.getBoundingClientRect());
    expect(link?.bottom, "the ratings cover no link that has the focus").to.be.at.most(ratings?.top ?? 0);
    await expectAccessible(element);
    press(element, "3");
    await asks(element, "What of two?");
    expect(made.map(({ type }) => type)).to.deep.equal(["reviewed"]);
  });

  for (const [name, correct, evidence, told] of [
    ["keeps mastery provisional", true, {}, /stays provisional/],
    ["opens mastery again", false, { standing: "none" }, /open again/],
    ["is recorded", false, { before: "none", standing: "none" }, /recorded as evidence/],
    ["counts nowhere", true, null, /counts in no tutoring session/],
  ] as const)
    it(`says that an answer ${name}`, async () => {
      const { element, service } = await review([card("one", { ask })]);
      await until(() => element.querySelector("label.choice"), "the choices");
      service.replies.push(marked(correct, evidence));
      element.querySelectorAll<HTMLElement>("label.choice input")[correct ? 0 : 1]?.click();
      element.querySelector("form")?.requestSubmit();
      await until(() => element.querySelector("#review-marked"), "marked");
      expect(words(element, "#review-marked")).to.match(told);
    });

  for (const [correct, rating] of [
    [true, 3],
    [false, 1],
  ] as const)
    it(`rates a marked answer that is ${correct ? "right" : "wrong"} by itself, and offers to change that`, async () => {
      const { element, service, made } = await review([card("one", { ask })]);
      await until(() => element.querySelector("label.choice input"), "the choices");
      element.querySelector<HTMLInputElement>("label.choice input")?.click();
      service.replies.push(marked(correct));
      await element.updateComplete;
      element.querySelector("form")?.requestSubmit();
      await until(() => element.querySelector("#review-marked"), "marked");
      expect(element.querySelector<HTMLDetailsElement>("details:has(.grades)")?.open).to.equal(false);
      element.querySelector<HTMLElement>(".reveal .button-primary")?.click();
      await until(() => made.length > 0, "rated");
      expect(made[0]?.data).to.include({ rating });
    });

  it("keeps what was given to a question when the page is loaded again", async () => {
    const { element, needs } = await review([card("one", { ask })]);
    await until(() => element.querySelector("label.choice input"), "the choices");
    element.querySelector<HTMLInputElement>("label.choice input")?.click();
    await element.updateComplete;
    element.remove();
    const again = new Reviewing(needs);
    await again.open();
    const other = await mount<Review>(html`<colloquy-review class="review" .reviewing=${again}></colloquy-review>`);
    await until(() => other.querySelector("colloquy-question input:checked"), "the choice");
  });

  it("sends an answer again under the same id, and shows the course's answer where it cannot be marked", async () => {
    const { element, service, needs } = await review([card("one", { ask })]);
    await until(() => element.querySelector("label.choice"), "the choices");
    element.querySelector<HTMLElement>("label.choice input")?.click();
    for (const count of [1, 2]) {
      element.querySelector("form")?.requestSubmit();
      await until(() => service.answers.length === count && element.querySelector("[role=alert]"), "says why");
    }
    expect(new Set(service.answers.map(({ requestId }) => requestId)).size).to.equal(1);
    button(element, "Show the answer").click();
    await until(() => document.activeElement?.id === "review-answer", "shown");
    expect(element.querySelector<HTMLInputElement>("label.choice input")?.checked, "what was chosen stays").to.equal(true);
    await expectAccessible(element);
    const unchecked = async () => (await countUnsavedWork(needs.store as AccountStore)).answers;
    expect(await unchecked()).to.equal(1);
    press(element, "1");
    await until(async () => (await unchecked()) === 0, "nothing to check any more");
  });

  it("says to check the spelling, and sends what stands then to be marked as it stands", async () => {
    const { element, service } = await review([card("one", { ask: { ...ask, question: { kind: "text", markdown: "Name it." } } })]);
    await until(() => element.querySelector(".field input"), "the field");
    const field = element.querySelector<HTMLInputElement>(".field input") as HTMLInputElement;
    field.value = "filtr";
    field.dispatchEvent(new Event("input", { bubbles: true }));
    service.replies.push("check_spelling", marked(false));
    element.querySelector("form")?.requestSubmit();
    await until(() => element.querySelector("[role=alert]")?.textContent?.startsWith("Almost: check the spelling"), "told");
    expect(element.querySelector<HTMLInputElement>(".field input")?.value).to.equal("filtr");
    element.querySelector("form")?.requestSubmit();
    await until(() => element.querySelector("#review-marked"), "marked");
    expect(service.answers.map(({ confirmed }) => confirmed)).to.deep.equal([undefined, true]);
  });

  it("asks the next question where this one was answered in another window", async () => {
    const { element, service } = await review([card("one", { ask })]);
    await until(() => element.querySelector("label.choice"), "the choices");
    service.replies.push("wrong_phase");
    service.cards = [card("one", { ask: { ...ask, blockId: "block-q2", question: { kind: "text", markdown: "Name it." } } })];
    element.querySelector<HTMLElement>("label.choice input")?.click();
    element.querySelector("form")?.requestSubmit();
    await until(() => element.querySelector(".field input"), "the next one");
    expect(element.querySelector<HTMLInputElement>(".field input")?.value).to.equal("");
    expect(element.querySelector("[role=alert]")).to.not.equal(null);
  });

  it("recalls stored cards where the service that marks cannot be reached", async () => {
    const { element, reviewing, service } = await review([card("one", { ask }), card("two", { ask })]);
    await asks(element, "Do one");
    service.gone = true;
    await reviewing.refresh();
    await asks(element, "Do one");
    button(element, "Not today").click();
    await asks(element, "What of two?");
  });

  it("undoes the last rating, postponement or suspension", async () => {
    const { element, made } = await review([card("one"), card("two")]);
    expect(button(element, "Undo")).to.equal(undefined);
    button(element, "Not today").click();
    await asks(element, "What of two?");
    press(element.querySelector(".asked") as Element, "u");
    await asks(element, "What of one?");
    button(element, "Suspend").click();
    await asks(element, "What of two?");
    expect(words(element, ".below summary")).to.equal("1 suspended card");
    button(element, "Resume").click();
    await until(() => words(element, ".how-far p")?.includes("0 of 2"), "asked again");
    expect(made.map(({ type }) => type)).to.deep.equal(["buried", "resumed", "suspended", "resumed"]);
  });

  it("asks a forgotten card again and ends with the next review date", async () => {
    const { element } = await review([card("one"), card("two")]);
    const rate = async (key: string) => {
      press(element.querySelector(".asked") as Element, " ");
      await until(() => document.activeElement?.id === "review-answer", "shown");
      press(element, key);
      await until(() => !element.querySelector(".answer"), "rated");
    };
    await rate("1");
    await asks(element, "What of two?");
    await rate("3");
    await asks(element, "What of one?");
    await rate("4");
    await until(() => words(element, "h2") === "Done for today", "done");
    expect(words(element, ".standing p")).to.match(/^You recalled 2 cards today\. The next (one comes|2 come) (tomorrow|on \w+)\.$/);
    expect(element.querySelectorAll(".week li")).to.have.length(7);
    await expectAccessible(element);
  });

  it("says that ratings do not change mastery, and sets the daily amount", async () => {
    const { element, made, reviewing } = await review([card("one")]);
    expect(words(element, ".below p")).to.match(/only schedule your reviews/);
    const field = element.querySelector<HTMLInputElement>("input[type=number]") as HTMLInputElement;
    (element.querySelector(".how-much") as HTMLDetailsElement).open = true;
    await expectAccessible(element);
    field.value = "9999";
    field.dispatchEvent(new Event("change"));
    expect([field.value, reviewing.newPerDay]).to.deep.equal(["50", 50]);
    const select = element.querySelector("select") as HTMLSelectElement;
    select.value = "0.97";
    select.dispatchEvent(new Event("change"));
    expect(reviewing.retention).to.equal(0.97);
    expect(made.every(({ domain }) => domain === "preferences")).to.equal(true);
  });

  it("moves on when the card was rated on another device", async () => {
    const { element, take } = await review([card("one"), card("two")]);
    press(element.querySelector(".asked") as Element, " ");
    await until(() => element.querySelector(".answer"), "shown");
    take(ratedThere);
    await asks(element, "What of two?");
    expect(element.querySelector(".answer")).to.equal(null);
  });

  it("waits for other devices' ratings in a new browser", async () => {
    const { element, reviewing, take, library, needs } = await review([card("one"), card("two")], { unread: true });
    const looks = () => words(element, "[role=status]") === "Loading your cards…";
    expect([reviewing.cards?.length, reviewing.queue, looks()]).to.deep.equal([2, null, true]);
    expect(await leftToday(needs)).to.equal(null);
    const days = daysToReview(needs, ["item-one", "item-two"]);
    take(ratedThere);
    await element.updateComplete;
    expect([reviewing.queue, looks()]).to.deep.equal([null, true]);
    library.loaded = true;
    library.events.emit("summaries");
    await asks(element, "What of two?");
    expect(words(element, ".how-far p")).to.include("1 of 2");
    expect([...(await days)])
      .to.deep.equal([...(await daysToReview(needs, ["item-one", "item-two"]))])
      .and.not.deep.equal([]);
    expect(await leftToday(needs)).to.equal(1);
  });

  it("asks stored cards offline, and continues when online again", async () => {
    const { element, reviewing, library, take } = await review([card("one"), card("two")], { unread: true });
    const become = (state: StreamState) => {
      library.connection = state;
      library.events.emit("connection", state);
    };
    become("waiting");
    await asks(element, "What of one?");
    become("connecting");
    expect(reviewing.queue?.left).to.have.length(2);
    take(ratedThere);
    await asks(element, "What of two?");
  });

  it("offers a next step when empty and when unreachable", async () => {
    const empty = await review([]);
    expect(words(empty.element, "h2")).to.equal("Nothing to review yet");
    await expectAccessible(empty.element);
    unmountAll();
    const gone = await review([card("one")], { gone: true });
    expect(words(gone.element, "h2")).to.equal("Your cards cannot be loaded right now");
    gone.service.gone = false;
    button(gone.element, "Try again").click();
    await asks(gone.element, "What of one?");
    gone.service.gone = true;
    await gone.reviewing.refresh();
    await until(() => words(gone.element, ".where")?.includes("stored in this browser"), "says so");
    expect(words(gone.element, "h2")).to.equal("What of one?");
  });

  it("lists retired cards with the reason", async () => {
    const gone = { topicTitle: "Pipes", courseTitle: "The Shell", reason: "deleted" as const };
    const retired = [
      { itemId: "item-gone", kind: "objective" as const, title: "Do what is gone", ...gone },
      { itemId: "point-gone", kind: "key-point" as const, title: "A filter reads *lines*.", ...gone },
    ];
    const { element } = await review([card("one")], { retired });
    const told = [...element.querySelectorAll(".below li")].map((row) => row.textContent?.replace(/\s+/g, " ").trim());
    expect(told).to.deep.equal(["Do what is goneRemoved from The Shell", "Key point of PipesA filter reads lines. Removed from The Shell"]);
    expect(element.querySelector(".below li em")?.textContent).to.equal("lines");
  });

  it("counts today's cards for the menu from the store alone", async () => {
    const { needs, reviewing, service } = await review([card("one"), card("two")]);
    service.gone = true;
    expect(await leftToday(needs)).to.equal(2);
    const [first] = reviewing.queue?.left ?? [];
    if (first) await reviewing.rate(first, 4, 1_000);
    expect(await leftToday(needs)).to.equal(1);
    expect(await leftToday({ ...needs, store: memoryTables() as never })).to.equal(null);
  });

  it("gives the tutor's summary the same days", async () => {
    const { needs, reviewing } = await review([card("one"), card("two")]);
    const [first] = reviewing.queue?.left ?? [];
    if (first) await reviewing.rate(first, 4, 1_000);
    expect([...(await daysToReview(needs, ["item-one", "item-two", "item-other"]))]).to.deep.equal([
      ["item-one", 8],
      ["item-two", 0],
    ]);
  });
});
