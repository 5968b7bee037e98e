import { expect } from "chai";
import { factsOf, isLesson } from "./facts.ts";
import type { Passage } from "./segments.ts";

const passage = (text: string, more: Partial<Passage> = {}): Passage => ({ id: "s1", title: "Pipes", trail: ["The Shell"], text, ...more });

describe("what the demonstration model takes for a lesson", () => {
  it("leaves out times, overviews, notes to teachers, tasks and what a program printed", () => {
    expect(isLesson(passage("25 minutes of teaching, 10 minutes of exercises."))).to.equal(false);
    expect(isLesson(passage("How can I combine existing commands? How can I save the output?"))).to.equal(false);
    expect(isLesson(passage("Have learners try it.", { title: "Instructor notes" }))).to.equal(false);
    expect(isLesson(passage("/Users/nelle"))).to.equal(false);
    expect(isLesson(passage("Which of these is it?", { kind: "exercise" }))).to.equal(false);
    expect(isLesson(passage("A pipe sends the output of one command to the input of another."))).to.equal(true);
  });

  it("takes what a course on teaching says of instructors for its subject", () => {
    const said = "Instructors give feedback to learners while they work on a task.";
    expect(factsOf([passage(said)])).to.deep.equal([]);
    expect(factsOf([passage(said, { title: "What instructors do", trail: ["Instructor Training", "Feedback"] })])).to.have.length(1);
  });

  it("asks about no entry that says what a name is", () => {
    expect(factsOf([passage("`nrow(x)` - returns the number of rows of a table.")])).to.deep.equal([]);
  });

  it("asks about no sentence that hangs on another, has lost a word, or is about a story's people", () => {
    for (const text of [
      "The effect is that every line of the file is printed twice by the command.",
      "In our case the command prints the number of lines of every file.",
      "The key is that the shell expands the pattern before the command is run.",
      "The sign “” is the one that the shell reads as the end of the line.",
      "Nelle keeps the files of the survey in the folder of the project.",
      "Edit the program so that the bars are wide enough to be seen.",
      "Save the graph as an image that can be put into a paper.",
      "In the last line, the program takes the mean of all values.",
      "While we are on the topic of syntax, forgetting the last sign is an error.",
    ])
      expect(factsOf([passage(text)]), text).to.deep.equal([]);
    expect(factsOf([passage("The shell expands the pattern before the command is run.")])).to.have.length(1);
  });
});
