/** What stands in a thread for a file, a sticker or a forwarded message without words: nobody said it, and it decides nothing. */
export const wordless = "(a file without words)";
