import { startedIn } from "../shell/started.ts";

/** Parses a makefile as far as needed to find the commands behind a command like `make check`. */

export interface Made {
  /** Lines of the recipes, with variables expanded. */
  readonly lines: readonly string[];
  /** For each requested target, the last line of its recipe. A target without a recipe gives the last lines of its prerequisites. */
  readonly ends: readonly string[];
  /** Globs among the prerequisites: `cases/*.case`. */
  readonly needs: readonly string[];
}

interface Rule {
  readonly targets: readonly string[];
  readonly needs: readonly string[];
  readonly lines: readonly string[];
}

const most = { text: 100_000, line: 2_000, deep: 4, rules: 200 } as const;

const variable = /^ {0,8}(?:export )?(\w{1,60})\s{0,20}[:?+]{0,2}=(.*)$/;
const rule = /^([^\s:=#][^:=]{0,500}):{1,2}(?!=)([^=;]*)(?:;(.*))?$/;

/** What these commands run of a makefile: the targets that they name, their prerequisites, and targets of nested `make` calls. */
export function madeBy(makefile: string, commands: readonly string[]): Made {
  const { rules, writtenOut } = read(makefile);
  const rulesOf = finderOf(rules);
  const taken = new Set<Rule>();
  const lines: string[] = [];
  const wanted = commands.flatMap((command) => targetsIn(command));
  // A requested target may be defined in a form that is not parsed here, or in another file. Then all recipes count.
  const isUnknown = wanted.some((target) => rulesOf(target).length === 0);
  if (isUnknown) return { lines: rules.flatMap((each) => each.lines.map(writtenOut)), ends: [], needs: globsOf(rules) };
  const ends = endsOf(wanted, rulesOf).map(writtenOut);
  for (let at = 0; at < wanted.length && taken.size < most.rules; at += 1) {
    const target = wanted[at] ?? "";
    for (const each of rulesOf(target)) {
      if (taken.has(each)) continue;
      taken.add(each);
      wanted.push(...each.needs);
      for (const line of each.lines.map(writtenOut)) {
        lines.push(line);
        wanted.push(...targetsIn(line));
      }
    }
  }
  return { lines, ends, needs: globsOf([...taken]) };
}

/** The targets that a makefile has rules for. The recipes of a justfile are parsed the same way. */
export function makeTargets(makefile: string): ReadonlySet<string> {
  return new Set(read(makefile).rules.flatMap(({ targets }) => targets));
}

function endsOf(targets: readonly string[], rulesOf: RulesOf): readonly string[] {
  const wanted = new Set(targets);
  const taken = new Set<Rule>();
  const ends: string[] = [];
  // A Set yields elements that are added during iteration.
  for (const target of wanted)
    for (const each of rulesOf(target).slice(0, most.rules)) {
      if (taken.has(each)) continue;
      taken.add(each);
      const end = each.lines.at(-1);
      if (end !== undefined) ends.push(end);
      else for (const need of each.needs) wanted.add(need);
    }
  return ends;
}

function globsOf(rules: readonly Rule[]): readonly string[] {
  return rules.flatMap(({ needs }) => needs.filter((need) => /[*?[]/.test(need)));
}

/** The rules of a target. For no target (`""`), the first regular rule; for an unknown target, the pattern rules. */
type RulesOf = (target: string) => readonly Rule[];

function finderOf(rules: readonly Rule[]): RulesOf {
  const named = new Map<string, Rule[]>();
  for (const each of rules)
    for (const target of new Set(each.targets)) {
      const before = named.get(target);
      if (before === undefined) named.set(target, [each]);
      else before.push(each);
    }
  const first = rules.find(({ targets }) => targets.every((each) => !each.startsWith(".") && !each.includes("%")));
  const ofPatterns = rules.filter(({ targets }) => targets.some((each) => each.includes("%")));
  if (first !== undefined) named.set("", [first]);
  return (target) => named.get(target) ?? (target === "" ? [] : ofPatterns);
}

/** The targets of each `make` in a line; `""` when it names none. */
function targetsIn(line: string): string[] {
  return startedIn(line, "anywhere").flatMap(({ words }) => {
    const at = words.findIndex((word) => /^(?:\S{0,200}\/)?g?make$/.test(word));
    if (at === -1) return [];
    const behind = words.slice(at + 1);
    const named = behind.filter(
      (word, index) => !word.startsWith("-") && !word.includes("=") && !isValue(word, behind[index - 1] ?? ""),
    );
    return named.length === 0 ? [""] : named;
  });
}

/** True for the value of an option: `-C web`, `-j 4`. A target may follow a bare `-j`. */
function isValue(word: string, option: string): boolean {
  return /^-[Cf]$/.test(option) || (/^-[jl]$/.test(option) && /^\d/.test(word));
}

function read(makefile: string): { readonly rules: readonly Rule[]; readonly writtenOut: (line: string) => string } {
  const values = new Map([["MAKE", "make"]]);
  const rules: { targets: string[]; needs: string[]; lines: string[] }[] = [];
  const all = makefile
    .slice(0, most.text)
    .replace(/\\\n/g, " ")
    .split("\n")
    .map((line) => (line.startsWith("\t") ? line : line.replace(/(?<=^|\s)#.*$/, "")));
  for (const line of all) {
    const [, name, value = ""] = line.startsWith("\t") ? [] : (variable.exec(line.slice(0, most.line)) ?? []);
    const before = line.includes("+=") ? (values.get(name ?? "") ?? "") : "";
    if (name !== undefined) values.set(name, `${before} ${value}`.slice(0, most.line));
  }
  function writtenOut(line: string): string {
    let text = line.slice(0, most.line);
    for (let times = 0; times < most.deep; times += 1)
      text = text
        .replace(/\$[({](\w{1,60})[)}]/g, (_, name: string) => values.get(name) ?? name)
        .replace(/\$\(wildcard ([^()]{0,1000})\)/g, "$1")
        .slice(0, most.line);
    return text.replaceAll("$$", "$");
  }
  for (const line of all) {
    if (line.startsWith("\t")) {
      rules.at(-1)?.lines.push(line.replace(/^\t\s{0,20}[@+-]{0,3}/, ""));
      continue;
    }
    const [, targets, needs = "", own] = rule.exec(line.slice(0, most.line)) ?? [];
    if (targets === undefined || variable.test(line.slice(0, most.line))) continue;
    const words = (text: string): string[] => writtenOut(text).split(/\s+/).filter(Boolean);
    rules.push({ targets: words(targets), needs: words(needs), lines: own === undefined ? [] : [own] });
  }
  return { rules, writtenOut };
}
