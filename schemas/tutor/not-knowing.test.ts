import { expect } from "chai";
import { isNotKnowing } from "./not-knowing.ts";

describe("an answer that says that its writer does not know", () => {
  it("is recognised in the three languages of the interface", () => {
    for (const answer of [
      "I don't know",
      "I do not know.",
      "i dont know this one, sorry",
      "idk",
      "No idea!",
      "I have no clue",
      "Sorry, I really don't know the answer.",
      "not sure",
      "I can't remember",
      "?",
      "…",
      "Weiß ich nicht",
      "Ich weiß es leider nicht.",
      "Keine Ahnung",
      "Das weiss ich nicht",
      "Ich habe keine Ahnung davon",
      "لا أعرف",
      "لا أدري ما هو الجواب",
      "ليس لدي أي فكرة",
      "لستُ متأكدًا",
    ])
      expect(isNotKnowing(answer), answer).to.equal(true);
  });

  it("is not an answer that goes on, or that speaks of not knowing", () => {
    for (const answer of [
      "I don't know exactly, but a pipe connects two programs.",
      "No process waits: both run at once.",
      "The shell does not know the file, so it reports an error.",
      "Nothing is printed, because grep finds no line.",
      "Keine Ausgabe, weil die Datei leer ist.",
      "Ich weiß nicht, ob das stimmt: die Basis wird abgebildet.",
      "لا تتغير المصفوفة لأن الأساس نفسه",
      "42",
      "wc -l",
    ])
      expect(isNotKnowing(answer), answer).to.equal(false);
  });
});
