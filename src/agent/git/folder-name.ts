import { randomBytes } from "node:crypto";

/** A local folder, as fetches and pushes name it. */
export interface FolderName {
  readonly name: string;
  /** Configuration that maps the name to the folder. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Returns a random name for a folder that no configuration can redirect (`url.….insteadOf`). Git uses the longest matching prefix, and
 * nobody can know the random name. A rule for the folder's own path could be in the person's configuration, written by an agent of the
 * same user.
 */
export function nameOfFolder(path: string): FolderName {
  const name = `cos-${randomBytes(16).toString("hex")}:`;
  const environment = {
    GIT_CONFIG_COUNT: "2",
    GIT_CONFIG_KEY_0: `url.${path}.insteadOf`,
    GIT_CONFIG_VALUE_0: name,
    GIT_CONFIG_KEY_1: `url.${path}.pushInsteadOf`,
    GIT_CONFIG_VALUE_1: name,
  };
  // A configuration key cannot hold a newline. Such a path cannot be in a configuration file either.
  return path.includes("\n") ? { name: path, environment: {} } : { name, environment };
}
