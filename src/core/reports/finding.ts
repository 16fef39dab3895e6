/** One line of `cos doctor`. */
export interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly says: string;
}
