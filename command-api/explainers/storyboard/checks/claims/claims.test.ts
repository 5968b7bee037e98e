import { reversalOf } from "@colloquy/schemas/explainers/reversals.ts";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { expect } from "chai";
import { claimWarnings } from "./claims.ts";

const passages = {
  area: [
    "How much does area grow?",
    "A linear map sends the unit square to a parallelogram. The determinant of the map is the area of this parallelogram, with a minus sign if the map flips the plane over like a page. Because a linear map treats every little square of a grid alike, every region grows by the same factor.",
  ],
  inverse: [
    "The sign and the zero",
    "Zero: the parallelogram has collapsed to a line or a point. The columns are dependent, the kernel is more than $0$, and the map cannot be undone.\nSo a square matrix is invertible exactly when its determinant is not zero.\nA shear slides the layers of a shape without changing its area. In general $\\det(AB) = \\det A \\cdot \\det B$.",
  ],
  memory: [
    "A narrow door to a large house",
    "Whatever you learn passes through working memory, the little you can hold in mind at once. It has room for only about four new things, and what is in it is gone within seconds unless you do something with it. Long-term memory, behind it, has no known limit. Confusion is often a full working memory rather than a lack of talent.",
  ],
  pipes: [
    "Pipes",
    "The vertical bar is called a pipe. It hands the output of the command on the left to the command on the right. The command head prints the first 10 lines, and sort does not change the file. Sort the lines before counting them.",
  ],
  forgetting: [
    "Lesen und Abrufen",
    "Wiederholtes Lesen erzeugt kein dauerhaftes Wissen. Das Arbeitsgedächtnis hält nur etwa vier Dinge zugleich. Vor der Prüfung hilft Abrufen mehr als Lesen. Manche Fehler schaden nicht, wenn die richtige Antwort bald folgt. Die Katze jagt den Hund im Garten.",
  ],
  recall: [
    "الاسترجاع",
    "لا يكفي أن تقرأ النص مرة أخرى. الاسترجاع يقوي الذاكرة أكثر من القراءة. بعض الأخطاء مفيدة للتعلم. تحفظ الذاكرة العاملة أربعة أشياء فقط.",
  ],
} as const;
type Place = keyof typeof passages;

const sources = Object.entries(passages).map(([sourceId, [heading, text]]) => ({ sourceId, heading, text }));
const kindsOf = (place: Place, narration: string): string[] =>
  claimWarnings(
    [{ layout: "points", sceneId: "scene-1", sourceIds: [place], narration, content: { heading: "", points: [] } } as unknown as Scene],
    sources,
  ).map(({ kind }) => kind);

const truths: Record<Place, string[]> = {
  area: [
    "A linear map sends the unit square to a parallelogram.",
    "The determinant of the map is the area of this parallelogram.",
    "The determinant of the map is the area of this parallelogram, with a minus sign if the map flips the plane over.",
    "Every region grows by the same factor.",
    "Each region grows by the same factor.",
    "A linear map sends the unit square to a parallelogram, and the determinant of the map is the area of this parallelogram.",
  ],
  inverse: [
    "A square matrix is invertible exactly when its determinant is not zero.",
    "The columns are dependent, the kernel is more than 0, and the map can't be undone.",
    "A shear slides the layers of a shape without changing its area.",
    "In general det(AB) = det A · det B.",
    "The map cannot be undone.",
  ],
  memory: [
    "Working memory has room for only about four new things.",
    "It has room for only about 4 new things.",
    "Long-term memory has no known limit.",
    "Confusion is often a full working memory rather than a lack of talent.",
  ],
  pipes: [
    "The vertical bar is called a pipe. It hands the output of the command on the left to the command on the right.",
    "The pipe hands the output of the command on the left to the command on the right.",
    "The command head prints the first ten lines.",
    "Sort does not change the file.",
    "In code, we sort the lines before counting them.",
  ],
  forgetting: [
    "Wiederholtes Lesen erzeugt kein dauerhaftes Wissen.",
    "Das Arbeitsgedächtnis hält nur etwa 4 Dinge zugleich.",
    "Vor der Prüfung hilft Abrufen mehr als Lesen.",
    "Manche Fehler schaden nicht, wenn die richtige Antwort bald folgt.",
  ],
  recall: ["الاسترجاع يقوي الذاكرة أكثر من القراءة.", "لا يكفي أن تقرأ النص مرة أخرى.", "تحفظ الذاكرة العاملة أربعة أشياء فقط."],
};

