import { madeBy } from "./makefile.ts";
import { scriptsNamed } from "./found.ts";

/** How a command ends: what runs before may build or serve what is proven, what runs last says whether it holds. */

/** At most so many lines are followed. */
const most = 100;

/** The simple commands with which these commands end: their own last ones, or what those run last of a `package.json` or a makefile. */
export function lastCommands(commands: readonly string[], packageJson: string, makefiles: readonly string[]): string[] {
  const seen = new Set<string>();
  const ends = commands.map(lastOf);
  for (const end of ends.values()) {
    if (ends.length > most) break;
    if (seen.has(end)) continue;
    seen.add(end);
    const lines = [...scriptsNamed(packageJson, end), ...makefiles.flatMap((each) => madeBy(each, [end]).ends)];
    ends.push(...lines.map(lastOf));
  }
  return [...seen];
}

/** Of `node build.js && npm test` that is `npm test`; what goes on beside the others (`npm start &`) is not waited for. */
function lastOf(line: string): string {
  const parts = line.split(/&&|[;\n]|(?<![>&|])&(?![>&])/).map((part) => part.trim());
  return parts.findLast((part) => !/^(?:|done|fi|esac|\}|\)|wait|true|:|kill\s.*)$/.test(part)) ?? "";
}
