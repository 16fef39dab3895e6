import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const fonts = join(dirname(fileURLToPath(import.meta.url)), "../../assets/fonts");

/** A drawing as PNG, twice its size for sharp screens. The fonts are ours: without one its text would vanish. */
export async function drawPng(svg: string, width: number): Promise<Buffer> {
  // Loaded when a picture is wanted: a command of the terminal starts without it.
  const { Resvg } = await import("@resvg/resvg-js");
  const drawn = new Resvg(svg, {
    fitTo: { mode: "width", value: width * 2 },
    font: {
      loadSystemFonts: false,
      fontFiles: [join(fonts, "DejaVuSans.ttf"), join(fonts, "DejaVuSans-Bold.ttf")],
      defaultFontFamily: "DejaVu Sans",
    },
  });
  return drawn.render().asPng();
}
