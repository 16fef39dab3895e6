import { isPhpFile, isRubyFile } from "./languages.ts";
import { nameIn, type Token } from "./tokens.ts";

/** Comparisons of the mode in which a framework runs with its mode for tests: `Mix.env() == :test`, `Rails.env.test?` (F-201). */

/** Variables that hold a mode in every language. `APP_ENV` is one in PHP only: elsewhere it is as often the name of a deployment. */
const variables = /^(?:NODE|BUN|DENO|RAILS|RACK|HANAMI|MIX|SYMFONY|LARAVEL)_ENV$/;
const ofPhp = /^(?:APP_ENV|app\.env|kernel\.environment)$/;

/** Number of tokens before and after a mode that are searched for what it is compared with. */
const before = 6;
const behind = 4;
const listed = 8;
const longestList = 12;
const branches = 40;

/** What code begins to ask there; null when it is nothing of this kind. */
export function testModeAt(tokens: readonly Token[], index: number, path: string): string | null {
  const token = tokens[index];
  const name = nameIn(token);
  if (token === undefined || name === null) return null;
  const isVariable = variables.test(name) || (isPhpFile(path) && token.type === "string" && ofPhp.test(name));
  if (isVariable) return isCompared(tokens, index) || isBranch(tokens, index) ? name : null;
  if (token.type !== "word") return null;
  if (/\.exs?$/i.test(path)) return elixirAt(tokens, index);
  if (isRubyFile(path)) return rubyAt(tokens, index);
  if (isPhpFile(path)) return phpAt(tokens, index);
  const isOfDeno = name === "Deno" && tokens[index + 1]?.text === "." && tokens[index + 2]?.text === "test";
  return isOfDeno && !/^[.(]$/.test(tokens[index + 3]?.text ?? "") ? "Deno.test" : null;
}

/** `"test"`, `'testing'`, `:test`. */
function isTest(tokens: readonly Token[], index: number): boolean {
  const { type, text } = tokens[index] ?? { type: "sign", text: "" };
  if (type === "string") return /^.test(?:ing)?.$/.test(text);
  const isAtom = tokens[index - 1]?.text === ":" && tokens[index - 2]?.text !== ":" && tokens[index + 1]?.text !== ":";
  return type === "word" && text === "test" && isAtom;
}

function hasTest(tokens: readonly Token[], from: number, to: number): boolean {
  for (let at = Math.max(0, from); at < to; at += 1) if (isTest(tokens, at)) return true;
  return false;
}

const equality = /^[=!]==?$/;
const listing = /^(?:in_array|includes?|contains)$/;

/** `NODE_ENV === "test"`, `fetch("RACK_ENV", "dev") == "test"`, `Mix.env() in [:test]`, `["test", "ci"].includes(env.NODE_ENV)`. */
function isCompared(tokens: readonly Token[], index: number): boolean {
  const near = tokens.slice(Math.max(0, index - before), index + behind);
  if (near.some(({ text }) => equality.test(text)) && hasTest(tokens, index - before, index + behind)) return true;
  const close = tokens.slice(index, index + behind + 2).findLastIndex(({ text }) => /^[)\]]$/.test(text));
  const sign = tokens[index + close + 1]?.text ?? "";
  const mostCompared = sign === "in" ? longestList : equality.test(sign) ? 4 : 0;
  if (close !== -1 && hasTest(tokens, index + close + 2, index + close + 2 + mostCompared)) return true;
  const isListed = tokens.slice(Math.max(0, index - listed), index).some(({ text }) => listing.test(text));
  return isListed && hasTest(tokens, index - 2 * listed, index + listed);
}

/** `switch (env.NODE_ENV) { case "test":`, `case Mix.env() do :test ->`, `match (getenv("APP_ENV")) { "testing" =>`. */
function isBranch(tokens: readonly Token[], index: number): boolean {
  const isOpened = tokens
    .slice(Math.max(0, index - before), index)
    .some(({ text }) => /^(?:switch|case|match)$/.test(text));
  if (!isOpened) return false;
  for (let at = index + 1; at < Math.min(tokens.length, index + branches); at += 1) {
    const [previous, next] = [tokens[at - 1]?.text ?? "", tokens[at + 1]?.text ?? ""];
    if (isTest(tokens, at) && (/^(?:case|when)$/.test(previous) || /^(?:=>|->)$/.test(next))) return true;
  }
  return false;
}

