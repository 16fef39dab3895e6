// `npm pack` runs this first: the package contains the compiled programs in place of the sources.
import { compilePackage } from "./build.mjs";
import { ensureInstalled } from "./install.mjs";

await ensureInstalled();
await compilePackage();
