/** The smallest text on screen, at 720p: 12 pixels of an upright film that is 350 wide. */
export const minTextSize = 25;
export const minContrast = 4.5;
