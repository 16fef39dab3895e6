/**
 * What Slack documents of Block Kit, checked: the same kind of messages as Slack's own `invalid_blocks`, with a pointer
 * to the place. Written from the documentation, not from our drawing code. Empty: everything is accepted.
 */

type Surface = "message" | "home" | "modal";
type Json = Record<string, unknown>;

const documented = {
  blocks: { message: 50, home: 100, modal: 100 },
  blockId: 255,
  header: 150,
  section: 3000,
  fields: 10,
  field: 2000,
  contextElements: 10,
  contextText: 3000,
  actions: 25,
  actionId: 255,
  buttonText: 75,
  buttonValue: 2000,
  accessibility: 75,
  overflowLeast: 1,
  overflowMost: 5,
  optionText: 75,
  optionValue: 150,
  label: 2000,
  hint: 2000,
  placeholder: 150,
  maxLength: 3000,
  /** Of a message; not documented, measured by others. */
  total: 13_200,
} as const;

export function blockErrors(blocks: unknown, surface: Surface = "message"): string[] {
  const errors: string[] = [];
  if (!Array.isArray(blocks)) return ["must be an array [json-pointer:/blocks]"];
  const fail = (pointer: string, what: string) => errors.push(`${what} [json-pointer:${pointer}]`);
  if (blocks.length > documented.blocks[surface])
    fail("/blocks", `no more than ${documented.blocks[surface]} items allowed`);
  if (surface === "message" && JSON.stringify(blocks).length > documented.total) fail("/blocks", "msg_blocks_too_long");

  const ids = blocks.flatMap((block: Json) => (typeof block["block_id"] === "string" ? [block["block_id"]] : []));
  if (new Set(ids).size < ids.length) fail("/blocks", "`block_id` already exists");
  for (const [index, block] of (blocks as Json[]).entries()) checkBlock(block, `/blocks/${index}`, surface, fail);
  return errors;
}

type Fail = (pointer: string, what: string) => void;

function checkBlock(block: Json, at: string, surface: Surface, fail: Fail): void {
  if (typeof block["block_id"] === "string")
    checkLength(block["block_id"], 1, documented.blockId, `${at}/block_id`, fail);
  switch (block["type"]) {
    case "divider":
      return onlyKnown(block, ["type", "block_id"], at, fail);
    case "header":
      onlyKnown(block, ["type", "block_id", "text"], at, fail);
      return checkText(block["text"], { longest: documented.header, types: ["plain_text"] }, `${at}/text`, fail);
    case "section":
      return checkSection(block, at, fail);
    case "context":
      return checkContext(block, at, fail);
    case "actions":
      return checkActions(block, at, fail);
    case "input":
      if (surface === "message") fail(at, "input blocks are not used here");
      return checkInput(block, at, fail);
    default:
      fail(`${at}/type`, `unsupported type: ${String(block["type"])}`);
  }
}

function checkSection(block: Json, at: string, fail: Fail): void {
  onlyKnown(block, ["type", "block_id", "text", "fields", "accessory", "expand"], at, fail);
  const { text, fields } = block;
  if (text === undefined && fields === undefined) fail(at, "must define either `text` or `fields`");
  if (text !== undefined)
    checkText(text, { longest: documented.section, types: ["plain_text", "mrkdwn"] }, `${at}/text`, fail);
  if (fields === undefined) return;
  if (!Array.isArray(fields) || fields.length < 1 || fields.length > documented.fields) {
    fail(`${at}/fields`, `1 to ${documented.fields} items`);
    return;
  }
  for (const [index, field] of fields.entries()) {
    checkText(field, { longest: documented.field, types: ["plain_text", "mrkdwn"] }, `${at}/fields/${index}`, fail);
  }
}

function checkContext(block: Json, at: string, fail: Fail): void {
  onlyKnown(block, ["type", "block_id", "elements"], at, fail);
  const elements = block["elements"];
  if (!Array.isArray(elements) || elements.length < 1 || elements.length > documented.contextElements) {
    fail(`${at}/elements`, `1 to ${documented.contextElements} items`);
    return;
  }
  for (const [index, element] of elements.entries()) {
    const rule = { longest: documented.contextText, types: ["plain_text", "mrkdwn"] };
    checkText(element, rule, `${at}/elements/${index}`, fail);
  }
}

function checkActions(block: Json, at: string, fail: Fail): void {
  onlyKnown(block, ["type", "block_id", "elements"], at, fail);
  const elements = block["elements"];
  if (!Array.isArray(elements) || elements.length < 1 || elements.length > documented.actions) {
    fail(`${at}/elements`, `1 to ${documented.actions} items`);
    return;
  }
  const ids = elements.map((element: Json) => element["action_id"]);
  if (new Set(ids).size < ids.length) fail(`${at}/elements`, "`action_id` already exists");
  for (const [index, element] of (elements as Json[]).entries()) checkElement(element, `${at}/elements/${index}`, fail);
}

function checkElement(element: Json, at: string, fail: Fail): void {
  checkLength(element["action_id"], 1, documented.actionId, `${at}/action_id`, fail);
  switch (element["type"]) {
    case "button":
      onlyKnown(
        element,
        ["type", "action_id", "text", "value", "style", "url", "accessibility_label", "confirm"],
        at,
        fail,
      );
      checkText(element["text"], { longest: documented.buttonText, types: ["plain_text"] }, `${at}/text`, fail);
      if (element["value"] !== undefined) checkLength(element["value"], 0, documented.buttonValue, `${at}/value`, fail);
      if (element["accessibility_label"] !== undefined)
        checkLength(element["accessibility_label"], 1, documented.accessibility, `${at}/accessibility_label`, fail);
      if (element["style"] !== undefined && element["style"] !== "primary" && element["style"] !== "danger")
        fail(`${at}/style`, "must be primary or danger");
      return;
    case "overflow":
      onlyKnown(element, ["type", "action_id", "options", "confirm"], at, fail);
      return checkOptions(element["options"], `${at}/options`, fail);
    default:
      fail(`${at}/type`, `unsupported type: ${String(element["type"])}`);
  }
}

