import { limits } from "../../../src/chat/discord/limits.ts";

/** What Discord refuses of messages, modals and commands, with what its own client does not look at. Source: its documentation. */

type Json = Readonly<Record<string, unknown>>;

const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as Json[]) : []);
const text = (value: unknown): string => (typeof value === "string" ? value : "");

function lengths(errors: string[], what: string, value: unknown, most: number, least = 1): void {
  if (typeof value !== "string") errors.push(`${what} is missing`);
  else if (value.length > most) errors.push(`${what} of ${value.length}`);
  else if (value.trim().length < least) errors.push(`${what} is empty`);
  else if (value !== value.toWellFormed()) errors.push(`${what} holds half a character`);
}

function unknownFields(errors: string[], what: string, given: Json, known: readonly string[]): void {
  for (const name of Object.keys(given)) if (!known.includes(name)) errors.push(`${what} has ${name}`);
}

const messageFields = [
  "content",
  "embeds",
  "components",
  "allowed_mentions",
  "attachments",
  "flags",
  "nonce",
  "enforce_nonce",
];

/** Errors of a message; `files`: how many come with it. Empty for one that Discord takes. */
export function messageErrors(message: Json, files = 0): string[] {
  const errors: string[] = [];
  unknownFields(errors, "message", message, messageFields);
  const content = text(message["content"]);
  const embeds = list(message["embeds"]);
  if (content.trim() === "" && embeds.length === 0 && files === 0) errors.push("empty message");
  if (content !== "") lengths(errors, "content", content, limits.content);
  if (embeds.length > 10) errors.push(`${embeds.length} embeds`);
  let total = 0;
  for (const embed of embeds) {
    unknownFields(errors, "embed", embed, ["color", "description", "footer"]);
    const footer = embed["footer"] as Json | undefined;
    if (embed["description"] === undefined && footer === undefined) errors.push("empty embed");
    if (embed["description"] !== undefined)
      lengths(errors, "embed description", embed["description"], limits.embedDescription);
    if (footer !== undefined) lengths(errors, "embed footer", footer["text"], limits.embedFooter);
    total += text(embed["description"]).length + text(footer?.["text"]).length;
  }
  if (total > limits.embedsTotal) errors.push(`embeds of ${total}`);
  if (message["nonce"] !== undefined) lengths(errors, "nonce", message["nonce"], limits.nonce);
  errors.push(...rowErrors(list(message["components"])), ...mentionErrors(message));
  return errors;
}

function rowErrors(rows: readonly Json[]): string[] {
  const errors: string[] = [];
  if (rows.length > limits.rows) errors.push(`${rows.length} rows`);
  const ids = new Set<string>();
  for (const row of rows) {
    if (row["type"] !== 1) errors.push(`a row of type ${String(row["type"])}`);
    const buttons = list(row["components"]);
    if (buttons.length === 0 || buttons.length > limits.rowButtons) errors.push(`a row of ${buttons.length}`);
    for (const button of buttons) {
      unknownFields(errors, "button", button, ["type", "style", "label", "custom_id"]);
      if (button["type"] !== 2) errors.push(`a component of type ${String(button["type"])}`);
      if (![1, 2, 3, 4].includes(Number(button["style"]))) errors.push(`a button of style ${String(button["style"])}`);
      lengths(errors, "button label", button["label"], limits.buttonLabel);
      lengths(errors, "custom id", button["custom_id"], limits.customId);
      if (ids.has(text(button["custom_id"]))) errors.push(`custom id twice: ${text(button["custom_id"])}`);
      ids.add(text(button["custom_id"]));
    }
  }
  return errors;
}

/** Mentions notify by `allowed_mentions` alone, and each of them stands in the content. */
function mentionErrors(message: Json): string[] {
  const allowed = message["allowed_mentions"] as { parse?: unknown[]; users?: string[]; roles?: string[] } | undefined;
  if (allowed === undefined) return ["no allowed_mentions"];
  const errors = allowed.parse?.length === 0 ? [] : ["allowed_mentions parses texts"];
  const content = text(message["content"]);
  for (const id of allowed.users ?? []) if (!content.includes(`<@${id}>`)) errors.push(`user ${id} is not named`);
  for (const id of allowed.roles ?? []) if (!content.includes(`<@&${id}>`)) errors.push(`role ${id} is not named`);
  return errors;
}

