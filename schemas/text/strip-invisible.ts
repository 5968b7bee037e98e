/** Joiners make letters of Persian or Hindi and families of emoji; beside ASCII, and several together, they join nothing. */
const idleJoiners = /[\u200c\u200d]{2,}|(?<=\p{ASCII}|^)[\u200c\u200d]|[\u200c\u200d](?=\p{ASCII}|$)/gu;
/** Marks of direction, letters of no width, variation selectors, tags, control characters: any text can be written in them. */
const unseen = /(?!\u200c|\u200d)[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]|(?![\t\n\r])\p{Cc}/gu;

/** A text without what its reader cannot see. */
export const seen = (text: string): string => text.replace(unseen, "").replace(idleJoiners, "");
