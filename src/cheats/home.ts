import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { layRegistries, registrySettings } from "../agent/place/registries.ts";
import { changeEnvironment, ownEnvironment } from "../environment.ts";

/**
 * Where nothing isolates, cheats write to the HOME that they are given: it is one of this trial, with what reaches registries
 * of the person's own. What else is inherited and leads below the person's HOME, leads below this one.
 */
export async function leaveHome(home: string): Promise<void> {
  const left = homedir();
  const registries = registrySettings(left);
  await mkdir(home, { recursive: true });
  const settings = join(home, "settings");
  const inherited = Object.entries(ownEnvironment()).flatMap(([name, value = ""]) => {
    const below = relative(left, value);
    const isBelow = /^(?:XDG_|npm_config_)/i.test(name) && value.startsWith("/") && !below.startsWith("..");
    return isBelow ? [[name, join(home, below)] as const] : [];
  });
  changeEnvironment({
    ...Object.fromEntries(inherited),
    ...(await layRegistries(registries, settings, settings)),
    HOME: home,
  });
}
