import { expect } from "chai";
import { ImportError } from "../importer.ts";
import { decodeText, NotText } from "./decode.ts";

const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");
const failure = (bytes: Uint8Array): unknown => {
  try {
    return decodeText("page.md", bytes);
  } catch (error) {
    return error;
  }
};

describe("the encoding of an imported file", () => {
  it("is UTF-8 when it is valid UTF-8, with or without a byte order mark", () => {
    expect(decodeText("page.md", Buffer.from("Größe – 寸法"))).to.deep.equal({ text: "Größe – 寸法" });
    expect(decodeText("page.md", Buffer.from("\ufeffGröße"))).to.deep.equal({ text: "Größe" });
    expect(decodeText("page.md", Buffer.from(`\u0000${"A control character in a page of text. ".repeat(5)}`)).encoding).to.equal(undefined);
  });

  it("is UTF-16 by its byte order mark, or by its zero bytes", () => {
    const swapped = Buffer.from("\ufeffGröße", "utf16le").swap16();
    expect(decodeText("page.md", Buffer.from("\ufeffGröße", "utf16le"))).to.deep.equal({ text: "Größe", encoding: "utf-16le" });
    expect(decodeText("page.md", swapped)).to.deep.equal({ text: "Größe", encoding: "utf-16be" });
    expect(decodeText("page.md", Buffer.from("# Größe\n\nText.", "utf16le"))).to.include({ encoding: "utf-16le" });
  });

  it("is UTF-16 without a byte order mark also in scripts beyond Latin", () => {
    const page = "---\ntitle: 日本語\n---\n\n# 日本語の授業\n\nこれは日本語の文章です。漢字とかなが混ざっています。\n";
    expect(decodeText("page.md", Buffer.from(page, "utf16le"))).to.deep.equal({ text: page, encoding: "utf-16le" });
    expect(decodeText("page.md", Buffer.from(page, "utf16le").swap16())).to.deep.equal({ text: page, encoding: "utf-16be" });
  });

  it("is not UTF-32, which is refused by name", () => {
    const letters = [..."Text"].flatMap((letter) => [letter.charCodeAt(0), 0, 0, 0]);
    expect(failure(Uint8Array.from([0xff, 0xfe, 0, 0, ...letters])))
      .to.have.property("message")
      .that.matches(/page\.md is in UTF-32/);
  });

  it("is what the file declares", () => {
    const cyrillic = [0xcf, 0xf0, 0xe8];
    const text = decodeText("page.md", Uint8Array.from([...latin1("---\nencoding: windows-1251\n---\n"), ...cyrillic]));
    expect(text).to.deep.equal({ text: "---\nencoding: windows-1251\n---\nПри", encoding: "windows-1251" });
    expect(decodeText("page.html", latin1('<meta charset="iso-8859-15">\n\xa4')).text).to.match(/€$/);
    expect(failure(latin1("# -*- coding: utf-8 -*-\n\xe4")))
      .to.have.property("message")
      .that.matches(/page\.md says that it is utf-8/);
  });

  it("is not a word that names no encoding", () => {
    const page = "# Pair coding: gemeinsam üben\n\nDie Größe der Fläche und die Länge der Wände.\n";
    expect(decodeText("page.md", latin1(page))).to.deep.equal({ text: page, encoding: "windows-1252" });
    expect(decodeText("page.md", latin1(`${page}<!-- coding: iso-8859-15 -->\n\xa4`)).text).to.match(/€$/);
  });

  it("is what the file declares in the words of Emacs and Python", () => {
    for (const name of ["latin-9", "iso-8859-15-unix", "iso-8859-15-dos", "iso-8859-15-mac", "iso_8859_15", "Latin-9-unix", "latin-0"])
      expect(decodeText("page.md", latin1(`# -*- coding: ${name} -*-\n\xa4`)).text, name).to.match(/€$/);
    expect(decodeText("page.md", latin1("# -*- coding: latin-1 -*-\nCaf\xe9")).text).to.match(/Café$/);
  });

  it("is recognised by its letters", () => {
    expect(decodeText("page.md", latin1("# Über Größe und Maße\n\nDie Größe der Fläche.\n"))).to.include({ encoding: "windows-1252" });
    expect(decodeText("page.md", latin1("# Über Größe und Maße\n\nDie Größe der Fläche.\n")).text).to.contain("Die Größe der Fläche");
    const russian = "eNHJ18XUIMvByyDX2SDQz9bXz8zRxdTFINfZ1cHU2A==";
    expect(decodeText("page.md", Buffer.from(russian, "base64"))).to.include({ encoding: "koi8-r" });
    const english = `${"An English page about trees and their leaves. ".repeat(5)}Caf\xe9 \x93quoted\x94 \x96 na\xefve.`;
    expect(decodeText("page.md", latin1(english)).text).to.contain("Café “quoted” – naïve.");
  });

  it("is not what code in the page declares", () => {
    const page = '# Über Größe\n\n```html\n<meta charset="koi8-r">\n```\n\nDie Größe der Fläche und `charset=utf-8`.\n';
    expect(decodeText("page.md", latin1(page))).to.deep.equal({ text: page, encoding: "windows-1252" });
  });

  it("is damaged UTF-8 that names its line, when most letters are valid", () => {
    const damaged = Buffer.concat([Buffer.from("# Über Größe\n\nDie Fläche der Wände.\n"), latin1("Caf\xe9\n")]);
    expect(failure(damaged)).to.have.property(
      "message",
      "page.md is UTF-8, but not its line 4. Mend that line and save the file as UTF-8.",
    );
  });

  it("is refused when one line is UTF-8 and another is not, however short the page", () => {
    const mixed = Buffer.concat([Buffer.from("# Page\n\nGood ü utf8.\n"), latin1("Bad \xfcber latin.\n")]);
    expect(failure(mixed)).to.have.property(
      "message",
      "page.md mixes encodings: its line 3 is UTF-8, its line 4 is not. Save all of it as UTF-8.",
    );
    // A letter of GB 18030 that stands alone can be valid UTF-8.
    const page = Buffer.from(
      "IyCx4LPMyOvDxQoK1eLKx9K7uPa52NPas8zQ8snovMa1xL/Os8yjrMrKus/Du9PQvq3R6bXE0afJ+qGjCgrNqAoKztLDx9Gnz7DRrbu3us26r8r9oaMK",
      "base64",
    );
    expect(decodeText("page.md", page).encoding).to.equal("gb18030");
  });

  it("is ISO-2022-JP by its escape sequences, and its relatives are refused by name", () => {
    const japanese = "# \u001b$B$O$8$a$K\u001b(B\n\nText.\n";
    expect(decodeText("page.md", latin1(japanese))).to.deep.equal({ text: "# はじめに\n\nText.\n", encoding: "iso-2022-jp" });
    for (const [sequence, name] of [
      ["$)C\u000e", "ISO-2022-KR"],
      ["$)A\u000e", "ISO-2022-CN"],
      ["$(D", "ISO-2022-JP"],
    ])
      expect(failure(latin1(`\u001b${sequence}0!\u000f\n`)))
        .to.have.property("message")
        .that.contains(`page.md is in ${name}, which cannot be read. Save it as UTF-8.`);
    expect(decodeText("page.md", Buffer.from("A terminal: \u001b[31mred\u001b[0m")).encoding).to.equal(undefined);
  });

  it("is refused by the file's name when it cannot be told", () => {
    const error = failure(latin1("Caf\xe9\n"));
    expect(error).to.be.instanceOf(ImportError).and.not.instanceOf(NotText);
    expect(error).to.have.property("message", "page.md is not UTF-8, and its encoding cannot be told. Save it as UTF-8.");
  });

  it("is no encoding for a binary file", () => {
    expect(failure(Uint8Array.from({ length: 400 }, (_, index) => (index * 89) % 256))).to.be.instanceOf(NotText);
    expect(failure(Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x04", "latin1"))).to.be.instanceOf(NotText);
  });
});
