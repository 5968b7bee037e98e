/**
 * The words of pages that stand without the interface, by their English text, as in the catalogues of `ui/messages/`, which this room may
 * not import. What one language lacks, the compiler tells.
 */
const german = {
  "Colloquy is starting": "Colloquy startet",
  "Everything is being put in place.": "Alles wird an seinen Platz gebracht.",
  "Building the pages (the first time, and after changes)": "Die Seiten werden gebaut (beim ersten Mal und nach Änderungen)",
  "Compressing the pages": "Die Seiten werden verdichtet",
  "This page opens by itself in a moment.": "Diese Seite öffnet sich gleich von selbst.",
  "One moment": "Einen Augenblick",
  "A part of Colloquy is restarting. Nothing that was saved is lost.":
    "Ein Teil von Colloquy startet neu. Nichts Gespeichertes geht verloren.",
  "This page tries again by itself.": "Diese Seite versucht es von selbst noch einmal.",
  "Too many requests": "Zu viele Anfragen",
  "Too many requests came from your network. Nothing that was saved is lost.":
    "Aus Ihrem Netz kamen zu viele Anfragen. Nichts Gespeichertes geht verloren.",
  "This is not one of Colloquy's addresses": "Das ist keine Adresse von Colloquy",
  "Whoever runs this installation can name the address with PUBLIC_URL.":
    "Wer diese Installation betreibt, kann die Adresse mit PUBLIC_URL nennen.",
  "Sign-in is not set up here": "Die Anmeldung ist nicht eingerichtet",
  "This installation has no identity provider yet. Whoever runs it can name one.":
    "Diese Installation hat noch keinen Identitätsanbieter. Wer sie betreibt, kann einen nennen.",
  "The sign-in service does not answer": "Der Anmeldedienst antwortet nicht",
  "Nothing is wrong with your account. Try again in a moment.":
    "Mit Ihrem Konto ist alles in Ordnung. Versuchen Sie es gleich noch einmal.",
  "This sign-in has run out": "Diese Anmeldung ist abgelaufen",
  "It was begun too long ago, in another browser, or has been finished already. Starting again takes a moment.":
    "Sie wurde vor zu langer Zeit oder in einem anderen Browser begonnen, oder sie ist schon abgeschlossen. Ein neuer Anfang dauert nur einen Augenblick.",
  "You are not signed in": "Sie sind nicht angemeldet",
  "The sign-in was cancelled. Nothing has changed.": "Die Anmeldung wurde abgebrochen. Nichts hat sich geändert.",
  "The sign-in did not work": "Die Anmeldung hat nicht geklappt",
  "The sign-in service did not confirm who you are. Starting again usually helps.":
    "Der Anmeldedienst hat nicht bestätigt, wer Sie sind. Meist hilft es, neu anzufangen.",
  "Sign in": "Anmelden",
  "Read the courses": "Die Kurse lesen",
  "Who is learning today?": "Wer lernt heute?",
  "These accounts are for trying Colloquy out on this machine. They have no password.":
    "Diese Konten sind zum Ausprobieren von Colloquy auf diesem Rechner da. Sie haben kein Passwort.",
  "Not now": "Nicht jetzt",
  "Served by the embedded OpenID provider, which exists in development only.":
    "Vom eingebauten OpenID-Anbieter, den es nur in der Entwicklung gibt.",
  Learner: "Lernende",
  "Another learner": "Noch ein Lernender",
  "Owner of the courses here": "Eigentümerin der Kurse hier",
  Auditor: "Prüfer",
  "Let an assistant in?": "Einen Assistenten einlassen?",
  "It works with its own model, on behalf of {name}. It gets no password, and nothing beyond what you leave ticked here.":
    "Er arbeitet mit seinem eigenen Modell, im Auftrag von {name}. Er bekommt kein Passwort und nichts außer dem, was Sie hier angekreuzt lassen.",
  "You can disconnect it at any time: in the workspace, under Settings, Connected assistants.":
    "Sie können ihn jederzeit trennen: im Arbeitsbereich, unter Einstellungen, Verbundene Assistenten.",
  "calls itself so. You go on to {place}": "nennt sich so. Es geht weiter zu {place}",
  "An assistant without a name": "Ein Assistent ohne Namen",
  "It may": "Er darf",
  "Search and read the published courses": "Die veröffentlichten Kurse durchsuchen und lesen",
  "Read your tutoring sessions: goals, questions, your answers and your progress":
    "Ihre Tutorsitzungen lesen: Ziele, Fragen, Ihre Antworten und Ihren Fortschritt",
  "Start tutoring sessions and propose questions, plans and lessons, which are checked here before they count":
    "Tutorsitzungen beginnen und Fragen, Pläne und Lektionen vorschlagen, die hier geprüft werden, bevor sie zählen",
  "Pass on your answers and hints you ask for. They count for your progress, and are marked as passed on":
    "Ihre Antworten und erbetene Tipps weitergeben. Sie zählen für Ihren Fortschritt und sind als weitergegeben gekennzeichnet",
  Allow: "Erlauben",
  Refuse: "Ablehnen",
  "Use another account": "Anderes Konto verwenden",
} as const;

