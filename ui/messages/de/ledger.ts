import type { Catalogue } from "../words.ts";

/** German, for the ledger of one's own tutoring session. */
export const ledger: Catalogue = {
  "Ledger|of a session": "Nachweisbuch",
  "Ledger: {title}": "Nachweisbuch: {title}",
  "Open its ledger": "Nachweisbuch öffnen",
  "Open the ledger: every entry, chained and signed": "Nachweisbuch öffnen: jeder Eintrag, verkettet und signiert",
  "Checking every event in this browser…": "Jedes Ereignis wird in diesem Browser geprüft …",
  "{n} events": { one: "{n} Ereignis", other: "{n} Ereignisse" },
  "This browser cannot check the ledger here": "Dieser Browser kann das Nachweisbuch hier nicht prüfen",
  "It checks only over a secure connection. Save the ledger and check it anywhere: {command}":
    "Er prüft nur über eine sichere Verbindung. Speichern Sie das Nachweisbuch und prüfen Sie es, wo Sie wollen: {command}",
  "Not checked yet: the service's public keys did not come": "Noch nicht geprüft: Die öffentlichen Schlüssel des Dienstes kamen nicht an",
  "Check again": "Erneut prüfen",
  "Checked in this browser: nothing was altered, added or left out":
    "In diesem Browser geprüft: Nichts wurde verändert, hinzugefügt oder weggelassen",
  "{n} events stand in one chain, and mastery, reckoned anew from the answers, is what is stated.": {
    one: "{n} Ereignis steht in der Kette, und der Kenntnisstand, aus den Antworten neu berechnet, ist der angegebene.",
    other: "{n} Ereignisse stehen in einer Kette, und der Kenntnisstand, aus den Antworten neu berechnet, ist der angegebene.",
  },
  "Signed by the service {times}, with key {keys}.": "Vom Dienst {times} signiert, mit dem Schlüssel {keys}.",
  "{n} times": { one: "einmal", other: "{n}-mal" },
  "Who signed it was not checked: this browser does not know the kind of signature.":
    "Wer signiert hat, wurde nicht geprüft: Dieser Browser kennt die Art der Signatur nicht.",
  "Line {line} of the export:": "Zeile {line} des Exports:",
  "Event {event}:": "Ereignis {event}:",
  "This ledger is not as it was written": "Dieses Nachweisbuch ist nicht so, wie es geschrieben wurde",
  "Save it as it is, and show it to whoever runs this service.":
    "Speichern Sie es, wie es ist, und zeigen Sie es denen, die diesen Dienst betreiben.",
  "What it rests on": "Worauf es beruht",
  "How it counted": "Wie es zählte",
  "Hash before": "Hash davor",
  "You are offline. This is the ledger as it was read last.": "Sie sind offline. So stand das Nachweisbuch, als es zuletzt gelesen wurde.",
  "The service does not answer. This is the ledger as it was read last.":
    "Der Dienst antwortet nicht. So stand das Nachweisbuch, als es zuletzt gelesen wurde.",
  "How mastery moved": "Wie sich der Kenntnisstand bewegt hat",
  "What happened": "Was geschehen ist",
  "Only what moved mastery": "Nur was den Kenntnisstand bewegt hat",
  "Nothing has moved mastery yet: only graded answers do.": "Noch hat nichts den Kenntnisstand bewegt: Das tun nur bewertete Antworten.",
  "To the conversation": "Zum Gespräch",
  "Save as NDJSON": "Als NDJSON speichern",
  "Save as xAPI": "Als xAPI speichern",
  "There is no ledger here": "Hier ist kein Nachweisbuch",
  "The session has not begun, was deleted with its conversation, or belongs to another account.":
    "Die Sitzung hat noch nicht begonnen, wurde mit ihrem Gespräch gelöscht oder gehört zu einem anderen Konto.",
  "The ledger is only shown to whoever it belongs to.": "Das Nachweisbuch wird nur gezeigt, wem es gehört.",
  "The ledger does not come": "Das Nachweisbuch kommt nicht",
  "The ledger is kept by the service. It opens as soon as the connection is back.":
    "Das Nachweisbuch liegt beim Dienst. Es öffnet sich, sobald die Verbindung wieder da ist.",
  "mastered at event {event}": "gemeistert bei Ereignis {event}",
  "{before} → {after}": "{before} → {after}",
  "“{title}”": "„{title}“",
  "{title}: {values}": "{title}: {values}",
  Beginning: "Beginn",
  "What you said": "Was Sie sagten",
  "The session began, with {n} things to learn.": {
    one: "Die Sitzung begann, mit {n} Lernziel.",
    other: "Die Sitzung begann, mit {n} Lernzielen.",
  },
  "Taken over from an earlier session whose question stands on unchanged text.":
    "Aus einer früheren Sitzung übernommen, deren Frage auf unverändertem Text beruht.",
  "You answered a question about {about}, and were right.": "Sie haben eine Frage zu {about} beantwortet, und zwar richtig.",
  "You answered a question about {about}, and were not right.": "Sie haben eine Frage zu {about} beantwortet, aber nicht richtig.",
  "It counts less: the film had just shown it.": "Es zählt weniger: Der Film hatte es eben gezeigt.",
  "It counts less: you had help, or had seen the question before.": "Es zählt weniger: Sie hatten Hilfe oder kannten die Frage schon.",
  "A model graded it against fixed criteria.": "Ein Modell hat sie nach festen Kriterien bewertet.",
  "You asked for a hint. From then on, an answer to this question counted less.":
    "Sie haben um einen Tipp gebeten. Von da an zählte eine Antwort auf diese Frage weniger.",
  "You asked for the explanation. From then on, an answer to this question counted less.":
    "Sie haben um die Erklärung gebeten. Von da an zählte eine Antwort auf diese Frage weniger.",
  "You said that you know {about} already. It is noted and moves nothing.":
    "Sie sagten, dass Sie {about} schon können. Das ist vermerkt und bewegt nichts.",
  "You said that you do not know {about} yet. It is noted and moves nothing.":
    "Sie sagten, dass Sie {about} noch nicht können. Das ist vermerkt und bewegt nichts.",
  "A path of {n} steps was planned, verified against the course and begun.": {
    one: "Ein Weg von {n} Schritt wurde geplant, am Kurs geprüft und begonnen.",
    other: "Ein Weg von {n} Schritten wurde geplant, am Kurs geprüft und begonnen.",
  },
  "A path was proposed and refused: it could not be verified against the course.":
    "Ein Weg wurde vorgeschlagen und abgelehnt: Er hielt der Prüfung am Kurs nicht stand.",
  "The tutor decided how to go on.": "Der Tutor hat entschieden, wie es weitergeht.",
  "This line is not an entry in its proper form.": "Diese Zeile ist kein Eintrag in seiner rechten Form.",
  "An entry is missing, doubled or out of its place.": "Ein Eintrag fehlt, steht doppelt oder nicht an seinem Platz.",
  "The entry does not follow from the one before it.": "Der Eintrag folgt nicht aus dem davor.",
  "The entry was altered after it was written.": "Der Eintrag wurde verändert, nachdem er geschrieben war.",
  "The ledger does not begin with its opening entry.": "Das Nachweisbuch beginnt nicht mit seinem Eröffnungseintrag.",
  "The mastery that is stated is not what the answers come to.":
    "Der angegebene Kenntnisstand ist nicht der, der sich aus den Antworten ergibt.",
  "A signature belongs to another session.": "Eine Signatur gehört zu einer anderen Sitzung.",
  "A signature is missing, doubled or out of its place.": "Eine Signatur fehlt, steht doppelt oder nicht an ihrem Platz.",
  "A signature is about another number of entries.": "Eine Signatur gilt einer anderen Zahl von Einträgen.",
  "A signature is about other entries.": "Eine Signatur gilt anderen Einträgen.",
  "The signature does not fit what it stands under.": "Die Signatur passt nicht zu dem, worunter sie steht.",
  "It is signed by a key that this service does not know.": "Es ist mit einem Schlüssel signiert, den dieser Dienst nicht kennt.",
  "Its end is missing: something was cut off.": "Das Ende fehlt: Etwas wurde abgeschnitten.",
  "Something stands behind its last signature.": "Hinter der letzten Signatur steht noch etwas.",
  "Everything begins at a cautious guess; your answers move it from there.":
    "Alles beginnt mit einer vorsichtigen Schätzung; von da an bewegen sie Ihre Antworten.",
  "It moved nothing: only answers that were graded do.": "Es hat nichts bewegt: Das tun nur bewertete Antworten.",
  "It was weighed as an answer given with help, which says less about what you know.":
    "Sie zählte als Antwort mit Hilfe, die weniger darüber aussagt, was Sie wissen.",
  "A right answer speaks for your knowing this. It is allowed for that it may have been a lucky guess.":
    "Eine richtige Antwort spricht dafür, dass Sie das können. Dass sie geraten sein kann, ist berücksichtigt.",
  "A wrong answer speaks against your knowing this. It is allowed for that it may have been a slip.":
    "Eine falsche Antwort spricht dagegen, dass Sie das können. Dass sie ein Versehen sein kann, ist berücksichtigt.",
};
