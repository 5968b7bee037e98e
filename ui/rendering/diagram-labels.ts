import { escapeHtml } from "./escape.ts";

/** Text on light and on dark fills, in both themes. */
const inks = { onLight: "#1a1a1a", onDark: "#f5f5f5" } as const;

/** Statements of flowcharts, state and class diagrams that colour a node. */
const fillRule = /^([^\S\n]*(?:style|classDef)[^\S\n]+\S+[^\S\n]+)([^\n;]*)/gm;
const backgroundRule = /^([^\S\n]*rect[^\S\n]+)(rgb\([^()\n]*\)|#[\da-f]{3,8}|[a-z]+)[^\S\n]*$/gim;

/**
 * A source whose labels can be read on the colours of its author: text takes the colour that its fill wants, unless the author chose one, and
 * backgrounds of sequences are a tint of the page.
 * @param channels red, green and blue of a CSS colour, from 0 to 255; null for what is none
 */
export function readableFills(source: string, channels: (colour: string) => readonly number[] | null): string {
  const filled = source.replace(fillRule, (rule, head: string, styles: string) => {
    const fill = /(?:^|,)\s*fill\s*:\s*([^,]+)/i.exec(styles)?.[1]?.trim();
    const light = fill && !/(?:^|,)\s*color\s*:/i.test(styles) ? channels(fill) : null;
    return light ? `${head}${styles.trimEnd()},color:${isLight(light) ? inks.onLight : inks.onDark}` : rule;
  });
  if (!/sequenceDiagram/.test(source)) return filled;
  return filled.replace(backgroundRule, (rule, head: string, colour: string) => {
    const parts = channels(colour);
    return parts ? `${head}rgba(${parts.join(",")},.2)` : rule;
  });
}

/** Relative luminance of sRGB (WCAG 2.2), without its gamma: near enough to choose between dark and light text. */
const isLight = ([red = 0, green = 0, blue = 0]: readonly number[]): boolean => 0.2126 * red + 0.7152 * green + 0.0722 * blue > 140;

/** Tags of labels that only change how words look: Mermaid's text renderer would show them. */
const looks = /<\/?(?:b|i|u|s|em|strong|small|sub|sup|code|span|font|center|tt|mark)(?:\s[^<>]*)?>/gi;
export const withoutLooks = (source: string): string => source.replace(looks, "");

/** A drawing whose texts show signs where they name them (`&quot;`, `&#9829;`). They stay text. */
export function entitiesAsSigns(svg: string): string {
  const reader = document.createElement("textarea");
  return svg.replace(/<style[\s\S]*?<\/style>|>[^<]+</g, (part) =>
    part.startsWith("<style")
      ? part
      : part.replace(/&amp;(#?\w{2,31};)/g, (written, entity: string) => {
          reader.innerHTML = `&${entity}`;
          return reader.value === `&${entity}` ? written : escapeHtml(reader.value);
        }),
  );
}
