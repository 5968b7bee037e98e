import type { SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";
import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import { expect } from "chai";
import { render } from "lit";
import { pictureFigure } from "./picture.ts";

const figure: SceneContent<"figure"> = {
  heading: "A figure",
  picture: {
    sourceId: "source-0001",
    sha256: "a".repeat(64),
    type: "image/svg+xml",
    width: 480,
    height: 320,
    alt: 'A plane, "and" <b>a line</b>',
    textSize: 0,
    signs: "",
  },
  parts: [],
  zooms: [],
  callouts: [{ at: { x: 0.25, y: 0.5 }, side: "top-left", label: "The <i>line</i>", cue: "" }],
};
const source = { number: 1, sourceId: "source-0001", href: "/courses/linear-maps/maps/kernel#block", title: "Kernel" } as Citation;

describe("the preview of a figure", () => {
  function drawn(sources: readonly Citation[]): HTMLElement {
    const place = document.createElement("div");
    render(pictureFigure(figure, sources), place);
    return place;
  }

  it("shows the course's picture with its alternative text, numbers and call-outs", () => {
    const place = drawn([source]);
    const image = place.querySelector("img");
    expect(image?.getAttribute("src")).to.equal(`/api/courses/linear-maps/assets/${figure.picture.sha256}`);
    expect(image?.alt).to.equal(figure.picture.alt);
    expect(place.querySelector("b")?.style.left).to.equal("25%");
    expect(place.querySelector("li")?.textContent).to.equal("The <i>line</i>");
  });

  it("says what the picture shows where its course is not known", () => {
    const place = drawn([]);
    expect(place.querySelector("img")).to.equal(null);
    expect(place.textContent).to.include("A plane,");
  });
});
