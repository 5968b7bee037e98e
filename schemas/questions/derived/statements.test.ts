import { expect } from "chai";
import { namedInPoint, namedInSentence } from "./statements.ts";

describe("the name left out of a statement", () => {
  const found = { point: namedInPoint, sentence: namedInSentence };
  const cases: [kind: keyof typeof found, statement: string, text: string | null, ...accepted: string[]][] = [
    ["point", "`wc` counts lines, words, and characters in its inputs.", "[[1]] counts lines, words, and characters in its inputs.", "wc"],
    ["point", "`cp [old] [new]` copies a file.", "[[1]] copies a file.", "cp"],
    [
      "point",
      "Use `len(thing)` to find how many values a list has.",
      "Use [[1]] to find how many values a list has.",
      "len(thing)",
      "len",
      "len()",
    ],
    ["point", "Use GROUP BY to combine subsets separately.", "Use [[1]] to combine subsets separately.", "GROUP BY"],
    [
      "point",
      "A primary key is a field whose values identify the records.",
      "A [[1]] is a field whose values identify the records.",
      "primary key",
    ],
    // The rest has the name, or its stem.
    ["point", "`sort` sorts its inputs by line.", null],
    ["point", "A database manager is a program that manages a database.", null],
    // One of several, an example with names of its own, or no name.
    ["point", "Use AND, OR, and NOT to combine tests.", null],
    ["point", "Arguments may be written as `-l`, `--long` or `-L` on this system.", null],
    ["point", "Use `variable = value` to give a variable a value that it keeps.", null],
    ["point", "`command > [file]` sends what a program prints to a file.", null],
    ["point", "Write queries incrementally.", null],
    [
      "sentence",
      "**Ownership** is a set of rules that govern how memory is managed.",
      "[[1]] is a set of rules that govern how memory is managed.",
      "Ownership",
    ],
    [
      "sentence",
      "The process of asking again and again is called *polling*.",
      "The process of asking again and again is called [[1]].",
      "polling",
    ],
    // It speaks of the sentence before it.
    ["sentence", "The features that run these independent parts are called _threads_.", null],
    ["sentence", "It is called a *pipe* by people who know the shell well.", null],
    ["sentence", "We always *recommend* to write tests before the code.", null],
  ];
  for (const [kind, statement, text, ...accepted] of cases)
    it(`${text === null ? "is none in" : "is found in"} “${statement}”`, () => {
      expect(found[kind](statement)).to.deep.equal(text === null ? null : { text, accepted });
    });
});