function checkOptions(options: unknown, at: string, fail: Fail): void {
  if (
    !Array.isArray(options) ||
    options.length < documented.overflowLeast ||
    options.length > documented.overflowMost
  ) {
    fail(at, `${documented.overflowLeast} to ${documented.overflowMost} items`);
    return;
  }
  for (const [index, option] of (options as Json[]).entries()) {
    checkText(option["text"], { longest: documented.optionText, types: ["plain_text"] }, `${at}/${index}/text`, fail);
    checkLength(option["value"], 1, documented.optionValue, `${at}/${index}/value`, fail);
  }
}

function checkInput(block: Json, at: string, fail: Fail): void {
  onlyKnown(block, ["type", "block_id", "label", "element", "optional", "hint", "dispatch_action"], at, fail);
  checkText(block["label"], { longest: documented.label, types: ["plain_text"] }, `${at}/label`, fail);
  if (block["hint"] !== undefined)
    checkText(block["hint"], { longest: documented.hint, types: ["plain_text"] }, `${at}/hint`, fail);
  const element = block["element"] as Json | undefined;
  if (element?.["type"] !== "plain_text_input") return fail(`${at}/element/type`, "unsupported type");
  onlyKnown(
    element,
    ["type", "action_id", "initial_value", "multiline", "min_length", "max_length", "placeholder", "focus_on_load"],
    `${at}/element`,
    fail,
  );
  if (Number(element["max_length"] ?? 0) > documented.maxLength) fail(`${at}/element/max_length`, "at most 3000");
  const placeholder = { longest: documented.placeholder, types: ["plain_text"] };
  if (element["placeholder"] !== undefined)
    checkText(element["placeholder"], placeholder, `${at}/element/placeholder`, fail);
}

function checkText(text: unknown, rule: { longest: number; types: readonly string[] }, at: string, fail: Fail): void {
  if (typeof text !== "object" || text === null) return fail(at, "missing text object");
  const { type, text: words } = text as Json;
  if (!rule.types.includes(String(type))) fail(`${at}/type`, `must be ${rule.types.join(" or ")}`);
  onlyKnown(text as Json, type === "mrkdwn" ? ["type", "text", "verbatim"] : ["type", "text", "emoji"], at, fail);
  checkLength(words, 1, rule.longest, `${at}/text`, fail);
  if (type === "mrkdwn" && typeof words === "string") checkTokens(words, `${at}/text`, fail);
}

/** Control sequences must be whole, and none may mention a channel. */
function checkTokens(words: string, at: string, fail: Fail): void {
  for (const [token] of words.matchAll(/<[^>]*>?/g)) {
    const isKnown =
      /^<(?:!date\^\d+\^[^|>]*\|[^>]*|https?:\/\/[^|>]*\|[^>]*|@[UW][A-Z0-9]+|!subteam\^S[A-Z0-9]+)>$/.test(token);
    if (!isKnown) fail(at, `unexpected control sequence ${token.slice(0, 60)}`);
  }
  for (const [entity] of words.matchAll(/&[^;\s]{0,6};?/g)) {
    if (!["&amp;", "&lt;", "&gt;"].some((each) => entity.startsWith(each))) fail(at, `broken entity ${entity}`);
  }
}

function checkLength(text: unknown, least: number, most: number, at: string, fail: Fail): void {
  if (typeof text !== "string") return fail(at, "must be a string");
  if (text.length < least) fail(at, `must be more than ${least - 1} characters`);
  if (text.length > most) fail(at, `must be less than ${most + 1} characters`);
}

function onlyKnown(object: Json, known: readonly string[], at: string, fail: Fail): void {
  for (const name of Object.keys(object)) if (!known.includes(name)) fail(`${at}/${name}`, "unknown field");
}

/** A view as `views.open`, `views.update` and `views.publish` take it. */
export function viewErrors(view: unknown): string[] {
  const errors: string[] = [];
  const fail = (pointer: string, what: string) => errors.push(`${what} [json-pointer:${pointer}]`);
  if (typeof view !== "object" || view === null) return ["missing view"];
  const { type, blocks, title, submit, close, private_metadata: metadata, ...rest } = view as Json;
  if (type !== "modal" && type !== "home") return [`unsupported type: ${String(type)}`];
  if (type === "modal") {
    for (const [name, text] of Object.entries({ title, submit, close })) {
      if (text !== undefined || name === "title")
        checkText(text, { longest: 24, types: ["plain_text"] }, `/view/${name}`, fail);
    }
    const hasInput = Array.isArray(blocks) && blocks.some((block: Json) => block["type"] === "input");
    if (hasInput && submit === undefined) fail("/view/submit", "required where there are inputs");
  }
  if (metadata !== undefined) checkLength(metadata, 0, 3000, "/view/private_metadata", fail);
  onlyKnown(rest, ["callback_id", "clear_on_close", "notify_on_close", "external_id"], "/view", fail);
  return [...errors, ...blockErrors(blocks, type)];
}
