/** The reader of the timeline that remembers and learns. Whoever changes what it has learnt holds its row. */
export const memoryReader = "memory";
