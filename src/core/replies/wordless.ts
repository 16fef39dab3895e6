/** The thread text for a file, a sticker or a forwarded message without words. Nobody wrote it, and it decides nothing. */
export const wordless = "(a file without words)";
