import { expect } from "chai";
import { remark } from "./remarks.ts";

describe("a remark on a course", () => {
  it("is its name, its values, and both in English", () => {
    expect(remark("text-long", { max: 4, count: 5 })).to.deep.equal({
      remark: "text-long",
      values: { max: 4, count: 5 },
      message: "at most 4 characters, this has 5",
    });
    expect(remark("point-empty").values).to.deep.equal({});
  });

  it("keeps values as they are, whatever stands in them", () => {
    const { message } = remark("link-topic", { topic: "{href}", href: "topic:$&{topic}" });
    expect(message).to.equal('there is no page "{href}" for the link "topic:$&{topic}"');
  });
});
