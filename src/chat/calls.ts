/** Runs one call to a platform. Throws what the call throws. */
export type MakeCall = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Wraps calls and reports how each one ended: `tell` gets the thrown error, or null when the call succeeded. */
export function toldCalls(tell: (error: unknown) => void): MakeCall {
  return async (work) => {
    try {
      const result = await work();
      tell(null);
      return result;
    } catch (error) {
      tell(error);
      throw error;
    }
  };
}
