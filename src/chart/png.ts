import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const fonts = join(dirname(fileURLToPath(import.meta.url)), "../../assets/fonts");

/**
 * Draws an SVG as PNG, in double size for high-resolution screens. The fonts are bundled, because without a font the text would be
 * missing.
 */
export async function drawPng(svg: string, width: number): Promise<Buffer> {
  // Loaded on first use, so that terminal commands start without it.
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
