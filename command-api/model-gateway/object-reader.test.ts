import { expect } from "chai";
import { objectReader } from "./object-reader.ts";

// [what it shows, what the model writes, the entries of its list "questions"]
const table: [string, string, unknown[]][] = [
  ["an object", '{"title":"A","questions":[{"a":1},{"b":[{"c":"]}"}]}],"more":1}', [{ a: 1 }, { b: [{ c: "]}" }] }]],
  ["white space and escapes", '{ "questions" : [ { "a" : "\\\\\\"}{" } , {"b":"\\u00e9"} ] }', [{ a: '\\"}{' }, { b: "é" }]],
  ["words around it", 'Here:\n```json\n{"questions":[{"a":1}]}\n```\nDone {', [{ a: 1 }]],
  ["an object before it", 'First {"x":[{"y":1}]} then {"questions":[{"a":1}]}', [{ a: 1 }]],
  ["a list of that name further in", '{"x":{"questions":[{"a":1}]},"questions":[{"b":1}]}', [{ b: 1 }]],
  ["another list", '{"answers":[{"a":1}],"x":"questions","y":[{"b":1}]}', []],
  ["a list of other things", '{"questions":["a",1,[{"b":1}],{"c":1}]}', [{ c: 1 }]],
  ["what was cut off", '{"questions":[{"a":1},{"b":"half', [{ a: 1 }]],
  ["an entry that is no JSON", '{"questions":[{a:1},{"b":1}]}', [{ b: 1 }]],
  ["no JSON at all", "Questions: [1] What? ]}]}", []],
];

describe("objectReader", () => {
  for (const [what, text, expected] of table)
    it(`${what}: reads its list, wherever chunks end`, () => {
      for (let size = 1; size <= text.length; size += 1) {
        const reader = objectReader("questions");
        const found: unknown[] = [];
        for (let at = 0; at < text.length; at += size) found.push(...reader.push(text.slice(at, at + size)));
        expect(found, `pieces of ${size}`).to.deep.equal(expected);
      }
    });

  it("gives an entry as soon as it ends, and earlier fields", () => {
    const reader = objectReader("questions");
    expect(reader.push('{"title":"Pi')).to.deep.equal([]);
    expect(reader.field("title")).to.equal(undefined);
    expect(reader.push('pes \\"|\\"","questions":[{"a":1')).to.deep.equal([]);
    expect(reader.field("title")).to.equal('Pipes "|"');
    expect(reader.push("}")).to.deep.equal([{ a: 1 }]);
  });
});
