import { expect } from "chai";
import type { Passage } from "../segments.ts";
import { announcesAnother, codeBefore, strayCode } from "./goes-on.ts";
import type { Piece } from "./piece.ts";
import { type Candidate, candidate } from "./scene.ts";

const code = (text: string, isPrinted = false): Passage => ({
  id: text,
  kind: "code",
  text,
  title: "Tides",
  trail: ["Course", "Tides"],
  code: { language: "bash", isPrinted },
});
const said = (text: string) => ({ text, quotes: [], says: [], names: null });
const piece = (...lines: string[]): Piece => ({ passage: code(lines.join("\n")), lines, title: "Tides", shell: true, named: false });
const step = (text: string, printed = ""): Candidate =>
  candidate({
    layout: "trace",
    heading: "Tides",
    content: { code: text, printed },
    narration: "We look at the tides.",
    quotes: [],
    at: 0,
    says: [],
  });

describe("what goes on with code before it", () => {
  const page = [code("$ mkdir tides"), code("nothing", true), code("$ ls")];

  it("needs the code that is typed last before it", () => {
    expect(codeBefore(said("Let's list the new directory."), 2, page)).to.equal(page[0]);
    expect(codeBefore({ ...said("We list all directories."), goesOn: true }, 2, page)).to.equal(page[0]);
  });

  it("is nothing that is understood by itself", () => {
    expect(codeBefore(said("The command ls lists a directory."), 2, page)).to.equal(undefined);
  });

  it("is no change that the code does not make", () => {
    expect(announcesAnother("Let's add a call to main.", piece("$ cat tides.py"))).to.equal(true);
    expect(announcesAnother("Let's add a call to main.", piece("$ nano tides.py", "$ cat tides.py"))).to.equal(false);
    expect(announcesAnother("Let's look at the file.", piece("$ cat tides.py"))).to.equal(false);
  });
});

describe("steps of one example", () => {
  it("use what an earlier one gave a name", () => {
    expect(strayCode([step("depths = [3, 5]"), step("print(max(depths))"), step("print(min(depths))")])).to.deep.equal([]);
  });

  it("hold most of an earlier one", () => {
    const steps = [step("SELECT tide FROM Log;"), step("SELECT DISTINCT tide FROM Log;"), step("SELECT * FROM Ships;")];
    expect(strayCode(steps)).to.deep.equal([]);
  });

  it("work on the files of an earlier one in a shell", () => {
    expect(strayCode([step("$ touch tides.txt"), step("$ wc tides.txt"), step("$ pwd")])).to.deep.equal([]);
  });

  it("are no list of examples", () => {
    const list = [step("print(1 + 1)"), step("numpy.zeros(3)"), step('open("tides.txt")'), step("help(len)")];
    expect(strayCode(list)).to.deep.equal(list);
  });
});
