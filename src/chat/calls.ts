/** Makes a call into a platform; throws what the call throws. */
export type MakeCall = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Calls whose ends are told: with the error that was thrown, or null when it went well. */
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
