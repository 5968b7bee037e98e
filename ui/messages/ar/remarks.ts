import type { Catalogue } from "../words.ts";

/** Arabic, for what is remarked of a course while it is written and merged. */
export const remarks: Catalogue = {
  "at most {max} characters, this has {count}": "أقصى عدد للمحارف {max}، وعددها هنا {count}",
  "this must not be empty": "يجب ألا يكون هذا فارغًا",
  "expected a language tag such as en or pt-BR": "المطلوب رمز لغة مثل en أو pt-BR",
  "expected lower-case letters and digits, parted by hyphens": "المطلوب أحرف لاتينية صغيرة وأرقام تفصل بينها شرطات",
  "expected {min} to {max} letters, digits, _ or -": "المطلوب من {min} إلى {max} من الأحرف اللاتينية أو الأرقام أو _ أو -",
  "expected a relative path inside the course": "المطلوب مسار نسبي داخل المقرر",
  "at most {most} of them, there are {count}": "أقصى عدد منها {most}، والموجود {count}",
  'the id "{id}" is already used at {place}': "المعرّف «{id}» مستخدم من قبل في {place}",
  'there is no topic with the id "{id}"': "لا توجد صفحة بالمعرّف «{id}»",
  'there is no collection with the id "{id}"': "لا يوجد جزء بالمعرّف «{id}»",
  '"{id}" is already contained at {place}: a topic has one place': "«{id}» موجود من قبل في {place}: للصفحة مكان واحد",
  '"{id}" is already contained at {place}: a collection has one place': "«{id}» موجود من قبل في {place}: للجزء مكان واحد",
  'the topic "{title}" is in no container: add it to one, or delete it': "الصفحة «{title}» ليست في أي جزء: أضفها إلى جزء أو احذفها",
  'the collection "{title}" is in no container: add it to one, or delete it': "الجزء «{title}» ليس في أي مكان من المقرر: أضفه أو احذفه",
  'the collection "{title}" contains itself, directly or by way of others': "الجزء «{title}» يحتوي نفسه، مباشرة أو عن طريق غيره",
  "collections may be nested {most} deep, this one stands {depth} deep": "أقصى عمق لتداخل الأجزاء {most}، وعمق هذا الجزء {depth}",
  "a course needs at least one topic": "يحتاج المقرر إلى صفحة واحدة على الأقل",
  'its neighbour "{title}" has the same slug "{slug}"': "لجاره «{title}» العنوان نفسه «{slug}»",
  '"{slug}" is kept for the product\'s own pages: choose another slug': "«{slug}» محجوز لصفحات البرنامج نفسه: اختر عنوانًا آخر",
  '"{path}" is already listed at {place}': "«{path}» مدرج من قبل في {place}",
  'the course has no file "{path}": add it to the course\'s assets, or correct the path':
    "ليس في المقرر ملف «{path}»: أضفه إلى ملفات المقرر أو صحّح المسار",
  'pictures come from the course itself: put "{href}" into its assets and name it by its path':
    "تأتي الصور من المقرر نفسه: أضف «{href}» إلى ملفاته واذكر مسارها",
  'the link "{href}" leads nowhere: write {forms}, or a whole address': "الرابط «{href}» لا يؤدي إلى شيء: اكتب {forms} أو عنوانًا كاملًا",
  'there is no topic "{topic}" for the link "{href}"': "لا توجد صفحة «{topic}» للرابط «{href}»",
  'the topic "{title}" has no anchor "{anchor}" for the link "{href}"': "ليس في الصفحة «{title}» موضع «{anchor}» للرابط «{href}»",
  "There is a control character ({code}) in the text: remove it.": "في النص محرف تحكّم ({code}): أزِله.",
  "The header that begins here has no end: close it with a line {mark}.": "الترويسة التي تبدأ هنا بلا نهاية: أغلقها بسطر {mark}.",
  "Expected {form} in the header. Keys of this block: {keys}.": "المطلوب في الترويسة {form}. مفاتيح هذه الكتلة: {keys}.",
  "{key} is not a key of this block. Use: {keys}.": "{key} ليس مفتاحًا لهذه الكتلة. استخدم: {keys}.",
  "{key} stands twice in the header: keep one.": "ورد {key} مرتين في الترويسة: أبقِ واحدًا.",
  "The quoted value of {key} is not closed or has a stray quote: write {form} inside.":
    "قيمة {key} بين علامتي التنصيص غير مغلقة أو فيها علامة زائدة: اكتب {form} داخلها.",
  "{given} is not known. Use one of: {values}.": "{given} غير معروف. استخدم واحدًا من: {values}.",
  "After the fence only the name of a language may stand.": "لا يجوز بعد علامة بدء الشيفرة إلا اسم لغة.",
  "The fence that begins here has no end: close it with a line {mark}.": "الشيفرة التي تبدأ هنا بلا نهاية: أغلقها بسطر {mark}.",
  "There is text after the code. Move it to a block of its own, or use a longer fence if it belongs to the code.":
    "بعد الشيفرة نص. انقله إلى كتلة خاصة به، أو استخدم علامة بدء ونهاية أطول إن كان من الشيفرة.",
  "The text is empty. Write it, or delete the block.": "النص فارغ. اكتبه أو احذف الكتلة.",
  "The callout has no text. Write it below the header, or delete the block.": "ليس في مربع التنبيه نص. اكتبه تحت الترويسة أو احذف الكتلة.",
  "Expected a list: begin each key point with {mark}.": "المطلوب قائمة: ابدأ كل نقطة أساسية بـ {mark}.",
  "This key point is empty. Write it, or delete the line.": "هذه النقطة الأساسية فارغة. اكتبها أو احذف السطر.",
  "There is no key point. Write at least one line that begins with {mark}.":
    "لا توجد نقطة أساسية. اكتب سطرًا واحدًا على الأقل يبدأ بـ {mark}.",
  "The header says {header}, the fence says {fence}: keep one.": "في الترويسة {header} وعند الشيفرة {fence}: أبقِ واحدًا.",
  "The language is a short name such as {one} or {other}.": "اللغة اسم قصير مثل {one} أو {other}.",
  "There is no code. Write it between two lines of three backticks.":
    "لا توجد شيفرة. اكتبها بين سطرين في كل منهما ثلاث علامات اقتباس خلفية.",
  "Say what the diagram shows, in a header line {form} between two lines {mark}.":
    "اذكر ما يعرضه المخطط في سطر من الترويسة {form} بين سطرين {mark}.",
  "A diagram is written in {wanted}, not in {given}. Use a code block for other languages.":
    "يُكتب المخطط بلغة {wanted} لا بلغة {given}. استخدم كتلة شيفرة للغات الأخرى.",
  "There is no diagram. Write its Mermaid text below the header.": "لا يوجد مخطط. اكتب نصه بلغة Mermaid تحت الترويسة.",
  "Say which picture: a header line {form}, or {image}.": "اذكر الصورة: سطر في الترويسة {form} أو {image}.",
  "{path} is not a path inside the course. Put the file into the course and name it like {example}.":
    "{path} ليس مسارًا داخل المقرر. أضف الملف إلى المقرر وسمّه مثل {example}.",
  "Say what the figure shows: {form} (or {empty} when it only decorates).": "اذكر ما تعرضه الصورة: {form} (أو {empty} إن كانت للزينة فقط).",
  "The caption stands in the header and below it: keep one.": "التعليق موجود في الترويسة وتحتها: أبقِ واحدًا.",
  "There is no formula. Write it in TeX between two lines {mark}.": "لا توجد صيغة. اكتبها بلغة TeX بين سطرين {mark}.",
  "{mark} cannot stand inside a formula: one block holds one formula.": "لا يجوز {mark} داخل الصيغة: في كل كتلة صيغة واحدة.",
  "This {opening} is never closed.": "العلامة {opening} هذه لا تُغلق أبدًا.",
  "{opening} has no {closing}.": "ليس لـ {opening} ما يقابلها من {closing}.",
  "This {closing} closes nothing.": "العلامة {closing} هذه لا تُغلق شيئًا.",
  "This {closing} comes where {opening} of line {line} should be closed first.":
    "جاءت {closing} هذه حيث يجب أولًا إغلاق {opening} من السطر {line}.",
  "There is no table. Write a line of headings: {example}.": "لا يوجد جدول. اكتب سطرًا من العناوين: {example}.",
  "Below the headings a line such as {example} is needed.": "يلزم تحت العناوين سطر مثل {example}.",
  "There are {headings} headings but {columns} columns in the line below them.":
    "عدد العناوين {headings}، وعدد الأعمدة في السطر الذي تحتها {columns}، ويجب أن يتساويا.",
  "A table has no empty lines. Put text around it into a block of its own.": "لا أسطر فارغة في الجدول. ضع النص المحيط به في كتلة خاصة به.",
  "This row has {cells} cells, the table has {columns} columns. Write {bar} for a bar inside a cell.":
    "عدد خلايا هذا الصف {cells}، وعدد أعمدة الجدول {columns}. اكتب {bar} للخط العمودي داخل الخلية.",
  "The exercise has no task. Write what is to be done.": "ليس في التمرين مهمة. اكتب المطلوب فعله.",
  "There is text after a hint or solution. Move it above them, or into one of them.": "بعد تلميح أو حل نص. انقله فوقها أو إلى داخل أحدها.",
  "Expected {hint} or {solution}. Write {escaped} for a line of the text that begins so.":
    "المطلوب {hint} أو {solution}. اكتب {escaped} لسطر من النص يبدأ هكذا.",
  "A hint has no title: write {hint} alone on its line.": "لا عنوان للتلميح: اكتب {hint} وحده في سطره.",
  "Close the hint of line {line} with a line {mark} before another begins.":
    "أغلق التلميح الذي في السطر {line} بسطر {mark} قبل أن يبدأ غيره.",
  "The hint that begins here has no end: close it with a line {mark}.": "التلميح الذي يبدأ هنا بلا نهاية: أغلقه بسطر {mark}.",
  "This hint is empty. Write it, or delete it.": "هذا التلميح فارغ. اكتبه أو احذفه.",
  "Close the solution of line {line} with a line {mark} before another begins.":
    "أغلق الحل الذي في السطر {line} بسطر {mark} قبل أن يبدأ غيره.",
  "The solution that begins here has no end: close it with a line {mark}.": "الحل الذي يبدأ هنا بلا نهاية: أغلقه بسطر {mark}.",
  "This solution is empty. Write it, or delete it.": "هذا الحل فارغ. اكتبه أو احذفه.",
  "“{title}” stood in no chosen place and was put at the end of the course.": "لم يكن «{title}» في أي مكان مختار، فوُضع في نهاية المقرر.",
  "“{title}” stood in no chosen place and was put at the end of “{home}”.": "لم يكن «{title}» في أي مكان مختار، فوُضع في نهاية «{home}».",
  "A part of “{title}” stands in another chosen topic, too; both are kept. Delete one if it is too much.":
    "جزء من «{title}» موجود أيضًا في صفحة مختارة أخرى، وقد أُبقي الاثنان. احذف أحدهما إن كان زائدًا.",
  "A block that nobody deleted stood on no chosen page: it is back on “{title}”. Delete it if it is too much.":
    "كتلة لم يحذفها أحد لم تكن في أي صفحة مختارة، فأُعيدت إلى «{title}». احذفها إن كانت زائدة.",
  "A block that nobody deleted stood only on pages that are left out, and is left out with them: “{words}”":
    "كتلة لم يحذفها أحد لم تكن إلا في صفحات متروكة، فتُركت معها: «{words}»",
  "“{title}” had the same address as a neighbour: its own is “{slug}” now.":
    "كان لـ«{title}» العنوان الشبكي نفسه لجارتها، فصار عنوانها الشبكي «{slug}».",
};
