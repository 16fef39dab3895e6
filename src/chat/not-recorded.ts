/** The database did not record the action: nothing was decided, and the same call may be repeated. */
export class NotRecorded extends Error {}
