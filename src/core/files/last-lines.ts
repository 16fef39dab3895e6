import { madeBy } from "./makefile.ts";
import { scriptsNamed } from "./found.ts";

/** Finds the last commands of a proof. Earlier commands may build or serve what is proven; the last ones decide the result. */

/** Maximum number of lines that are followed. */
const most = 100;

/**
 * The simple commands with which these commands end: their own last command, or the last commands of a script in `package.json` or a
 * makefile.
 */
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

/** The last command of a line: `npm test` for `node build.js && npm test`. Background commands (`npm start &`) are separate parts. */
function lastOf(line: string): string {
  const parts = line.split(/&&|[;\n]|(?<![>&|])&(?![>&])/).map((part) => part.trim());
  return parts.findLast((part) => !/^(?:|done|fi|esac|\}|\)|wait|true|:|kill\s.*)$/.test(part)) ?? "";
}
