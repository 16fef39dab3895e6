import { expect, it } from "vitest";
import { drawText } from "../../src/console/draw.ts";

const drawn = async (span: { readonly link: string; readonly to: string; readonly isFile?: true }): Promise<string> =>
  String(await drawText([span], "UTC")[0]);

it("a link to a file saves it, whatever it is called, and any other one opens", async () => {
  const href = 'href="/escalations/cp-1a2b3c4d.md"';

  expect(await drawn({ link: "As Markdown", to: "/escalations/cp-1a2b3c4d.md", isFile: true })).toContain(
    `<a ${href} download>`,
  );
  expect(await drawn({ link: "README.md", to: "https://github.com/ana/shop/blob/main/README.md" })).not.toContain(
    "download",
  );
});
