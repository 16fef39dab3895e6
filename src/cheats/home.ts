import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { leadsOut } from "../core/files/path.ts";
import { layRegistries, registrySettings } from "../agent/place/registries.ts";
import { changeEnvironment, ownEnvironment } from "../environment.ts";

/**
 * Changes HOME to a folder of this trial, because without isolation cheats write to the HOME that they are given. The person's settings
 * for package registries are copied into it. Inherited variables with paths below the person's HOME are changed to paths below the new
 * one.
 */
export async function leaveHome(home: string): Promise<void> {
  const left = homedir();
  const registries = registrySettings(left);
  await mkdir(home, { recursive: true });
  const settings = join(home, "settings");
  const inherited = Object.entries(ownEnvironment()).flatMap(([name, value = ""]) => {
    const below = relative(left, value);
    const isBelow = /^(?:XDG_|npm_config_)/i.test(name) && value.startsWith("/") && !leadsOut(below);
    return isBelow ? [[name, join(home, below)] as const] : [];
  });
  changeEnvironment({
    ...Object.fromEntries(inherited),
    ...(await layRegistries(registries, settings, settings)),
    HOME: home,
  });
}