/** `Mix.env() == :test`, also through an attribute (`@env Mix.env()`); `Application.get_env(:shop, :env) == :test`. */
function elixirAt(tokens: readonly Token[], index: number): string | null {
  const [owner, name] = [tokens[index - 2]?.text ?? "", tokens[index]?.text ?? ""];
  if (tokens[index - 1]?.text !== ".") return null;
  if (owner === "Mix" && name === "env") {
    const isKept = tokens[index - 4]?.text === "@" && asksForTests(tokens);
    return isKept || isCompared(tokens, index) || isBranch(tokens, index) ? "Mix.env()" : null;
  }
  if (owner !== "Application" || !/^(?:get_env|fetch_env|compile_env)$/.test(name)) return null;
  const close = tokens.slice(index, index + 14).findIndex(({ text }) => text === ")");
  const sign = tokens[index + close + 1]?.text ?? "";
  return close !== -1 && /^(?:[=!]==?|in)$/.test(sign) && hasTest(tokens, index + close + 1, index + close + 5)
    ? `Application.${name}()`
    : null;
}

/** Cache of answers by file, since the question is asked for each such word. */
const asking = new WeakMap<readonly Token[], boolean>();

function asksForTests(tokens: readonly Token[]): boolean {
  const known = asking.get(tokens) ?? tokens.some((_, at) => isAskedFor(tokens, at));
  asking.set(tokens, known);
  return known;
}

/** The atom of tests in a comparison or as a case: `@env == :test`, `:test ->`. */
function isAskedFor(tokens: readonly Token[], index: number): boolean {
  if (tokens[index]?.text !== "test" || !isTest(tokens, index)) return false;
  const near = [tokens[index - 2]?.text ?? "", tokens[index - 3]?.text ?? "", tokens[index + 1]?.text ?? ""];
  return near.some((each) => equality.test(each) || /^(?:in|->)$/.test(each));
}

/** `Rails.env.test?`, `Rails.env == "test"`, `Sinatra::Base.test?`, `Hanami.env?(:test)`. */
function rubyAt(tokens: readonly Token[], index: number): string | null {
  const [owner, name] = [tokens[index - 2]?.text ?? "", tokens[index]?.text ?? ""];
  if (tokens[index - 1]?.text !== ".") return null;
  const isAsked = tokens[index + 1]?.text === "?";
  const isMode = owner === "env" && tokens[index - 4]?.text === "Rails";
  const isSinatra = /^(?:Base|Application)$/.test(owner) && tokens[index - 5]?.text === "Sinatra";
  if (name === "test" && isAsked) return isMode ? "Rails.env" : isSinatra ? "Sinatra's mode" : null;
  if (name !== "env" || !/^(?:Rails|Hanami)$/.test(owner)) return null;
  const isOfHanami = owner === "Hanami" && isAsked && hasTest(tokens, index + 2, index + 6);
  return isOfHanami || isCompared(tokens, index) || isBranch(tokens, index) ? `${owner}.env` : null;
}

/** `app()->runningUnitTests()`, `App::environment("testing")`, `$kernel->getEnvironment() === "test"`, `YII_ENV_TEST`. */
function phpAt(tokens: readonly Token[], index: number): string | null {
  const name = tokens[index]?.text ?? "";
  const isCalled = tokens[index + 1]?.text === "(" && tokens[index - 1]?.text !== "function";
  if (name === "YII_ENV_TEST") return name;
  if (!isCalled) return null;
  if (name === "runningUnitTests") return `${name}()`;
  if (!/^(?:environment|getEnvironment)$/.test(name)) return null;
  const isGiven = name === "environment" && hasTest(tokens, index + 2, index + 7);
  return isGiven || isCompared(tokens, index) ? `${name}()` : null;
}
