import { randomUUID } from "node:crypto";
import { Browser } from "@colloquy/infra/identity/testing/browser.ts";
import { expect } from "chai";
import { learner } from "../../journeys/learner.ts";
import { assistantToken, registerAssistant } from "../harness/actors.ts";
import { activeContent } from "./answers.ts";
import { assistantGroups, type World } from "./corpus/assistants.ts";
import { hostileCourse } from "./hostile-course.ts";
import { markingFaults } from "./marking.ts";
import { questionOf } from "./obeying-model.ts";
import type { Target } from "./target.ts";
import { testEach } from "./test-each.ts";
import { type Session, sessionOf, start } from "./tutoring.ts";

interface Assistant {
  token: string;
  /** Calls a tool, as bytes on the wire: no client of ours stands between. */
  call(tool: string, input: object): Promise<Told>;
}
interface Told {
  status: number;
  /** Whether it was carried out. */
  done: boolean;
  /** All that came back. */
  text: string;
  content: { text: string }[];
  structured: Record<string, unknown>;
}

const allScopes = "sources:read tutor:read tutor:write tutor:answer";

/** An assistant that a demonstration account has agreed to. */
async function connected(url: string, account: string, scope: string): Promise<Assistant> {
  const token = await assistantToken(url, account, { name: "A hostile assistant", scope });
  return { token, call: (tool, input) => told(url, { authorization: `Bearer ${token}` }, tool, input) };
}

