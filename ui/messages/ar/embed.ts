import type { Catalogue } from "../words.ts";

/** Arabic, for elements in pages of other sites. */
export const embed: Catalogue = {
  "Ask the course": "اسأل المقرر",
  "What would you like to know?": "ماذا تودّ أن تعرف؟",
  "Every statement of the answer leads to the passage it stands on. What you ask is kept in your history at Colloquy.":
    "كل عبارة في الإجابة تقود إلى المقطع الذي تستند إليه. ما تسأله يُحفظ في سجلّك لدى Colloquy.",
  "Generating an answer": "جارٍ كتابة إجابة",
  "There is no such course": "لا يوجد مقرر كهذا",
  "The service has no course “{course}”.": "ليس لدى الخدمة مقرر باسم «{course}».",
  "The course cannot be read right now": "لا يمكن قراءة المقرر الآن",
  "The service does not answer.": "الخدمة لا تجيب.",
  "Opening the course…": "جارٍ فتح المقرر…",
  Explainer: "فيلم شارح",
  "Sign in to watch": "سجّل الدخول للمشاهدة",
  "No explainers on this server": "لا أفلام شارحة على هذا الخادم",
  "{site} makes no explainer films. Its courses can be read, and questions about them are answered.":
    "لا ينتج {site} أفلامًا شارحة. يمكن قراءة مقرراته، ويُجاب عن الأسئلة حولها.",
  "Read the page": "اقرأ الصفحة",
  "This session could not be added to your history.": "تعذّرت إضافة هذه الجلسة إلى سجلّك.",
  "Your answers could not be kept in your history.": "تعذّر حفظ إجاباتك في سجلّك.",
  "Opening…": "جارٍ الفتح…",
  "Not available on this page": "غير متاح في هذه الصفحة",
  "{service} does not allow its elements on {site}. Whoever runs it can name this site in {setting}.":
    "لا يسمح {service} بعناصره على {site}. يستطيع من يشغّله أن يسمّي هذا الموقع في {setting}.",
  "It may be starting, the connection may be away, or this page's policy may not let it be asked.":
    "ربما كانت الخدمة تبدأ، أو الاتصال منقطعًا، أو كانت سياسة هذه الصفحة لا تسمح بسؤالها.",
  "Signing in opens a small window of Colloquy. This page is not told who you are.":
    "يفتح تسجيل الدخول نافذة صغيرة من Colloquy. لن تعرف هذه الصفحة من أنت.",
  "Your browser did not open the window. {open}, or allow windows for this page.":
    "لم يفتح متصفحك النافذة. {open}، أو اسمح بالنوافذ لهذه الصفحة.",
  "Open it now": "افتحها الآن",
  "The window is closed, and nobody is signed in here yet. If you signed in there, press the button once more.":
    "أُغلقت النافذة ولم يُسجَّل دخول أحد هنا بعد. إن كنت قد سجّلت الدخول هناك فاضغط الزر مرة أخرى.",
  "Open the window again": "افتح النافذة مرة أخرى",
  "Go on in the window that has opened.": "تابِع في النافذة التي فُتحت.",
  Quiz: "اختبار",
  "Sign in for a quiz": "سجّل الدخول لإجراء اختبار",
  "Writing questions…": "جارٍ كتابة الأسئلة…",
  "They come from the course's own text.": "تأتي من نص المقرر نفسه.",
  "Test yourself: {about}": "اختبر نفسك: {about}",
  "Test yourself": "اختبر نفسك",
  "A few questions from the course, each with its explanation.": "بضعة أسئلة من المقرر، لكل منها شرحه.",
  "Make a quiz": "أنشئ اختبارًا",
  "Writing questions": "جارٍ كتابة الأسئلة",
  "The quiz is ready": "الاختبار جاهز",
  "No quiz could be made.": "تعذّر إنشاء اختبار.",
  "Sign in to be tutored": "سجّل الدخول لتتعلّم مع المعلّم",
  "Choose a course first.": "اختر مقررًا أولًا.",
  "the diagram is not on the page": "المخطط ليس في الصفحة",
  "it took too long": "استغرق وقتًا طويلًا جدًا",
  "this page lets no frame in": "لا تسمح هذه الصفحة بأي إطار",
};
