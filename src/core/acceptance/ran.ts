/**
 * What a transcript says was run. A command that stands in the words of another one (`grep "npm test"`, `echo npm test`) was not
 * (F-204, F-211).
 */

/** More of one line of a shell is not read. */
const longest = 20_000;

/** As much of a command is compared, and so many of one line. */
const most = { compared: 2_000, pieces: 200, words: 20 } as const;

/** A command without what is typed before it: a prompt, a folder that is gone into, variables. */
export function commandIn(text: string): string {
  return text.trim().replace(/^(?:\$\s+|cd\s+\S+\s+&&\s+|env\s+|[A-Za-z_]\w*=\S*\s+)+/, "");
}

/** A command as it is compared: agents quote it, and say where they run it. */
export function comparedCommand(command: string): string {
  return command.replace(/[`"']/g, "").replace(/\s+/g, " ").trim();
}

/** Whether one of the commands that ran is this one, or, unless the whole of it is meant, begins with its words. */
export function hasRun(command: string, ran: readonly string[], isWhole = false): boolean {
  const said = comparedCommand(command).replace(folder, "");
  if (said === "") return false;
  const end = isWhole ? /^(?:$|\s?[;&|)])/ : /^(?:$|[\s;&|)])/;
  return begunBy(ran).some((run) => run.startsWith(said) && end.test(run.slice(said.length, said.length + 2)));
}

/** Read once for all the references of an answer. */
const known = new WeakMap<readonly string[], readonly string[]>();

/** The commands of a transcript as they are compared, each from its program to the end of its line. */
function begunBy(ran: readonly string[]): readonly string[] {
  const before = known.get(ran);
  if (before !== undefined) return before;
  const begun = new Set<string>();
  for (const each of ran)
    for (const part of partsOf(each.slice(0, longest))) for (const one of programsOf(part)) begun.add(one);
  known.set(ran, [...begun]);
  return [...begun];
}

/** What begins a command outside of quotes, or holds none: a text in quotes, a comment, what is fed to a program. */
const outside = /\\[^]|'[^']*(?:'|$)|"|\$\(|`|&&|\|\||[;|\n(){}#]|<<-?\s?(["']?)(\w{1,60})\1/g;

/** In double quotes an apostrophe and a # are letters. */
const inside = /\\[^]|"|\$\(|`/g;

/** What runs the text behind it. */
const shell = /(?:^|\s|\/)(?:ba|z|da|k)?sh\s+-[a-z]*c\s+$/;

/** A line of a shell from each of its commands on: text in quotes, comments and what is fed to a program are none. */
function partsOf(line: string): string[] {
  const starts = [0];
  let isQuoted = false;
  for (let at = 0; starts.length < most.pieces; ) {
    const signs = isQuoted ? inside : outside;
    signs.lastIndex = at;
    const found = signs.exec(line);
    if (found === null) break;
    const { 0: sign, 2: end, index } = found;
    at = index + sign.length;
    if (/^["']/.test(sign) && !isQuoted && shell.test(line.slice(Math.max(0, index - 40), index))) {
      // Read as a line of its own, which what follows the quote only ends.
      const close = sign === '"' ? line.indexOf('"', index + 1) : index + sign.length - 1;
      const text = line.slice(index + 1, close === -1 ? line.length : close);
      return [...piecesFrom(line, starts), ...partsOf(text), ...partsOf(line.slice(index + 1 + text.length + 1))];
    }
    if (sign === '"') isQuoted = !isQuoted;
    else if (sign === "#") at = isWordBegun(line, index) ? at : endOf(line, "\n", index);
    else if (end !== undefined) at = endOf(line, `\n${end}`, index);
    else if (!/^[\\']/.test(sign)) starts.push(at);
  }
  return piecesFrom(line, starts);
}

function piecesFrom(line: string, starts: readonly number[]): string[] {
  return starts.map((start) => line.slice(start, start + most.compared));
}

/** Whether something stands right before a place, so that a # there begins no comment. */
function isWordBegun(line: string, at: number): boolean {
  return at > 0 && !/[\s;|&()]/.test(line[at - 1] ?? "");
}

function endOf(line: string, mark: string, from: number): number {
  const found = line.indexOf(mark, from);
  return found === -1 ? line.length : found;
}

/** What stands before a command and runs it. */
const before =
  /^(?:Run(?:ning)?:? |do |then |else |if |while |until |! |time |sudo |nohup |exec |command (?!-)|nice |xvfb-run |timeout (?:-k ?\S+ |-\S+ )*\d\S* |npx (?:-\S+ )*|bunx |(?:pnpm|yarn|npm) exec (?:-- )?|(?:pnpm|yarn|php) |python[\d.]* -m |(?:poetry|uv|pdm|pipenv|hatch|rye) run |bundle exec )/;

/** Folders in which a program lies that goes by its name alone elsewhere. */
const folder = /^(?:\S{0,200}\/)?(?:node_modules\/\.bin|\.?v?env\/bin|vendor\/bin)\//;

/** What runs one of its later words, wherever that begins; and programs that only look at words. */
const carrier = /^(?:docker|podman|kubectl|ssh|xargs) /;
const looking = /^(?:echo|printf|e?grep|rg|ag|which|man|type|cat)$/;

/** A part as it is compared: as it was typed, and without what only runs what follows. */
function programsOf(part: string): string[] {
  let text = commandIn(comparedCommand(part)).replace(folder, "");
  const found = [text];
  for (let times = 0; times < most.words && before.test(text); times += 1) {
    text = commandIn(text.replace(before, "")).replace(folder, "");
    found.push(text);
  }
  if (!carrier.test(text)) return found;
  const words = text.split(" ");
  for (let at = 1; at < Math.min(words.length, most.words) && !looking.test(words[at] ?? ""); at += 1)
    found.push(words.slice(at).join(" "));
  return found;
}
