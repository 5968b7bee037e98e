import type { Catalogue } from "../words.ts";

/** German, for what is remarked of a course while it is written and merged. */
export const remarks: Catalogue = {
  "at most {max} characters, this has {count}": "höchstens {max} Zeichen, hier sind es {count}",
  "this must not be empty": "das darf nicht leer sein",
  "expected a language tag such as en or pt-BR": "erwartet wird ein Sprachkürzel wie en oder pt-BR",
  "expected lower-case letters and digits, parted by hyphens": "erwartet werden Kleinbuchstaben und Ziffern, durch Bindestriche getrennt",
  "expected {min} to {max} letters, digits, _ or -": "erwartet werden {min} bis {max} Buchstaben, Ziffern, _ oder -",
  "expected a relative path inside the course": "erwartet wird ein relativer Pfad innerhalb des Kurses",
  "at most {most} of them, there are {count}": "höchstens {most} davon, es sind {count}",
  'the id "{id}" is already used at {place}': "die Kennung „{id}“ ist schon vergeben, bei {place}",
  'there is no topic with the id "{id}"': "es gibt keine Seite mit der Kennung „{id}“",
  'there is no collection with the id "{id}"': "es gibt keinen Teil mit der Kennung „{id}“",
  '"{id}" is already contained at {place}: a topic has one place': "„{id}“ steht schon bei {place}: eine Seite hat einen Platz",
  '"{id}" is already contained at {place}: a collection has one place': "„{id}“ steht schon bei {place}: ein Teil hat einen Platz",
  'the topic "{title}" is in no container: add it to one, or delete it':
    "die Seite „{title}“ steht in keinem Teil: ordnen Sie sie ein, oder löschen Sie sie",
  'the collection "{title}" is in no container: add it to one, or delete it':
    "der Teil „{title}“ steht nirgends im Kurs: ordnen Sie ihn ein, oder löschen Sie ihn",
  'the collection "{title}" contains itself, directly or by way of others':
    "der Teil „{title}“ enthält sich selbst, unmittelbar oder über andere",
  "collections may be nested {most} deep, this one stands {depth} deep":
    "Teile dürfen {most} tief ineinander stehen, dieser steht {depth} tief",
  "a course needs at least one topic": "ein Kurs braucht mindestens eine Seite",
  'its neighbour "{title}" has the same slug "{slug}"': "„{title}“ daneben hat dieselbe Adresse „{slug}“",
  '"{slug}" is kept for the product\'s own pages: choose another slug':
    "„{slug}“ ist eigenen Seiten des Programms vorbehalten: wählen Sie eine andere Adresse",
  '"{path}" is already listed at {place}': "„{path}“ ist schon aufgeführt, bei {place}",
  'the course has no file "{path}": add it to the course\'s assets, or correct the path':
    "der Kurs hat keine Datei „{path}“: fügen Sie sie hinzu, oder berichtigen Sie den Pfad",
  'pictures come from the course itself: put "{href}" into its assets and name it by its path':
    "Bilder kommen aus dem Kurs selbst: fügen Sie „{href}“ seinen Dateien hinzu, und nennen Sie den Pfad",
  'the link "{href}" leads nowhere: write {forms}, or a whole address':
    "der Link „{href}“ führt nirgends hin: schreiben Sie {forms} oder eine ganze Adresse",
  'there is no topic "{topic}" for the link "{href}"': "es gibt keine Seite „{topic}“ für den Link „{href}“",
  'the topic "{title}" has no anchor "{anchor}" for the link "{href}"':
    "die Seite „{title}“ hat keine Stelle „{anchor}“ für den Link „{href}“",
  "There is a control character ({code}) in the text: remove it.": "Im Text steht ein Steuerzeichen ({code}): Entfernen Sie es.",
  "The header that begins here has no end: close it with a line {mark}.":
    "Der Kopf, der hier beginnt, hat kein Ende: Schließen Sie ihn mit einer Zeile {mark}.",
  "Expected {form} in the header. Keys of this block: {keys}.": "Im Kopf wird {form} erwartet. Schlüssel dieses Blocks: {keys}.",
  "{key} is not a key of this block. Use: {keys}.": "{key} ist kein Schlüssel dieses Blocks. Möglich sind: {keys}.",
  "{key} stands twice in the header: keep one.": "{key} steht zweimal im Kopf: Behalten Sie eines.",
  "The quoted value of {key} is not closed or has a stray quote: write {form} inside.":
    "Der Wert von {key} in Anführungszeichen ist nicht geschlossen oder hat eines zu viel: Schreiben Sie darin {form}.",
  "{given} is not known. Use one of: {values}.": "{given} ist nicht bekannt. Möglich sind: {values}.",
  "After the fence only the name of a language may stand.":
    "Hinter den Zeichen, die den Code öffnen, darf nur der Name einer Sprache stehen.",
  "The fence that begins here has no end: close it with a line {mark}.":
    "Der Code, der hier beginnt, hat kein Ende: Schließen Sie ihn mit einer Zeile {mark}.",
  "There is text after the code. Move it to a block of its own, or use a longer fence if it belongs to the code.":
    "Hinter dem Code steht Text. Geben Sie ihm einen eigenen Block; gehört er zum Code, öffnen und schließen Sie diesen mit mehr Zeichen.",
  "The text is empty. Write it, or delete the block.": "Der Text ist leer. Schreiben Sie ihn, oder löschen Sie den Block.",
  "The callout has no text. Write it below the header, or delete the block.":
    "Der Hinweiskasten hat keinen Text. Schreiben Sie ihn unter den Kopf, oder löschen Sie den Block.",
  "Expected a list: begin each key point with {mark}.": "Erwartet wird eine Liste: Beginnen Sie jeden Kernpunkt mit {mark}.",
  "This key point is empty. Write it, or delete the line.": "Dieser Kernpunkt ist leer. Schreiben Sie ihn, oder löschen Sie die Zeile.",
  "There is no key point. Write at least one line that begins with {mark}.":
    "Es gibt keinen Kernpunkt. Schreiben Sie mindestens eine Zeile, die mit {mark} beginnt.",
  "The header says {header}, the fence says {fence}: keep one.": "Im Kopf steht {header}, beim Code steht {fence}: Behalten Sie eines.",
  "The language is a short name such as {one} or {other}.": "Die Sprache ist ein kurzer Name wie {one} oder {other}.",
  "There is no code. Write it between two lines of three backticks.":
    "Es gibt keinen Code. Schreiben Sie ihn zwischen zwei Zeilen aus drei Gravis-Zeichen.",
  "Say what the diagram shows, in a header line {form} between two lines {mark}.":
    "Sagen Sie, was das Diagramm zeigt, in einer Kopfzeile {form} zwischen zwei Zeilen {mark}.",
  "A diagram is written in {wanted}, not in {given}. Use a code block for other languages.":
    "Ein Diagramm wird in {wanted} geschrieben, nicht in {given}. Nehmen Sie für andere Sprachen einen Code-Block.",
  "There is no diagram. Write its Mermaid text below the header.":
    "Es gibt kein Diagramm. Schreiben Sie seinen Mermaid-Text unter den Kopf.",
  "Say which picture: a header line {form}, or {image}.": "Sagen Sie, welches Bild: eine Kopfzeile {form} oder {image}.",
  "{path} is not a path inside the course. Put the file into the course and name it like {example}.":
    "{path} ist kein Pfad im Kurs. Fügen Sie die Datei dem Kurs hinzu, und nennen Sie sie wie {example}.",
  "Say what the figure shows: {form} (or {empty} when it only decorates).":
    "Sagen Sie, was das Bild zeigt: {form} (oder {empty}, wenn es nur schmückt).",
  "The caption stands in the header and below it: keep one.": "Die Bildunterschrift steht im Kopf und darunter: Behalten Sie eine.",
  "There is no formula. Write it in TeX between two lines {mark}.":
    "Es gibt keine Formel. Schreiben Sie sie in TeX zwischen zwei Zeilen {mark}.",
  "{mark} cannot stand inside a formula: one block holds one formula.":
    "{mark} kann nicht in einer Formel stehen: Ein Block enthält eine Formel.",
  "This {opening} is never closed.": "Dieses {opening} wird nie geschlossen.",
  "{opening} has no {closing}.": "{opening} hat kein {closing}.",
  "This {closing} closes nothing.": "Dieses {closing} schließt nichts.",
  "This {closing} comes where {opening} of line {line} should be closed first.":
    "Dieses {closing} kommt, wo zuerst {opening} aus Zeile {line} zu schließen ist.",
  "There is no table. Write a line of headings: {example}.":
    "Es gibt keine Tabelle. Schreiben Sie eine Zeile mit Überschriften: {example}.",
  "Below the headings a line such as {example} is needed.": "Unter den Überschriften braucht es eine Zeile wie {example}.",
  "There are {headings} headings but {columns} columns in the line below them.":
    "Überschriften: {headings}, Spalten in der Zeile darunter: {columns}. Beides muss gleich viel sein.",
  "A table has no empty lines. Put text around it into a block of its own.":
    "Eine Tabelle hat keine leeren Zeilen. Geben Sie dem Text daneben einen eigenen Block.",
  "This row has {cells} cells, the table has {columns} columns. Write {bar} for a bar inside a cell.":
    "Zellen in dieser Zeile: {cells}, Spalten der Tabelle: {columns}. Schreiben Sie {bar} für einen senkrechten Strich in einer Zelle.",
  "The exercise has no task. Write what is to be done.": "Die Aufgabe hat keinen Text. Schreiben Sie, was zu tun ist.",
  "There is text after a hint or solution. Move it above them, or into one of them.":
    "Hinter einem Tipp oder einer Lösung steht Text. Stellen Sie ihn darüber oder hinein.",
  "Expected {hint} or {solution}. Write {escaped} for a line of the text that begins so.":
    "Erwartet wird {hint} oder {solution}. Schreiben Sie {escaped}, wenn eine Zeile des Textes so beginnt.",
  "A hint has no title: write {hint} alone on its line.": "Ein Tipp hat keinen Titel: Schreiben Sie {hint} allein in seine Zeile.",
  "Close the hint of line {line} with a line {mark} before another begins.":
    "Schließen Sie den Tipp aus Zeile {line} mit einer Zeile {mark}, bevor etwas anderes beginnt.",
  "The hint that begins here has no end: close it with a line {mark}.":
    "Der Tipp, der hier beginnt, hat kein Ende: Schließen Sie ihn mit einer Zeile {mark}.",
  "This hint is empty. Write it, or delete it.": "Dieser Tipp ist leer. Schreiben Sie ihn, oder löschen Sie ihn.",
  "Close the solution of line {line} with a line {mark} before another begins.":
    "Schließen Sie die Lösung aus Zeile {line} mit einer Zeile {mark}, bevor etwas anderes beginnt.",
  "The solution that begins here has no end: close it with a line {mark}.":
    "Die Lösung, die hier beginnt, hat kein Ende: Schließen Sie sie mit einer Zeile {mark}.",
  "This solution is empty. Write it, or delete it.": "Diese Lösung ist leer. Schreiben Sie sie, oder löschen Sie sie.",
  "“{title}” stood in no chosen place and was put at the end of the course.":
    "„{title}“ stand an keinem gewählten Platz und wurde ans Ende des Kurses gestellt.",
  "“{title}” stood in no chosen place and was put at the end of “{home}”.":
    "„{title}“ stand an keinem gewählten Platz und wurde ans Ende von „{home}“ gestellt.",
  "A part of “{title}” stands in another chosen topic, too; both are kept. Delete one if it is too much.":
    "Etwas aus „{title}“ steht auch auf einer anderen gewählten Seite; beides bleibt. Löschen Sie eines, wenn es zu viel ist.",
  "A block that nobody deleted stood on no chosen page: it is back on “{title}”. Delete it if it is too much.":
    "Ein Block, den niemand gelöscht hat, stand auf keiner gewählten Seite: Er steht wieder auf „{title}“. Löschen Sie ihn, wenn er zu viel ist.",
  "A block that nobody deleted stood only on pages that are left out, and is left out with them: “{words}”":
    "Ein Block, den niemand gelöscht hat, stand nur auf Seiten, die wegfallen, und fällt mit ihnen weg: „{words}“",
  "“{title}” had the same address as a neighbour: its own is “{slug}” now.":
    "„{title}“ hatte dieselbe Adresse wie eine Nachbarseite: Die eigene lautet jetzt „{slug}“.",
};
