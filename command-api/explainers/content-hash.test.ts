import { expect } from "chai";
import { boardHashOf, contentHashOf } from "./content-hash.ts";
import { approval, storyboardOf } from "./explainer.fixture.ts";

describe("the content hash", () => {
  it("covers everything that the bytes depend on, and nothing else", () => {
    const hash = (change: object = {}, settings = {}, version = 1) =>
      contentHashOf({ ...storyboardOf(), ...change }, { ...approval.settings, ...settings }, version);
    const { scenes } = storyboardOf();
    const renamed = scenes.map((scene, index) => ({ ...scene, sceneId: `another-${index}` }));
    expect(hash({ storyboardId: "storyboard-9999", scenes: renamed })).to.equal(hash());
    const board = (change: object = {}) => boardHashOf({ ...storyboardOf(), ...change });
    expect(board({ storyboardId: "storyboard-9999", scenes: renamed })).to.equal(board());
    expect(board({ title: "Other" })).to.not.equal(board());
    const others = [hash({ title: "Other" }), hash({ scenes: scenes.slice(1) }), hash({}, { theme: "dark" }), hash({}, {}, 2)];
    expect(new Set([hash(), ...others])).to.have.property("size", 5);
  });
});