/** What of a text is drawn as more than data. */
export function strayMarks(drawn: string): string[] {
  // From left to right: a mark behind a backslash begins no code, and in code nothing is a mark.
  const unescaped = drawn.replace(/\\[^\n]|```[\s\S]*?```|`[^`\n]*`/g, "");
  return [...unescaped.matchAll(/<[@#:/]|https?:\/\/|@everyone|@here|[\u202A-\u202E\u2066-\u2069]/g)].map(
    ([mark]) => mark,
  );
}

export function modalErrors(modal: Json): string[] {
  const errors: string[] = [];
  unknownFields(errors, "modal", modal, ["custom_id", "title", "components"]);
  lengths(errors, "custom id", modal["custom_id"], limits.customId);
  lengths(errors, "title", modal["title"], limits.modalTitle);
  const components = list(modal["components"]);
  if (components.length === 0 || components.length > limits.modalComponents)
    errors.push(`${components.length} components`);
  const ids = new Set<string>();
  for (const component of components) {
    if (component["type"] === 10) {
      lengths(errors, "text", component["content"], limits.modalText);
      continue;
    }
    if (component["type"] !== 18) errors.push(`a component of type ${String(component["type"])}`);
    lengths(errors, "label", component["label"], limits.inputLabel);
    const input = (component["component"] ?? {}) as Json;
    lengths(errors, "input id", input["custom_id"], limits.customId);
    if (ids.has(text(input["custom_id"]))) errors.push(`input id twice: ${text(input["custom_id"])}`);
    ids.add(text(input["custom_id"]));
    if (input["type"] !== 4 || ![1, 2].includes(Number(input["style"]))) errors.push("not an input");
    if (Number(input["max_length"]) > limits.inputText) errors.push(`max_length ${String(input["max_length"])}`);
    if (input["placeholder"] !== undefined)
      lengths(errors, "placeholder", input["placeholder"], limits.inputPlaceholder);
    if (input["value"] !== undefined) lengths(errors, "value", input["value"], limits.inputText, 0);
  }
  return errors;
}

const subcommand = 1;
const subcommandGroup = 2;

/** Errors of the whole list of slash commands. */
export function commandErrors(commands: readonly Json[]): string[] {
  const errors = twice(commands).map((name) => `command twice: ${name}`);
  for (const command of commands) {
    errors.push(...optionErrors(command, 0));
    const size = sizeOf(command);
    if (size > limits.commandTotal) errors.push(`${text(command["name"])} of ${size}`);
  }
  return errors;
}

/** What is wrong with suggestions. */
export function suggestionErrors(data: Json): string[] {
  const errors: string[] = [];
  const choices = list(data["choices"]);
  if (choices.length > limits.commandChoices) errors.push(`${choices.length} choices`);
  for (const { name, value } of choices) {
    lengths(errors, "name of a choice", name, 100);
    lengths(errors, "value of a choice", value, 100);
  }
  return errors;
}

function optionErrors(command: Json, depth: number): string[] {
  const errors: string[] = [];
  const name = text(command["name"]);
  if (!/^[-_\p{Ll}\p{Lo}\p{N}]{1,32}$/u.test(name))
    errors.push(`a command or option is called ${JSON.stringify(name)}`);
  lengths(errors, `description of ${name}`, command["description"], limits.commandDescription);
  const options = list(command["options"]);
  if (options.length > limits.commandOptions) errors.push(`${name} has ${options.length} options`);
  errors.push(...twice(options).map((each) => `${name} has ${each} twice`));
  const nested = options.filter(({ type }) => type === subcommand || type === subcommandGroup);
  if (nested.length > 0 && nested.length < options.length) errors.push(`${name} mixes commands and options`);
  if (depth > 0 && options.some(({ type }) => type === subcommandGroup))
    errors.push(`${name} holds a group below a group`);
  const required = options.map((option) => option["required"] === true);
  if (required.some((each, index) => each && required.slice(0, index).includes(false)))
    errors.push(`${name} wants an option behind one that may be left away`);
  const choices = list(command["choices"]);
  if (choices.length > limits.commandChoices) errors.push(`${name} has ${choices.length} choices`);
  for (const choice of choices) lengths(errors, `choice of ${name}`, choice["name"], 100);
  const isText = command["type"] === 3 && choices.length === 0;
  if (command["autocomplete"] === true && !isText) errors.push(`${name} suggests what it may not`);
  return [...errors, ...options.flatMap((option) => optionErrors(option, depth + 1))];
}

function twice(named: readonly Json[]): string[] {
  const names = named.map(({ name }) => text(name));
  return names.filter((name, index) => names.indexOf(name) !== index);
}

function sizeOf(command: Json): number {
  const own = text(command["name"]).length + text(command["description"]).length;
  const choices = list(command["choices"]).map(({ name, value }) => text(name).length + String(value).length);
  return [own, ...choices, ...list(command["options"]).map(sizeOf)].reduce((all, each) => all + each, 0);
}
