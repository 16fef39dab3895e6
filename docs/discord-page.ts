import type { Message } from "../tests/fakes/discord/server.ts";

/** Messages and forms as Discord's own client shows them, near enough to judge them by: its markdown, embeds and buttons. */

type Row = Readonly<Record<string, unknown>>;

const styles: Readonly<Record<string, string>> = { 1: "blue", 2: "gray", 3: "green", 4: "red", 5: "gray" };

/** A channel with these messages, the oldest first. */
export function channelPage(messages: readonly Message[]): string {
  return page(`<main>${messages.map(messageHtml).join("")}</main>`);
}

/** The form that somebody has open. */
export function formPage(form: Row): string {
  const fields = rowsOf(form).map((row) => {
    const input = (row["component"] ?? (row["components"] as readonly Row[] | undefined)?.[0] ?? {}) as Row;
    const label = textOf(row, "label") || textOf(input, "label");
    const hint = textOf(row, "description");
    const value = textOf(input, "value");
    const shown = value === "" ? `<i>${escaped(textOf(input, "placeholder"))}</i>` : escaped(value);
    const box = `<div class="box${input["style"] === 2 ? " tall" : ""}">${shown}</div>`;
    const says = textOf(row, "content") === "" ? "" : `<p>${markdown(textOf(row, "content"))}</p>`;
    return `${says}${label === "" ? "" : `<label>${escaped(label)}</label>`}${hint === "" ? "" : `<small>${escaped(hint)}</small>`}${input["type"] === undefined ? "" : box}`;
  });
  const buttons = `<div class="row end"><span class="gray">Cancel</span><span class="blue">Submit</span></div>`;
  return page(`<main><section><h2>${escaped(textOf(form, "title"))}</h2>${fields.join("")}${buttons}</section></main>`);
}

function messageHtml({ content, embeds, components }: Message): string {
  const boxes = embeds.map((embed) => {
    const color = `#${Number(embed["color"] ?? 0x4e5058)
      .toString(16)
      .padStart(6, "0")}`;
    const footer = textOf((embed["footer"] ?? {}) as Row, "text");
    const said = markdown(textOf(embed, "description"));
    return `<div class="embed" style="border-color:${color}">${said}${footer === "" ? "" : `<small>${escaped(footer)}</small>`}</div>`;
  });
  const rows = components.map((row) => {
    const buttons = rowsOf(row).map(
      (each) => `<span class="${styles[String(each["style"])] ?? "gray"}">${escaped(textOf(each, "label"))}</span>`,
    );
    return `<div class="row">${buttons.join("")}</div>`;
  });
  return `<article><b class="avatar">✓</b><div><b>Chief of Staff</b> <em>APP</em><div>${markdown(content)}</div>${boxes.join("")}${rows.join("")}</div></article>`;
}

function rowsOf(row: Row): readonly Row[] {
  return (row["components"] ?? []) as readonly Row[];
}

function textOf(row: Row, key: string): string {
  const value = row[key];
  return typeof value === "string" ? value : "";
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** What we write of Discord's markdown. An escaped character is put aside first, so that it marks nothing. */
function markdown(text: string): string {
  const aside = text.replace(/\\([^\w\s])/g, (_, mark: string) => `&#${mark.codePointAt(0)};`);
  const safe = aside.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return safe
    .replace(/```(?:\w*\n)?([\s\S]*?)```\n?/g, "<pre>$1</pre>")
    .replace(/`([^`\n]+)`/g, "<code>$1</code>")
    .replace(/\*\*([^*]+)\*\*/g, "<b>$1</b>")
    .replace(/\*([^*\n]+)\*/g, "<i>$1</i>")
    .replace(/\[([^\]]+)\]\(https?:[^)]*\)/g, "<a>$1</a>")
    .replace(/&lt;t:(\d+):\w&gt;/g, (_, seconds: string) => `<time>${timeWords(Number(seconds))}</time>`)
    .replace(/&lt;@&amp;?!?\d+&gt;|&lt;@!?\d+&gt;/g, "<time>@ana</time>")
    .replace(/^-# (.*)$/gm, "<small>$1</small>")
    .replace(/^#{1,3} (.*)$/gm, "<b>$1</b>")
    .replace(/^[-•] (.*)$\n?/gm, "<li>$1</li>")
    .replaceAll("\n", "<br>");
}

function timeWords(seconds: number): string {
  const at = new Date(seconds * 1000);
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" }).format(at);
}

function page(body: string): string {
  return `<!doctype html><meta charset="utf-8"><style>
body { margin: 0; background: #313338; color: #dbdee1; font: 16px/1.4 "Noto Sans", "DejaVu Sans", sans-serif; }
main { padding: 16px 0; } article { display: flex; gap: 16px; padding: 8px 16px; overflow-wrap: anywhere; }
article > div { min-width: 0; flex: 1; } b { color: #f2f3f5; } .avatar { flex: none; width: 40px; height: 40px; border-radius: 50%; background: #245a4c; text-align: center; line-height: 40px; }
em { background: #5865f2; color: #fff; border-radius: 4px; padding: 0 5px; font: 600 10px/1.6 sans-serif; } small { color: #949ba4; font-size: 13px; display: block; }
a { color: #00a8fc; } time { background: #ffffff14; border-radius: 3px; padding: 0 2px; } code, pre { background: #1e1f22; border-radius: 4px; padding: 2px 4px; font: 14px/1.3 "DejaVu Sans Mono", monospace; white-space: pre-wrap; } pre { padding: 8px; margin: 6px 0; }
.embed { max-width: 520px; margin: 6px 0; padding: 10px 16px 12px 12px; background: #2b2d31; border-left: 4px solid; border-radius: 4px; font-size: 14.5px; } li { margin-left: 20px; }
.row { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 8px; } .row span { border-radius: 8px; padding: 7px 16px; font-weight: 500; font-size: 14px; color: #fff; } .blue { background: #5865f2; } .gray { background: #4e5058; } .green { background: #248046; } .red { background: #da373c; }
section { width: 440px; margin: 24px auto; background: #2b2d31; border-radius: 8px; padding: 16px; } h2 { margin: 0 0 8px; color: #f2f3f5; font-size: 20px; } label { display: block; margin: 14px 0 2px; font-weight: 600; } .box { background: #1e1f22; border-radius: 4px; padding: 9px; margin-top: 6px; min-height: 20px; } .tall { min-height: 84px; } .end { justify-content: end; margin-top: 20px; }
</style>${body}`;
}
