export const isDecimal = (text: string | undefined): text is string => text !== undefined && /^\d+$/.test(text);
