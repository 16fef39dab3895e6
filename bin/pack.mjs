// `npm pack` runs this first: what is compiled goes into the package in the place of the sources.
import { compilePackage } from "./build.mjs";

await compilePackage();
