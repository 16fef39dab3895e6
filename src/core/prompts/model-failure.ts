/**
 * Why a model gave no answer.
 *
 * | reason | what happened |
 * |---|---|
 * | unreachable | no connection, or 5xx, after all tries |
 * | limited | 429 after all tries, or a retry time longer than we wait |
 * | rejected | another 4xx: a wrong key, model or request |
 * | refused | the model declined, or its filter did |
 * | timeout | no answer in time |
 * | malformed | no JSON that matches the schema, also after one repair |
 * | truncated | cut off at the maximum length, also after one repair |
 * | over-budget | the call may cost more than is left |
 */
export type ModelFailure =
  | "unreachable"
  | "limited"
  | "rejected"
  | "refused"
  | "timeout"
  | "malformed"
  | "truncated"
  | "over-budget";
