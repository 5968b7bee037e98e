import { emphases } from "@colloquy/schemas/explainers/storyboard.ts";
import { filmSeconds } from "@colloquy/schemas/explainers/timing.ts";
import { sceneContent } from "@colloquy/schemas/generation/storyboard.ts";
import { expect } from "chai";
import { type DrawnFilm, drawn as drawnFilm, filmedTopics, promptOf } from "../../../../checks/films/drawn.fixture.ts";
import { makeReview } from "../objects/review.ts";
import { makeStoryboard } from "../objects/storyboard.ts";
import { shortTitle } from "./board.ts";

describe("a title of a film", () => {
  it("ends where a title could when the topic's is too long for one", () => {
    expect(shortTitle("Linear maps")).to.equal("Linear maps");
    expect(shortTitle("Working with files: how to copy, move and delete them in the shell, slowly")).to.equal("Working with files");
    expect(shortTitle("Working with files and directories in the shell on a machine that is of nobody")).to.equal(
      "Working with files and directories in the shell on a machine",
    );
    expect(shortTitle("W".repeat(90))).to.have.length(64);
  });
});

describe("films that the demonstration model draws up of whole courses", function () {
  this.timeout(240_000);
  const drawn: DrawnFilm[] = [];
  before(async () => {
    for (const courseId of ["linear-maps", "learning-to-learn"])
      for (const topic of await filmedTopics(courseId))
        for (const emphasis of emphases) {
          const film = drawnFilm(topic, emphasis);
          if (film) drawn.push(film);
        }
  });

  it("keep every rule of the application and pass a second look, or say why there is none", () => {
    let accepted = 0;
    for (const { topic, emphasis, board, scenes, found } of drawn) {
      const what = `${topic.title}, ${emphasis}`;
      expect(board.scenes.length > 0, what).to.equal(board.refusal === "");
      expect(found, what).to.deep.equal([]);
      if (board.refusal) continue;
      expect(scenes.length, what).to.equal(board.scenes.length);
      accepted += 1;
    }
    console.log(`      ${accepted} of ${drawn.length} films drawn up and accepted, the others refused with a reason`);
    // Pages of few pictures, examples and key points are refused, and so is each emphasis that a page does not serve.
    expect(accepted).to.be.at.least(6);
  });

  it("say whole sentences that point nowhere, and show nothing that was cut out of one", () => {
    for (const { board, passages } of drawn) {
      const said = passages.map(({ text }) => text.toLowerCase().replaceAll(/[$`]/g, "").replace(/\s+/g, " ")).join("\n");
      for (const { narration, points, heading } of board.scenes) {
        expect(narration, heading).to.match(/^[\p{Lu}\p{N}"“'(`$*.<>|\p{Ll}-].*[.!?]["'”’)]*$/su);
        expect(narration).to.not.match(/\b(?:above|below|previous section|next chapter|exercise)\b|^(?:This|These|It is|They|So|But)\b/);
        // Up to where the sentence, or its part, ends.
        for (const point of points)
          expect(said.split(point.toLowerCase()).slice(1).join("¶"), point).to.match(/^(?:[.;:,]|\n|$)|¶(?:[.;:,]|\n|$)/);
      }
    }
  });

  it("show more than sentences in at least half of their scenes", () => {
    for (const { board, topic } of drawn) {
      const between = board.scenes.slice(1, -1);
      const shown = between.filter(({ layout }) => layout !== "points" && layout !== "recap");
      expect(shown.length * 2, topic.title).to.be.at.least(between.length);
    }
  });

  it("are what their emphasis promises", () => {
    for (const { board, emphasis, topic } of drawn) {
      const between = board.scenes.slice(1, -1);
      if (between.length === 0) continue;
      const layouts = between.map(({ layout }) => layout);
      if (emphasis === "intuition") expect(["diagram", "figure", "plot", "trace", "table", "compare"], topic.title).to.include(layouts[0]);
      if (emphasis === "exam-recap") expect(layouts, topic.title).to.include("recap");
    }
  });

  it("name the emphases that a refused page has enough for", () => {
    const refused = drawn.find(({ topic, emphasis }) => topic.title.startsWith("One map after") && emphasis === "common-mistakes");
    expect(refused?.board.refusal).to.equal(
      "This page has no mistake that can be shown with its correction. Choose “Intuition” or “Worked example” or “Exam recap” instead: the page has enough for that.",
    );
  });

  it("end with a question that leaves the film within its minute", () => {
    for (const { board, topic } of drawn)
      if (board.scenes.length > 0) expect(filmSeconds(board.scenes.map(sceneContent)), topic.title).to.be.at.most(60);
  });

  it("use the layouts that the text calls for, and another film for another emphasis", () => {
    const layouts = new Set(drawn.flatMap(({ board }) => board.scenes.map(({ layout }) => layout)));
    expect([...layouts]).to.include.members(["title", "points", "formula", "diagram", "recap", "question"]);
    const byTopic = Map.groupBy(drawn, ({ topic }) => topic.topicId);
    for (const [topicId, films] of byTopic) {
      const said = films.flatMap(({ board }) => (board.refusal ? [] : board.scenes.map(({ narration }) => narration).join(" ")));
      if (said.length === emphases.length) expect(new Set(said).size, topicId).to.be.at.least(3);
    }
  });

  it("say something that no film of the topic for an emphasis before it says", () => {
    for (const films of Map.groupBy(drawn, ({ topic }) => topic.topicId).values()) {
      const said = films.flatMap(({ board }) => (board.refusal ? [] : [board.scenes.slice(1, -1).map(({ narration }) => narration)]));
      for (const [index, own] of said.entries())
        for (const other of said.slice(0, index)) expect(other, films[0]?.topic.title).to.not.include.members(own);
    }
  });

  it("ask what the film or its topic says, with wrong choices of its own", () => {
    for (const { topic, board } of drawn) {
      const question = board.scenes.at(-1);
      if (!question) continue;
      expect(
        question.choices.filter(({ correct }) => correct),
        topic.title,
      ).to.have.length(1);
      expect(question.choices.length).to.be.within(3, 4);
      expect(question.explanation).to.match(/^The course says: “/);
      expect(question.question).to.not.match(/^Which of these statements is/);
      expect(/\bwrong\?$/.test(question.question), question.question).to.equal(/\bis wrong\b/.test(question.narration));
    }
  });
});

describe("a film that the demonstration model draws up of a German course", () => {
  const passage = (id: string, kind: string, title: string, ...sentences: string[]) =>
    `<passage id="${id}" kind="${kind}" title="${title}" trail="Lernen › Erinnern › ${title}">\n${sentences.join(kind === "prose" ? " " : "\n")}\n</passage>`;
  const passages = [
    passage(
      ...(["s1", "prose", "Erinnern", "Erinnern ist das Abrufen von Wissen aus dem Gedächtnis."] as const),
      "Wer sich an etwas erinnert, stärkt die Spur dorthin.",
      "Ein gelesener Text fühlt sich vertraut an, aber Vertrautheit ist kein Wissen.",
    ),
    passage(
      ...(["s2", "prose", "Abstand", "Verteiltes Üben wirkt besser als langes Üben an einem Tag."] as const),
      "Zwischen zwei Übungen vergisst das Gehirn einen Teil des Stoffs.",
      "Der beste Abstand wächst mit jeder Wiederholung.",
    ),
    passage(
      ...(["s3", "prose", "Mischen", "Gemischte Aufgaben zeigen, welche Methode zu welcher Frage passt."] as const),
      "Gemischte Aufgaben schulen jeden Tag die Wahl der Methode.",
      "Das Mischen fühlt sich langsamer an und führt doch weiter.",
    ),
    passage(
      ...(["s4", "key-points", "Merksätze", "- Abrufen stärkt das Gedächtnis mehr als Lesen."] as const),
      "- Pausen machen jede Wiederholung wertvoller.",
      "- Gemischte Aufgaben schulen die Wahl der Methode.",
      "- Jede Wiederholung stärkt das Gedächtnis.",
    ),
    passage(
      ...(["s5", "callout", "Vorsicht", "Wiederholtes Lesen täuscht Können vor."] as const),
      "Eine Prüfung zeigt dann, dass die Wörter fehlen.",
      "Besser ist ein leeres Blatt vor dem Buch.",
    ),
    passage("s6", "table", "Woche", "Tag\tAufgabe", "Montag\tAbrufen", "Mittwoch\tMischen", "Freitag\tPrüfen"),
    passage("s7", "table", "Gewohnheiten", "Gewohnheit\tBesser", "Lesen\tAbrufen", "Markieren\tFragen", "Abschreiben\tErklären"),
    passage(
      "s8",
      "table",
      "Abstände",
      "Wiederholung\tWann",
      "Die erste\tNach einem Tag",
      "Die zweite\tNach drei Tagen",
      "Die dritte\tNach einer Woche",
    ),
  ];

  it("is refused with the reason that there is too little to show, where it would be a list of sentences", () => {
    const topic = { title: "Erinnern", course: "Lernen", language: "de-AT", emphasis: "exam-recap", objectives: [] };
    const prose = passages.slice(0, 5).join("\n");
    const board = makeStoryboard(promptOf(`${prose}\n<topic>${JSON.stringify(topic)}</topic>`));
    expect(board?.scenes).to.deep.equal([]);
    expect(board?.refusal).to.match(/zu wenig/u);
  });

  it("speaks German also where the words are its own, and asks what stands under which heading", () => {
    const topic = { title: "Erinnern", course: "Lernen", language: "de-AT", emphasis: "intuition", objectives: [] };
    const board = makeStoryboard(promptOf(`${passages.join("\n")}\n<topic>${JSON.stringify(topic)}</topic>`));
    expect(board?.refusal).to.equal("");
    const scenes = board?.scenes ?? [];
    expect(scenes[0]?.narration).to.equal("Was steckt dahinter?");
    expect(scenes.map(({ narration }) => narration)).to.include("Tag und Aufgabe: Montag, Mittwoch und Freitag.");
    const question = scenes.at(-1);
    expect(question).to.deep.include({ layout: "question", narration: "Jetzt Sie: Was davon passt zur Idee?" });
    expect(question?.question).to.match(/^Was sagte das Video über „(?:Abstand|Mischen|Vorsicht|Merksätze)“\?$/);
    expect(question?.explanation).to.match(/^Im Kurs steht: „/);
    for (const { points } of scenes) for (const point of points) expect(point).to.not.match(/^(?:Und|Dass|Aber) /);
  });
});

describe("the demonstration model's second look at a film", () => {
  const passage = `<passage id="s1" kind="prose" title="Pipes" trail="Shell › Pipes">\nA pipe hands the output of one command to the next command. The first command writes while the second one reads.\n</passage>`;
  const scene = (change: object = {}) => ({
    layout: "points",
    shows: { heading: "Pipe", points: ["output to the next command"] },
    passages: ["s1"],
    narration: "A pipe hands the output of one command to the next command.",
    quotes: [{ passage: "s1", quote: "A pipe hands the output" }],
    ...change,
  });
  const problems = (change: object, key: object | null = null) => {
    const proposal = { title: "Pipes", scenes: [scene(change)], key };
    return makeReview(promptOf(`${passage}\n<proposal>${JSON.stringify(proposal)}</proposal>`)).findings.map(({ problem }) => problem);
  };

  it("passes what stands in the passages", () => {
    expect(problems({})).to.deep.equal([]);
  });

  it("finds what does not, what is misquoted, what hangs in the air and what nobody could follow", () => {
    expect(problems({ narration: "Bananas ripen faster beside apples in warm kitchens." })).to.deep.equal(["unsupported"]);
    expect(problems({ shows: { heading: "Bananas", points: ["ripen beside apples"] } })).to.deep.equal(["unsupported"]);
    expect(problems({ narration: "A pipe hands the output of 512 commands to the next command." })).to.deep.equal(["unsupported"]);
    expect(problems({ quotes: [{ passage: "s1", quote: "A pipe keeps the output" }] })).to.deep.equal(["misquoted"]);
    expect(problems({ passages: ["s7"], quotes: [] })).to.deep.equal(["unsupported"]);
    expect(problems({ narration: "It hands the output of one command to the next command." })).to.deep.equal(["unclear"]);
    const long = `A pipe hands the output of one command to the next command${" and the output of the next command to the next".repeat(4)}.`;
    expect(problems({ narration: long })).to.deep.equal(["level"]);
  });

  it("finds a question whose answer the passages do not have", () => {
    const question = {
      layout: "question",
      narration: "Which is right?",
      shows: { question: "What does a pipe hand on?", choices: ["a parrot's feather", "the output"] },
    };
    expect(problems(question, { right: 2, explanation: "So." })).to.deep.equal([]);
    expect(problems(question, { right: 1, explanation: "So." })).to.deep.equal(["unsupported"]);
  });
});
