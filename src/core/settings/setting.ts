/** One setting, as its subject's table has it. */
export interface Setting {
  readonly name: string;
  /** What holds where it is not set, in words; null: nothing does. */
  readonly usual: string | null;
  /** The name by which other programs know the same; read where ours is not set. */
  readonly alsoCalled?: string;
  /** A value as it could stand in `.env`; empty for one that nobody can guess. */
  readonly example: string;
  /** Plain sentences. */
  readonly about: string;
  /** Never shown, also where it is wrong. */
  readonly isSecret?: true;
  /** `cos init` asks for it by itself; others only where they are named. */
  readonly isAsked?: true;
}

export interface SettingGroup {
  readonly title: string;
  readonly settings: readonly Setting[];
}
