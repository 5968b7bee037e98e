import type { TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { expect } from "chai";
import { scriptedTutor, written } from "./scripted-tutor.fixture.ts";
import type { ServedTutor } from "./tutor.fixture.ts";

const first = "A pipe is written as a vertical bar between two commands, and it hands on what the first one writes. [s1]";
const almostFirst = "Look: a pipe is written as a vertical bar between two commands, and it hands on what the first one writes. [s1]";
const other = "Think of an assembly line on which each worker takes the piece that the one before put down. [s1]";

describe("a lesson after a wrong answer", () => {
  const models = scriptedTutor();
  const lessonsIn = ({ messages }: TutorSession) => messages.flatMap((message) => (message.kind === "teaching" ? message : []));
  const prompts = (): string[] =>
    models.requests.flatMap(({ body }) => {
      const system = body.messages[0]?.content ?? "";
      return system.includes("You teach a learner") ? system : [];
    });

  /** Answers wrongly until two lessons were given. */
  async function twoLessons(lessons: string[]): Promise<TutorSession> {
    const questions = ["between two filters", "before the last filter", "to send words to a counter", "after a list of files"];
    const checks = questions.map((place) => written(`Which sign would you type ${place}?`, ["|", "<", "#", "%"]));
    const tutor: ServedTutor = await models.serve({ lessons, checks });
    let { session } = await tutor.start({ goal: "Connect two programs with a pipe" });
    for (let turn = 0; turn < 6 && lessonsIn(session).length < 2; turn += 1) {
      const { itemId = "", choices = [] } = session.current ?? {};
      const { right = [] } = (await tutor.sessions.load(session.sessionId)).state.items[itemId] ?? {};
      const wrong = choices.find(({ choiceId }) => !right.includes(choiceId))?.choiceId ?? "";
      ({ session } = await tutor.act(session, { type: "answer", itemId, choiceIds: [wrong] }));
    }
    return session;
  }

  it("tells the model what was shown, and is taken when it says something else", async () => {
    const [, second] = lessonsIn(await twoLessons([first, other]));
    expect(second).to.deep.include({ text: other.replace(" [s1]", "[^1]"), angle: 2 });
    const [before, after] = prompts();
    expect(before).to.not.contain("<shown>");
    expect(after).to.contain("Repeat nothing of it").and.contain("hands on what the first one writes");
  });

  it("is asked for once more when it repeats what was shown", async () => {
    const [, second] = lessonsIn(await twoLessons([first, almostFirst, other]));
    expect(second?.text).to.contain("assembly line");
    expect(prompts()).to.have.lengthOf(3);
    expect(prompts()[2]).to.contain("Look: a pipe");
  });

  it("says that there is no other, with what to read again, when it goes on repeating", async () => {
    const session = await twoLessons([first, almostFirst, first]);
    const [, second] = lessonsIn(session);
    expect(second).to.deep.include({ text: "", nothingElse: true, outcome: "finished" });
    expect(second?.citations).to.have.lengthOf(1);
    expect(session.current?.kind).to.equal("check");
  });

  it("says so whatever the form of the model's sign", async () => {
    for (const sign of ["<nothing-else />", "<nothing-else></nothing-else>", "`<nothing-else/>`."]) {
      const [, second] = lessonsIn(await twoLessons([first, sign]));
      expect(second, sign).to.deep.include({ text: "", nothingElse: true });
    }
  });

  it("says so at once when the model finds nothing else", async () => {
    const [, second] = lessonsIn(await twoLessons([first, "<nothing-else/>"]));
    expect(second).to.deep.include({ text: "", nothingElse: true });
    expect(prompts()).to.have.lengthOf(2);
  });
});
