import type { Catalogue } from "../words.ts";

/** German, for the pages as the service sends them. */
export const pages: Catalogue = {
  Learner: "Lernende",
  "Another learner": "Noch ein Lernender",
  "Owner of the courses here": "Besitzerin der Kurse hier",
  Auditor: "Auditor",
  "Read a course, ask it anything, and see for every answer the very passage it stands on.":
    "Lesen Sie einen Kurs, fragen Sie ihn, was Sie wollen, und sehen Sie zu jeder Antwort genau die Textstelle, auf der sie beruht.",
  "Colloquy: courses you can talk with": "Colloquy: Kurse, mit denen Sie sprechen können",
  "Courses · Colloquy": "Kurse · Colloquy",
  Courses: "Kurse",
  "Published for everyone. Reading needs no account; asking does.":
    "Für alle veröffentlicht. Zum Lesen brauchen Sie kein Konto, zum Fragen schon.",
  "No course is published yet. Bring one in with {command}.": "Noch ist kein Kurs veröffentlicht. Mit {command} nehmen Sie einen auf.",
  "Courses you can {talk} with": "Kurse, mit denen Sie {talk} können",
  "talk|with a course": "sprechen",
  "Read a course. Ask it anything. Every answer shows {passage}, one step away on its page.":
    "Lesen Sie einen Kurs. Fragen Sie ihn, was Sie wollen. Jede Antwort zeigt {passage}, einen Schritt entfernt auf ihrer Seite.",
  "the very passage it stands on": "genau die Textstelle, auf der sie beruht",
  "Open your conversations": "Ihre Gespräche öffnen",
  "All courses": "Alle Kurse",
  "Sign in to ask": "Zum Fragen anmelden",
  "Just read": "Nur lesen",
  "Which directions does a map leave alone?": "Welche Richtungen lässt eine Abbildung unverändert?",
  "The directions of its eigenvectors: such an arrow may become longer, shorter or turn around, but it stays on its own line":
    "Die Richtungen ihrer Eigenvektoren: Ein solcher Pfeil kann länger oder kürzer werden oder sich umkehren, bleibt aber auf seiner Geraden",
  "{n} topics": { one: "{n} Thema", other: "{n} Themen" },
  "{n} objectives": { one: "{n} Lernziel", other: "{n} Lernziele" },
  "published {day}": "veröffentlicht am {day}",
  "{read} of {all} read": "{read} von {all} gelesen",
  "Go on with {topic}": "Weiter mit {topic}",
  "Start reading": "Mit dem Lesen beginnen",
  "Ask about this part": "Zu diesem Teil fragen",
  "Ask about this course": "Zu diesem Kurs fragen",
  Contents: "Inhalt",
  "✓ Read": "✓ Gelesen",
  "{percent} % read": "{percent} % gelesen",
  "One moment": "Einen Moment",
  "Not right now": "Gerade nicht möglich",
  "The courses are being put in place. This page tries again by itself.":
    "Die Kurse werden gerade bereitgestellt. Diese Seite versucht es von selbst noch einmal.",
  "This page cannot be shown right now. Trying again in a moment usually helps.":
    "Diese Seite lässt sich gerade nicht zeigen. Meist hilft es, es gleich noch einmal zu versuchen.",
  "Ways on": "Wie es weitergeht",
  "Perhaps you meant": "Vielleicht meinten Sie",
  "Contents of {course}": "Inhalt von {course}",
  "{course} has no page at this address. It may have been moved or taken out since the link was made.":
    "{course} hat keine Seite unter dieser Adresse. Vielleicht wurde sie verschoben oder entfernt, seit der Link entstand.",
  "There is no course at this address.": "Unter dieser Adresse gibt es keinen Kurs.",
  "There is no page at this address.": "Unter dieser Adresse gibt es keine Seite.",
  "Nothing here": "Hier ist nichts",
  "Skip to the text": "Zum Text springen",
  "Ask about this page": "Zu dieser Seite fragen",
  "Something unclear? {ask}, and the answer will show where it stands in the course.":
    "Etwas unklar? {ask}: Die Antwort zeigt, wo es im Kurs steht.",
  "{course}. Licence: {licence}": "{course}. Lizenz: {licence}",
  "After this page you can": "Nach dieser Seite können Sie",
  "Close the contents": "Inhalt schließen",
  "Previous and next": "Vorige und nächste Seite",
  Previous: "Zurück",
  Next: "Weiter",
  "The end": "Ende",
  "Back to the contents": "Zurück zum Inhalt",
  "On this page": "Auf dieser Seite",
  "That page may not use Colloquy": "Jene Seite darf Colloquy nicht verwenden",
  "The site you came from is not one that this installation allows. Nobody was signed in there.":
    "Die Website, von der Sie kommen, ist hier nicht zugelassen. Dort wurde niemand angemeldet.",
  "Read the courses here": "Die Kurse hier lesen",
  "Sign in · Colloquy": "Anmelden · Colloquy",
  "Use Colloquy on {site}?": "Colloquy auf {site} verwenden?",
  "You are signed in as {name}. The page on {site} will be able to ask questions, make quizzes and be tutored as you; they are kept in your history.":
    "Sie sind als {name} angemeldet. Die Seite auf {site} kann in Ihrem Namen Fragen stellen, Quizze erstellen und den Tutor nutzen; alles davon bleibt in Ihrem Verlauf.",
  "It is not told who you are, and it can neither read your history nor change anything in your account.":
    "Sie erfährt nicht, wer Sie sind, und kann weder Ihren Verlauf lesen noch etwas an Ihrem Konto ändern.",
  Continue: "Weiter",
  "Not now": "Jetzt nicht",
  "This needs JavaScript.": "Dafür wird JavaScript gebraucht.",
  "Your conversations": "Ihre Gespräche",
  "Skip to the content": "Zum Inhalt springen",
  "Main|navigation": "Hauptnavigation",
  "Ask a course, and see what each answer stands on.": "Fragen Sie einen Kurs und sehen Sie, worauf jede Antwort beruht.",
  "Asking needs JavaScript. {courses} can be read without it.":
    "Zum Fragen wird JavaScript gebraucht. {courses} lassen sich auch ohne lesen.",
  "The courses": "Die Kurse",
  "Audit · Colloquy": "Prüfung · Colloquy",
  "Auditing needs JavaScript. A ledger's export is verified without it: {command}":
    "Zum Prüfen wird JavaScript gebraucht. Der Export eines Nachweisbuchs lässt sich ohne prüfen: {command}",
  "Ledgers are open to auditors only. What your own sessions rest on stands in each session's progress.":
    "Nachweisbücher stehen nur Prüfenden offen. Worauf Ihre eigenen Sitzungen beruhen, steht beim Fortschritt jeder Sitzung.",
  "To your conversations": "Zu Ihren Gesprächen",
  "To the courses": "Zu den Kursen",
  "Not open to this account": "Für dieses Konto nicht offen",
  "This is a demonstration. Choose who you want to be; nothing needs a password.":
    "Dies ist eine Vorführung. Wählen Sie, wer Sie sein möchten; ein Passwort brauchen Sie nicht.",
  "Sign in with a form instead": "Stattdessen mit einem Formular anmelden",
  "Your conversations stay with your account and follow you to every browser.":
    "Ihre Gespräche gehören zu Ihrem Konto und folgen Ihnen in jeden Browser.",
  "Read courses without an account": "Kurse ohne Konto lesen",
  "Offline · Colloquy": "Offline · Colloquy",
  Main: "Hauptnavigation",
  "This page is not kept here": "Diese Seite ist hier nicht aufbewahrt",
  "There is no connection to the service, and this browser has not kept this page. What you have read here before can be read now; this page comes as soon as the connection is back.":
    "Es besteht keine Verbindung zum Dienst, und dieser Browser hat diese Seite nicht aufbewahrt. Was Sie hier schon gelesen haben, können Sie jetzt lesen; diese Seite kommt, sobald die Verbindung wieder da ist.",
  "Kept in this browser": "In diesem Browser aufbewahrt",
  "Review · Colloquy": "Wiederholen · Colloquy",
  "Reviewing needs JavaScript. {courses} can be read without it.": "Das Wiederholen braucht JavaScript. {courses} lassen sich ohne lesen.",
  Draw: "Zeichnen",
  Mode: "Modus",
  "Read|mode": "Lesen",
  "Edit|mode": "Bearbeiten",
};
