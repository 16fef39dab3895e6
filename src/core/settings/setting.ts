/** One setting, as the table of its subject lists it. */
export interface Setting {
  readonly name: string;
  /** The default, in words. Null when there is none. */
  readonly usual: string | null;
  /** The name that other programs use for the same setting. It is read when ours is not set. */
  readonly alsoCalled?: string;
  /** A value as it could be in `.env`; empty when it cannot be guessed. */
  readonly example: string;
  /** A description in plain sentences. */
  readonly about: string;
  /** True when the value is never shown, even when it is wrong. */
  readonly isSecret?: true;
  /** True when `cos init` asks for it by default. Others are asked only when they are named. */
  readonly isAsked?: true;
}

export interface SettingGroup {
  readonly title: string;
  readonly settings: readonly Setting[];
}
