import type { MermaidConfig } from "mermaid";

/** Colours and font at the diagram's place, for Mermaid. */
export interface Theme {
  dark: boolean;
  font: string;
  ink: string;
  soft: string;
  line: string;
  paper: string;
  raised: string;
  sunken: string;
  accent: string;
  wash: string;
  mark: string;
}

/** Reads the computed theme colours at a figure. */
export function colours(figure: HTMLElement): Theme {
  const probe = document.createElement("span");
  probe.hidden = true;
  figure.append(probe);
  const colour = (name: string): string => {
    probe.style.color = `var(${name})`;
    return hexColour(getComputedStyle(probe).color);
  };
  const ink = colour("--ink");
  const theme = {
    dark: luminance(ink) > 0.5,
    font: getComputedStyle(figure).getPropertyValue("--font-ui").trim() || "sans-serif",
    ink,
    soft: colour("--ink-soft"),
    line: colour("--line-strong"),
    paper: colour("--paper"),
    raised: colour("--raised"),
    sunken: colour("--sunken"),
    accent: colour("--accent"),
    wash: colour("--accent-wash"),
    mark: colour("--mark"),
  };
  probe.remove();
  return theme;
}

let canvas: CanvasRenderingContext2D | null = null;

/** Any CSS colour as `#rrggbb`: Mermaid's colour arithmetic knows no `oklch()`. */
function hexColour(value: string): string {
  canvas ??= Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
  if (!canvas) return "#888888";
  canvas.fillStyle = value;
  canvas.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** Red, green and blue of a CSS colour without transparency, from 0 to 255; null for anything else. */
export function channelsOf(colour: string): readonly number[] | null {
  if (!CSS.supports("color", colour) || /^(?:transparent|currentcolor|inherit|initial|unset|revert.*)$|\/|a\(/i.test(colour)) return null;
  return [1, 3, 5].map((at) => Number.parseInt(hexColour(colour).slice(at, at + 2), 16));
}

/** Directives and front matter, where colours of the theme stand. */
const settings = /%%\{[\s\S]*?\}%%|^\s*---\n[\s\S]*?\n\s*---(?=\n)/g;
const colourSetting =
  /(["']?)\b([A-Za-z]*(?:colou?r|bkg|background|border|fill)\w*|(?:cScale|fillType|git|pie)\w*\d)\1(\s*:[ \t]*)("[^"\n]*"|'[^'\n]*'|[^\s,{}()"'[]+(?:\([^()\n]*\))?)/gi;

/** A source whose settings have only colours that Mermaid can read: others are rewritten as `#rrggbb`, and the key of what is no colour is made unknown. */
export function readableColours(source: string): string {
  return source.replace(settings, (block) =>
    block.replace(colourSetting, (_pair, quote: string, key: string, colon: string, written: string) => {
      const value = written.replace(/["']/g, "").trim();
      const colour = [value, `#${value}`].find((one) => CSS.supports("color", one));
      return colour ? `${quote}${key}${quote}${colon}"${hexColour(colour)}"` : `${quote}${key}Unread${quote}${colon}""`;
    }),
  );
}

const luminance = (hex: string): number =>
  (Number.parseInt(hex.slice(1, 3), 16) + Number.parseInt(hex.slice(3, 5), 16) + Number.parseInt(hex.slice(5, 7), 16)) / 765;

/** Settings that a diagram's own directives cannot change: they would admit HTML or CSS of their own. */
const lockedSettings = [
  "secure",
  "securityLevel",
  "startOnLoad",
  "maxTextSize",
  "maxEdges",
  "suppressErrorRendering",
  "htmlLabels",
  "themeCSS",
  "dompurifyConfig",
  "fontFamily",
  "altFontFamily",
  "legacyMathML",
  "forceLegacyMathML",
];

/** Mermaid's settings for a theme. `titleLines`: the most lines that a title of a subgraph has. */
export function configuration(theme: Theme, titleLines = 1): MermaidConfig {
  const { fills, strokes } = series(theme);
  return {
    startOnLoad: false,
    securityLevel: "strict",
    secure: lockedSettings,
    suppressErrorRendering: true,
    htmlLabels: false,
    look: "classic",
    layout: "dagre",
    theme: "base",
    fontFamily: theme.font,
    flowchart: {
      htmlLabels: false,
      curve: "basis",
      padding: 12,
      nodeSpacing: 36,
      rankSpacing: 44,
      // Mermaid leaves room for one line.
      subGraphTitleMargin: { top: 0, bottom: (titleLines - 1) * titleLineHeight },
    },
    class: { htmlLabels: false },
    // Without a width, the chart is as wide as the element in which it is measured.
    gantt: { useWidth: 800, axisFormat: "%m-%d" },
    journey: { actorColours: strokes },
    themeCSS: css(theme),
    themeVariables: {
      darkMode: theme.dark,
      fontFamily: theme.font,
      fontSize: "16px",
      background: theme.paper,
      primaryColor: theme.wash,
      primaryTextColor: theme.ink,
      primaryBorderColor: theme.accent,
      secondaryColor: theme.sunken,
      secondaryTextColor: theme.ink,
      secondaryBorderColor: theme.line,
      tertiaryColor: theme.raised,
      tertiaryTextColor: theme.ink,
      tertiaryBorderColor: theme.line,
      lineColor: theme.soft,
      textColor: theme.ink,
      mainBkg: theme.wash,
      nodeBorder: theme.accent,
      clusterBkg: theme.sunken,
      clusterBorder: theme.line,
      edgeLabelBackground: theme.paper,
      titleColor: theme.ink,
      noteBkgColor: theme.mark,
      noteTextColor: theme.ink,
      noteBorderColor: theme.line,
      actorBkg: theme.wash,
      actorBorder: theme.accent,
      actorTextColor: theme.ink,
      signalColor: theme.soft,
      signalTextColor: theme.ink,
      labelBoxBkgColor: theme.sunken,
      labelBoxBorderColor: theme.line,
      ...chartColours(theme, fills, strokes),
    },
  };
}

/** The height of a further line of a subgraph's title. */
const titleLineHeight = 19;

/** Hues of the parts of charts, in an order in which neighbours differ. */
const hues = [195, 75, 285, 145, 25, 240, 105, 330, 170, 50, 265, 350];

/** Colours for the parts of charts: fills that text is readable on, and strokes that stand out from the page. */
function series({ dark }: Theme): { fills: string[]; strokes: string[] } {
  const [fill, stroke] = dark ? ["36% .06", "76% .1"] : ["88% .06", "52% .11"];
  return {
    fills: hues.map((hue) => hexColour(`oklch(${fill} ${hue})`)),
    strokes: hues.map((hue) => hexColour(`oklch(${stroke} ${hue})`)),
  };
}

/** Mermaid derives these from the theme's pale colours: nearly white in light, black in dark. */
function chartColours(theme: Theme, fills: string[], strokes: string[]): Record<string, unknown> {
  const numbered = (name: string, values: string[], first = 0) =>
    Object.fromEntries(values.map((value, index) => [`${name}${index + first}`, value]));
  const [, active = "", , , critical = ""] = fills;
  const [, activeBorder = "", , , criticalBorder = ""] = strokes;
  return {
    ...numbered("cScale", fills),
    ...numbered("cScalePeer", strokes),
    ...numbered("cScaleInv", strokes),
    ...numbered("cScaleLabel", Array(hues.length).fill(theme.ink)),
    ...numbered("fillType", fills),
    ...numbered("pie", fills, 1),
    pieOpacity: "1",
    pieStrokeColor: theme.paper,
    pieOuterStrokeColor: theme.line,
    ...numbered("git", strokes),
    ...numbered("gitInv", Array(hues.length).fill(theme.ink)),
    ...numbered("gitBranchLabel", Array(hues.length).fill(theme.paper)),
    commitLabelColor: theme.ink,
    commitLabelBackground: theme.sunken,
    xyChart: { plotColorPalette: strokes.join(",") },
    radar: { axisColor: theme.line, graticuleColor: theme.line },
    packet: {
      labelColor: theme.ink,
      titleColor: theme.ink,
      startByteColor: theme.soft,
      endByteColor: theme.soft,
      blockStrokeColor: theme.line,
      blockFillColor: theme.sunken,
    },
    sequenceNumberColor: theme.paper,
    archEdgeColor: theme.soft,
    archEdgeArrowColor: theme.soft,
    archGroupBorderColor: theme.line,
    sectionBkgColor: theme.sunken,
    sectionBkgColor2: theme.sunken,
    altSectionBkgColor: theme.paper,
    excludeBkgColor: theme.sunken,
    gridColor: theme.line,
    taskBorderColor: theme.accent,
    activeTaskBkgColor: active,
    activeTaskBorderColor: activeBorder,
    doneTaskBkgColor: theme.sunken,
    doneTaskBorderColor: theme.soft,
    critBkgColor: critical,
    critBorderColor: criticalBorder,
    todayLineColor: criticalBorder,
    taskTextClickableColor: theme.accent,
  };
}

/** Rules for what no setting reaches: rounded corners, titles in their box's colour, fixed greys, and flows that would vanish on a dark page. */
const css = (theme: Theme): string =>
  [
    ".node rect, .cluster rect, rect.actor, rect.note { rx: 8px; ry: 8px; }",
    ".edgeLabel rect { opacity: 0.92; }",
    `text.journey-section, text.task { fill: ${theme.ink}; }`,
    `[fill="#444444"] { fill: ${theme.ink}; } [stroke="#444444"] { stroke: ${theme.soft}; }`,
    ...(theme.dark ? [".links .link { mix-blend-mode: normal !important; }"] : []),
  ].join(" ");