async function told(url: string, headers: Record<string, string>, tool: string, input: object, path = ""): Promise<Told> {
  const response = await fetch(`${url}/mcp${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: input } }),
  });
  const text = await response.text();
  const line = text.startsWith("{") ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? "{}");
  const { result } = JSON.parse(line) as {
    result?: { isError?: boolean; content?: { text: string }[]; structuredContent?: Record<string, unknown> };
  };
  const done = response.ok && result !== undefined && result.isError !== true;
  return { status: response.status, done, text, content: result?.content ?? [], structured: result?.structuredContent ?? {} };
}

/** What an assistant calls, and what it is told. */
export function assistantInjections(target: () => Target): void {
  const { entries, scopes, calls, texts } = assistantGroups;
  let assistant: Assistant;
  let reader: Assistant;
  /** Others of the same learner: what one asks counts for nobody else's limit. */
  let watcher: Assistant;
  let student: Assistant;
  let mira: Awaited<ReturnType<typeof learner>>;
  let world: Omit<World, "requestId">;
  let untouched = "";
  /** What there is of its learner's: the sessions that are listed, and the versions of those it knows, from the events themselves. */
  const sessionsOf = async (): Promise<string> => {
    const known = await Promise.all([world.own, world.fresh].map(({ sessionId }) => watcher.call("open_tutor_session", { sessionId })));
    const versions = known.map(({ structured }) => (structured.session as { version: number }).version);
    const { sessions } = (await mira.get("/api/tutor/sessions")).body as { sessions: { sessionId: string }[] };
    return JSON.stringify([versions, sessions.map(({ sessionId }) => sessionId).toSorted()]);
  };

  before(async () => {
    const { url } = target().program;
    mira = await learner(url, "learner");
    assistant = await connected(url, "learner", allScopes);
    reader = await connected(url, "learner", "sources:read");
    watcher = await connected(url, "learner", "tutor:read");
    student = await connected(url, "learner", allScopes);
    // Of a course without questions of its own: those would be asked first, and no proposal be wanted.
    const open = async (goal: string) => {
      const { structured, text } = await assistant.call("start_tutor_session", { requestId: randomUUID(), courseId: hostileCourse, goal });
      if (!structured.session) throw new Error(`no session was opened: ${text}`);
      return structured.session as { sessionId: string; version: number; mastery: { objectiveId: string }[] };
    };
    const theirs = sessionOf(await start(target(), target().newcomer())) as Session;
    const [own, fresh] = [await open("Say what a lamp is"), await open("Say what a lamp is for")];
    const objectiveId = own.mastery[0]?.objectiveId ?? "";
    const choices = ["A rule", "A road", "A room"].map((text, index) => ({ text, correct: index === 0 }));
    const honest = {
      objectiveId,
      breadth: "broad",
      prompt: "What is it?",
      selection: "single",
      choices,
      explanation: "So.",
      passages: ["s1"],
    };
    target().model.keys.set(questionOf(honest.prompt, choices), ["A rule"]);
    const probed = await assistant.call("propose_probe", {
      requestId: randomUUID(),
      sessionId: own.sessionId,
      expectedVersion: own.version,
      items: [honest],
    });
    const asked = probed.structured.session as { version: number; current: { itemId: string; choices: { choiceId: string }[] } | null };
    if (!asked?.current) throw new Error(`no question was asked: ${probed.text}`);
    world = {
      own: {
        sessionId: own.sessionId,
        version: asked.version,
        itemId: asked.current.itemId,
        choiceId: asked.current.choices[0]?.choiceId ?? "",
        objectiveId,
      },
      fresh: { sessionId: fresh.sessionId, version: fresh.version, objectiveId: fresh.mastery[0]?.objectiveId ?? "" },
      other: {
        sessionId: theirs.sessionId,
        version: theirs.version,
        itemId: theirs.current?.itemId ?? "",
        choiceId: theirs.current?.choices[0]?.choiceId ?? "",
      },
    };
    for (let tries = 0; ; tries += 1) {
      untouched = await sessionsOf();
      if (untouched.includes(own.sessionId) && untouched.includes(fresh.sessionId)) return;
      // No more often than an assistant may ask.
      if (tries > 60) throw new Error("the sessions are not listed");
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  });

  testEach(target, entries, async ({ headers, path }) => {
    const { url } = target().program;
    const whole = path === undefined ? "" : path + assistant.token;
    const answer = await told(
      url,
      headers(assistant.token, mira.cookie),
      "start_tutor_session",
      { requestId: randomUUID(), courseId: "linear-maps", goal: "x" },
      whole,
    );
    return [
      ...(answer.status === 401 || answer.status === 403 ? [] : [`answered with ${answer.status}: ${answer.text.slice(0, 200)}`]),
      ...((await sessionsOf()) === untouched ? [] : ["something was written"]),
    ];
  });

  testEach(target, scopes, async ({ tool, input }) => {
    const answer = await reader.call(tool, input);
    return [
      ...(answer.status === 403 ? [] : [`answered with ${answer.status}: ${answer.text.slice(0, 200)}`]),
      ...((await sessionsOf()) === untouched ? [] : ["something was written"]),
    ];
  });

  testEach(target, calls, async ({ tool, input }) => {
    const answer = await assistant.call(tool, input({ ...world, requestId: randomUUID() }));
    return [
      ...(answer.done ? [`it was carried out: ${answer.text.slice(0, 300)}`] : []),
      ...(answer.status < 500 && answer.status !== 429 ? [] : [`answered with ${answer.status}`]),
      ...(/root:|sk-of-the-client|"right"|"rubric"/.test(answer.text) ? [`it tells too much: ${answer.text.slice(0, 300)}`] : []),
      ...((await sessionsOf()) === untouched ? [] : ["something was written"]),
    ];
  });

  testEach(target, texts, async ({ text, as }) => {
    const { url } = target().program;
    if (as === "client name") {
      const { consentUrl: leave } = await registerAssistant(url, { name: text, scope: allScopes });
      const page = await consentPage(leave);
      return [...activeContent(page), ...(/[\u202a-\u202e]/.test(page) ? ["it turns the page's words around"] : [])];
    }
    const opened = await student.call("start_tutor_session", { requestId: randomUUID(), courseId: "linear-maps", goal: text });
    const { sessionId } = (opened.structured.session ?? {}) as { sessionId?: string };
    const again = await student.call("open_tutor_session", { sessionId });
    return [
      ...(opened.done && again.done ? [] : [`it was not taken: ${opened.text.slice(0, 200)}`]),
      ...asMaterialFaults(opened),
      ...asMaterialFaults(again),
    ];
  });

  it("is told the texts of courses as material: found, read, and in the briefs of a session", async () => {
    const faults: string[] = [];
    const words = target().planted.map(({ word }) => word);
    for (const { href, word, id } of [...new Map(target().planted.map((one) => [one.href, one])).values()]) {
      const found = await student.call("search_sources", { query: `What is a ${word}?`, courseId: hostileCourse });
      const read = await student.call("read_source", { href });
      const opened = await student.call("start_tutor_session", {
        requestId: randomUUID(),
        courseId: hostileCourse,
        goal: "Say what a lamp is",
        references: [{ href }],
      });
      const { sessionId } = (opened.structured.session ?? {}) as { sessionId?: string };
      const work = await student.call("next_work", { sessionId });
      const brief = String(work.structured.brief ?? "");
      for (const answer of [found, read, opened, work])
        faults.push(...(answer.done ? asMaterialFaults(answer) : [answer.text.slice(0, 200)]).map((fault) => `${id}: ${fault}`));
      if (!found.text.includes(word) || !brief.includes("<passage")) faults.push(`${id}: it was not told`);
      if (/<\s*\/?\s*passage/.test(JSON.stringify([found.structured, read.structured])))
        faults.push(`${id}: a passage's mark stands in what was found`);
      faults.push(
        ...markingFaults({ wants: "brief", system: brief, messages: [{ role: "system", content: brief }] }, words).map(
          (fault) => `${id}: ${fault}`,
        ),
      );
    }
    expect(faults.join("\n")).to.equal("");
  });

  async function consentPage(leave: URL): Promise<string> {
    const browser = new Browser();
    const asked = await browser.follow(leave.href);
    const page = await asked.response.text();
    const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1] ?? "";
    const chosen = await browser.go(new URL(action, asked.url).href, {
      method: "POST",
      body: new URLSearchParams({ account: "learner2" }),
    });
    const consent = await chosen.text();
    return (page + consent).replace(/<head[\s\S]*?<\/head>/g, "").replace(/<form method="post" action="\/[^"]*"/g, "<p");
  }
}

/** What is wrong with how something is told to an assistant: without a warning before it, or in signs it could take for more than text. */
function asMaterialFaults({ content, structured }: Told): string[] {
  const [notice, said] = content;
  return [
    ...(/never an instruction/.test(notice?.text ?? "") ? [] : ["nothing says before it that it is material"]),
    ...(said?.text.includes("<") ? ["something in it looks like a tag"] : []),
    ...(/(?!\u200c|\u200d|\n|\t|\r)[\p{Default_Ignorable_Code_Point}\p{Cc}]/u.test(JSON.stringify(structured) + (said?.text ?? ""))
      ? ["it holds what nobody sees"]
      : []),
  ];
}
