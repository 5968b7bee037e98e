/** Words that decide what a sentence claims, in the languages of the product: English, German, Arabic. */

const listed = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

export const negations = listed(`
  not no never none nothing nobody nowhere neither nor without cannot hardly
  nicht kein keine keinen keinem keiner keines nie niemals nichts niemand nirgends weder ohne kaum
  لا لم لن ليس ليست ليسوا لسنا لسن دون بدون بلا غير أبدا
`);

/** Words for how much, how often and how surely. `all` and what restricts may not be added, `some` and what restricts not left out. */
const quantities: Readonly<Record<Quantity, ReadonlySet<string>>> = {
  all: listed(`
    all every each any always everything everyone everybody everywhere both must entirely completely exactly whenever
    alle aller allen alles jede jeder jedes jeden jedem immer stets sämtliche beide muss müssen genau völlig überall
    كل جميع دائما كافة يجب كلا تماما أي
  `),
  some: listed(`
    some sometimes often usually mostly most few several rarely seldom may might can could almost nearly partly occasionally
    manche manchmal oft meist meistens einige wenige selten kann können könnte darf fast beinahe teils mitunter gelegentlich
    بعض أحيانا غالبا معظم قليل نادرا قد يمكن ربما تقريبا
  `),
  only: listed("only merely solely alone just nur bloß lediglich allein فقط وحده"),
};
type Quantity = "all" | "some" | "only";

const kinds: readonly Quantity[] = ["all", "some", "only"];
export const quantityOf = (word: string): Quantity | null => kinds.find((kind) => quantities[kind].has(word)) ?? null;

/** Words on one side of "/" are opposites of those on the other side. */
const axes = `
  more greater larger bigger higher longer mehr größer höher länger أكثر أكبر أعلى أطول / less fewer smaller lower shorter weniger kleiner niedriger kürzer أقل أصغر أدنى أقصر
  increase increases increased increasing grow grows growing rise rises raise raises gain gains wachsen wächst steigt steigen steigert erhöht erhöhen zunimmt يزيد تزيد يزداد تزداد ينمو يرفع / decrease decreases decreased decreasing shrink shrinks fall falls lower lowers lose loses schrumpft schrumpfen sinkt sinken senkt verringert abnimmt ينقص تنقص يقل تقل يتقلص يخفض
  before earlier vor vorher davor früher قبل / after later nach nachher danach später بعد
  left links linke linken linker يسار اليسرى أيسر / right rechts rechte rechten rechter يمين اليمنى أيمن
  above top upper over oben obere oberen über فوق أعلى / below bottom lower under unten untere unteren unter تحت أسفل
  first erste ersten erster erstes zuerst أول الأول الأولى أولا / last letzte letzten letzter letztes zuletzt آخر الأخير الأخيرة أخيرا
  often usually mostly oft meist meistens غالبا / rarely seldom hardly selten kaum نادرا
  easily / hardly
  always ever immer stets دائما / never sometimes rarely seldom nie niemals manchmal selten أبدا أحيانا نادرا
  all every each everything alle jede jeder jedes كل جميع / none no some few keine kein manche einige بعض
  explicit / implicit
  concrete / abstract
  empty leer فارغ / full voll ممتلئ
  true correct right wahr richtig stimmt صحيح / false wrong incorrect falsch unwahr خطأ خاطئ
  strong stronger strongest strengthens strengthen stark stärker stärkt stärken قوي أقوى يقوي / weak weaker weakest weakens weaken schwach schwächer schwächt schwächen ضعيف أضعف يضعف
  easy easier easily leicht leichter einfach سهل أسهل / hard harder hardly difficult schwer schwerer schwierig صعب أصعب
  fast faster quick quickly schnell schneller سريع أسرع / slow slower slowly langsam langsamer بطيء أبطأ
  input reads read eingabe liest مدخل يقرأ / output writes write ausgabe schreibt مخرج يكتب
  row rows zeile zeilen صف صفوف / column columns spalte spalten عمود أعمدة
  positive positiv موجب / negative negativ سالب
  minimum smallest least minimal kleinste أصغر / maximum largest most maximal größte أكبر
  inside within innen innerhalb داخل / outside beyond außen außerhalb خارج
  parallel موازي / perpendicular orthogonal senkrecht عمودي
  horizontal waagerecht أفقي / vertical senkrecht رأسي
  early früh مبكر / late spät متأخر
  adds add fügt أضف يضيف / removes remove deletes delete entfernt löscht يحذف احذف
  creates create erzeugt erstellt ينشئ / deletes delete destroys löscht يحذف
  opens open öffnet يفتح / closes close schließt يغلق
  same gleich gleiche gleichen dasselbe نفس / different another anders verschieden verschiedene مختلف
  remember remembers remembered remembering erinnern erinnert merken يتذكر تذكر / forget forgets forgotten forgetting vergessen vergisst ينسى نسيان
  best better gut besser أفضل / worst worse bad schlecht schlechter أسوأ
  helps help supports hilft يساعد / hinders hinder harms hurts schadet يضر يعيق
  singular / invertible
  absolute / relative
  domain / codomain
  ascending aufsteigend / descending absteigend
  numerically / alphabetically
  public / private
  constant konstant ثابت / variable variabel متغير
  global / local
  sum / product difference
  multiply multiplies multiplied / divide divides divided
  add adds added / subtract subtracts subtracted
  finite endlich / infinite unendlich
  everywhere überall / nowhere nirgends
  together zusammen معا / apart getrennt منفصل
  succeeds succeed gelingt ينجح / fails fail scheitert يفشل
  keeps keep kept preserves preserve behält bewahrt erhält يحفظ / loses lose lost changes change destroys verliert ändert يفقد يغير
  gives give gibt يعطي / takes take nimmt يأخذ
  begin begins beginning start starts beginnt anfang يبدأ بداية / end ends ending endet ende ينتهي نهاية
  long lang طويل / short kurz قصير
  high hoch عال / low niedrig منخفض
  many viele كثير / few wenige قليل
  universal / existential
  conjunction and / disjunction or
`;
const sides: readonly (readonly [ReadonlySet<string>, ReadonlySet<string>])[] = axes
  .trim()
  .split("\n")
  .map((line) => {
    const [one = "", other = ""] = line.split(" / ");
    return [listed(one), listed(other)] as const;
  });

