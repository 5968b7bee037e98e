import type { Topic } from "@colloquy/schemas/courses/authored.ts";
import { expect } from "chai";
import { fixtureCourse, publishedFixture } from "./course.fixture.ts";
import { topicRenderer } from "./render-topic.ts";
import { courseRevisions } from "./revisions.ts";

describe("the pictures of a topic", () => {
  const picture = { type: "core.figure", source: "![Two boxes](assets/boxes.svg)" } as const;
  const topic = (text: string): Topic => ({
    id: "topic-loops",
    slug: "loops",
    title: "Loops",
    objectives: [],
    blocks: [
      { id: "block-text", type: "core.theory", source: text },
      { id: "block-one", ...picture },
      { id: "block-two", ...picture },
    ],
  });
  const images = async (text: string): Promise<(string | undefined)[]> => {
    const course = await publishedFixture();
    try {
      await course.publish(topic(text));
      const revision = (await courseRevisions(course).live(fixtureCourse.manifest.courseId)) ?? expect.fail("no course");
      const { html } = await topicRenderer()(revision, "topic-loops");
      return [...html.matchAll(/<img[^>]* (loading|fetchpriority)=/g)].map(([, how]) => how);
    } finally {
      await course.remove();
    }
  };

  it("load the first one in the first viewport eagerly", async () => {
    expect(await images("Once more.")).to.deep.equal(["fetchpriority", "loading"]);
  });

  it("load lazily after a long text", async () => {
    expect(await images("Once more. ".repeat(200))).to.deep.equal(["loading", "loading"]);
  });
});

describe("the links of a topic", () => {
  it("follow a block that was moved to another page", async () => {
    const course = await publishedFixture();
    try {
      const source = "[own](#block-own) [heading](#a) [moved](#block-theory) [named](topic:topic-loops#block-theory)";
      const blocks = [{ id: "block-own", type: "core.theory", source: `## A\n\n${source}` } as const];
      await course.publish({ id: "topic-loops", slug: "loops", title: "Loops", objectives: [], blocks });
      const revision = (await courseRevisions(course).live(fixtureCourse.manifest.courseId)) ?? expect.fail("no course");
      const { html } = await topicRenderer()(revision, "topic-loops");
      const links = [...html.matchAll(/href="([^"]+)">(?:own|heading|moved|named)</g)].map(([, href]) => href);
      const there = "/courses/shell-course/basics/pipes#block-theory";
      expect(links).to.deep.equal(["#block-own", "#a", there, there]);
    } finally {
      await course.remove();
    }
  });
});
