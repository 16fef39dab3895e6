/** The database did not take it: nothing was decided, and the same call may be made again. */
export class NotRecorded extends Error {}
