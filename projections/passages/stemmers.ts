import { stemmer as arabic } from "@orama/stemmers/arabic";
import { stemmer as danish } from "@orama/stemmers/danish";
import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as finnish } from "@orama/stemmers/finnish";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as greek } from "@orama/stemmers/greek";
import { stemmer as hungarian } from "@orama/stemmers/hungarian";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as norwegian } from "@orama/stemmers/norwegian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as romanian } from "@orama/stemmers/romanian";
import { stemmer as russian } from "@orama/stemmers/russian";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { stemmer as swedish } from "@orama/stemmers/swedish";
import { stemmer as turkish } from "@orama/stemmers/turkish";
import { stopwords as arabicStops } from "@orama/stopwords/arabic";
import { stopwords as danishStops } from "@orama/stopwords/danish";
import { stopwords as dutchStops } from "@orama/stopwords/dutch";
import { stopwords as finnishStops } from "@orama/stopwords/finnish";
import { stopwords as frenchStops } from "@orama/stopwords/french";
import { stopwords as germanStops } from "@orama/stopwords/german";
import { stopwords as greekStops } from "@orama/stopwords/greek";
import { stopwords as hungarianStops } from "@orama/stopwords/hungarian";
import { stopwords as italianStops } from "@orama/stopwords/italian";
import { stopwords as norwegianStops } from "@orama/stopwords/norwegian";
import { stopwords as portugueseStops } from "@orama/stopwords/portuguese";
import { stopwords as romanianStops } from "@orama/stopwords/romanian";
import { stopwords as russianStops } from "@orama/stopwords/russian";
import { stopwords as spanishStops } from "@orama/stopwords/spanish";
import { stopwords as swedishStops } from "@orama/stopwords/swedish";
import { stopwords as turkishStops } from "@orama/stopwords/turkish";

/** Snowball stemmers of languages other than English with their stop words, by the primary subtag of BCP 47. */
export const stemmers: Readonly<Record<string, readonly [stem: (word: string) => string, stopWords: readonly string[]]>> = {
  ar: [arabic, arabicStops],
  da: [danish, danishStops],
  de: [german, germanStops],
  el: [greek, greekStops],
  es: [spanish, spanishStops],
  fi: [finnish, finnishStops],
  fr: [french, frenchStops],
  hu: [hungarian, hungarianStops],
  it: [italian, italianStops],
  nl: [dutch, dutchStops],
  no: [norwegian, norwegianStops],
  pt: [portuguese, portugueseStops],
  ro: [romanian, romanianStops],
  ru: [russian, russianStops],
  sv: [swedish, swedishStops],
  tr: [turkish, turkishStops],
  nb: [norwegian, norwegianStops],
  nn: [norwegian, norwegianStops],
};
