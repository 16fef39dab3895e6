import { randomBytes } from "node:crypto";

/** A folder of this machine as fetches and pushes name it. */
export interface FolderName {
  readonly name: string;
  /** What says to git which folder that is. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * A name for a folder that no configuration can lead elsewhere (`url.….insteadOf`): nobody could have written it down, and git takes the
 * longest that begins as a name does. The folder's own path could be in the person's, put there by an agent of the same user.
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
  // A key cannot hold it; such a path is no line of a configuration either.
  return path.includes("\n") ? { name: path, environment: {} } : { name, environment };
}
