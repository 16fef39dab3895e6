/** The timeline reader that stores episodes and learns preferences. Code that changes what it has learnt locks its row. */
export const memoryReader = "memory";