const lies: Record<Place, string[]> = {
  area: [
    "A linear map never sends the unit square to a parallelogram.",
    "A linear map doesn't send the unit square to a parallelogram.",
    "No linear map sends the unit square to a parallelogram.",
    "A parallelogram sends a linear map to the unit square.",
    "A linear map sends a parallelogram to the unit square.",
    "The determinant of the map is the perimeter of this parallelogram.",
    "The determinant of the map is the area of this parallelogram, without a minus sign if the map flips the plane over like a page.",
    "Some regions grow by the same factor.",
    "Every region grows by a different factor.",
    "Every region shrinks by the same factor.",
    "A linear map is a page.",
    "The determinant of the grid is the page of this factor.",
  ],
  inverse: [
    "A square matrix is invertible exactly when its determinant is zero.",
    "A square matrix is never invertible.",
    "A square matrix is invertible.",
    "Every square matrix is invertible exactly when its determinant is not zero or more.",
    "The columns are independent, the kernel is more than 0, and the map cannot be undone.",
    "The columns are dependent, the kernel is less than 0, and the map cannot be undone.",
    "The map can be undone.",
    "A shear slides the layers of a shape with changing its area.",
    "A shear slides the area of a shape without changing its layers.",
  ],
  memory: [
    "Working memory has room for only about forty new things.",
    "Working memory has room for only about 7 new things.",
    "Working memory has room for four hundred new things.",
    "Long-term memory has a known limit.",
    "Working memory, behind it, has no known limit, and long-term memory has room for only about four new things.",
    "Confusion is always a full working memory rather than a lack of talent.",
    "Confusion is rarely a full working memory rather than a lack of talent.",
    "Confusion is a full working memory.",
    "Confusion is often a lack of talent rather than a full working memory.",
    "What is in it is gone within seconds.",
  ],
  pipes: [
    "It hands the output of the command on the right to the command on the left.",
    "It hands the input of the command on the left to the command on the right.",
    "The command head prints the last 10 lines.",
    "The command head prints the first 20 lines.",
    "Sort changes the file.",
    "Sort the lines after counting them.",
    "The vertical bar is not called a pipe.",
    "The vertical bar is called a redirection.",
  ],
  forgetting: [
    "Wiederholtes Lesen erzeugt dauerhaftes Wissen.",
    "Das Arbeitsgedächtnis hält nur etwa neun Dinge zugleich.",
    "Das Arbeitsgedächtnis hält alle Dinge zugleich.",
    "Nach der Prüfung hilft Abrufen mehr als Lesen.",
    "Vor der Prüfung hilft Abrufen weniger als Lesen.",
    "Vor der Prüfung hilft Lesen mehr als Abrufen.",
    "Alle Fehler schaden nicht, wenn die richtige Antwort bald folgt.",
    "Manche Fehler schaden nicht.",
    "Den Hund jagt im Garten nie die Katze.",
  ],
  recall: [
    "يكفي أن تقرأ النص مرة أخرى.",
    "الاسترجاع لا يقوي الذاكرة أكثر من القراءة.",
    "الاسترجاع يقوي الذاكرة أقل من القراءة.",
    "القراءة تقوي الذاكرة أكثر من الاسترجاع.",
    "كل الأخطاء مفيدة للتعلم.",
    "تحفظ الذاكرة العاملة سبعة أشياء فقط.",
  ],
};