/** A text that such a page may say. */
export type CalmText = keyof typeof german;

const arabic: Record<CalmText, string> = {
  "Colloquy is starting": "يبدأ Colloquy",
  "Everything is being put in place.": "يوضع كل شيء في مكانه.",
  "Building the pages (the first time, and after changes)": "تُبنى الصفحات (في المرة الأولى وبعد التغييرات)",
  "Compressing the pages": "تُضغط الصفحات",
  "This page opens by itself in a moment.": "ستُفتح هذه الصفحة من تلقاء نفسها بعد لحظة.",
  "One moment": "لحظة من فضلك",
  "A part of Colloquy is restarting. Nothing that was saved is lost.": "يُعاد تشغيل جزء من Colloquy. لا يضيع شيء مما حُفظ.",
  "This page tries again by itself.": "تحاول هذه الصفحة مرة أخرى من تلقاء نفسها.",
  "Too many requests": "طلبات كثيرة جدًا",
  "Too many requests came from your network. Nothing that was saved is lost.": "وصلت طلبات كثيرة جدًا من شبكتك. لم يضع شيء مما حُفظ.",
  "This is not one of Colloquy's addresses": "هذا ليس من عناوين Colloquy",
  "Whoever runs this installation can name the address with PUBLIC_URL.": "يستطيع من يدير هذا التثبيت تسمية العنوان عبر PUBLIC_URL.",
  "Sign-in is not set up here": "تسجيل الدخول غير مُعدّ",
  "This installation has no identity provider yet. Whoever runs it can name one.":
    "ليس لهذا التثبيت مزوّد هوية بعد. يستطيع من يديره أن يسمّي واحدًا.",
  "The sign-in service does not answer": "خدمة تسجيل الدخول لا تجيب",
  "Nothing is wrong with your account. Try again in a moment.": "لا مشكلة في حسابك. حاول مرة أخرى بعد لحظة.",
  "This sign-in has run out": "انتهت صلاحية تسجيل الدخول هذا",
  "It was begun too long ago, in another browser, or has been finished already. Starting again takes a moment.":
    "بدأ منذ وقت طويل، أو في متصفح آخر، أو اكتمل من قبل. البدء من جديد لا يستغرق إلا لحظة.",
  "You are not signed in": "لم تسجّل الدخول",
  "The sign-in was cancelled. Nothing has changed.": "أُلغي تسجيل الدخول. لم يتغيّر شيء.",
  "The sign-in did not work": "لم ينجح تسجيل الدخول",
  "The sign-in service did not confirm who you are. Starting again usually helps.":
    "لم تؤكد خدمة تسجيل الدخول هويتك. يفيد البدء من جديد عادةً.",
  "Sign in": "سجّل الدخول",
  "Read the courses": "اقرأ المقررات",
  "Who is learning today?": "من يتعلّم اليوم؟",
  "These accounts are for trying Colloquy out on this machine. They have no password.":
    "هذه الحسابات لتجربة Colloquy على هذا الجهاز. ليس لها كلمة مرور.",
  "Not now": "ليس الآن",
  "Served by the embedded OpenID provider, which exists in development only.": "يقدّمها مزوّد OpenID المدمج، الموجود في بيئة التطوير فقط.",
  Learner: "متعلّمة",
  "Another learner": "متعلّم آخر",
  "Owner of the courses here": "مالكة المقررات هنا",
  Auditor: "مدقّق",
  "Let an assistant in?": "أتسمح بدخول مساعد؟",
  "It works with its own model, on behalf of {name}. It gets no password, and nothing beyond what you leave ticked here.":
    "يعمل بنموذجه الخاص نيابةً عن {name}. لا يحصل على كلمة مرور، ولا على شيء غير ما تتركه محدّدًا هنا.",
  "You can disconnect it at any time: in the workspace, under Settings, Connected assistants.":
    "يمكنك قطع اتصاله في أي وقت: في مساحة العمل، ضمن الإعدادات، المساعدون المتصلون.",
  "calls itself so. You go on to {place}": "هكذا يسمّي نفسه. ستنتقل إلى {place}",
  "An assistant without a name": "مساعد بلا اسم",
  "It may": "يحق له",
  "Search and read the published courses": "البحث في المقررات المنشورة وقراءتها",
  "Read your tutoring sessions: goals, questions, your answers and your progress": "قراءة جلسات تعلّمك: الأهداف والأسئلة وإجاباتك وتقدّمك",
  "Start tutoring sessions and propose questions, plans and lessons, which are checked here before they count":
    "بدء جلسات تعلّم واقتراح أسئلة وخطط ودروس، يُتحقق منها هنا قبل أن تُحتسب",
  "Pass on your answers and hints you ask for. They count for your progress, and are marked as passed on":
    "تمرير إجاباتك والتلميحات التي تطلبها. تُحتسب في تقدّمك وتُعلَّم بأنها مُمرَّرة",
  Allow: "اسمح",
  Refuse: "ارفض",
  "Use another account": "استخدم حسابًا آخر",
};

export const calmCatalogues = { de: german, ar: arabic } as const;
