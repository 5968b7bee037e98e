/** What the families of our fonts are called within pictures. */
export const svgFamilies = { literata: "Literata", "instrument-sans": "Instrument Sans", "jetbrains-mono": "JetBrains Mono" } as const;

/** Our font for a list of families: no other is there, so the same picture is drawn on every machine. */
const familyFor = (families: string): string =>
  /mono|courier|consol|menlo|code/i.test(families)
    ? svgFamilies["jetbrains-mono"]
    : /sans|arial|helvetica|verdana|calibri|roboto|system-ui/i.test(families)
      ? svgFamilies["instrument-sans"]
      : svgFamilies.literata;

/**
 * A sanitised SVG with our fonts. A marker that turns around at the start of a line is one that does not, which the program that draws
 * does not know: `svgFacts` refuses pictures for which this matters. Pure.
 */
export const withOurFonts = (svg: string): string =>
  svg.replaceAll(/<style[^>]*>[\s\S]*?<\/style>|<[^>]*>/g, (tag) =>
    tag
      .replaceAll(/\bfont-family\s*=\s*"([^"]*)"/g, (_, families: string) => `font-family="${familyFor(families)}"`)
      .replaceAll(/\bfont-family\s*:\s*((?:&quot;|[^;"}])*)/g, (_, families: string) => `font-family:${familyFor(families)}`)
      .replaceAll(/\borient\s*=\s*"auto-start-reverse"/g, 'orient="auto"'),
  );
