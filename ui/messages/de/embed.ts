import type { Catalogue } from "../words.ts";

/** German, for elements in pages of other sites. */
export const embed: Catalogue = {
  "Ask the course": "Den Kurs fragen",
  "What would you like to know?": "Was möchten Sie wissen?",
  "Every statement of the answer leads to the passage it stands on. What you ask is kept in your history at Colloquy.":
    "Jede Aussage der Antwort führt zur Textstelle, auf der sie beruht. Was Sie fragen, bleibt in Ihrem Verlauf bei Colloquy.",
  "Generating an answer": "Antwort wird geschrieben",
  "There is no such course": "Diesen Kurs gibt es nicht",
  "The service has no course “{course}”.": "Der Dienst hat keinen Kurs „{course}“.",
  "The course cannot be read right now": "Der Kurs lässt sich gerade nicht lesen",
  "The service does not answer.": "Der Dienst antwortet nicht.",
  "Opening the course…": "Der Kurs wird geöffnet …",
  Explainer: "Erklärfilm",
  "Sign in to watch": "Zum Ansehen anmelden",
  "No explainers on this server": "Keine Erklärfilme auf diesem Server",
  "{site} makes no explainer films. Its courses can be read, and questions about them are answered.":
    "{site} erstellt keine Erklärfilme. Seine Kurse lassen sich lesen, und Fragen dazu werden beantwortet.",
  "Read the page": "Die Seite lesen",
  "This session could not be added to your history.": "Diese Sitzung konnte nicht in Ihren Verlauf aufgenommen werden.",
  "Your answers could not be kept in your history.": "Ihre Antworten konnten nicht in Ihrem Verlauf gespeichert werden.",
  "Opening…": "Wird geöffnet …",
  "Not available on this page": "Auf dieser Seite nicht verfügbar",
  "{service} does not allow its elements on {site}. Whoever runs it can name this site in {setting}.":
    "{service} lässt seine Elemente auf {site} nicht zu. Wer den Dienst betreibt, kann diese Website in {setting} nennen.",
  "It may be starting, the connection may be away, or this page's policy may not let it be asked.":
    "Vielleicht startet er gerade, die Verbindung fehlt, oder die Richtlinie dieser Seite lässt ihn nicht zu.",
  "Signing in opens a small window of Colloquy. This page is not told who you are.":
    "Das Anmelden öffnet ein kleines Fenster von Colloquy. Diese Seite erfährt nicht, wer Sie sind.",
  "Your browser did not open the window. {open}, or allow windows for this page.":
    "Ihr Browser hat das Fenster nicht geöffnet. {open}, oder erlauben Sie Fenster für diese Seite.",
  "Open it now": "Jetzt öffnen",
  "The window is closed, and nobody is signed in here yet. If you signed in there, press the button once more.":
    "Das Fenster ist geschlossen, und hier ist noch niemand angemeldet. Falls Sie sich dort angemeldet haben, drücken Sie noch einmal auf die Schaltfläche.",
  "Open the window again": "Fenster noch einmal öffnen",
  "Go on in the window that has opened.": "Fahren Sie in dem Fenster fort, das sich geöffnet hat.",
  Quiz: "Quiz",
  "Sign in for a quiz": "Für ein Quiz anmelden",
  "Writing questions…": "Fragen werden geschrieben …",
  "They come from the course's own text.": "Sie kommen aus dem Text des Kurses selbst.",
  "Test yourself: {about}": "Testen Sie sich: {about}",
  "Test yourself": "Testen Sie sich",
  "A few questions from the course, each with its explanation.": "Einige Fragen aus dem Kurs, jede mit ihrer Erklärung.",
  "Make a quiz": "Quiz erstellen",
  "Writing questions": "Fragen werden geschrieben",
  "The quiz is ready": "Das Quiz ist fertig",
  "No quiz could be made.": "Es ließ sich kein Quiz erstellen.",
  "Sign in to be tutored": "Anmelden, um unterrichtet zu werden",
  "Choose a course first.": "Wählen Sie zuerst einen Kurs.",
  "the diagram is not on the page": "das Diagramm ist nicht auf der Seite",
  "it took too long": "es dauerte zu lange",
  "this page lets no frame in": "diese Seite lässt keinen Rahmen zu",
};
