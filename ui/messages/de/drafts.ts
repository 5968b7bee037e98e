import type { Catalogue } from "../words.ts";

/** German, for the drafts of courses and what lies around them. */
export const drafts: Catalogue = {
  "{type}, block {number} of {all}": "{type}, Block {number} von {all}",
  new: "neu",
  "taken out": "herausgenommen",
  "the course's own page": "die Seite des Kurses selbst",
  "title or contents": "Titel oder Inhalt",
  "{n} blocks changed": { one: "ein Block geändert", other: "{n} Blöcke geändert" },
  "{n} new blocks": { one: "ein neuer Block", other: "{n} neue Blöcke" },
  "{n} blocks taken out": { one: "ein Block herausgenommen", other: "{n} Blöcke herausgenommen" },
  "blocks in another order": "Blöcke in anderer Reihenfolge",
  "title or summary": "Titel oder Zusammenfassung",
  "This draft was changed in another tab.": "Dieser Entwurf wurde in einem anderen Tab geändert.",
  "You see it as it was before.": "Sie sehen ihn, wie er vorher war.",
  "Go on with it here": "Hier damit weitermachen",
  "Another tab wrote in this draft, too.": "Auch ein anderer Tab hat in diesen Entwurf geschrieben.",
  "Both texts are kept: what you write here as a copy.": "Beide Texte bleiben erhalten: was Sie hier schreiben, als Kopie.",
  "Go on with this text": "Mit diesem Text weitermachen",
  "Take the other tab's text": "Den Text des anderen Tabs nehmen",
  "This draft is on this page only.": "Diesen Entwurf gibt es nur auf dieser Seite.",
  "This browser's storage is full. Make room, or download the draft or publish it before you leave.":
    "Der Speicher dieses Browsers ist voll. Schaffen Sie Platz, oder laden Sie den Entwurf herunter oder veröffentlichen Sie ihn, bevor Sie gehen.",
  "This browser keeps nothing for this site. Download the draft or publish it before you leave.":
    "Dieser Browser bewahrt für diese Seite nichts auf. Laden Sie den Entwurf herunter oder veröffentlichen Sie ihn, bevor Sie gehen.",
  "Download the draft": "Entwurf herunterladen",
  "Editing {page}": "{page} wird bearbeitet",
  "Undone: {what}": "Rückgängig gemacht: {what}",
  "Done again: {what}": "Wiederhergestellt: {what}",
  "Nothing is left to do again": "Es gibt nichts mehr zu wiederholen",
  "Nothing is left to undo": "Es gibt nichts mehr zurückzunehmen",
  "Another tab's text taken": "Text des anderen Tabs genommen",
  "Text of the page": "Text der Seite",
  "Your draft of this course": "Ihr Entwurf dieses Kurses",
  "You have a draft of this course": "Sie haben einen Entwurf dieses Kurses",
  "Last changed {when}.": "Zuletzt geändert: {when}.",
  "Saved in this browser only.": "Nur in diesem Browser gespeichert.",
  "It began from revision {base}. Revision {live} is published now: before you publish, you choose what to keep.":
    "Er geht von Fassung {base} aus. Veröffentlicht ist jetzt Fassung {live}: Vor dem Veröffentlichen wählen Sie, was bleibt.",
  "It began from revision {base}. Revision {live}, which is published now, is what you published from this draft.":
    "Er geht von Fassung {base} aus. Fassung {live}, die jetzt veröffentlicht ist, haben Sie selbst aus diesem Entwurf veröffentlicht.",
  "It began from revision {base}. Revision {live} is published now.":
    "Er geht von Fassung {base} aus. Veröffentlicht ist jetzt Fassung {live}.",
  "It began from revision {base}, which is not kept any more. Before you publish, you choose part by part.":
    "Er geht von Fassung {base} aus, die nicht mehr aufbewahrt ist. Vor dem Veröffentlichen wählen Sie Teil für Teil.",
  "What your draft began from is not kept any more. Before you publish, you choose part by part.":
    "Wovon Ihr Entwurf ausgeht, ist nicht mehr aufbewahrt. Vor dem Veröffentlichen wählen Sie Teil für Teil.",
  "Everything in it is published.": "Alles darin ist veröffentlicht.",
  "It began from revision {base}, which is the one published now.": "Er geht von Fassung {base} aus, die jetzt veröffentlicht ist.",
  "What it changes cannot be shown just now.": "Was er ändert, lässt sich gerade nicht zeigen.",
  "Looking at what it changes…": "Was er ändert, wird verglichen …",
  "It changes {n} pages": { one: "Er ändert eine Seite", other: "Er ändert {n} Seiten" },
  "and {n} pages more": { one: "und eine weitere Seite", other: "und {n} weitere Seiten" },
  "Go on editing": "Weiter bearbeiten",
  "Throw away…": "Verwerfen …",
  "Throw it away for good?": "Endgültig verwerfen?",
  "Keep it": "Behalten",
  "Download it first": "Vorher herunterladen",
  "Throw it away": "Verwerfen",
  "A copy from another tab, {when}.": "Eine Kopie aus einem anderen Tab, {when}.",
  "It was kept apart because two tabs wrote at the same time.":
    "Dieser Entwurf wurde getrennt aufbewahrt, weil zwei Tabs gleichzeitig geschrieben haben.",
  "This is your draft, begun from revision {base}. Revision {live} is published now: before you publish, you choose what to keep.":
    "Das ist Ihr Entwurf, der von Fassung {base} ausgeht. Veröffentlicht ist jetzt Fassung {live}: Vor dem Veröffentlichen wählen Sie, was bleibt.",
  "Go on with the copy": "Mit der Kopie weitermachen",
  "A draft of another version of the editor is kept here, which this one cannot read.":
    "Hier liegt ein Entwurf einer anderen Version des Editors, den diese nicht lesen kann.",
  "just now": "gerade eben",
  "Undo: {what}": "Rückgängig: {what}",
  "Redo: {what}": "Wiederherstellen: {what}",
  Outline: "Gliederung",
  "After this page you can": "Nach dieser Seite können Sie",
  "Not now": "Jetzt nicht",
  "Take in a saved draft": "Gespeicherten Entwurf übernehmen",
  "Your draft here is newer than the file": "Ihr Entwurf hier ist neuer als die Datei",
  "It was changed last on {own}; the file was saved on {file}. The file would take its place, as one step that Undo takes back.":
    "Er wurde zuletzt am {own} geändert; die Datei wurde am {file} gespeichert. Die Datei käme an seine Stelle, als ein Schritt, den „Rückgängig“ zurücknimmt.",
  "Take in the file": "Datei übernehmen",
  "Keep the newer one": "Den neueren behalten",
  "The draft from the file was taken in. Undo brings back what was here.":
    "Der Entwurf aus der Datei wurde übernommen. „Rückgängig“ bringt zurück, was hier war.",
  "Discard draft…": "Entwurf verwerfen …",
  "Discard draft": "Entwurf verwerfen",
  "Discard this draft?": "Diesen Entwurf verwerfen?",
  "Keep the draft": "Entwurf behalten",
  "This cannot be undone: save a copy first if you may want it again. What is published stays as it is.":
    "Das lässt sich nicht rückgängig machen. Sichern Sie vorher eine Kopie, falls Sie ihn noch brauchen könnten. Was veröffentlicht ist, bleibt, wie es ist.",
  "The draft was discarded. You see what is published.": "Der Entwurf wurde verworfen. Sie sehen, was veröffentlicht ist.",
  "What you changed on {n} pages is gone then:": {
    one: "Was Sie auf einer Seite geändert haben, ist dann weg:",
    other: "Was Sie auf {n} Seiten geändert haben, ist dann weg:",
  },
};