describe("what narration claims beside its sources", () => {
  for (const place of Object.keys(passages) as Place[]) {
    it(`lets true sentences pass (${place})`, () => {
      for (const said of truths[place])
        expect(
          kindsOf(place, said).filter((kind) => kind !== "reworded"),
          said,
        ).to.deep.equal([]);
    });
    it(`finds false ones (${place})`, () => {
      for (const said of lies[place])
        expect(
          kindsOf(place, said).filter((kind) => kind !== "reworded"),
          said,
        ).to.not.deep.equal([]);
    });
  }

  it("says what the source says, so that a person can act on it", () => {
    const [warning] = claimWarnings(
      [
        {
          layout: "points",
          sceneId: "scene-1",
          sourceIds: ["area"],
          narration: "A linear map never sends the unit square to a parallelogram.",
          content: { heading: "", points: [] },
        } as unknown as Scene,
      ],
      sources,
    );
    expect(warning).to.deep.include({ kind: "contrary", problem: "unsupported", by: "application", sceneId: "scene-1" });
    expect(warning?.detail).to.match(/The source says: “A linear map sends the unit square to a parallelogram\.”$/);
  });

  it("says of other words with the same content that they are not the source's own, and no more", () => {
    expect(kindsOf("area", "A linear map sends the square to a parallelogram.")).to.deep.equal(["reworded"]);
    expect(kindsOf("area", "A linear map sends the unit square to a parallelogram.")).to.deep.equal([]);
  });

  it("puts nothing together from far apart", () => {
    expect(kindsOf("memory", "Confusion has no known limit.")).to.not.deep.equal([]);
    expect(kindsOf("area", "Long-term memory has no known limit."), "of another source").to.deep.equal(["scattered"]);
  });

  it("takes no word of a course for a property of an object", () => {
    const source = { sourceId: "lean", heading: "Types", text: "The constructor applies toString to its argument." };
    const scene = {
      layout: "points",
      sceneId: "scene-1",
      sourceIds: ["lean"],
      narration: source.text,
      content: { heading: "", points: [] },
    } as unknown as Scene;
    expect(claimWarnings([scene], [source])).to.deep.equal([]);
  });

  it("finds what a source says only to turn it round", () => {
    const text =
      "Reading a text twice makes it stick. But this is wrong: it only feels familiar. Pipes join commands. Wrong answers help. Paper is cheap. However, it burns.";
    const saying = (narration: string) =>
      claimWarnings(
        [{ layout: "points", sceneId: "scene-1", sourceIds: ["own"], narration, content: { heading: "", points: [] } } as unknown as Scene],
        [{ sourceId: "own", heading: "Reading", text }],
      ).map(({ kind }) => kind);
    expect(saying("Reading a text twice makes it stick.")).to.deep.equal(["turned"]);
    expect(saying("Reading a text twice makes it stick. But this is wrong: it only feels familiar.")).to.deep.equal([]);
    expect(saying("Paper is cheap."), "that is true as far as it goes").to.deep.equal(["goes-on"]);
    expect(saying("Pipes join commands."), "what is wrong there is something else").to.deep.equal([]);
  });

  it("knows a turn by how a sentence begins, in three languages", () => {
    for (const said of [
      "But this is wrong: it fades.",
      "This is a common mistake.",
      "A common misconception!",
      "That is not true.",
      "Das ist falsch.",
      "Das ist ein häufiger Irrtum.",
      "هذا خطأ شائع.",
      "لكن هذا غير صحيح.",
    ])
      expect(reversalOf(said), said).to.equal("wrong");
    for (const said of ["However, it fades.", "Instead, recall it.", "Doch es verblasst.", "لكن الذاكرة تضعف."])
      expect(reversalOf(said), said).to.equal("but");
    for (const said of [
      "It fades.",
      "Wrong answers help.",
      "Mistakes on the way do no harm.",
      "This is the rule.",
      "Butter melts.",
      "Das ist die Regel.",
    ])
      expect(reversalOf(said), said).to.equal(null);
  });
});

describe("what stands on screen, laid beside its sources", () => {
  const shows = (place: Place, layout: string, content: object): string[] =>
    claimWarnings(
      [{ layout, sceneId: "scene-1", sourceIds: [place], narration: "", content: { heading: "", ...content } } as unknown as Scene],
      sources,
    ).map(({ detail }) => detail);

  it("may be words of a sentence, and leave out what a sentence could not", () => {
    for (const [place, point] of [
      ["area", "Every region grows by the same factor"],
      ["area", "Sends the unit square to a parallelogram"],
      ["inverse", "Invertible exactly when its determinant is not zero"],
      ["memory", "Room for only about four new things"],
    ] as const)
      expect(shows(place, "points", { points: [point] }), point).to.deep.equal([]);
  });

  it("is told of where it turns its source round or brings in what is not there, also in a recap and side by side", () => {
    for (const [place, point] of [
      ["area", "Every region shrinks by the same factor"],
      ["inverse", "Invertible exactly when its determinant is zero"],
      ["memory", "Room for about 40 new things"],
      ["memory", "Long-term memory has a known limit"],
    ] as const) {
      expect(shows(place, "points", { points: [point] }).join(), point).to.include(`On screen, “${point}”`);
      expect(shows(place, "recap", { points: [point] }), point).to.have.length(1);
      expect(shows(place, "compare", { left: { points: [] }, right: { points: [point] } }), point).to.have.length(1);
    }
  });

  it("is the source's formula, however it is cut and spaced", () => {
    const terms = (...tex: string[]) => ({ terms: tex.map((one) => ({ tex: one, label: "" })) });
    expect(shows("inverse", "formula", terms("\\det(AB)\\;", "= \\det A \\cdot \\det B"))).to.deep.equal([]);
    expect(shows("inverse", "formula", terms("\\det(AB)", "= \\det A + \\det B")).join()).to.include("does not stand so in its sources");
  });
});