const negated = /^(?:in|im|un|ir|il|non|dis|anti)-?(?=\p{L}{4})/u;

/** Whether two words are opposites: of a listed pair, or by a negating prefix. */
export function contrary(one: string, other: string): boolean {
  if (one === other) return false;
  if (sides.some(([left, right]) => (left.has(one) && right.has(other)) || (left.has(other) && right.has(one)))) return true;
  return (negated.test(one) && one.replace(negated, "") === other) || (negated.test(other) && other.replace(negated, "") === one);
}

/** Verbs for what may be: a paraphrase often does without them. */
export const isModal = (word: string): boolean => /^(?:may|might|can|could|kann|können|könnte|darf|قد|يمكن)$/u.test(word);

/** Words with little meaning of their own, which may be left out. */
const light = listed(`
  a an the of to in on at by for from with into onto as than then so thus therefore hence also too and or but yet however moreover still even once again
  is are was were be been being am do does did done has have had will would shall should it its itself they them their theirs themselves this that these
  those he she his her we us our ours you your yours i my me one ones who whom whose which what when where while why how if because since although though whether there here
  now up down out off over about roughly approximately between through during such other others own same very quite rather really simply let lets look see say says said call calls called
  mean means example comparison code film word words way thing things kind kinds use uses used using instead like not-only else upon
  minus plus equals
  der die das den dem des ein eine einen einem einer eines und oder aber doch auch so dass weil wenn als wie ist sind war waren sein wird werden wurde hat haben hatte
  er sie es ihr ihre ihren ihrem ihrer sein seine seinen man wir uns unser unsere du dich ich mich dich euch dies diese dieser dieses diesen diesem jenes in im an am auf aus bei beim mit
  von vom zu zum zur für durch um bis gegen unter über vor nach zwischen dann also daher deshalb hier da dort was wer wen wem wo wann warum sich selbst noch schon sehr ja etwa ungefähr zwar denn sowie heißt heißen nennt genannt bedeutet beispiel
  في من إلى على عن مع هو هي هم هذا هذه ذلك تلك الذي التي الذين ما ماذا أن إن أنه أنها كان كانت يكون تكون قد ثم أو و ف ب ل ك بل لكن حيث عند كما إذا لأن بين له لها به بها فيه فيها هنا هناك مثل
`);

export const isLight = (word: string): boolean => light.has(word);

/** Words that refer to something named before. */
const pronouns = listed(
  "it its they them their theirs this that these those he she his her one ones er sie es ihr ihre ihren ihrem ihrer sein seine seinen dies diese dieser dieses diesen diesem das هو هي هم هذا هذه ذلك تلك",
);
export const isPronoun = (word: string): boolean => pronouns.has(word);

/** Words that begin a conditional clause. */
export const conditional =
  /^(?:if|unless|only|except|provided|when|whenever|without|as long as|wenn|falls|außer|nur|sofern|solange|ohne|إذا|إن|ما لم|إلا|فقط|عندما|بشرط|لو)(?!\p{L})/iu;

export const subordinating = /^(?:if|when|whenever|because|since|while|as|although|wenn|falls|weil|da|während|obwohl|إذا|عندما|لأن)$/iu;

/** Words for the whole of something, which are interchangeable. */
export const isWhole = (word: string): boolean =>
  /^(?:all|every|each|any|alle|aller|allen|alles|jede|jeder|jedes|jeden|jedem|كل|جميع|كافة)$/u.test(word);

/** Words at the start of a sentence that connect it with the one before. */
export const connective =
  /^(?:and|but|or|so|then|thus|hence|therefore|however|also|yet|still|in general|in words|in fact|for example|for instance|that is|that is why|this is why|as a result|moreover|instead|finally|first|second|und|oder|aber|doch|also|daher|deshalb|dann|zum beispiel|außerdem|somit|و|لكن|ثم|لذلك|إذن|مثلا)$/iu;
