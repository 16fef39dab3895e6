// `npm pack` runs this first: what is compiled goes into the package in the place of the sources.
import { compilePackage } from "./build.mjs";
import { ensureInstalled } from "./install.mjs";

await ensureInstalled();
await compilePackage();
