import { expect } from "chai";
import { readAddress } from "./address.ts";

describe("the address of a workspace", () => {
  it("names a film's page, and never says what that is called", () => {
    const named = "https://learn.example/ai?explainer=linear-maps.topic-vectors&title=Your+account+is+blocked";
    expect(readAddress(new URL(named)).target).to.deep.equal({ kind: "explainer", of: "linear-maps.topic-vectors", title: "", film: null });
  });
});
